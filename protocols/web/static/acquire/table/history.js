// What has happened, in sentences: a paragraph a turn, the newest first, with mergers set apart.

import { h } from "../../shared/element.js";
import { dollars } from "../chip.js";

const OWN_UNTOLD = ["left", "rejoined"]; // a page that is loaded again
const OTHERS_UNTOLD = ["drew"];
const OF_MERGERS = ["merger", "bonus", "disposed", "phantom"];
const SHARES_OF_PRICE = { first: 10, second: 5, both: 15 }; // what a whole bonus is, in prices of a share

export class History {
  constructor() {
    this.list = h("ol", { class: "log", role: "log", "aria-label": "What has happened", tabindex: 0 });
    this.element = h("section", { class: "card history" }, h("h2", {}, "What has happened"), this.list);
    this.told = 0; // events
  }

  show(game) {
    for (const event of game.events.slice(this.told)) this.#tell(game, event);
    this.told = game.events.length;
  }

  #tell(game, event) {
    if (event.kind === "turn" || !this.turn) {
      this.turn = h("li", {}, h("b", {}, event.kind === "turn" ? game.name(event.seat) : "The table"));
      this.list.prepend(this.turn);
    }
    const isOwn = event.seat === game.seat;
    if (event.kind === "turn" || (isOwn ? OWN_UNTOLD : OTHERS_UNTOLD).includes(event.kind)) return;
    if (event.kind === "end_announced") this.turn.classList.add("last");
    const isOfMerger = OF_MERGERS.includes(event.kind);
    const before = this.turn.lastChild;
    if (isOfMerger) this.turn.append(h("p", { class: "merger" }, event.say, because(event)));
    else if (before.matches("p:not(.merger)")) before.append(` ${event.say}`);
    else this.turn.append(h("p", {}, event.say));
  }
}

/** Where the amount of a bonus comes from. */
function because(event) {
  const times = event.kind === "bonus" && SHARES_OF_PRICE[event.place];
  return times ? h("span", { class: "quiet" }, ` (${times} × ${dollars(event.amount / times)})`) : null;
}
