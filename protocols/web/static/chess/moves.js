// The list of the moves, each a button that shows the position after it.

import { h, show } from "../shared/element.js";

export class Moves {
  /** `chosen(index)` hears which move is to be looked at. */
  constructor(chosen) {
    this.chosen = chosen;
    this.element = h("ol", { class: "moves", "aria-label": "Moves" });
  }

  /** All moves of a game; `at` is the index of the one whose position stands on the board. */
  show(game, at) {
    const rows = [];
    game.history.forEach((move, index) => {
      if (move.color === "w" || !rows.length) rows.push(this.#row(move));
      rows.at(-1).append(this.#button(move, index, at));
    });
    show(this.element, rows);
    const current = this.element.querySelector("[aria-current]");
    if (current) this.element.scrollTop = current.offsetTop - this.element.clientHeight / 2;
  }

  #row(move) {
    const number = move.before.split(" ")[5];
    return h("li", {}, h("span", { class: "quiet" }, `${number}.`), move.color === "b" ? h("span", {}, "…") : null);
  }

  #button(move, index, at) {
    const attributes = { "aria-current": index === at ? "step" : null, onclick: () => this.chosen(index) };
    return h("button", attributes, move.san);
  }
}
