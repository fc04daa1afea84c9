// A recorded fight in a small core that plays over and over: the picture of the lobby that is alive.

import { fetchJson } from "./client.js";
import { Core, DEAD, NONE, READ, readRecording } from "./corewar_replay.js";
import { h } from "./dom.js";

const FILM = new URL("./corewar_living.json", import.meta.url); // a fight as the server records it
const ACROSS = 40; // cells in a row; the core has 800
const CELL = 8; // units of the canvas
const TICKS = 14; // instructions in a frame
const FRAME = 40; // milliseconds
const REST = 60; // frames at the end
const STILL = 0.6; // of the fight, for those who want no motion

/** A figure of the fight, with a button that stops it. It stands still for visitors who prefer reduced motion. */
export function living() {
  const canvas = h("canvas", { width: ACROSS * CELL, height: 20 * CELL, role: "img", "aria-label": "A fight of two programs in the core" });
  const words = h("span", {});
  const button = h("button", { type: "button", class: "small", onclick: () => picture.toggle() }, "Pause");
  const picture = new Picture(canvas, button);
  picture.load().then(([one, other]) =>
    words.append(h("b", { class: "seat-0" }, one), ", which evolved, fights ", h("b", { class: "seat-1" }, other), ", written by hand."));
  return h("figure", { class: "living" }, canvas,
    h("figcaption", { class: "row" }, words, h("a", { href: "/corewar" }, "Watch more"), button));
}

class Picture {
  constructor(canvas, button) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.button = button;
    this.isPaused = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.isVisible = true;
    this.rest = 0;
    this.last = 0;
    this.#label();
  }

  /** Fetch the fight, and start; the names of both warriors. */
  async load() {
    this.recording = await readRecording(await fetchJson(FILM));
    this.#restart();
    if (this.isPaused) this.core.run(Math.floor(STILL * this.recording.ticks));
    this.#draw();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    new IntersectionObserver(([{ isIntersecting }]) => {
      this.isVisible = isIntersecting;
      this.#go();
    }).observe(this.canvas);
    return this.recording.warriors.map(({ name }) => name);
  }

  toggle() {
    this.isPaused = !this.isPaused;
    this.#label();
    this.#go();
  }

  #label() {
    this.button.textContent = this.isPaused ? "Play" : "Pause";
    this.button.setAttribute("aria-label", this.isPaused ? "Play the picture" : "Pause the picture");
  }

  #restart() {
    this.core = new Core(this.recording);
    this.rest = REST;
  }

  /** Ask for the next frame, unless one has been asked for. */
  #go() {
    if (this.isPaused || !this.isVisible || !this.core) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame((now) => this.#step(now));
  }

  #step(now) {
    if (now - this.last >= FRAME) {
      this.last = now;
      if (this.core.tick < this.recording.ticks) this.core.run(TICKS);
      else if (!this.rest--) this.#restart();
      this.#draw();
    }
    this.#go();
  }

  #draw() {
    const { context, core, canvas } = this;
    const style = getComputedStyle(canvas);
    const colours = ["--seat-0", "--seat-1"].map((name) => style.getPropertyValue(name));
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (let address = 0; address < this.recording.size; address++) {
      const mark = core.mark[address];
      const fresh = Math.max(1 - (core.tick - core.when[address]) / 400, 0);
      context.globalAlpha = mark === NONE || mark === READ ? 0.12 : 0.45 + 0.55 * fresh;
      context.fillStyle = mark === NONE || mark === READ ? style.color : mark === DEAD ? style.getPropertyValue("--bad") : colours[core.owner[address]];
      context.fillRect((address % ACROSS) * CELL, Math.floor(address / ACROSS) * CELL, CELL - 1, CELL - 1);
    }
    context.globalAlpha = 1;
  }
}
