// The own tiles, each with what it would do; when a tile is to be placed, they are buttons.

import { h, show } from "../../shared/element.js";
import { meaning } from "../tiles.js";

const NEXT = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** `place(tile)` is called for one of them. */
export class Hand {
  constructor(place) {
    this.place = place;
    this.list = h("div", {
      class: "hand",
      role: "group",
      "aria-label": "Your tiles",
      onkeydown: (event) => this.#walk(event),
    });
    this.element = h("section", { class: "own-tiles" }, h("h2", {}, "Your tiles"), this.list);
  }

  show(game) {
    const { hand } = game.seen;
    this.element.hidden = !hand || Boolean(game.end);
    if (!hand) return;
    const may = new Set(game.due?.phase === "place" ? game.due.legal.actions.map((action) => action.tile) : []);
    show(
      this.list,
      hand.map(([tile, kind]) =>
        h(
          "button",
          { type: "button", class: `tile ${kind}`, disabled: !may.has(tile), onclick: () => this.place(tile) },
          h("b", {}, tile),
          h("span", {}, meaning(game, tile, kind)),
        ),
      ),
      !hand.length && h("p", { class: "quiet" }, "You have no tiles left."),
    );
  }

  focus(options) {
    this.list.querySelector("button:enabled")?.focus(options);
  }

  #walk(event) {
    if (!NEXT[event.key]) return;
    event.preventDefault();
    const tiles = [...this.list.querySelectorAll("button:enabled")];
    const at = tiles.indexOf(document.activeElement);
    tiles[(at + NEXT[event.key] + tiles.length) % tiles.length]?.focus();
  }
}
