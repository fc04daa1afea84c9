// The form for a new game: side, level, time and opponent. The browser remembers what was chosen.

import { h, select, show } from "./dom.js";
import { aboutLevel, EASIEST, labelOf, LEVELS } from "./chess_levels.js";

export const DEFAULTS = { side: "w", level: EASIEST, time: "second", white: "evolved", black: "evolved" };
const SIDES = { w: "White", b: "Black", none: "neither: watch" };
export const TIMES = {
  quick: { name: "no clock; at most 0.1 seconds a move", limit: "movetime 100" },
  second: { name: "no clock; at most 1 second a move", limit: "movetime 1000" },
  five: { name: "no clock; at most 5 seconds a move", limit: "movetime 5000" },
  nodes: { name: "no clock; at most 10,000 positions a move", limit: "nodes 10000" },
  ...clocks({ bullet: [1, 0], bullet2: [2, 1], blitz: [3, 2], blitz5: [5, 3], rapid: [10, 5], rapid15: [15, 10], classical: [30, 20] }),
};

/** Whether settings that were stored, by this version of the page or another, can be played. */
export function isPlayable(settings, genomes) {
  return settings.side in SIDES && settings.level in LEVELS && settings.time in TIMES
    && genomes.includes(settings.white) && genomes.includes(settings.black);
}

export class SetupForm {
  /** `begin(settings)` starts a game; `changed(settings)` is called for every change. */
  constructor(genomes, settings, { begin, changed }) {
    this.side = choice("You play", Object.entries(SIDES), settings.side);
    this.level = choice("Level", Object.keys(LEVELS).map((key) => [key, labelOf(key)]), settings.level);
    this.time = choice("Time", Object.entries(TIMES).map(([key, { name }]) => [key, name]), settings.time);
    this.white = choice("Genome of White", genomes, settings.white);
    this.black = choice("Genome of Black", genomes, settings.black);
    this.about = h("p", { class: "quiet small", "aria-live": "polite" });
    for (const each of [this.level, this.time]) each.label.classList.add("long");
    this.element = h("form", { class: "card setup", "aria-label": "New game", onsubmit: (event) => {
      event.preventDefault();
      begin(this.settings);
    } },
      h("h2", {}, "New game"),
      h("div", { class: "fields" }, this.level.label, this.side.label, this.white.label, this.black.label, this.time.label),
      this.about,
      h("button", { class: "main" }, "Start"));
    this.element.addEventListener("input", () => {
      this.#fit();
      changed(this.settings);
    });
    this.#fit();
  }

  get settings() {
    return Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, this[name].select.value]));
  }

  /** Choose settings, such as those of a rematch. */
  set settings(settings) {
    for (const name of Object.keys(DEFAULTS)) this[name].select.value = settings[name];
    this.#fit();
  }

  /** Scroll to the form and put the focus on the first choice. */
  enter() {
    this.element.scrollIntoView({ block: "center" });
    this.level.select.focus({ preventScroll: true });
  }

  #fit() {
    const { side, level, white, black } = this.settings;
    this.white.label.hidden = side === "w";
    this.black.label.hidden = side === "b";
    show(this.white.words, side === "b" ? "Opponent" : "Player of White");
    show(this.black.words, side === "w" ? "Opponent" : "Player of Black");
    show(this.about, aboutLevel(level, side === "b" ? white : black));
  }
}

/** A list with a label whose words can change. */
function choice(title, choices, value) {
  const field = select(choices, {}, value);
  const words = h("span", {}, title);
  return { select: field, words, label: h("label", {}, words, field) };
}

/** Clocks by minutes and by seconds that a move adds. */
function clocks(times) {
  return Object.fromEntries(Object.entries(times).map(([key, [minutes, seconds]]) => [key, {
    name: `clock: ${minutes} ${minutes === 1 ? "minute" : "minutes"}${seconds ? ` + ${seconds} ${seconds === 1 ? "second" : "seconds"} a move` : ""}`,
    clock: { base: 60_000 * minutes, increment: 1000 * seconds },
  }]));
}
