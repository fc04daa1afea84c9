// Two clocks of which one runs at most, or none where there is no time to be kept.

import { h } from "../../shared/element.js";

const TICK = 100; // milliseconds

export class Clock {
  /** `control` is {base, increment} in milliseconds, or null; `left` what a game that goes on has left. */
  constructor(control, left, flagged) {
    this.control = control;
    this.left = left ?? { w: control?.base ?? 0, b: control?.base ?? 0 };
    this.flagged = flagged;
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

  /** A move is made: who made it gets the increment. */
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

  /** For UCI's go. */
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
    this.flagged(colour);
  }

  #take() {
    if (!this.running) return;
    const now = performance.now();
    this.left[this.running] -= now - this.since;
    this.since = now;
  }

  #draw() {
    for (const [colour, face] of Object.entries(this.faces)) {
      const seconds = Math.max(Math.ceil(this.left[colour] / 1000), 0);
      face.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      face.classList.toggle("runs", this.running === colour);
    }
  }
}
