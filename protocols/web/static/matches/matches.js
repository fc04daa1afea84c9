// The room of the matches: those under way and over, the way to begin one, and games to watch.

import { h, show } from "../shared/element.js";
import { Events } from "../shared/events.js";
import { House, Refusal } from "../shared/house.js";
import { complain, furnish } from "../shared/page.js";
import { Form } from "./form.js";
import { Games } from "./games.js";
import { Match } from "./match.js";

const LOOK = 3000; // milliseconds between two looks at what there is
const OWN = "galapagos-own-matches"; // of this browser tab

const house = new House("matches", { role: "director" });
const form = new Form(begin);
const games = new Games();
const matches = new Map(); // by ID
const own = new Set(JSON.parse(sessionStorage.getItem(OWN) ?? "[]"));
const none = h("p", { class: "card quiet" }, "No match has been played of late. Begin one: a hundred games take some seconds.");
const place = h("div", { class: "stack" }, none);
const token = h("input", { type: "password", autocomplete: "off", required: true });
const door = h(
  "form",
  { class: "card row", hidden: true, onsubmit: enter },
  h("p", {}, "From afar only who knows the token of this house may begin matches."),
  h("label", {}, "Token", token),
  h("button", { class: "main" }, "Enter"),
);

furnish();
show(
  document.getElementById("main"),
  h("h1", {}, "Matches"),
  h("p", { class: "quiet" }, "Evolved players against each other, game by game, with intervals that say how sure the table is."),
  h("div", { class: "columns" }, place, h("div", { class: "stack" }, door, form.element, games.element)),
);

house.addEventListener("open", () => {
  form.open(house.welcome.games, house.hello.role === "director");
  look();
});
house.addEventListener("refused", ({ detail: refusal }) => {
  if (refusal.code !== "not_permitted" || house.hello.role !== "director") return complain(refusal.message);
  if (house.hello.token) complain(refusal.message);
  door.hidden = false;
  house.greet({ role: "watcher", token: undefined });
});
house.addEventListener("match_event", ({ detail }) => matchOf(detail.match_id).hear(detail));
house.addEventListener("match_end", ({ detail }) => matchOf(detail.match_id).hear(detail));
new Events("match").addEventListener("line", ({ detail }) => matchOf(detail.line.match_id).hear(detail.line));
setInterval(look, LOOK);

async function look() {
  if (!house.welcome || document.hidden) return;
  try {
    const { agents } = form.isFull ? {} : await house.ask("list", { what: "agents" });
    if (agents) form.offer(agents);
    const listing = await house.ask("list", { what: "matches", limit: 100 });
    for (const each of listing.matches) matchOf(each.match_id).list(each);
    games.show((await house.ask("list", { state: "running", limit: 20 })).games);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // else the line is lost, and comes back
  }
}

function matchOf(id) {
  if (!matches.has(id)) {
    const match = new Match(id, own.has(id) ? () => cancel(id) : null);
    matches.set(id, match);
    none.remove();
    place.prepend(match.element);
  }
  return matches.get(id);
}

async function begin(wanted) {
  const { match_id: id } = await house.ask("match", wanted);
  own.add(id);
  sessionStorage.setItem(OWN, JSON.stringify([...own]));
  const match = matchOf(id);
  match.begin(wanted);
  match.element.scrollIntoView({ block: "nearest" });
}

async function cancel(id) {
  try {
    await house.ask("match_cancel", { match_id: id });
  } catch (refusal) {
    complain(refusal.message);
  }
}

function enter(event) {
  event.preventDefault();
  door.hidden = true;
  house.reconnect({ role: "director", token: token.value });
}
