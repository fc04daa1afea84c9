// The map of the core: a square a cell, in the colour of who was there last, glowing for a moment when touched.

import { h } from "../../shared/element.js";
import { ofPage, Palette } from "./colours.js";
import { DEAD, NONE } from "./core.js";

const WARM = 0.3; // seconds that a touch glows
const COLD = 0.04; // what is below glows no more
const BROAD = 5; // pixels of a square from which there is a gap to the next

export class CoreMap {
  /** `chosen(address)` hears of the cell under the pointer or the cursor; null: of none. */
  constructor(core, chosen) {
    const size = core.reel.size;
    this.core = core;
    this.size = size;
    this.chosen = chosen;
    this.heat = new Float32Array(size);
    this.isDirty = new Uint8Array(size);
    this.dirty = [];
    this.cursor = null;
    this.canvas = h("canvas", {
      class: "core", tabindex: 0, role: "img", "aria-label": "The core, a cell a square; the arrow keys go from cell to cell",
      onpointermove: (event) => this.#point(event), onpointerleave: () => chosen(this.cursor), onkeydown: (event) => this.#go(event),
    });
    this.frame = h("div", { class: "cursor", hidden: true });
    this.element = h("div", { class: "box" }, this.canvas, this.frame);
    this.pen = this.canvas.getContext("2d");
    this.shape = { columns: 1, cell: 1, left: 0, head: 0, gap: 0 };
    core.touched = (address, glow) => this.soil(address, glow);
  }

  soil(address, glow) {
    if (this.heat[address] < glow) this.heat[address] = glow;
    if (this.isDirty[address]) return;
    this.isDirty[address] = 1;
    this.dirty.push(address);
  }

  /** Let nothing glow, and draw all of it anew. */
  cool() {
    this.heat.fill(0);
    for (let address = 0; address < this.size; address++) this.soil(address, 0);
  }

  /** As large as there is room for: the largest squares; full rows are worth a little. */
  fit() {
    const scale = devicePixelRatio || 1;
    const box = this.element.getBoundingClientRect();
    const width = Math.max(Math.floor((box.width - 22) * scale), 1);
    const height = Math.max(Math.floor((box.height - 22) * scale), 1);
    Object.assign(this.canvas, { width, height });
    this.canvas.style.width = `${width / scale}px`;
    this.canvas.style.height = `${height / scale}px`;
    let best = { worth: 0 };
    for (let columns = 1; columns <= this.size; columns++) {
      const cell = Math.min(width / columns, height / Math.ceil(this.size / columns));
      const worth = this.size % columns ? cell * 0.94 : cell;
      if (worth > best.worth) best = { worth, columns, cell };
    }
    const { columns, cell } = best;
    this.shape = {
      columns,
      cell,
      left: Math.max((width - columns * cell) / 2, 0),
      head: Math.max((height - Math.ceil(this.size / columns) * cell) / 2, 0),
      gap: cell >= BROAD ? Math.min(Math.max(1, Math.round(cell / 9)), 4 * scale) : 0,
    };
    this.paint();
  }

  /** All anew, in the colours of the hour. */
  paint() {
    this.palette = new Palette(this.core.reel.warriors.length);
    this.empty = ofPage("--empty");
    this.ink = ofPage("--raised");
    this.pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (let address = 0; address < this.size; address++) this.soil(address, 0);
    this.draw(0);
    this.#frame();
  }

  /** What has changed, so many seconds after the last time. */
  draw(seconds) {
    const cooling = Math.exp(-seconds / WARM);
    const before = this.dirty;
    this.dirty = [];
    for (const address of before) {
      const warm = this.heat[address];
      this.#square(address, warm);
      this.heat[address] = warm * cooling > COLD ? warm * cooling : 0;
      if (warm > 0) this.dirty.push(address);
      else this.isDirty[address] = 0;
    }
  }

  #square(address, warm) {
    const { pen, core } = this;
    const { x, y, wide, high } = this.#place(address);
    const mark = core.mark[address];
    pen.fillStyle = mark === NONE ? this.empty : this.palette.of(core.owner[address], mark, warm);
    pen.fillRect(x, y, wide, high);
    if (mark !== DEAD || wide <= 4) return;
    pen.strokeStyle = this.ink;
    pen.lineWidth = Math.min(Math.max(1, wide / 6), 5);
    pen.beginPath();
    pen.moveTo(x + wide * 0.25, y + high * 0.25);
    pen.lineTo(x + wide * 0.75, y + high * 0.75);
    pen.moveTo(x + wide * 0.75, y + high * 0.25);
    pen.lineTo(x + wide * 0.25, y + high * 0.75);
    pen.stroke();
  }

  #place(address) {
    const { columns, cell, left, head, gap } = this.shape;
    const column = address % columns;
    const row = Math.floor(address / columns);
    const x = Math.round(left + column * cell);
    const y = Math.round(head + row * cell);
    return {
      x,
      y,
      wide: Math.max(Math.round(left + (column + 1) * cell) - x - gap, 1),
      high: Math.max(Math.round(head + (row + 1) * cell) - y - gap, 1),
    };
  }

  #point(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    const { columns, cell, left, head } = this.shape;
    const column = Math.floor(((event.clientX - box.left) * scale - left) / cell);
    const row = Math.floor(((event.clientY - box.top) * scale - head) / cell);
    const address = row * columns + column;
    this.chosen(column < 0 || column >= columns || row < 0 || address >= this.size ? this.cursor : address);
  }

  #go(event) {
    const { columns } = this.shape;
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.cursor = this.cursor === null ? 0 : (this.cursor + way + this.size) % this.size;
    this.#frame();
    this.chosen(this.cursor);
  }

  #frame() {
    this.frame.hidden = this.cursor === null;
    if (this.cursor === null) return;
    const { x, y, wide, high } = this.#place(this.cursor);
    const scale = this.canvas.width / this.canvas.clientWidth || 1;
    const [left, top] = [this.canvas.offsetLeft + x / scale, this.canvas.offsetTop + y / scale];
    Object.assign(this.frame.style, { left: `${left}px`, top: `${top}px`, width: `${wide / scale}px`, height: `${high / scale}px` });
  }
}
