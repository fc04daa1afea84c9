// The guide through a first game: each kind of decision is explained once, where it is made.

import { h, show } from "./dom.js";
import { recall, remember } from "./memory.js";

/**
 * The explanations of a game: `lessons` has [title, sentences] by the kind of decision. A lesson counts as read after
 * "Got it", or when another one follows it. What has been read is stored, and so is whether the guide is on.
 */
export class Guide {
  constructor(game, lessons) {
    this.key = `guide-${game}`;
    this.lessons = lessons;
    const { read, isOff } = recall(this.key, {});
    this.read = new Set(read);
    this.isOff = Boolean(isOff);
    this.shown = null; // the kind whose lesson is shown
    this.element = h("div", { "aria-live": "polite" });
    this.switch = h("button", { type: "button", onclick: () => this.#switch() });
    this.#label();
  }

  /** Whether nothing has been read yet. */
  get isNew() {
    return !this.isOff && !this.read.size;
  }

  /** Show the lesson for a kind of decision if it has not been read; null where there is no decision. */
  show(kind) {
    this.kind = kind;
    if (this.shown !== kind) this.#finish();
    if (kind === this.shown || this.isOff || this.read.has(kind) || !this.lessons[kind]) return;
    this.shown = kind;
    const [title, sentences] = this.lessons[kind];
    show(this.element, h("aside", { class: "lesson", "aria-label": `Explained: ${title}` },
      h("h2", {}, title),
      h("p", {}, sentences),
      h("div", { class: "row" },
        h("button", { type: "button", class: "small", onclick: () => this.#finish() }, "Got it"),
        h("button", { type: "button", class: "small", onclick: () => this.#set(true) }, "Skip all"))));
  }

  /** Remove the lesson that is shown: it has been read. */
  #finish() {
    if (this.shown) this.read.add(this.shown);
    this.shown = null;
    show(this.element);
    this.#store();
  }

  #switch() {
    if (this.isOff) this.read.clear();
    this.#set(!this.isOff);
  }

  #set(isOff) {
    this.isOff = isOff;
    this.shown = null;
    show(this.element);
    this.#store();
    this.#label();
    this.show(this.kind);
  }

  #store() {
    remember(this.key, { read: [...this.read], isOff: this.isOff });
  }

  #label() {
    this.switch.textContent = this.isOff ? "Explain the steps" : "Stop explaining";
  }
}
