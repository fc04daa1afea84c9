// A setup that is being made: steps that can be taken back and done again, none of which is sent before the turn.

import { placeOf } from "../board/terrain.js";

const KEPT = "galapagos-protection-draft"; // it outlives a reload of the page

/** Of one decision; `changed()` is called after every step. */
export class Draft {
  constructor(game, changed) {
    this.key = `${game.id} ${game.turn}`;
    this.standing = new Map(game.units);
    this.rules = game.decide.legal.rules;
    this.refunds = new Map(this.rules.salvage.map(({ id, refund }) => [id, refund]));
    this.steps = restored(this.key); // {unit, at} to place, {id, at} to salvage
    this.past = [];
    this.future = [];
    this.changed = changed;
  }

  /** As it is sent. */
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

  /** Those that salvage, likewise. */
  get salvaged() {
    return this.steps.filter((step) => step.id !== undefined);
  }

  /** What all that is placed costs, in dollars. */
  get cost() {
    return this.placed.reduce((sum, { unit }) => sum + this.rules.units[unit].cost, 0);
  }

  /** Dollars that are left; below zero it cannot be paid. */
  get money() {
    return this.action.salvage.reduce((sum, id) => sum + this.refunds.get(id), this.rules.treasury) - this.cost;
  }

  /** What would stand where: {unit, id?, mark} by square; a mark is new, sold or nothing. */
  units() {
    const sold = new Set(this.action.salvage);
    const found = new Map();
    for (const [square, each] of this.standing) found.set(square, { ...each, mark: sold.has(each.id) ? "sold" : "" });
    for (const { unit, at } of this.placed) found.set(at, { unit, mark: "new" });
    return found;
  }

  /** Steps that join are undone together with those before them, up to here. */
  begin() {
    this.isFresh = true;
  }

  /** Buy a unit for a square; where one was to be placed it takes its place. */
  place(unit, at, joins = false) {
    this.#take([...this.steps.filter((step) => !(step.unit && step.at === at)), { unit, at }], joins);
  }

  /** Take back what is new there, or salvage what stands. False if nothing does. */
  remove(at, joins = false) {
    const rest = this.steps.filter((step) => !(step.unit && step.at === at));
    const stands = this.standing.get(at);
    if (rest.length < this.steps.length) this.#take(rest, joins);
    else if (stands && !this.action.salvage.includes(stands.id)) this.#take([...rest, { id: stands.id, at }], joins);
    else return false;
    return true;
  }

  /** Salvage it after all not. */
  keep(at) {
    this.#take(this.steps.filter((step) => !(step.id !== undefined && step.at === at)), false);
  }

  undo() {
    this.#turn(this.past, this.future);
  }

  redo() {
    this.#turn(this.future, this.past);
  }

  clear() {
    this.#take([], false);
  }

  /** Where the house finds faults: the reason by square. */
  faults(problems) {
    const found = new Map();
    for (const problem of problems) {
      const index = Number(/\d+/.exec(problem.field));
      const step = (problem.field.startsWith("place") ? this.placed : this.salvaged)[index];
      if (step) found.set(step.at, worded(problem, step.unit));
    }
    return found;
  }

  #take(steps, joins) {
    if (!joins || this.isFresh) this.past.push(this.steps);
    this.isFresh = false;
    this.future = [];
    this.#become(steps);
  }

  #turn(from, to) {
    if (!from.length) return;
    to.push(this.steps);
    this.#become(from.pop());
  }

  #become(steps) {
    this.steps = steps;
    sessionStorage.setItem(KEPT, JSON.stringify({ key: this.key, steps }));
    this.changed();
  }
}

function restored(key) {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  return kept?.key === key ? kept.steps : [];
}

function worded(problem, unit) {
  switch (problem.reason) {
    case "money":
      return `the ${unit} costs $${problem.need.toLocaleString("en")}, and $${problem.have.toLocaleString("en")} are left`;
    case "terrain":
      return `nothing can stand on ${problem.terrain}`;
    case "occupied":
    case "twice":
      return "another unit stands there";
    default:
      return problem.reason;
  }
}
