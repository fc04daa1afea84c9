// The projector: the film of a turn on the board, with play, pause, step, a bar and speeds.

import { h, show } from "../../shared/element.js";
import { Stage } from "./stage.js";

const PHASES_A_SECOND = 6;
const SPEEDS = [0.5, 1, 2, 5];

/** Calls shown(index) at every new frame and ended() when the last one is there. */
export class Projector {
  constructor({ shown, ended }) {
    this.shown = shown;
    this.ended = ended;
    this.stage = new Stage();
    this.isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.film = [];
    this.at = 0; // the frame, with the share of the way to the next
    this.told = -1;
    this.speed = 1;
    this.playing = h("button", { type: "button", onclick: () => this.toggle() });
    this.bar = h("input", {
      type: "range", min: 0, step: 1, "aria-label": "Phase", oninput: () => this.#jump(Number(this.bar.value)),
    });
    this.count = h("output", { class: "quiet" });
    this.element = h("div", { class: "projector row", role: "group", "aria-label": "Replay" },
      this.playing,
      h("button", { type: "button", "aria-label": "One phase back", onclick: () => this.step(-1) }, "‹"),
      h("button", { type: "button", "aria-label": "One phase on", onclick: () => this.step(1) }, "›"),
      this.bar,
      this.count,
      h("select", { "aria-label": "Speed", onchange: (event) => (this.speed = Number(event.target.value)) },
        SPEEDS.map((value) => h("option", { value, selected: value === 1 }, `${value} ×`))),
      h("button", { type: "button", onclick: () => this.#jump(this.film.length - 1) }, "To the end"));
    new ResizeObserver(() => this.#paint()).observe(this.stage.element);
  }

  /** Put a film in; it starts unless motion is unwelcome. */
  load(film) {
    this.film = film;
    this.bar.max = film.length - 1;
    this.told = -1;
    this.#jump(0);
    if (!this.isCalm) this.#play();
  }

  stop() {
    this.#pause();
    this.film = [];
  }

  toggle() {
    if (this.timer) {
      this.#pause();
    } else {
      if (this.at >= this.film.length - 1) this.at = 0;
      this.#play();
    }
  }

  step(phases) {
    this.#jump(Math.min(Math.max(Math.floor(this.at) + phases, 0), this.film.length - 1));
  }

  #jump(index) {
    this.#pause();
    this.at = index;
    this.#paint();
  }

  #play() {
    let before = null; // the clock of frames is not that of performance.now()
    const tick = (now) => {
      before ??= now;
      this.at = Math.min(this.at + ((now - before) / 1000) * PHASES_A_SECOND * this.speed, this.film.length - 1);
      before = now;
      this.timer = requestAnimationFrame(tick);
      this.#paint();
    };
    this.timer = requestAnimationFrame(tick);
    this.#label();
  }

  #pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.#label();
  }

  #label() {
    show(this.playing, this.timer ? "Pause" : "Play");
  }

  #paint() {
    if (!this.film.length) return;
    const index = Math.floor(this.at);
    this.stage.draw(this.film[index], this.film[index + 1], this.isCalm ? 0 : this.at - index);
    if (index === this.told) return;
    this.told = index;
    this.bar.value = index;
    show(this.count, `phase ${index} of ${this.film.length - 1}`);
    this.shown(index);
    if (index === this.film.length - 1) {
      this.#pause();
      this.ended();
    }
  }
}
