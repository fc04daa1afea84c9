// The games of the house that are under way: who sits where, and the way to watch.

import { h, show } from "../shared/element.js";
import { counted } from "../shared/words.js";

const WATCHED = ["acquire", "protection"]; // in rooms of these names

export class Games {
  constructor() {
    this.list = h("ul", { class: "games" });
    this.element = h("section", { class: "card" }, h("h2", {}, "Games to watch"), this.list);
    this.shown = "";
  }

  show(games) {
    const told = JSON.stringify(games);
    if (told === this.shown) return; // a link that has the focus keeps it
    this.shown = told;
    const lines = games.filter((each) => WATCHED.includes(each.game)).map(line);
    show(this.list, lines.length ? lines : h("li", { class: "quiet" }, "None at present."));
  }
}

function line({ game_id: id, game, seats, seq }) {
  const names = seats.map((name) => name || "an empty seat").join(", ");
  return h(
    "li",
    {},
    h("a", { href: `/${game}?watch=${encodeURIComponent(id)}` }, names),
    h("span", { class: "quiet" }, ` ${game}, ${counted(seq ?? 0, "event")}`),
  );
}
