// The Advanced Protection page: it continues the game of this tab, starts one, or shows a game to watch; its turns and its end.

import { JsonClient, RequestError } from "./client.js";
import { h, show } from "./dom.js";
import { Guide } from "./guide.js";
import { storeName, visitorName } from "./memory.js";
import { addOwnGame, ownGamesCard } from "./own_games.js";
import { hideError, initPage, showError, showTroubles } from "./page.js";
import { Balance, Curve } from "./protection_balance.js";
import { Board, nameOf, squareName } from "./protection_board.js";
import { Ending } from "./protection_end.js";
import { newGameForm, playerName } from "./protection_form.js";
import { Game } from "./protection_game.js";
import { LESSONS } from "./protection_lessons.js";
import { keepToken, tokenOf } from "./protection_profile.js";
import { FightLog, Replay, ReplayPlayer, accounts, army } from "./protection_replay.js";
import { legend, rulesText, shapes } from "./protection_rules.js";
import { SetupDraft, SetupPanel } from "./protection_setup.js";

const STORED = "galapagos-protection-game"; // in sessionStorage: {id, name, before}; `before` is the profile of the player before the game
const LINES = ["start", "event", "decide", "end"];
const SCORES = { human: 1, none: 0.5, chaos: 0 }; // of the user, by winner

class App {
  /** `watched` is the ID of a game to watch; null to play. */
  constructor(main, watched) {
    this.main = main;
    this.rules = {}; // by variant
    this.player = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
    this.watched = watched === this.player?.id ? null : watched; // the own game is not watched but played
    this.view = null;
    this.last = Promise.resolve();
    this.replayed = []; // events of the turn that was requested
    this.#connect(visitorName());
  }

