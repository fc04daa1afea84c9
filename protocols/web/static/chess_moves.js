// The moves of a game, and the ways through them: the list, buttons, keys and the wheel.

import { h, show } from "./dom.js";

const WHEEL = 50; // pixels of the wheel for one move
const STEPS = [
  { name: "First position", sign: "«", key: "Home", to: () => -1 },
  { name: "Previous move", sign: "‹", key: "ArrowLeft", to: (at) => at - 1 },
  { name: "Next move", sign: "›", key: "ArrowRight", to: (at) => at + 1 },
  { name: "Last position", sign: "»", key: "End", to: (at, last) => last },
];

/** The list of the moves, each a button that shows the position after it, and the buttons that go through them. */
export class MoveList {
  /** `choose(index)` is called for a move whose position should be shown; -1 is the position before the first move. */
  constructor(choose) {
    this.choose = choose;
    this.at = this.last = -1;
    this.wheel = 0;
    this.list = h("ol", { class: "moves", "aria-label": "Moves" });
    this.buttons = STEPS.map((step) => h("button", {
      "aria-label": step.name, title: `${step.name} (${step.key.replace("Arrow", "arrow ").toLowerCase()})`, onclick: () => this.#go(step),
    }, step.sign));
    this.navigation = h("div", { class: "row steps", role: "group", "aria-label": "Go through the moves" }, this.buttons);
    addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show all moves of a game, and their faults; `at` is the index of the one whose position the board shows. */
  show(game, at, faults = []) {
    this.at = at;
    this.last = game.history.length - 1;
    const rows = [];
    game.history.forEach((move, index) => {
      if (move.color === "w" || !rows.length) rows.push(this.#row(move));
      rows.at(-1).append(this.#button(move, index, at, faults[index]));
    });
    show(this.list, rows.length ? rows : h("li", { class: "quiet" }, "The moves of the game appear here."));
    const current = this.list.querySelector("[aria-current]");
    this.list.scrollTop = current ? current.offsetTop - this.list.clientHeight / 2 : 0;
    STEPS.forEach((step, index) => (this.buttons[index].disabled = !this.#leads(step)));
  }

  /** Go through the moves with the wheel above `place` and, after it was clicked, with the keys too, which move a cursor otherwise. */
  listenOn(place) {
    let isClicked = false;
    place.addEventListener("pointerdown", () => (isClicked = true));
    place.addEventListener("focusout", () => (isClicked = false));
    place.addEventListener("keydown", (event) => isClicked && this.#key(event) && event.stopPropagation(), { capture: true });
    place.addEventListener("wheel", (event) => this.#turn(event), { passive: false });
  }

  #leads(step) {
    const to = step.to(this.at, this.last);
    return to !== this.at && to >= -1 && to <= this.last;
  }

  #go(step) {
    if (this.#leads(step)) this.choose(step.to(this.at, this.last));
  }

  /** Obey a key that goes through the moves, unless it belongs to a field or to the cursor on the board. */
  #key(event) {
    const step = STEPS.find(({ key }) => key === event.key);
    const isTaken = event.defaultPrevented || event.target.closest?.("input, select, textarea, dialog");
    if (!step || isTaken || this.last < 0 || event.ctrlKey || event.altKey || event.metaKey) return false;
    event.preventDefault();
    this.#go(step);
    return true;
  }

  #turn(event) {
    const step = STEPS[event.deltaY > 0 ? 2 : 1];
    if (event.ctrlKey || !event.deltaY || !this.#leads(step)) return; // the page scrolls, or is zoomed
    event.preventDefault();
    this.wheel += Math.abs(event.deltaY);
    if (this.wheel < WHEEL) return;
    this.wheel = 0;
    this.#go(step);
  }

  #row(move) {
    const number = move.before.split(" ")[5];
    return h("li", {}, h("span", { class: "quiet" }, `${number}.`), move.color === "b" ? h("span", {}, "…") : null);
  }

  #button(move, index, at, fault) {
    const attributes = { "aria-current": index === at ? "step" : null, onclick: () => this.choose(index) };
    return h("button", attributes, move.san, fault ? h("span", { class: "bad", title: fault.name }, fault.sign) : null);
  }
}
