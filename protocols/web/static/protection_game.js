// The state of a game of Advanced Protection from the server's lines: the map, the units, and all finished turns.

import { Ground, squareAt } from "./protection_board.js";
import { playerName } from "./protection_form.js";

/** A game as its player sees it, or as a spectator does; `start` is its first line. */
export class Game {
  constructor(start, rules) {
    this.id = start.game_id;
    this.isOwn = start.seat === 0; // whether the user builds the farms; else they watch
    this.human = this.isOwn ? "you" : playerName(start.seats[0].name);
    this.chaosPlayer = start.seats[1].name; // in the protocol
    this.chaos = playerName(this.chaosPlayer);
    this.rules = rules;
    this.lines = start.map;
    this.ground = new Ground(start.map, start.gold, rules);
    this.units = new Map(); // by square: {id, unit}
    this.turns = []; // the finished ones, each with the units at the start of its phases
    this.values = [[start.observation.human_value, start.observation.chaos_value]]; // after each turn
    this.decide = null;
    this.end = null;
    this.unitRules = new Map(rules.units.map((unit) => [unit.name, unit]));
  }

  /** Process a line of this game: an event, a decide or the end. */
  receive(line) {
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

  /** The number of the turn that is planned or played, or of the last one after the end; the same for players and watchers. */
  get turn() {
    if (this.decide) return this.decide.observation.turn;
    const last = this.turns.at(-1) ?? { turn: 0, end: true };
    return last.end && !this.end ? last.turn + 1 : last.turn;
  }

  #begin(line) {
    for (const { at } of line.salvaged) this.units.delete(squareAt(at));
    for (const { id, unit, at } of line.placed) this.units.set(squareAt(at), { id, unit });
    this.turns.push({ turn: line.turn, start: line, units: new Map(this.units), before: this.values.at(-1) });
  }

  #finish(line) {
    if (this.turns.at(-1)?.turn !== line.turn) this.#begin({ turn: line.turn, placed: [], salvaged: [], bought: {}, kept: 0, left_off: 0 }); // its start was not sent
    const turn = this.turns.at(-1);
    turn.end = line;
    const fallen = new Set(line.human.lost.map((each) => each.id));
    for (const [square, unit] of this.units) if (fallen.has(unit.id)) this.units.delete(square);
    this.values.push([line.human.value, line.chaos.value]);
  }
}
