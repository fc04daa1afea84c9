// The room of the hills: which there are, and the one that is looked at.

import { h, show } from "../shared/element.js";
import { Events } from "../shared/events.js";
import { complain, fetched, furnish } from "../shared/page.js";
import { Hill } from "./hill.js";

const LOOK = 5000; // milliseconds; other programs may use a hill, too, of which no event tells

const place = h("div", {});
const tabs = h("nav", { class: "tabs", "aria-label": "Hills" });
let hills = [];
let hill = null;

furnish();
show(
  document.getElementById("main"),
  h("h1", {}, "Hills"),
  h(
    "p",
    { class: "quiet" },
    "Programs fight for the memory of a simulated computer. Who comes to a hill meets everybody on it; the best keep a place.",
  ),
  tabs,
  place,
);
try {
  ({ hills } = await fetched("/api/hills"));
} catch (error) {
  complain(error.message);
}
choose();
addEventListener("hashchange", choose);
setInterval(() => document.hidden || hill?.look(), LOOK);
const events = new Events("hill");
for (const type of ["challenge", "standings"]) events.addEventListener(type, () => hill?.look());

function choose() {
  const facts = hills.find((each) => location.hash === `#${encodeURIComponent(each.name)}`) ?? hills[0];
  if (!facts) {
    show(
      place,
      h("section", { class: "card" },
        h("h2", {}, "No hill is open"),
        h("p", {}, "Make one, and open it to all:"),
        h("pre", {}, "galapagos hill create nano.hill --preset nano\ngalapagos serve --hill nano.hill"),
      ),
    );
    return;
  }
  show(
    tabs,
    hills.map((each) =>
      h("a", { href: `#${encodeURIComponent(each.name)}`, "aria-current": each === facts ? "true" : null }, each.title),
    ),
  );
  hill = new Hill(facts);
  show(place, hill.element);
  hill.look();
}
