// The stage of the film: minions between one phase and the next, drawn over the board.

import { h } from "../../shared/element.js";
import { MINIONS, trade } from "../board/pieces.js";
import { SIDE, placeOf } from "../board/terrain.js";

const FLASH = { true: "--flash-won", false: "--flash-failed" };

/** A canvas of the board's size. */
export class Stage {
  constructor() {
    this.element = h("canvas", { class: "stage", "aria-hidden": "true" });
    this.shapes = new Map(Object.entries(MINIONS).map(([kind, d]) => [kind, new Path2D(d)]));
  }

  /** Show a frame, and of the way to the next one the share `part`, 0 to 1. */
  draw(frame, next, part) {
    const canvas = this.element;
    const style = getComputedStyle(canvas);
    const size = Math.round(canvas.clientWidth * devicePixelRatio);
    if (canvas.width !== size) canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d");
    const square = size / SIDE;
    pen.clearRect(0, 0, size, size);
    for (const fight of (part > 0.5 && next ? next : frame).fights) this.#flash(pen, style, square, fight);
    const crowds = new Map();
    for (const [number, minion] of frame.minions) {
      const later = next?.minions.get(number);
      const [x, y] = between(minion.at, later?.at ?? minion.at, part);
      const turn = later ? (((later.facing - minion.facing + 6) % 4) - 2) * part : 0;
      pen.globalAlpha = next && !later ? 1 - part : 1;
      const place = `${Math.round(x * 4)} ${Math.round(y * 4)}`;
      const rank = crowds.get(place) ?? 0;
      crowds.set(place, rank + 1);
      if (rank < 4) this.#minion(pen, style, square, minion, [x + rank * 0.09, y - rank * 0.09], minion.facing + turn);
    }
    pen.globalAlpha = 1;
  }

  #minion(pen, style, square, minion, [x, y], facing) {
    const kind = minion.kind;
    pen.save();
    pen.translate((x + 0.5) * square, (y + 0.5) * square);
    pen.rotate((facing * Math.PI) / 2);
    pen.scale((square / 24) * 0.86, (square / 24) * 0.86);
    pen.translate(-12, -12);
    pen.fillStyle = style.getPropertyValue(`--${trade(kind)}`);
    pen.strokeStyle = style.getPropertyValue("--edge");
    pen.lineWidth = 2.2;
    pen.lineJoin = "round";
    pen.stroke(this.shapes.get(kind));
    pen.fill(this.shapes.get(kind), "evenodd");
    pen.restore();
  }

  #flash(pen, style, square, fight) {
    const [x, y] = placeOf(fight.at);
    const isHuman = ["counter", "mine", "bomb"].includes(fight.kind);
    pen.strokeStyle = style.getPropertyValue(FLASH[isHuman === fight.win]);
    pen.lineWidth = square * 0.14;
    pen.beginPath();
    pen.arc((x + 0.5) * square, (y + 0.5) * square, square * 0.72, 0, Math.PI * 2);
    pen.stroke();
  }
}

/** Where somebody is on the way, the shorter one around the edge. */
function between(from, to, part) {
  const [start, end] = [placeOf(from), placeOf(to)];
  return start.map((each, axis) => each + ((((end[axis] - each + SIDE * 1.5) % SIDE) - SIDE / 2) * part));
}
