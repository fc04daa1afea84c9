// The desk of a setup: units to choose from, what the square under the cursor offers, and what it all would bring.

import { h, show } from "../../shared/element.js";
import { OVERLAYS, overlay, shadow } from "../board/overlay.js";
import { icon } from "../board/pieces.js";
import { named } from "../board/terrain.js";
import { dollars } from "../report/money.js";
import { Ledger } from "./ledger.js";

const LETTERS = {
  d: "drone", m: "mine", f: "farmer", i: "infantry", s: "settler", j: "jammer", a: "armor", r: "artillery",
};
const SALVAGE = "salvage"; // the tool that takes away
const STRAY = 6; // pixels that a press moves before it drags

/**
 * Of one game. check(action) resolves to the house's judgement; send(action) ends the turn; attempt(step) tells what the
 * house refuses.
 */
export class Desk {
  constructor(game, board, { check, send, attempt, complain }) {
    Object.assign(this, { game, board, check, send, attempt, complain });
    this.draft = null;
    this.tool = "drone";
    this.overlay = "none";
    this.tracks = new Map();
    this.wrong = new Map(); // words by square
    this.ledger = new Ledger();
    this.title = h("h2", {});
    this.tools = new Map([...Object.values(LETTERS), SALVAGE].map((name) => [name, this.#button(name)]));
    this.square = h("div", { class: "square", "aria-live": "polite" });
    this.undo = h("button", { type: "button", onclick: () => this.draft.undo() }, "Undo");
    this.redo = h("button", { type: "button", onclick: () => this.draft.redo() }, "Redo");
    this.clear = h("button", { type: "button", onclick: () => this.draft.clear() }, "Clear");
    this.end = h("button", { type: "button", class: "main", onclick: () => this.#finish() }, "End turn");
    this.faults = h("ul", { class: "faults bad", "aria-live": "polite" });
    this.element = h("section", { class: "card desk", "aria-label": "Setup" },
      this.title,
      h("div", { class: "palette", role: "group", "aria-label": "What to place" }, [...this.tools.values()]),
      this.square, this.ledger.element, this.faults,
      h("div", { class: "row" }, this.end, this.undo, this.redo, this.clear),
      h("label", {}, "Show on the map",
        h("select", { onchange: (event) => this.#lay(event.target.value) },
          Object.entries(OVERLAYS).map(([name, words]) => h("option", { value: name }, words)))));
    this.hold("drone");
  }

  /** A new decision: its draft, and how many minions were on each square last turn. */
  take(draft, tracks) {
    this.draft = draft;
    this.tracks = tracks;
    show(this.title, `Turn ${this.game.turn}: your setup`);
    this.refresh();
  }

  /** The draft has changed. */
  refresh() {
    const { draft } = this;
    this.board.stand(draft.units());
    this.undo.disabled = !draft.past.length;
    this.redo.disabled = !draft.future.length;
    this.clear.disabled = !draft.steps.length;
    this.ledger.estimate(draft);
    this.look(this.board.cursor);
    this.#lay(this.overlay);
    this.#judge();
  }

  /** Take a tool in hand. */
  hold(name) {
    this.tool = name;
    for (const [each, button] of this.tools) button.setAttribute("aria-pressed", each === name);
    if (!this.draft) return;
    this.look(this.board.cursor);
    this.#lay(this.overlay);
  }

  /** The cursor is on a square. */
  look(square) {
    const { draft, game, tool } = this;
    const there = draft.units().get(square);
    const unit = game.unitRules.get(tool);
    const income = unit ? game.ground.income(unit, square) : 0;
    const words = [`${named(square)}: ${game.ground.words(square)}`];
    if (there) words.push(`${there.unit}${there.mark === "sold" ? ", to be salvaged" : there.mark ? ", planned" : ""}`);
    else if (income) words.push(`${tool} makes $${income} a phase`);
    const wrong = this.wrong.get(square);
    show(this.square,
      h("p", {}, `${words.join(" · ")}.`, wrong ? h("span", { class: "bad" }, ` Not so: ${wrong}.`) : null),
      h("div", { class: "row" }, this.#offers(square, there)));
    this.board.carry(shadow(tool, game.rules, square));
  }

  /** A click on a square, or a stroke that goes on over it. */
  press(square, isStroke) {
    const { draft, game } = this;
    const there = draft.units().get(square);
    if (!isStroke) draft.begin();
    if (this.tool === SALVAGE) {
      draft.remove(square, isStroke);
      return;
    }
    const isReplaced = there?.mark === "sold" || (there?.mark === "new" && there.unit !== this.tool && !isStroke);
    if (there && !isReplaced) return;
    const { cost } = game.unitRules.get(this.tool);
    if (isStroke && (!game.ground.isLand(square) || cost > draft.money)) return; // a stroke takes what it can
    draft.place(this.tool, square, isStroke);
  }

  /** A key on the board: whether it is one of ours. */
  key(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") this.draft[event.shiftKey ? "redo" : "undo"]();
      else if (key === "y") this.draft.redo();
      else if (key === "enter") this.#finish();
      else return false;
    } else if (LETTERS[key] && !event.altKey) this.hold(LETTERS[key]);
    else if (key === "enter" || key === " ") this.press(this.board.cursor, false);
    else if (key === "backspace" || key === "delete") this.draft.remove(this.board.cursor);
    else return false;
    return true;
  }

  /** What was sent was not taken. */
  release() {
    this.sent = null;
  }

  #button(name) {
    const unit = this.game.unitRules.get(name);
    const letter = Object.keys(LETTERS).find((each) => LETTERS[each] === name);
    const content = unit
      ? [icon(name), name, h("span", { class: "quiet" }, dollars(unit.cost)), h("kbd", { "aria-hidden": "true" }, letter)]
      : [h("span", { class: "icon", "aria-hidden": "true" }, "⌫"), name, h("span", { class: "quiet" }, "take away")];
    return h("button", {
      type: "button", class: "tool", "data-tool": name,
      title: unit ? worth(unit) : "Take back what is new, salvage what stands",
      onclick: () => this.hold(name), onpointerdown: (event) => unit && this.#drag(name, event),
    }, content);
  }

  /** Carry a unit from the palette to the map. */
  #drag(name, start) {
    if (start.pointerType === "touch" || start.button) return; // a finger scrolls
    const move = (event) => {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < STRAY) return;
      this.hold(name);
      const square = this.board.squareAt(event.clientX, event.clientY);
      if (square !== null) this.board.move(square);
    };
    const drop = (event) => {
      removeEventListener("pointermove", move);
      const square = this.board.squareAt(event.clientX, event.clientY);
      if (square !== null) this.press(square, false);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", drop, { once: true });
  }

  #offers(square, there) {
    const { draft, tool } = this;
    const button = (words, does) => h("button", { type: "button", class: "small", onclick: does }, words);
    if (there?.mark === "new") return [button(`Take the ${there.unit} back`, () => draft.remove(square))];
    if (there?.mark === "sold") return [button(`Keep the ${there.unit}`, () => draft.keep(square))];
    if (there) return [button(`Salvage for ${dollars(draft.refunds.get(there.id))}`, () => draft.remove(square))];
    if (tool === SALVAGE || !this.game.ground.isLand(square)) return [];
    return [button(`Place a ${tool} here`, () => this.press(square, false))];
  }

  #lay(name) {
    this.overlay = name;
    const { game, tracks, draft } = this;
    this.board.overlay(overlay(name, {
      ground: game.ground, rules: game.rules, units: draft.units(), chosen: this.tool, tracks,
    }));
  }

  /** End the turn, unless something is wrong. */
  #finish() {
    return this.attempt(async () => {
      const { draft } = this;
      const [fault] = draft.faults((await this.#checked()).problems);
      if (fault) {
        this.board.move(fault[0]);
        this.complain(`Not yet: at ${named(fault[0])}, ${fault[1]}.`);
      } else if (draft !== this.sent) {
        this.sent = draft;
        this.send(draft.action);
      }
    });
  }

  /** Ask what the house says of the draft; while an answer is awaited the next question waits, too. */
  async #judge() {
    this.isStale = true;
    if (this.isJudging) return;
    this.isJudging = true;
    while (this.isStale) {
      this.isStale = false;
      await this.attempt(() => this.#checked());
    }
    this.isJudging = false;
  }

  async #checked() {
    const { draft } = this;
    const checked = await this.check(draft.action);
    if (checked.ok) this.ledger.show(checked.preview);
    else this.ledger.withhold();
    this.wrong = draft.faults(checked.problems);
    this.board.blame(this.wrong);
    this.look(this.board.cursor);
    show(this.faults, [...this.wrong].map(([square, words]) => h("li", {}, `${named(square)}: ${words}`)));
    return checked;
  }
}

function worth(unit) {
  const farms = unit.rate ? `, farms ${unit.rate}` : "";
  return `${unit.name}: attack ${unit.attack}, defence ${unit.defence}${farms}, salvage ${dollars(unit.salvage)}`;
}