  /** Connect under a name. Resolves once the session is open. */
  #connect(name) {
    this.client?.close();
    const client = new JsonClient("protection", { name, say: true });
    client.addEventListener("open", () => this.isBeginning || this.#follow(() => this.#open()));
    showTroubles(client);
    client.addEventListener("refused", ({ detail }) => showError(detail.message));
    client.addEventListener("error", ({ detail }) => {
      showError(detail.message);
      this.view?.setup.release();
    });
    for (const type of LINES) client.addEventListener(type, ({ detail }) => this.#receive(detail));
    this.client = client;
    this.name = name;
    return client.ready();
  }

  /** Do one step after another, in the order of the calls. */
  #follow(step) {
    this.last = this.last.then(() => this.#attempt(step));
  }

  /** Show the server's refusals; any other error is a defect of the page. */
  async #attempt(step) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showError(error.message);
    }
  }

  #receive(line) {
    if (line.re) this.replayed.push(line);
    else this.#follow(() => this.#handle(line));
  }

  #handle(line) {
    if (line.game_id !== (this.watched ?? this.player?.id)) return;
    if (line.type === "end" && this.view?.game.isOwn) this.#keepResult(line);
    if (line.type === "start") this.#showGame(new Game(line, this.rules[line.variant] ?? this.rules.improved));
    else this.view?.receive(line); // without a view, all lines of the game are about to be sent
  }

  /** Add an own game to the statistics. */
  #keepResult({ game_id: id, result }) {
    addOwnGame("protection", { id, opponents: [this.view.game.chaosPlayer], score: SCORES[result.winner] });
  }

  #showGame(game) {
    this.view = new GameView(this.main, game, this.player ?? { name: "" }, {
      request: (type, fields) => this.client.request(type, { game_id: game.id, ...fields }),
      send: (type, fields) => this.client.send(type, { game_id: game.id, ...fields }),
      replay: (turn) => this.#replay(game, turn),
      attempt: (step) => this.#attempt(step),
      again: () => this.#again(),
      isNews: (line) => line.seq > this.known,
    });
  }

  async #replay(game, turn) {
    this.replayed = [];
    await this.client.request("replay", { game_id: game.id, turn });
    return this.replayed;
  }

  async #open() {
    for (const variant of ["improved", "seed"]) {
      this.rules[variant] ??= (await this.client.request("describe", { game: "protection", variant })).rules;
    }
    if (this.watched) return this.#watch();
    const token = sessionStorage.getItem(this.client.key);
    try {
      if (this.player) await this.client.request("resume", { token, games: [{ game_id: this.player.id, from_seq: 0 }] });
    } catch (error) {
      if (!(error instanceof RequestError) || error.code === "lost") throw error;
      showError("The game that you played here has ended, and the server no longer has it.");
      this.player = null;
    }
    if (!this.player && !this.form?.isConnected) await this.#showForm(); // a form that is shown already keeps its contents
  }

  /** Show a game to watch, from its first event that the server still has. */
  async #watch() {
    try {
      const { seq } = await this.client.request("watch", { game_id: this.watched, from_seq: 0 });
      this.known = seq;
      if (!this.view) show(this.main, h("p", { role: "status" }, "Waiting for the game to start."));
    } catch (error) {
      if (!(error instanceof RequestError) || error.code === "lost") throw error;
      show(this.main, h("section", { class: "card welcome" }, h("h1", {}, "Advanced Protection"),
        h("p", {}, "This game cannot be watched. The server may no longer have it. ", h("span", { class: "quiet" }, `(${error.message})`)),
        h("p", {}, h("a", { href: "/protection" }, "Play a game"), " or go ", h("a", { href: "/" }, "back to the lobby"), ".")));
    }
  }

  async #showForm(name = "") {
    const { agents } = await this.client.request("list", { what: "agents", game: "protection" });
    const opponents = agents.protection.filter((each) => each.startsWith("chaos:"));
    const rules = this.rules.improved;
    this.form = newGameForm(opponents, name, (wanted, chosen) => this.#attempt(() => this.#begin(wanted, chosen)));
    show(this.main,
      h("h1", {}, "Advanced Protection"),
      h("div", { class: "columns" },
        h("section", { class: "card welcome" },
          h("p", {}, "Build farms and guard them. Each turn your opponent, Chaos, sends minions. An evolved string of 1056 bits buys and steers them. ",
            "Chaos tests its 250 strings on what you have built, and chooses the next one."),
          h("p", {}, `You win when you are worth more than ${rules.human_wins_ratio} times what Chaos is. In your first game each step is explained.`),
          h("details", { class: "rules" }, h("summary", {}, "The rules, with an example"), rulesText(rules)),
          h("h2", {}, "Units and minions"), shapes(rules),
          h("h2", {}, "Terrain"), legend(rules)),
        h("div", { class: "stack" }, this.form, ownGamesCard("protection", playerName))));
  }

  async #begin(wanted, name) {
    this.isBeginning = true; // so that a new connection neither resumes a game nor shows a form
    try {
      if (name && name !== this.name) await this.#connect(storeName(name));
      await this.#start(wanted, name);
    } finally {
      this.isBeginning = false;
    }
  }

  async #start(wanted, name) {
    const before = name ? await this.#profile(name) : null;
    if (before?.agrees) wanted.options.study ??= true;
    const created = await this.#create({ ...wanted, profile_token: tokenOf(name) });
    if (created.profile_token) keepToken(name, created.profile_token);
    this.player = { id: created.game_id, name, before };
    sessionStorage.setItem(STORED, JSON.stringify(this.player));
  }

  async #create(wanted) {
    try {
      return await this.client.request("create", wanted);
    } catch (error) {
      if (!(error instanceof RequestError) || error.data.reason !== "needs_reset") throw error;
      if (!confirm(`${error.message.split("; ")[0]}. Forget them and play?`)) throw error;
      return this.client.request("create", { ...wanted, options: { ...wanted.options, reset: true } });
    }
  }

  /** The profile of a player, if the server shows it; null for a new name. */
  async #profile(name) {
    try {
      const wanted = { game: "protection", profile_show: name, profile_token: tokenOf(name) };
      return (await this.client.request("list", wanted)).profiles[0];
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return null;
    }
  }

  #again() {
    if (this.watched) return location.assign("/protection");
    const { name } = this.player;
    this.player = this.view = null;
    sessionStorage.removeItem(STORED);
    return this.#showForm(name);
  }
}

// -- A game ------------------------------------------------------------------------------------------

/**
 * The view of a game: it plans a turn, replays one, or shows the end. request, send and replay reach the server; attempt(step) shows
 * its refusals; again() leaves the game; isNews(line) tells a line of a watched game from what had happened before.
 */
