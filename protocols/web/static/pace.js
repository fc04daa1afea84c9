// The pace at which a page shows what the other players do: lines of the server wait until the last move has been seen.

import { h, select } from "./dom.js";
import { recall, remember } from "./memory.js";

const PACES = { slow: 1500, normal: 500, "at once": 0 }; // milliseconds for a move
const DEFAULT = "normal";

/** A queue that passes lines on in their order. `weigh(line)` is how many moves a line shows, 0 for none. */
export class Pace {
  constructor(key, pass, weigh) {
    Object.assign(this, { pass, weigh, key: `pace-${key}`, waiting: [], timer: null });
    this.chosen = recall(this.key, DEFAULT);
    if (!(this.chosen in PACES)) this.chosen = DEFAULT;
    const words = Object.keys(PACES);
    const choice = select(words, { onchange: () => this.#choose(choice.value) }, this.chosen);
    this.element = h("label", { class: "inline" }, "Pace of the others", choice);
  }

  /** Whether lines are waiting. */
  get isBusy() {
    return this.waiting.length > 0;
  }

  /** Take a line; it is passed on at once if none waits before it. */
  add(line) {
    this.waiting.push(line);
    if (this.timer === null) this.#pass();
  }

  /** Pass on all lines that are waiting. */
  hurry() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#pass(true);
  }

  /** Forget the lines that are waiting. */
  clear() {
    this.waiting = [];
    this.hurry();
  }

  #pass(isHurried = false) {
    while (this.waiting.length && this.timer === null) {
      const line = this.waiting.shift();
      this.pass(line);
      const pause = isHurried ? 0 : PACES[this.chosen] * this.weigh(line);
      if (pause) this.timer = setTimeout(() => {
        this.timer = null;
        this.#pass();
      }, pause);
    }
  }

  #choose(pace) {
    this.chosen = pace;
    remember(this.key, pace);
    if (!PACES[pace]) this.hurry();
  }
}
