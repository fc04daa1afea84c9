// The controls of a game that is shown step by step: to the start, back, play, forward, to the end, and a slider.

import { h, show } from "./dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Controls for the steps 0 to `last`; show(step) is called for each, and `name(step)` says in words what it is. */
export class MovePlayer {
  constructor(last, { show: present, name, milliseconds }) {
    Object.assign(this, { last, present, name, milliseconds });
    this.at = 0;
    this.timer = 0;
    this.bar = h("input", { type: "range", min: 0, max: last, step: 1, value: 0, "aria-label": "Position in the game", oninput: () => this.#jump(Number(this.bar.value)) });
    this.button = h("button", { type: "button", class: "main", onclick: () => (this.timer ? this.pause() : this.play()) });
    this.about = h("output", { class: "quiet" });
    const go = (label, text, step) => h("button", { type: "button", "aria-label": label, title: label, onclick: () => this.#jump(step()) }, text);
    this.element = h("div", { class: "row moves-player", role: "group", "aria-label": "Moves" },
      go("To the start", "«", () => 0), go("Back", "‹", () => this.at - 1), this.button,
      go("Forward", "›", () => this.at + 1), go("To the end", "»", () => this.last), this.bar, this.about);
  }

  /** Show the first step, and play unless the user prefers reduced motion. */
  begin() {
    this.#show(0);
    if (calm.matches) this.pause();
    else this.play();
  }

  play() {
    if (this.at >= this.last) this.#show(0);
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#tick(), this.milliseconds);
    this.#label();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.#label();
  }

  #tick() {
    if (!this.element.isConnected) return this.pause();
    this.#show(this.at + 1);
    if (this.at >= this.last) this.pause();
  }

  #jump(step) {
    this.pause();
    this.#show(step);
  }

  #show(step) {
    this.at = Math.min(Math.max(step, 0), this.last);
    this.bar.value = this.at;
    this.about.textContent = this.name(this.at);
    this.bar.setAttribute("aria-valuetext", this.about.textContent);
    this.present(this.at);
  }

  #label() {
    show(this.button, this.timer ? "Pause" : "Play");
  }
}
