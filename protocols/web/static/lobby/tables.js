// The tables of the house: games that wait for somebody, go on or are just over.

import { h, show } from "../shared/element.js";
import { House, Refusal } from "../shared/house.js";

const EVERY = 4000; // milliseconds
const ROOMS = { acquire: "/acquire", protection: "/protection" };
const ORDER = ["open", "running", "over"];
const MOST = 12;

/** A section that keeps itself up to date. */
export function tablesSection() {
  const list = h("div", { "aria-live": "polite" }, h("p", { class: "quiet" }, "Looking …"));
  const house = new House("lobby", { role: "watcher", name: "lobby" });
  let shown = "";
  house.addEventListener("open", look);
  setInterval(() => !document.hidden && look(), EVERY);
  return h("section", { class: "card", "aria-labelledby": "tables" }, h("h2", { id: "tables" }, "Tables"), list);

  async function look() {
    try {
      const { games } = await house.ask("list", { what: "games", limit: 100 });
      const told = JSON.stringify(games.map(({ seq, ...game }) => game));
      if (told !== shown) show(list, rows(games));
      shown = told;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal; // else the connection is lost, and it will look again
    }
  }
}

function rows(games) {
  const wanted = games
    .filter((game) => ROOMS[game.game])
    .sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  if (!wanted.length)
    return h(
      "p",
      { class: "quiet" },
      "Nobody sits at a table. Open one, and leave a seat to whoever comes: ",
      h("a", { href: "/acquire" }, "Acquire"),
      ".",
    );
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Game", "Seats", ""].map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h("tbody", {}, wanted.slice(0, MOST).map(row)),
  );
}

function row({ game_id: id, game, variant, seats, state }) {
  const isOpen = state === "open";
  const address = `${ROOMS[game]}?${isOpen ? "join" : "watch"}=${encodeURIComponent(id)}`;
  return h(
    "tr",
    {},
    h("td", {}, `${game} `, h("small", { class: "quiet" }, state === "over" ? `${variant}, over` : variant)),
    h("td", { class: "names" }, seats.map((name) => name || "open").join(", ")),
    h("td", {}, h("a", { href: address }, isOpen ? "Join" : "Watch")),
  );
}