class GameView {
  constructor(main, game, player, { request, send, replay, attempt, again, isNews }) {
    Object.assign(this, { main, game, player, request, send, loadReplay: replay, attempt, again, isNews });
    this.isSent = false; // whether a setup has been sent whose turn has not been shown yet
    this.replay = null;
    this.mode = ""; // setup, replay, watch, over
    this.guide = new Guide("protection", LESSONS);
    this.board = new Board(game.ground, {
      look: (square) => this.#look(square),
      press: (square, isStroke) => this.mode === "setup" && this.setup.press(square, isStroke),
      key: (event) => this.mode === "setup" && this.setup.key(event),
    });
    this.setup = new SetupPanel(game, this.board, {
      check: (action) => request("check", { re: game.decide.id, action }),
      send: (action) => this.#send(action),
      attempt, showError,
      changed: () => this.#explainSetup(),
    });
    this.replayPlayer = new ReplayPlayer({ shown: (index) => this.#showFrame(index), ended: () => this.#showResult() });
    this.balance = new Balance();
    this.curve = new Curve((turn) => attempt(() => this.#show(turn)));
    this.fights = new FightLog();
    this.news = h("p", { class: "quiet news", "aria-live": "polite" });
    this.panel = h("div", {});
    this.resign = h("button", { type: "button", onclick: () => attempt(() => this.#resign()) }, "Resign");
    this.#lay();
  }

  /** Process a line of this game. */
  receive(line) {
    this.game.receive(line);
    const { game } = this;
    if (!game.isOwn && ["turn_end", "grant"].includes(line.kind) && this.mode !== "replay") {
      if (!this.isNews(line)) this.#proceed();
      else if (line.kind === "turn_end") this.attempt(() => this.#show(line.turn));
    }
    if (line.type !== "decide" && line.type !== "end") return;
    if (!game.isOwn && this.mode === "replay") return this.#labelGo();
    const isPlayed = this.isSent && game.turns.length > 0;
    this.isSent = false;
    if (isPlayed) this.attempt(() => this.#show(game.turns.at(-1).turn));
    else this.#proceed();
  }

  #lay() {
    const { game } = this;
    const who = `${game.isOwn ? this.player.name || "you" : game.human} against ${game.chaos}`;
    const large = h("button", {
      type: "button", class: "enlarge", "aria-pressed": "false", onclick: () => this.#enlarge(large),
    }, "Larger map");
    this.board.element.append(this.replayPlayer.canvas.element);
    this.field = h("div", { class: "field" },
      h("div", { class: "frame" }, this.board.element), large, this.replayPlayer.element, this.news);
    show(this.main,
      h("h1", {}, "Advanced Protection ", h("small", { class: "quiet" }, who)),
      this.balance.element,
      h("div", { class: "layout" }, this.field, h("div", { class: "side" }, this.panel),
        h("div", { class: "under" },
          game.isOwn && [h("div", { class: "row" }, this.guide.switch, this.resign), help()],
          this.curve.element,
          h("details", { class: "card rules" }, h("summary", {}, "The rules, with an example"), rulesText(game.rules)),
          h("details", { class: "card" },
            h("summary", {}, "Legend of the map"), shapes(game.rules), legend(game.rules)))));
    this.balance.show(game);
    if (!game.isOwn) this.#proceed();
  }

  /** Show the next setup, or the end. */
  #proceed() {
    this.replayPlayer.stop();
    this.field.classList.remove("replaying");
    show(this.news);
    this.mode = "";
    this.#showResult();
    if (this.game.end) this.#finish();
    else if (this.game.isOwn) this.#plan();
    else this.#wait();
  }

  /** Show the map while a player whose game is watched plans a turn. */
  #wait() {
    const { game } = this;
    this.mode = "watch";
    this.board.showUnits(game.units);
    this.board.clear();
    const finished = game.turns.at(-1);
    show(this.panel, h("section", { class: "card turn", "aria-label": "The turn" },
      h("h2", {}, "You are watching"),
      h("p", { role: "status" }, `${game.human} plans turn ${game.turn}. It is shown as soon as it has been played.`),
      finished && h("p", { class: "quiet" }, "You can see earlier turns again under Turns so far.")));
  }

  /** Explain the step of the setup that is made for the first time. */
  #explainSetup() {
    const { game } = this;
    this.guide.show(game.turn > 1 ? "again" : this.setup.draft.placed.length ? "prices" : "units");
  }

  #plan() {
    this.mode = "setup";
    show(this.panel, this.guide.element, this.setup.element);
    this.setup.take(new SetupDraft(this.game, () => this.setup.refresh()), this.tracks ?? new Map());
    this.board.element.focus({ preventScroll: true });
  }

  #finish() {
    this.mode = "over";
    this.resign.hidden = true;
    this.board.showUnits(this.game.units);
    this.board.clear();
    const ending = new Ending(this.game, this.player, this);
    if (this.game.isOwn) this.guide.show("over");
    show(this.panel, this.game.isOwn && this.guide.element, ending.element);
    ending.element.focus({ preventScroll: true });
    if (this.game.isOwn) this.attempt(() => ending.load());
  }

  /** Show the replay of a turn, and its accounts after the replay. */
  async #show(number) {
    const { game } = this;
    const turn = game.turns.find((each) => each.turn === number);
    this.replay = new Replay(turn.units, await this.loadReplay(number), game.rules.minions);
    if (turn === game.turns.at(-1)) this.tracks = this.replay.tracks();
    this.mode = "replay";
    this.turn = turn;
    this.field.classList.add("replaying");
    this.board.clear();
    this.report = h("div", { hidden: true }, accounts(turn, game));
    this.go = h("button", { type: "button", class: "main", onclick: () => this.#proceed() });
    this.#labelGo();
    if (game.isOwn) this.guide.show("replay");
    show(this.panel, game.isOwn && this.guide.element, h("section", { class: "card turn", "aria-label": "The turn" },
      h("h2", {}, `Turn ${number}`), army(turn), h("div", { class: "row" }, this.go), this.report, this.fights.element));
    this.replayPlayer.load(this.replay.frames);
    this.go.focus({ preventScroll: true });
  }

  #labelGo() {
    const { game } = this;
    const next = game.isOwn ? `Plan turn ${game.turn}` : "Back to the map";
    this.go.textContent = game.end ? "Show the result" : next;
  }

  #showFrame(index) {
    const frame = this.replay.frames[index];
    const shown = (square, { unit }) => ({ unit, mark: frame.units.has(square) ? "" : "fallen" });
    this.board.showUnits(new Map([...this.turn.units].map(([square, each]) => [square, shown(square, each)])));
    this.fights.show(this.replay, index, this.game.unitRules);
  }

  /** Show the result at the end of a replay. */
  #showResult() {
    this.balance.show(this.game);
    this.curve.show(this.game);
    if (this.mode !== "replay") return;
    this.report.hidden = false;
    show(this.news, nameOf(this.turn.end.say));
    if (this.game.isOwn && this.turn.end.human.plundered) this.guide.show("plunder");
  }

  #look(square) {
    if (this.mode === "setup") this.setup.look(square);
    if (this.mode !== "replay") return;
    const there = this.replay.at(Math.floor(this.replayPlayer.at), square);
    show(this.news, [`${squareName(square)}: ${this.game.ground.describe(square)}`, ...there].join(" · "));
  }

  #send(action) {
    const { decide } = this.game;
    this.isSent = true;
    hideError(); // of the setup that has been sent
    this.send("action", { re: decide.id, seq: decide.seq, action });
  }

  async #resign() {
    if (confirm("Resign this game?")) await this.request("resign");
  }

  #enlarge(button) {
    button.setAttribute("aria-pressed", this.field.classList.toggle("enlarged"));
  }
}

function help() {
  const key = (name) => h("kbd", {}, name);
  return h("p", { id: "board-help", class: "quiet help" },
    "Click a square, drag over several, or drag a unit to the map. Keys: arrows move, a letter selects a unit (",
    key("d"), " drone, ", key("s"), " settler …), ", key("Enter"), " places it, ", key("Backspace"), " removes it, ",
    key("Ctrl Z"), " undoes, ", key("Ctrl Enter"), " ends the turn.");
}

new App(initPage(), new URLSearchParams(location.search).get("watch"));
