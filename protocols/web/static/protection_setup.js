// The setup of a turn: the units to choose from, the draft, its cost and its income.

import { h, select, show } from "./dom.js";
import { capitalised, dollars } from "./format.js";
import { OVERLAYS, icon, overlay, placeOf, rangeOf, squareName } from "./protection_board.js";
import { UNITS } from "./protection_rules.js";

const LETTERS = {
  d: "drone", m: "mine", f: "farmer", i: "infantry", s: "settler", j: "jammer", a: "armor", r: "artillery",
};
const SALVAGE = "salvage"; // the tool that removes units
const SALVAGE_TEXT = "Removes new units at their full price, and sells units of earlier turns.";
const STRAY = 6; // pixels of movement from which a press is a drag
const STORED = "galapagos-protection-draft"; // in sessionStorage, so that it survives a reload
const PHASES = 50;
const FIGURES = {
  treasury: "money left",
  cost: "cost of new units",
  refund: "from salvage",
  human_value: "you are worth",
  income: "income per phase",
  turn: `income in ${PHASES} phases`,
};

/**
 * The setup panel of a game. check(action) resolves to the server's answer; send(action) ends the turn; attempt(step)
 * shows a refusal of the server; changed() is called when the setup has changed.
 */
export class SetupPanel {
  constructor(game, board, { check, send, attempt, showError, changed }) {
    Object.assign(this, { game, board, check, send, attempt, showError, changed });
    this.isWarned = false; // that the turn is about to be played without a new unit
    this.draft = null;
    this.tool = "drone";
    this.overlay = "none";
    this.tracks = new Map();
    this.wrong = new Map(); // the reason by square
    this.costs = new CostSummary();
    this.title = h("h2", {});
    this.tools = new Map([...Object.values(LETTERS), SALVAGE].map((name) => [name, this.#button(name)]));
    this.about = h("p", { class: "quiet small about-unit" });
    this.square = h("div", { class: "square", "aria-live": "polite" });
    this.undo = h("button", { type: "button", onclick: () => this.draft.undo() }, "Undo");
    this.redo = h("button", { type: "button", onclick: () => this.draft.redo() }, "Redo");
    this.clear = h("button", { type: "button", onclick: () => this.draft.clear() }, "Clear");
    this.end = h("button", { type: "button", class: "main", onclick: () => this.#finish() }, "End turn");
    this.faults = h("ul", { class: "faults bad", "aria-live": "polite" });
    this.element = h("section", { class: "card setup-panel", "aria-label": "Setup" },
      this.title,
      h("div", { class: "palette", role: "group", "aria-label": "What to place" }, [...this.tools.values()]),
      this.about, this.square, this.costs.element, this.faults,
      h("div", { class: "row" }, this.end, this.undo, this.redo, this.clear),
      h("label", {}, "Show on the map",
        select(Object.entries(OVERLAYS), { onchange: (event) => this.#layOver(event.target.value) })));
    this.select("drone");
  }

  /** Take a new decision: its draft, and the number of minions that were on each square in the last turn. */
  take(draft, tracks) {
    this.draft = draft;
    this.tracks = tracks;
    show(this.title, `Turn ${this.game.turn}: your setup`);
    this.refresh();
  }

  /** Show a draft that has changed. */
  refresh() {
    const { draft } = this;
    this.board.showUnits(draft.units());
    this.undo.disabled = !draft.past.length;
    this.redo.disabled = !draft.future.length;
    this.clear.disabled = !draft.steps.length;
    this.costs.estimate(draft);
    this.look(this.board.cursor);
    this.#layOver(this.overlay);
    this.#checkAgain();
    this.changed();
  }

  /** Select a tool. */
  select(name) {
    this.tool = name;
    for (const [each, button] of this.tools) button.setAttribute("aria-pressed", each === name);
    const unit = this.game.unitRules.get(name);
    this.about.textContent = unit ? `${capitalised(UNITS[name])}. ${capitalised(unitText(unit))}.` : SALVAGE_TEXT;
    if (!this.draft) return;
    this.look(this.board.cursor);
    this.#layOver(this.overlay);
  }

  /** Describe the square under the cursor. */
  look(square) {
    const { draft, game, tool } = this;
    const there = draft.units().get(square);
    const unit = game.unitRules.get(tool);
    const income = unit ? game.ground.income(unit, square) : 0;
    const words = [`${squareName(square)}: ${game.ground.describe(square)}`];
    if (there) words.push(`${there.unit}${there.mark === "sold" ? ", to be salvaged" : there.mark ? ", planned" : ""}`);
    else if (income) words.push(`${tool} earns ${dollars(income)} per phase`);
    const wrong = this.wrong.get(square);
    show(this.square,
      h("p", {}, `${words.join(" · ")}.`, wrong ? h("span", { class: "bad" }, ` Problem: ${wrong}.`) : null),
      h("div", { class: "row" }, this.#offers(square, there)));
    this.board.carry(rangeOf(tool, game.rules, square));
  }

  /** Use the tool on a square, for a click or a further square of a stroke; a stroke skips squares where that is impossible. */
  press(square, isStroke) {
    const { draft } = this;
    const there = draft.units().get(square);
    if (!isStroke) draft.begin();
    if (this.tool === SALVAGE) {
      draft.remove(square, isStroke);
      return;
    }
    const isReplaced = there?.mark === "sold" || (there?.mark === "new" && there.unit !== this.tool && !isStroke);
    if (there && !isReplaced) return;
    const refusal = this.#refusal(square, there);
    if (!refusal) draft.place(this.tool, square, isStroke);
    else if (!isStroke) this.showError(refusal);
  }

  /** Why the chosen unit cannot be placed on a square instead of the unit `there`; "" if it can. */
  #refusal(square, there) {
    const { draft, game, tool } = this;
    const { name } = game.ground.terrains[square];
    if (!game.ground.isLand(square)) return `Nothing can be built on ${name}. Choose a square of land.`;
    const { cost } = game.unitRules.get(tool);
    const left = draft.money + (there?.mark === "new" ? game.unitRules.get(there.unit).cost : 0);
    if (cost <= left) return "";
    return `You have ${dollars(left)} left, and the ${tool} costs ${dollars(cost)}. Choose a cheaper unit, or remove one first.`;
  }

  /** Cancel the salvage of a unit if the money from it has not been spent. */
  #keep(square, there) {
    const refund = this.draft.refunds.get(there.id);
    if (refund <= this.draft.money) this.draft.keep(square);
    else this.showError(`You have spent the ${dollars(refund)} for the ${there.unit} already. Remove a new unit first.`);
  }

  /** Handle a key on the board; return whether it is one of the panel's keys. */
  key(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") this.draft[event.shiftKey ? "redo" : "undo"]();
      else if (key === "y") this.draft.redo();
      else if (key === "enter") this.#finish();
      else return false;
    } else if (LETTERS[key] && !event.altKey) this.select(LETTERS[key]);
    else if (key === "enter" || key === " ") this.press(this.board.cursor, false);
    else if (key === "backspace" || key === "delete") this.draft.remove(this.board.cursor);
    else return false;
    return true;
  }

  /** Allow the setup to be sent again after a refusal. */
  release() {
    this.sent = null;
  }

  #button(name) {
    const unit = this.game.unitRules.get(name);
    const letter = Object.keys(LETTERS).find((each) => LETTERS[each] === name);
    const content = unit
      ? [icon(name), name, h("span", { class: "quiet" }, dollars(unit.cost)), h("kbd", { "aria-hidden": "true" }, letter)]
      : [h("span", { class: "icon", "aria-hidden": "true" }, "⌫"), name, h("span", { class: "quiet" }, "remove")];
    return h("button", {
      type: "button", class: "tool", "data-tool": name,
      title: unit ? `${name}: ${unitText(unit)}` : SALVAGE_TEXT,
      onclick: () => this.select(name), onpointerdown: (event) => unit && this.#drag(name, event),
    }, content);
  }

  /** Drag a unit from the palette to the map. */
  #drag(name, start) {
    if (start.pointerType === "touch" || start.button) return; // a touch scrolls
    const drag = new AbortController();
    const move = (event) => {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < STRAY) return;
      this.select(name);
      const square = this.board.squareAt(event.clientX, event.clientY);
      if (square !== null) this.board.move(square);
    };
    const drop = (event) => {
      drag.abort();
      const square = this.board.squareAt(event.clientX, event.clientY);
      if (square !== null) this.press(square, false);
    };
    const { signal } = drag;
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", drop, { signal });
    addEventListener("pointercancel", () => drag.abort(), { signal });
  }

  #offers(square, there) {
    const { draft, tool } = this;
    const button = (words, does) => h("button", { type: "button", class: "small", onclick: does }, words);
    if (there?.mark === "new") return [button(`Remove the ${there.unit}`, () => draft.remove(square))];
    if (there?.mark === "sold") return [button(`Keep the ${there.unit}`, () => this.#keep(square, there))];
    if (there) return [button(`Salvage for ${dollars(draft.refunds.get(there.id))}`, () => draft.remove(square))];
    if (tool === SALVAGE || !this.game.ground.isLand(square)) return [];
    return [button(`Place ${tool} here`, () => this.press(square, false))];
  }

  #layOver(name) {
    this.overlay = name;
    const { game, tracks, draft } = this;
    this.board.overlay(overlay(name, {
      ground: game.ground, rules: game.rules, units: draft.units(), chosen: this.tool, tracks,
    }));
  }

  /** End the turn if the setup has no problem. */
  #finish() {
    if (this.#warns()) return undefined;
    return this.attempt(async () => {
      const { draft } = this;
      const [fault] = draft.faults((await this.#checked()).problems);
      if (fault) {
        this.board.move(fault[0]);
        this.showError(`The turn cannot end yet. Square ${squareName(fault[0])}: ${fault[1]}.`);
      } else if (draft !== this.sent) {
        this.sent = draft;
        this.send(draft.action);
      }
    });
  }

  /** Warn once in a game that the turn would be played without a new unit; return whether it has just been done. */
  #warns() {
    const { draft, game } = this;
    const cheapest = Math.min(...game.rules.units.map((unit) => unit.cost));
    if (this.isWarned || draft.placed.length || draft.money < cheapest) return false;
    this.isWarned = true;
    this.showError("You have not placed a unit in this turn. Press End turn once more to play it all the same.");
    return true;
  }

  /** Let the server check the draft, with one request at a time. */
  async #checkAgain() {
    this.isStale = true;
    if (this.isChecking) return;
    this.isChecking = true;
    while (this.isStale) {
      this.isStale = false;
      await this.attempt(() => this.#checked());
    }
    this.isChecking = false;
  }

  async #checked() {
    const { draft } = this;
    const checked = await this.check(draft.action);
    if (checked.ok) this.costs.show(checked.preview);
    else this.costs.clear();
    this.wrong = draft.faults(checked.problems);
    this.board.showFaults(this.wrong);
    this.look(this.board.cursor);
    show(this.faults, [...this.wrong].map(([square, words]) => h("li", {}, `${squareName(square)}: ${words}`)));
    return checked;
  }
}

function unitText(unit) {
  const farms = unit.rate ? `, farms ${unit.rate}` : "";
  return `attack ${unit.attack}, defence ${unit.defence}${farms}, salvage ${dollars(unit.salvage)}`;
}

/** The draft of a setup: steps that can be undone and redone; they are sent when the turn ends. */
export class SetupDraft {
  /** Create the draft of the current decision; `changed()` is called after every step. */
  constructor(game, changed) {
    this.key = `${game.id} ${game.turn}`;
    this.present = new Map(game.units);
    this.rules = game.decide.legal.rules;
    this.refunds = new Map(this.rules.salvage.map(({ id, refund }) => [id, refund]));
    this.steps = storedSteps(this.key); // {unit, at} to place, {id, at} to salvage
    this.past = [];
    this.future = [];
    this.changed = changed;
  }

  /** The action of the draft, as it is sent. */
  get action() {
    return {
      kind: "setup",
      place: this.placed.map(({ unit, at }) => ({ unit, at: placeOf(at) })),
      salvage: this.salvaged.map((step) => step.id),
    };
  }

  /** The steps that place, in the order of the action. */
  get placed() {
    return this.steps.filter((step) => step.unit);
  }

  /** The steps that salvage, in the order of the action. */
  get salvaged() {
    return this.steps.filter((step) => step.id !== undefined);
  }

  /** The cost of all placed units, in dollars. */
  get cost() {
    return this.placed.reduce((sum, { unit }) => sum + this.rules.units[unit].cost, 0);
  }

  /** The money that is left, in dollars; below zero the draft is too expensive. */
  get money() {
    return this.action.salvage.reduce((sum, id) => sum + this.refunds.get(id), this.rules.treasury) - this.cost;
  }

  /** The units after the draft: {unit, id?, mark} by square; a mark is new, sold or nothing. */
  units() {
    const sold = new Set(this.action.salvage);
    const found = new Map();
    for (const [square, each] of this.present) found.set(square, { ...each, mark: sold.has(each.id) ? "sold" : "" });
    for (const { unit, at } of this.placed) found.set(at, { unit, mark: "new" });
    return found;
  }

  /** Start a group of steps; the steps of a group are undone together. */
  begin() {
    this.isFresh = true;
  }

  /** Buy a unit for a square; it replaces a unit that the draft has placed there. */
  place(unit, at, joins = false) {
    this.#change([...this.steps.filter((step) => !(step.unit && step.at === at)), { unit, at }], joins);
  }

  /** Remove a new unit from a square, or salvage an older one. Returns false if there is none. */
  remove(at, joins = false) {
    const rest = this.steps.filter((step) => !(step.unit && step.at === at));
    const unit = this.present.get(at);
    if (rest.length < this.steps.length) this.#change(rest, joins);
    else if (unit && !this.action.salvage.includes(unit.id)) this.#change([...rest, { id: unit.id, at }], joins);
    else return false;
    return true;
  }

  /** Cancel the salvage of a unit. */
  keep(at) {
    this.#change(this.steps.filter((step) => !(step.id !== undefined && step.at === at)), false);
  }

  undo() {
    this.#move(this.past, this.future);
  }

  redo() {
    this.#move(this.future, this.past);
  }

  clear() {
    this.#change([], false);
  }

  /** The problems that the server has found: the reason by square. */
  faults(problems) {
    const found = new Map();
    for (const problem of problems) {
      const index = Number(/\d+/.exec(problem.field));
      const step = (problem.field.startsWith("place") ? this.placed : this.salvaged)[index];
      if (step) found.set(step.at, problemText(problem, step.unit));
    }
    return found;
  }

  #change(steps, joins) {
    if (!joins || this.isFresh) this.past.push(this.steps);
    this.isFresh = false;
    this.future = [];
    this.#set(steps);
  }

  #move(from, to) {
    if (!from.length) return;
    to.push(this.steps);
    this.#set(from.pop());
  }

  #set(steps) {
    this.steps = steps;
    sessionStorage.setItem(STORED, JSON.stringify({ key: this.key, steps }));
    this.changed();
  }
}

function storedSteps(key) {
  const stored = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
  return stored?.key === key ? stored.steps : [];
}

function problemText(problem, unit) {
  switch (problem.reason) {
    case "money":
      return `the ${unit} costs ${dollars(problem.need)}, and ${dollars(problem.have)} are left`;
    case "terrain":
      return `nothing can be placed on ${problem.terrain}`;
    case "occupied":
    case "twice":
      return "another unit is there";
    default:
      return problem.reason;
  }
}

/** The cost and income of a setup: at once the figures that the page knows, then those of the server. */
class CostSummary {
  constructor() {
    this.cells = new Map(Object.keys(FIGURES).map((name) => [name, h("dd", { "data-figure": name })]));
    this.element = h("dl", { class: "costs" },
      Object.entries(FIGURES).map(([name, words]) => h("div", {}, h("dt", {}, words), this.cells.get(name))));
  }

  /** Show the figures that the page knows without the server. */
  estimate({ money, cost, rules }) {
    this.#put("treasury", money);
    this.#put("cost", cost);
    this.#put("refund", money + cost - rules.treasury);
    this.cells.get("treasury").classList.toggle("bad", money < 0);
  }

  /** Remove the figures of a setup that has problems. */
  clear() {
    for (const name of ["human_value", "income", "turn"]) show(this.cells.get(name), "–");
  }

  /** Show the server's preview. */
  show(preview) {
    for (const name of Object.keys(FIGURES)) this.#put(name, name === "turn" ? preview.income * PHASES : preview[name]);
  }

  #put(name, amount) {
    show(this.cells.get(name), dollars(amount));
  }
}
