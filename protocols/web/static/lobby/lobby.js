// The lobby: what this house is, the doors to its games, who plays here, and what is going on.

import { h, show } from "../shared/element.js";
import { complain, fetched, furnish } from "../shared/page.js";
import { attendCards } from "./card.js";
import { doors } from "./doors.js";
import { playersSection } from "./players.js";
import { tablesSection } from "./tables.js";

const ROOMS = [
  ["/hills", "Hills", "submit a warrior, and see how long it stays"],
  ["/matches", "Matches", "let players meet, and read the table"],
  ["/runs", "Runs", "watch evolution while it happens"],
];

furnish();
try {
  enter(await fetched("/api/players"));
} catch (error) {
  complain(error.message);
}

function enter(players) {
  show(
    document.getElementById("main"),
    h(
      "div",
      { class: "hero" },
      h("h1", {}, "Game players that evolved"),
      h(
        "p",
        {},
        "Galapagos keeps what evolution has found in four games. Play against it here, at once, or let your own programs do so.",
      ),
    ),
    doors(players),
    h(
      "div",
      { class: "columns" },
      playersSection(players),
      h("div", { class: "aside" }, tablesSection(), more(), programs()),
    ),
  );
  attendCards();
}

function programs() {
  return h(
    "section",
    { class: "card", "aria-labelledby": "programs" },
    h("h2", { id: "programs" }, "Your own programs"),
    h(
      "p",
      {},
      "The house has a TCP port, too, where the first line decides what is spoken: ",
      h("code", {}, "uci"),
      " or ",
      h("code", {}, "xboard"),
      " for chess programs, a JSON object for the tables, ",
      h("code", {}, ";redcode"),
      " for its hills. The WebSocket ",
      h("code", {}, "/ws"),
      " is the same for pages.",
    ),
  );
}

function more() {
  return h(
    "section",
    { class: "card", "aria-labelledby": "more" },
    h("h2", { id: "more" }, "More to see"),
    h(
      "ul",
      { class: "rooms" },
      ROOMS.map(([path, name, about]) =>
        h("li", {}, h("a", { href: path }, name), h("span", { class: "quiet" }, about)),
      ),
    ),
  );
}
