// A sitting: one game at the table, which is now planned, now shown as a film, now over.

import { h, show } from "../shared/element.js";
import { complain } from "../shared/page.js";
import { Board } from "./board/board.js";
import { named } from "./board/terrain.js";
import { Film } from "./film/film.js";
import { Projector } from "./film/projector.js";
import { Curve } from "./report/curve.js";
import { Ending } from "./report/ending.js";
import { Chronicle, accounts, army } from "./report/report.js";
import { Standing } from "./report/standing.js";
import { legend, rulesDialog, shapes } from "./rules.js";
import { Desk } from "./setup/desk.js";
import { Draft } from "./setup/draft.js";

/** Of a game that has begun. ask, say and replay go to the house; attempt(step) tells what it refuses; again() leaves. */
export class Sitting {
  constructor(game, player, { ask, say, replay, attempt, again }) {
    Object.assign(this, { game, player, ask, say, replay, attempt, again });
    this.isSent = false; // a setup, whose turn has not been shown yet
    this.film = null;
    this.mode = ""; // setup, film, over
    this.board = new Board(game.ground, {
      look: (square) => this.#look(square),
      press: (square, isStroke) => this.mode === "setup" && this.desk.press(square, isStroke),
      key: (event) => this.mode === "setup" && this.desk.key(event),
    });
    this.desk = new Desk(game, this.board, {
      check: (action) => ask("check", { re: game.decide.id, action }),
      send: (action) => this.#send(action),
      attempt, complain,
    });
    this.projector = new Projector({ shown: (index) => this.#shown(index), ended: () => this.#tally() });
    this.standing = new Standing();
    this.curve = new Curve((turn) => attempt(() => this.#show(turn)));
    this.chronicle = new Chronicle();
    this.said = h("p", { class: "quiet said", "aria-live": "polite" });
    this.panel = h("div", {});
    this.resign = h("button", { type: "button", onclick: () => attempt(() => this.#resign()) }, "Resign");
    this.#lay();
  }

  /** A line of this game. */
  hear(line) {
    this.game.hear(line);
    if (line.type !== "decide" && line.type !== "end") return;
    if (this.isSent && this.game.turns.length) this.attempt(() => this.#show(this.game.turns.length));
    else this.#proceed();
  }

  // -- What is shown --------------------------------------------------------------------------------

  #lay() {
    const { game } = this;
    const dialog = rulesDialog(game.rules);
    const who = `${this.player.name || "you"} against ${game.chaos}`;
    const large = h("button", {
      type: "button", class: "enlarge", "aria-pressed": "false", onclick: () => this.#enlarge(large),
    }, "Larger map");
    this.board.element.append(this.projector.stage.element);
    this.field = h("div", { class: "field" },
      h("div", { class: "frame" }, this.board.element), large, this.projector.element, this.said);
    show(document.getElementById("main"),
      h("h1", {}, "Advanced Protection ", h("small", { class: "quiet" }, who)),
      this.standing.element,
      h("div", { class: "laid" }, this.field, h("div", { class: "side" }, this.panel),
        h("div", { class: "under" },
          h("div", { class: "row" },
            h("button", { type: "button", onclick: () => dialog.showModal() }, "The rules"), this.resign),
          help(), this.curve.element,
          h("details", { class: "card" },
            h("summary", {}, "What the map shows"), shapes(game.rules), legend(game.rules)))),
      dialog);
    this.standing.show(game);
  }

  /** To what is due: the next setup, or the end. */
  #proceed() {
    this.isSent = false;
    this.projector.stop();
    this.field.classList.remove("filming");
    show(this.said);
    this.mode = "";
    this.#tally();
    if (this.game.end) this.#finish();
    else this.#plan();
  }

  #plan() {
    this.mode = "setup";
    show(this.panel, this.desk.element);
    this.desk.take(new Draft(this.game, () => this.desk.refresh()), this.walked ?? new Map());
    this.board.element.focus({ preventScroll: true });
  }

  #finish() {
    this.mode = "over";
    this.resign.hidden = true;
    this.board.stand(this.game.units);
    this.board.clear();
    const ending = new Ending(this.game, this.player, this);
    show(this.panel, ending.element);
    ending.element.focus({ preventScroll: true });
    this.attempt(() => ending.tell());
  }

  /** The film of a turn, and its report once it has been seen. */
  async #show(number) {
    const { game } = this;
    const turn = game.turns[number - 1];
    this.film = new Film(turn.units, await this.replay(number), game.rules.minions);
    if (number === game.turns.length) this.walked = this.film.walked();
    this.mode = "film";
    this.turn = turn;
    this.field.classList.add("filming");
    this.board.clear();
    this.report = h("div", { hidden: true }, accounts(turn, game));
    const next = game.end ? "How it ended" : `Plan turn ${game.turn}`;
    const go = h("button", { type: "button", class: "main", onclick: () => this.#proceed() }, next);
    show(this.panel, h("section", { class: "card film", "aria-label": "The turn" },
      h("h2", {}, `Turn ${number}`), army(turn), h("div", { class: "row" }, go), this.report, this.chronicle.element));
    this.projector.load(this.film.frames);
    go.focus({ preventScroll: true });
  }

  #shown(index) {
    const frame = this.film.frames[index];
    const shown = (square, { unit }) => ({ unit, mark: frame.units.has(square) ? "" : "fallen" });
    this.board.stand(new Map([...this.turn.units].map(([square, each]) => [square, shown(square, each)])));
    this.chronicle.show(this.film, index, this.game.unitRules);
  }

  /** What the film was to tell has been told. */
  #tally() {
    this.standing.show(this.game);
    this.curve.show(this.game);
    if (this.mode !== "film") return;
    this.report.hidden = false;
    show(this.said, this.turn.end.say);
  }

  #look(square) {
    if (this.mode === "setup") this.desk.look(square);
    if (this.mode !== "film") return;
    const there = this.film.seen(Math.floor(this.projector.at), square);
    show(this.said, [`${named(square)}: ${this.game.ground.words(square)}`, ...there].join(" · "));
  }

  // -- What people do -------------------------------------------------------------------------------

  #send(action) {
    const { decide } = this.game;
    this.isSent = true;
    this.say("action", { re: decide.id, seq: decide.seq, action });
  }

  async #resign() {
    if (confirm("Give the game up?")) await this.ask("resign");
  }

  #enlarge(button) {
    button.setAttribute("aria-pressed", this.field.classList.toggle("enlarged"));
  }
}

function help() {
  const key = (name) => h("kbd", {}, name);
  return h("p", { id: "board-help", class: "quiet help" },
    "Click, or draw with the mouse pressed, or carry a unit to the map. On the keyboard: arrows move, a letter chooses (",
    key("d"), " drone, ", key("s"), " settler …), ", key("Enter"), " places, ", key("Backspace"), " takes away, ",
    key("Ctrl Z"), " undoes, ", key("Ctrl Enter"), " ends the turn.");
}
