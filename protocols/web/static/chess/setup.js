// The form for a new game: who plays which colour, how strong, how long, and from where.

import { h, show } from "../shared/element.js";

export const TIMES = {
  quick: { name: "a tenth of a second a move", limit: "movetime 100" },
  second: { name: "a second a move", limit: "movetime 1000" },
  five: { name: "5 seconds a move", limit: "movetime 5000" },
  nodes: { name: "10,000 positions a move", limit: "nodes 10000" },
  bullet: { name: "clock: 1 minute", clock: { base: 60_000, increment: 0 } },
  blitz: { name: "clock: 3 minutes + 2 seconds", clock: { base: 180_000, increment: 2000 } },
  rapid: { name: "clock: 10 minutes + 5 seconds", clock: { base: 600_000, increment: 5000 } },
};
const SIDES = { w: "White", b: "Black", none: "nobody: watch" };

export class Setup {
  /** `begun(settings, text)` hears what is wanted, and says whether it can be; the text may hold a FEN or a PGN. */
  constructor(genomes, settings, begun) {
    this.begun = begun;
    this.side = choice("You play", SIDES, settings.side);
    this.white = choice("Genome of White", names(genomes), settings.white);
    this.black = choice("Genome of Black", names(genomes), settings.black);
    this.time = choice("Time", Object.fromEntries(Object.entries(TIMES).map(([key, each]) => [key, each.name])), settings.time);
    this.time.label.classList.add("long");
    this.strength = h("input", { type: "range", min: 1, max: 100, value: settings.strength });
    this.told = h("span", {});
    this.from = h("textarea", { class: "code", rows: 3, spellcheck: "false" });
    this.elsewhere = h("details", {}, h("summary", {}, "Begin elsewhere"),
      h("label", { class: "wide" }, "A position (FEN) or a game (PGN)", this.from));
    this.element = h("form", { class: "card setup", "aria-label": "New game", onsubmit: (event) => this.#begin(event) },
      h("h2", {}, "New game"),
      h("div", { class: "fields" }, this.side.label, this.white.label, this.black.label, this.time.label,
        h("label", { class: "long" }, h("span", {}, "Strength ", this.told), this.strength)),
      this.elsewhere,
      h("button", { class: "main" }, "Start"));
    this.element.addEventListener("input", () => this.#fit());
    this.#fit();
  }

  get settings() {
    const [side, white, black, time] = [this.side, this.white, this.black, this.time].map((each) => each.select.value);
    return { side, white, black, time, strength: Number(this.strength.value) };
  }

  #fit() {
    const { side, strength } = this.settings;
    this.white.label.hidden = side === "w";
    this.black.label.hidden = side === "b";
    show(this.white.words, side === "b" ? "Genome" : "Genome of White");
    show(this.black.words, side === "w" ? "Genome" : "Genome of Black");
    show(this.told, strength === 100 ? "full" : `${strength} %`);
  }

  #begin(event) {
    event.preventDefault();
    if (!this.begun(this.settings, this.from.value)) return;
    this.from.value = "";
    this.elsewhere.open = false;
  }
}

function choice(title, options, value) {
  const select = h("select", {}, Object.entries(options).map(([key, name]) => h("option", { value: key, selected: key === value }, name)));
  const words = h("span", {}, title);
  return { select, words, label: h("label", {}, words, select) };
}

function names(genomes) {
  return Object.fromEntries(genomes.map((name) => [name, name]));
}
