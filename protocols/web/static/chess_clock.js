// Chess clocks, with an increment.

import { h } from "./dom.js";

const TICK = 100; // milliseconds between two updates
const LOW = 20_000; // milliseconds below which tenths of a second are shown

/** Two clocks, of which at most one runs; without a time control neither runs. */
export class Clock {
  /** `control` is {base, increment} in milliseconds, or null; `left` the time that a resumed game has left. */
  constructor(control, left, onFlag) {
    this.control = control;
    this.left = left ?? { w: control?.base ?? 0, b: control?.base ?? 0 };
    this.onFlag = onFlag;
    this.running = null;
    this.faces = { w: h("span", { class: "clock", hidden: !control }), b: h("span", { class: "clock", hidden: !control }) };
    this.#draw();
  }

  start(colour) {
    this.stop();
    if (!this.control) return;
    this.running = colour;
    this.since = performance.now();
    this.timer = setInterval(() => this.#tick(), TICK);
  }

  /** Stop the running clock after a move, and add the increment. */
  press() {
    const colour = this.running;
    this.stop();
    if (colour) this.left[colour] += this.control.increment;
    this.#draw();
  }

  stop() {
    clearInterval(this.timer);
    this.#take();
    this.running = null;
    this.#draw();
  }

  /** The arguments of UCI's go. */
  get limit() {
    const [w, b] = ["w", "b"].map((colour) => Math.max(Math.round(this.left[colour]), 1));
    return `wtime ${w} btime ${b} winc ${this.control.increment} binc ${this.control.increment}`;
  }

  #tick() {
    this.#take();
    this.#draw();
    if (this.left[this.running] > 0) return;
    const colour = this.running;
    this.stop();
    this.onFlag(colour);
  }

  #take() {
    if (!this.running) return;
    const now = performance.now();
    this.left[this.running] -= now - this.since;
    this.since = now;
  }

  #draw() {
    for (const [colour, face] of Object.entries(this.faces)) {
      face.textContent = timeText(this.left[colour]);
      face.classList.toggle("low", this.left[colour] < LOW);
      face.classList.toggle("runs", this.running === colour);
    }
  }
}

/** Milliseconds as `3:05`, or as `0:09.4` when few are left. */
function timeText(milliseconds) {
  const rest = Math.max(milliseconds, 0);
  const seconds = rest < LOW ? Math.floor(rest / 100) / 10 : Math.ceil(rest / 1000);
  const part = rest < LOW ? (seconds % 60).toFixed(1).padStart(4, "0") : String(seconds % 60).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${part}`;
}
