// Arrows and marked squares on the board: drawn with the right mouse button, and the arrow of the engine's best move.

import { svg } from "./dom.js";

const FILES = "abcdefgh";
const WIDTH = 0.18; // of an arrow's line, in squares
const HEAD = 0.42; // length of an arrow's head, in squares

export class Drawings {
  /** `place` is the element of the board; `below` returns the colour at the bottom, `onRightButton()` is called when that is pressed. */
  constructor(place, { below, onRightButton }) {
    this.below = below;
    this.drawn = new Map(); // what the user has drawn: the kind ("good", "bad" or "other") by squares, such as "e2e4" or "e4"
    this.best = null; // the squares of the best move, such as "e2e4"
    this.layer = svg("svg", { class: "drawings", viewBox: "0 0 8 8", "aria-hidden": "true" });
    place.append(this.layer);
    place.addEventListener("mousedown", (event) => {
      if (event.button === 0) return this.clear();
      if (event.button !== 2) return undefined;
      onRightButton();
      this.from = squareOf(event);
      return undefined;
    });
    addEventListener("mouseup", (event) => {
      const [from, to] = [this.from, squareOf(event)];
      this.from = null;
      if (event.button === 2 && from && to) this.#toggle(from === to ? from : from + to, kindOf(event));
    });
  }

  clear() {
    this.drawn.clear();
    this.draw();
  }

  /** Show an arrow for a move such as e2e4, or none. */
  point(move) {
    if (this.best === move) return;
    this.best = move;
    this.draw();
  }

  draw() {
    const best = this.best ? [arrow(this.best.slice(0, 4), "best", this.below())] : [];
    const own = [...this.drawn].map(([squares, kind]) => (squares.length > 2 ? arrow : circle)(squares, kind, this.below()));
    this.layer.replaceChildren(...best, ...own);
  }

  #toggle(squares, kind) {
    if (this.drawn.get(squares) === kind) this.drawn.delete(squares);
    else this.drawn.set(squares, kind);
    this.draw();
  }
}

function squareOf(event) {
  return event.target.closest?.("[data-square]")?.dataset.square ?? null;
}

/** The colour, as on other sites: Shift or Ctrl for red, Alt for blue. */
function kindOf(event) {
  return event.shiftKey || event.ctrlKey ? "bad" : event.altKey ? "other" : "good";
}

/** The middle of a square, in squares from the upper left corner. */
function middle(square, below) {
  const [x, y] = [FILES.indexOf(square[0]) + 0.5, 8.5 - Number(square[1])];
  return below === "w" ? [x, y] : [8 - x, 8 - y];
}

function circle(square, kind, below) {
  const [cx, cy] = middle(square, below);
  return svg("circle", { class: kind, cx, cy, r: 0.44, fill: "none", "stroke-width": 0.08 });
}

function arrow(squares, kind, below) {
  const [from, to] = [middle(squares.slice(0, 2), below), middle(squares.slice(2), below)];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const neck = [to[0] - HEAD * x, to[1] - HEAD * y];
  const corners = [to, [neck[0] - (HEAD / 2) * y, neck[1] + (HEAD / 2) * x], [neck[0] + (HEAD / 2) * y, neck[1] - (HEAD / 2) * x]];
  return svg("g", { class: kind },
    svg("line", { x1: from[0], y1: from[1], x2: neck[0], y2: neck[1], "stroke-width": WIDTH, "stroke-linecap": "round" }),
    svg("polygon", { points: corners.map((corner) => corner.map((part) => part.toFixed(3)).join(",")).join(" "), stroke: "none" }));
}
