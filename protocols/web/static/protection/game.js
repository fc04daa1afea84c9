// A game as its lines tell it: the map, the units that stand, and every turn that is over.

import { Ground, squareAt } from "./board/terrain.js";

/** Made from `start`, and complete once it has heard all lines that followed. */
export class Game {
  constructor(start, rules) {
    this.id = start.game_id;
    this.chaos = start.seats[1].name;
    this.rules = rules;
    this.lines = start.map;
    this.ground = new Ground(start.map, start.gold, rules);
    this.units = new Map(); // by square: {id, unit}
    this.turns = []; // that are over, each with the field as its phases began
    this.values = [[start.observation.human_value, start.observation.chaos_value]]; // after so many turns
    this.decide = null;
    this.end = null;
    this.unitRules = new Map(rules.units.map((unit) => [unit.name, unit]));
  }

  /** A line of this game that is an event, a decide or the end. */
  hear(line) {
    if (line.type === "decide") {
      this.decide = line;
    } else if (line.type === "end") {
      this.end = line;
      this.decide = null;
    } else if (line.kind === "turn_start") {
      this.#begin(line);
    } else if (line.kind === "turn_end") {
      this.#finish(line);
    } else if (line.kind === "grant") {
      this.turns.at(-1).grant = line;
      this.values[this.values.length - 1] = [this.values.at(-1)[0], line.chaos_treasury];
    }
  }

  /** The number of the turn that is to be played, or was last. */
  get turn() {
    return this.decide?.observation.turn ?? this.turns.length;
  }

  #begin(line) {
    for (const { at } of line.salvaged) this.units.delete(squareAt(at));
    for (const { id, unit, at } of line.placed) this.units.set(squareAt(at), { id, unit });
    this.turns.push({ turn: line.turn, start: line, units: new Map(this.units), before: this.values.at(-1) });
  }

  #finish(line) {
    const turn = this.turns.at(-1);
    turn.end = line;
    const fallen = new Set(line.human.lost.map((each) => each.id));
    for (const [square, unit] of this.units) if (fallen.has(unit.id)) this.units.delete(square);
    this.values.push([line.human.value, line.chaos.value]);
  }
}
