// What the genomes think: the score, the line they expect, and how the score went through the game.

import { h, show, svg } from "../shared/element.js";
import { noteOf } from "./game/note.js";

const WIDTH = 300;
const HEIGHT = 80;
const PAWNS = 4; // at which the curve has gone three quarters of its way
const number = (value) => value.toLocaleString("en");

export class Thinking {
  constructor() {
    this.score = h("strong", { class: "score" });
    this.facts = h("span", { class: "quiet number" });
    this.line = h("p", { class: "line" });
    this.curve = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img", preserveAspectRatio: "none" });
    this.element = h("section", { class: "card", "aria-label": "What the genome thinks" },
      h("h2", {}, "Its thoughts"), h("p", { class: "row" }, this.score, this.facts), this.line, this.curve);
    this.clear();
  }

  clear() {
    show(this.score, "–");
    show(this.facts, "");
    show(this.line, h("span", { class: "quiet" }, "The score is White’s view, in pawns; below it the moves that are expected."));
  }

  /** An `info` of the engine that moves for `colour`, its line already told in SAN. */
  tell(info, colour, line) {
    show(this.score, noteOf(info, colour).score);
    show(this.facts, `depth ${info.depth}, ${number(info.nodes)} nodes`);
    show(this.line, line);
  }

  /** The scores of a game so far; `notes` may have gaps. */
  draw(notes) {
    const points = notes.flatMap((note, index) => (note ? [[index, note.pawns, note.score]] : []));
    const x = (index) => ((index + 0.5) / Math.max(notes.length, 20)) * WIDTH;
    const y = (pawns) => (HEIGHT / 2) * (1 - Math.tanh(pawns / PAWNS));
    const middle = svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "middle" });
    const line = points.map(([index, pawns]) => `${x(index).toFixed(1)},${y(pawns).toFixed(1)}`).join(" ");
    const last = points.at(-1);
    this.curve.setAttribute("aria-label", last ? `The score through the game, now ${last[2]}` : "The score through the game");
    if (!last) return show(this.curve, middle);
    const area = `${x(points[0][0]).toFixed(1)},${HEIGHT / 2} ${line} ${x(last[0]).toFixed(1)},${HEIGHT / 2}`;
    show(this.curve, svg("polygon", { points: area, class: "area" }), middle, svg("polyline", { points: line, class: "way" }));
  }
}
