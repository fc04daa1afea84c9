// Turns of Advanced Protection with individuals of a run, as protocols/web/protection_contest.py returns them.

import { h, select, show } from "./dom.js";
import { Board, Ground, squareAt, squareName } from "./protection_board.js";
import { FightLog, Replay, ReplayPlayer } from "./protection_replay.js";

export const styles = ["protection", "protection_contest"];

/** The map on which a farm is attacked, with a choice of the sides and their turns. */
export function present({ rules, shows }) {
  const place = h("div", {});
  const choices = shows.flatMap(({ name, turns }, side) =>
    turns.map((_, turn) => [`${side} ${turn}`, turns.length > 1 ? `${name}, turn ${turn + 1}` : name]));
  const choice = select(choices, { onchange: begin });
  let view = null;

  function begin() {
    const [side, turn] = choice.value.split(" ").map(Number);
    view?.stop();
    view = new TurnView(rules, shows[side], shows[side].turns[turn]);
    show(place, view.element);
    view.begin();
  }

  const element = h("div", { class: "protection-contest" }, h("label", {}, "Watch", choice), place);
  return { element, begin };
}

/** A turn that is replayed on its map. */
class TurnView {
  constructor(rules, { map, gold }, turn) {
    this.ground = new Ground(map, gold, rules);
    this.units = new Map(turn.units.map(({ id, unit, at }) => [squareAt(at), { id, unit }]));
    this.unitRules = new Map(rules.units.map((unit) => [unit.name, unit]));
    this.replay = new Replay(this.units, turn.events, rules.minions);
    this.news = h("p", { class: "quiet", "aria-live": "polite" });
    this.fights = new FightLog();
    this.board = new Board(this.ground, { look: (square) => this.#look(square), press: () => {}, key: () => false });
    this.player = new ReplayPlayer({ shown: (index) => this.#show(index), ended: () => (this.news.textContent = turn.say) });
    this.board.element.append(this.player.canvas.element);
    this.element = h("div", { class: "turn-view" },
      h("div", { class: "field replaying" }, h("div", { class: "frame" }, this.board.element), this.player.element, this.news),
      this.fights.element);
  }

  begin() {
    this.player.load(this.replay.frames);
  }

  stop() {
    this.player.stop();
  }

  #show(index) {
    const left = this.replay.frames[index].units;
    this.board.showUnits(new Map([...this.units].map(([square, { unit }]) => [square, { unit, mark: left.has(square) ? "" : "fallen" }])));
    this.fights.show(this.replay, index, this.unitRules);
  }

  #look(square) {
    if (!this.player?.frames.length) return;
    const there = this.replay.at(Math.floor(this.player.at), square);
    show(this.news, [`${squareName(square)}: ${this.ground.describe(square)}`, ...there].join(" · "));
  }
}
