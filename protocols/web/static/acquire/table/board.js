// The board: a grid of squares with the chains' colours and letters; the arrow keys walk on it.

import { h, show } from "../../shared/element.js";
import { meaning, tileAt } from "../tiles.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const GROUND = { ".": "empty", o: "a lone tile", x: "out of play", "*": "just placed" };

/** `place(tile)` is called for a tile of the hand that may be placed. */
export class Board {
  constructor(place) {
    this.place = place;
    this.at = [0, 0]; // the square that Tab comes to
    this.element = h("div", {
      class: "board",
      role: "grid",
      "aria-label": "Board",
      onkeydown: (event) => this.#walk(event),
    });
  }

  show(game) {
    const { board, hand } = game.seen;
    const may = new Set(game.due?.phase === "place" ? game.due.legal.actions.map((action) => action.tile) : []);
    const own = new Map(hand ?? []);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.style.setProperty("--across", board[0].length);
    show(
      this.element,
      board.map((cells, row) => this.#row(game, cells, row, own, may)),
    );
    if (hadFocus) this.#square(this.at)?.focus();
  }

  #row(game, cells, row, own, may) {
    const squares = [...cells].map((cell, column) => {
      const tile = tileAt(row, column);
      const chain = game.chain(cell);
      const ground = chain ? chain.name : own.has(tile) ? `yours: ${meaning(game, tile, own.get(tile))}` : GROUND[cell];
      const placer = [...game.last].find(([, placed]) => placed === tile);
      const by = placer ? `, placed by ${game.name(placer[0])}` : "";
      return h(
        "div",
        {
          class: [
            "square",
            chain ? "chain" : `ground-${{ ".": "empty", o: "lone", x: "out", "*": "new" }[cell]}`,
            own.has(tile) && "own",
            may.has(tile) && "may",
            placer && "recent",
            tile === game.latest && "latest",
          ]
            .filter(Boolean)
            .join(" "),
          role: "gridcell",
          tabindex: row === this.at[0] && column === this.at[1] ? 0 : -1,
          "aria-label": `${tile}, ${ground}${by}`,
          title: `${tile}: ${ground}${by}`,
          "data-chain": chain?.letter,
          "data-tile": tile,
          onclick: may.has(tile) ? () => this.place(tile) : null,
        },
        chain || cell === "*" ? h("b", {}, chain?.letter ?? "*") : h("span", {}, tile),
      );
    });
    return h("div", { role: "row" }, squares);
  }

  #square([row, column]) {
    return this.element.children[row]?.children[column];
  }

  #walk(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.target.click();
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const there = [this.at[0] + step[0], this.at[1] + step[1]];
    const square = this.#square(there);
    if (!square) return;
    this.#square(this.at).tabIndex = -1;
    this.at = there;
    square.tabIndex = 0;
    square.focus();
  }
}
