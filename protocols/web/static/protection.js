// The Advanced Protection page: finds the game that goes on in this tab or begins one; its turns, its end, the rules.

import { JsonClient, RequestError } from "./client.js";
import { h, scrollable, select, show, svg, table } from "./dom.js";
import { dollars, formatNumber, plural, signed } from "./format.js";
import { initPage, showError, showTroubles } from "./page.js";
import { Board, Ground, icon, squareAt, squareName, swatch } from "./protection_board.js";
import { FightLog, Replay, ReplayPlayer, accounts, army } from "./protection_replay.js";
import { SetupDraft, SetupPanel } from "./protection_setup.js";

const STORED = "galapagos-protection-game"; // in sessionStorage: {id, name, before}, with what Chaos knew of the player
const TOKENS = "galapagos-protection-profiles"; // in localStorage: the token of each profile, by name
const MODES = {
  "chaos:pilot": "settles who is due to win, and leads the game there",
  "chaos:calibrated": "aims at even games by its ratings",
  "chaos:seed": "the paper's rule of 1999",
  "chaos:best": "always the string that hurts you most",
  "chaos:random": "any string",
};
const AIMS = { intermediate: "you win about half", novice: "you win 60 of 100", expert: "you win 40 of 100" };
const VARIANTS = { improved: "improved (for people)", seed: "seed (as printed in 1999)" };
const WINNERS = { human: "You win", chaos: "Chaos wins", none: "A draw" };
const REASONS = {
  surrender: "Chaos surrenders: you are worth more than twenty times as much",
  eliminated: "You have no unit, and no money for one",
  chaos_twenty: "Chaos is worth more than twenty times as much as you are",
  turn_cap: "The last turn is over",
  resign: "You resigned",
};
const PROFILE = {
  wins: "games you won",
  losses: "games you lost",
  best: "lowest rating of a string",
  mean: "mean rating",
  negative: "strings that do well against you",
};
const UNITS = {
  drone: "cheap, farms",
  mine: "goes off under who enters its square, then is gone",
  farmer: "farms",
  infantry: "guards",
  settler: "farms best, and strikes back",
  jammer: "barbarians within 4 squares hear no scout",
  armor: "the hardest guard",
  artillery: "bombs every minion within 2 squares, each phase",
};
const MINIONS = {
  scout: "calls barbarians",
  scavenger: "farms for Chaos",
  common: "attacks",
  amphibious: "crosses water",
  mobile: "acts twice a phase",
  jump: "jumps over what blocks it",
  kamikazee: "destroys what it rams, and itself; acts twice",
  armored: "the strongest; sweeps mines",
};
const [WIDTH, HEIGHT, EDGE] = [640, 130, 8]; // of the curve

class App {
  constructor(main) {
    this.main = main;
    this.client = new JsonClient("protection", { say: true });
    this.rules = {}; // by variant
    this.player = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
    this.view = null;
    this.last = Promise.resolve();
    this.replayed = []; // events of the turn that was requested
    this.client.addEventListener("open", () => this.#follow(() => this.#open()));
    showTroubles(this.client);
    this.client.addEventListener("error", ({ detail }) => {
      showError(detail.message);
      this.view?.setup.release();
    });
    for (const type of ["start", "event", "decide", "end"]) {
      this.client.addEventListener(type, ({ detail }) => this.#receive(detail));
    }
  }

  /** Do one step after the other, in the order in which they came. */
  #follow(step) {
    this.last = this.last.then(() => this.#attempt(step));
  }

  /** Show the server's refusals; what else goes wrong is a defect of the page. */
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
    if (line.game_id !== this.player?.id) return;
    if (line.type === "start") this.#showGame(new Game(line, this.rules[line.variant] ?? this.rules.improved));
    else this.view?.receive(line); // else all of it is on its way
  }

  #showGame(game) {
    this.view = new GameView(this.main, game, this.player, {
      request: (type, fields) => this.client.request(type, { game_id: game.id, ...fields }),
      send: (type, fields) => this.client.send(type, { game_id: game.id, ...fields }),
      replay: (turn) => this.#replay(game, turn),
      attempt: (step) => this.#attempt(step),
      again: () => this.#again(),
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
    const token = sessionStorage.getItem(this.client.key);
    try {
      if (this.player) await this.client.request("resume", { token, games: [{ game_id: this.player.id, from_seq: 0 }] });
    } catch (error) {
      if (!(error instanceof RequestError) || error.code === "lost") throw error;
      showError("The game that you played here is over and forgotten.");
      this.player = null;
    }
    if (!this.player && !this.form?.isConnected) await this.#showForm(); // what is filled in stays
  }

  async #showForm(name = "") {
    const { agents } = await this.client.request("list", { what: "agents", game: "protection" });
    const opponents = agents.protection.filter((name) => name.startsWith("chaos:"));
    const dialog = rulesDialog(this.rules.improved);
    this.form = newGameForm(opponents, name, (wanted, chosen) => this.#attempt(() => this.#begin(wanted, chosen)));
    show(this.main,
      h("h1", {}, "Advanced Protection"),
      h("div", { class: "columns" },
        h("section", { class: "card welcome" },
          h("p", {}, "Build farms and guard them. Every turn Chaos sends minions, bought and steered by a string of 1056 bits ",
            "that evolved to beat arrangements like yours. It tries its 250 strings on what you built, and chooses the next."),
          h("p", {}, "You win when you are worth more than 20 times what Chaos is."),
          h("button", { type: "button", onclick: () => dialog.showModal() }, "The rules"),
          h("h2", {}, "Who is who"), shapes(this.rules.improved),
          h("h2", {}, "The land"), legend(this.rules.improved), dialog),
        this.form));
  }

  async #begin(wanted, name) {
    const before = name ? await this.#profile(name) : null;
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

  /** What Chaos knows of a player, where the server says it; null for a new name. */
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
    const { name } = this.player;
    this.player = this.view = null;
    sessionStorage.removeItem(STORED);
    return this.#showForm(name);
  }
}

// -- A game ------------------------------------------------------------------------------------------

/** A game as its lines have it: the map, the units, and every turn that is over. Made from `start`. */
class Game {
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

  /** Take in a line of this game that is an event, a decide or the end. */
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

// -- The game on the page ----------------------------------------------------------------------------

/**
 * One game, which is now planned, now replayed, now over. request, send and replay reach the server; attempt(step) shows
 * its refusals; again() leaves the game.
 */
class GameView {
  constructor(main, game, player, { request, send, replay, attempt, again }) {
    Object.assign(this, { main, game, player, request, send, loadReplay: replay, attempt, again });
    this.isSent = false; // a setup, whose turn has not been shown yet
    this.replay = null;
    this.mode = ""; // setup, replay, over
    this.board = new Board(game.ground, {
      look: (square) => this.#look(square),
      press: (square, isStroke) => this.mode === "setup" && this.setup.press(square, isStroke),
      key: (event) => this.mode === "setup" && this.setup.key(event),
    });
    this.setup = new SetupPanel(game, this.board, {
      check: (action) => request("check", { re: game.decide.id, action }),
      send: (action) => this.#send(action),
      attempt, showError,
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

  /** A line of this game. */
  receive(line) {
    this.game.receive(line);
    if (line.type !== "decide" && line.type !== "end") return;
    if (this.isSent && this.game.turns.length) this.attempt(() => this.#show(this.game.turns.length));
    else this.#proceed();
  }

  #lay() {
    const { game } = this;
    const dialog = rulesDialog(game.rules);
    const who = `${this.player.name || "you"} against ${game.chaos}`;
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
          h("div", { class: "row" },
            h("button", { type: "button", onclick: () => dialog.showModal() }, "The rules"), this.resign),
          help(), this.curve.element,
          h("details", { class: "card" },
            h("summary", {}, "What the map shows"), shapes(game.rules), legend(game.rules)))),
      dialog);
    this.balance.show(game);
  }

  /** To what is due: the next setup, or the end. */
  #proceed() {
    this.isSent = false;
    this.replayPlayer.stop();
    this.field.classList.remove("replaying");
    show(this.news);
    this.mode = "";
    this.#showResult();
    if (this.game.end) this.#finish();
    else this.#plan();
  }

  #plan() {
    this.mode = "setup";
    show(this.panel, this.setup.element);
    this.setup.take(new SetupDraft(this.game, () => this.setup.refresh()), this.tracks ?? new Map());
    this.board.element.focus({ preventScroll: true });
  }

  #finish() {
    this.mode = "over";
    this.resign.hidden = true;
    this.board.showUnits(this.game.units);
    this.board.clear();
    const ending = new Ending(this.game, this.player, this);
    show(this.panel, ending.element);
    ending.element.focus({ preventScroll: true });
    this.attempt(() => ending.load());
  }

  /** The replay of a turn, and its accounts once it has been seen. */
  async #show(number) {
    const { game } = this;
    const turn = game.turns[number - 1];
    this.replay = new Replay(turn.units, await this.loadReplay(number), game.rules.minions);
    if (number === game.turns.length) this.tracks = this.replay.tracks();
    this.mode = "replay";
    this.turn = turn;
    this.field.classList.add("replaying");
    this.board.clear();
    this.report = h("div", { hidden: true }, accounts(turn, game));
    const next = game.end ? "How it ended" : `Plan turn ${game.turn}`;
    const go = h("button", { type: "button", class: "main", onclick: () => this.#proceed() }, next);
    show(this.panel, h("section", { class: "card turn", "aria-label": "The turn" },
      h("h2", {}, `Turn ${number}`), army(turn), h("div", { class: "row" }, go), this.report, this.fights.element));
    this.replayPlayer.load(this.replay.frames);
    go.focus({ preventScroll: true });
  }

  #showFrame(index) {
    const frame = this.replay.frames[index];
    const shown = (square, { unit }) => ({ unit, mark: frame.units.has(square) ? "" : "fallen" });
    this.board.showUnits(new Map([...this.turn.units].map(([square, each]) => [square, shown(square, each)])));
    this.fights.show(this.replay, index, this.game.unitRules);
  }

  /** The replay is over. */
  #showResult() {
    this.balance.show(this.game);
    this.curve.show(this.game);
    if (this.mode !== "replay") return;
    this.report.hidden = false;
    show(this.news, this.turn.end.say);
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
    this.send("action", { re: decide.id, seq: decide.seq, action });
  }

  async #resign() {
    if (confirm("Give the game up?")) await this.request("resign");
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

/** Both values, and how near either side is to its win. */
class Balance {
  constructor() {
    this.figures = h("div", { class: "figures" });
    this.left = h("span", { class: "quiet" });
    this.pointer = h("span", { class: "pointer" });
    this.scale = h("div", { class: "scale", role: "img" }, h("span", { class: "middle" }), this.pointer);
    this.element = h("section", { class: "balance card", "aria-label": "How it stands" }, this.figures,
      h("div", { class: "scale-row" }, this.left, this.scale, h("span", { class: "quiet" }, "you win")));
  }

  /** After the turns so far. */
  show(game) {
    const [human, chaos] = game.values.at(-1);
    const { human_wins_ratio: most, turn_cap: last } = game.rules;
    const least = game.rules.chaos_wins_ratio || most;
    const ratio = Math.log(Math.max(human, 1) / Math.max(chaos, 1));
    const share = Math.min(Math.max(ratio / Math.log(ratio > 0 ? most : least), -1), 1);
    this.pointer.style.insetInlineStart = `${50 + share * 50}%`;
    const times = balanceText(human, chaos);
    this.scale.setAttribute("aria-label", `${times}; ${most} times wins`);
    show(this.left, game.rules.chaos_wins_ratio ? "Chaos wins" : "Chaos leads");
    show(this.figures,
      figure("Turn", last ? `${game.turn} of ${last}` : game.turn),
      figure("You", dollars(human), "human"),
      figure("Chaos", dollars(chaos), "chaos"),
      figure("Balance", times));
  }
}

function balanceText(human, chaos) {
  if (human === chaos) return "even";
  const times = (Math.max(human, chaos) / Math.max(Math.min(human, chaos), 1)).toFixed(1);
  return human > chaos ? `you ${times} times Chaos` : `Chaos ${times} times you`;
}

function figure(name, value, side = "") {
  return h("div", { class: `figure ${side}` }, h("span", { class: "quiet" }, name), h("strong", {}, value));
}

/** Both values over the turns, on a scale on which twice as much is always as far; a turn can be chosen to be shown again. */
class Curve {
  constructor(choose) {
    this.choose = choose;
    this.figure = h("div", {});
    this.turns = h("div", { class: "row turns" });
    this.element = h("section", { class: "card history", hidden: true, "aria-label": "History" },
      h("h2", {}, "The turns so far"), this.figure,
      h("p", { class: "quiet" },
        h("span", { class: "key human" }), " you  ", h("span", { class: "key chaos" }),
        " Chaos, in value after each turn. Choose a turn to see it again:"),
      this.turns);
  }

  show(game) {
    const finished = game.turns.filter((turn) => turn.end);
    this.element.hidden = !finished.length;
    if (!finished.length) return;
    const most = Math.log(Math.max(...game.values.flat(), 10));
    const least = Math.log(Math.max(Math.min(...game.values.flat()), 10)) - 0.2;
    const x = (index) => EDGE + (index / (game.values.length - 1)) * (WIDTH - 2 * EDGE);
    const height = (value) => (Math.log(Math.max(value, 10)) - least) / Math.max(most - least, 0.1);
    const y = (value) => HEIGHT - EDGE - height(value) * (HEIGHT - 2 * EDGE);
    const lines = ["human", "chaos"].map((side, index) => {
      const points = game.values.map((values, turn) => [x(turn), y(values[index])]);
      return [
        svg("polyline", { class: `line ${side}`, points: points.map((point) => point.join(",")).join(" ") }),
        points.map(([cx, cy]) => svg("circle", { class: `dot ${side}`, cx, cy, r: 4 })),
      ];
    });
    const last = game.values.at(-1);
    show(this.figure, svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": `After ${finished.length} turns you are worth ${dollars(last[0])}, Chaos ${dollars(last[1])}` }, lines));
    show(this.turns, finished.map(({ turn }) => h("button", {
      type: "button", class: "small", "aria-label": `Show turn ${turn} again`, onclick: () => this.choose(turn),
    }, turn)));
  }
}

// -- The end -----------------------------------------------------------------------------------------

/** Who has won and why, how Chaos played, and what it remembers. Parameters as for GameView. */
class Ending {
  constructor(game, player, { request, again, attempt }) {
    Object.assign(this, { game, player, request, attempt });
    const { winner, reason, turns, values } = game.end.result;
    const played = `After ${plural(turns, "turn")} you are worth ${dollars(values[0])}, Chaos ${dollars(values[1])}.`;
    this.story = h("div", {
      class: "story", "aria-live": "polite", tabindex: 0, role: "group", "aria-label": "The story",
    });
    this.profile = h("div", {});
    this.element = h("section", { class: "card ending", "aria-label": "The end", tabindex: -1 },
      h("h2", { class: winner === "human" ? "good" : winner === "chaos" ? "bad" : "" }, WINNERS[winner]),
      h("p", {}, `${REASONS[reason] ?? reason}. ${played}`),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => attempt(again) }, "Play again")),
      h("h3", {}, "How Chaos played you"), this.#strings(), this.story, this.profile);
  }

  /** Fetch the story of the whole game and the profile. */
  async load() {
    const owner = { profile_token: tokenOf(this.player.name) };
    this.#showStory((await this.request("explain", owner)).text);
    const now = profileOf((await this.request("record", { format: "apu", ...owner })).lines);
    const { before } = this.player;
    const profiles = before ? { before, now } : { now };
    show(this.profile,
      h("h3", {}, this.player.name ? `What Chaos remembers of ${this.player.name}` : "What Chaos learned"),
      h("p", { class: "quiet" }, this.player.name
        ? "After every setup it tries its strings on your arrangement. A string that does well against you has a rating below zero."
        : "Without a name it forgets this game. Give one, and it knows you the next time."),
      table([[null, "head"], ...Object.keys(profiles).map((head) => [head, "number"])],
        Object.entries(PROFILE).map(([name, words]) =>
          [words, ...Object.values(profiles).map((profile) => formatNumber(profile[name]))])));
  }

  #strings() {
    const { strings, mode, seed } = this.game.end.reveal;
    const { attempt } = this;
    const buttons = strings.map(({ turn, index, hybrid }) =>
      h("button", { type: "button", class: "small", onclick: () => attempt(() => this.#explain({ turn })) },
        `turn ${turn}: ${hybrid ? "hybrid" : "string"} ${index ?? "of its own"}`));
    return [
      h("p", { class: "quiet" }, `Mode ${mode}; the game was number ${seed}. The string of each turn in words:`),
      h("div", { class: "row" },
        h("button", { type: "button", class: "small", onclick: () => attempt(() => this.#explain({})) }, "the whole game"),
        buttons),
    ];
  }

  async #explain(which) {
    const story = await this.request("explain", { ...which, profile_token: tokenOf(this.player.name) });
    this.#showStory(story.text, story.string);
  }

  #showStory(lines, string) {
    show(this.story,
      lines.map((line) => h("p", { class: line.startsWith(" ") ? "inner" : "" }, line.trim())),
      string ? h("details", {}, h("summary", {}, "its 264 hex digits"), h("code", { class: "digits" }, string)) : null);
  }
}

/** The token by which this browser owns the profile of a name; undefined if it has none. */
function tokenOf(name) {
  return name ? tokens()[name] : undefined;
}

function keepToken(name, token) {
  localStorage.setItem(TOKENS, JSON.stringify({ ...tokens(), [name]: token }));
}

function tokens() {
  try {
    return JSON.parse(localStorage.getItem(TOKENS)) ?? {};
  } catch {
    return {};
  }
}

/** What a profile's file says: wins, losses, and 250 ratings on its first line. */
function profileOf([first]) {
  const [wins, losses, ...ratings] = first.split("\t").map(Number);
  const sum = ratings.reduce((total, each) => total + each, 0);
  return {
    wins,
    losses,
    best: Math.min(...ratings),
    mean: Math.trunc(sum / ratings.length),
    negative: ratings.filter((each) => each < 0).length,
  };
}

// -- A new game --------------------------------------------------------------------------------------

/** A form; begin(wanted, name) is called with what `create` needs and the player's name, which may be empty as `known`. */
function newGameForm(opponents, known, begin) {
  const form = h("form", {
    class: "card new-game",
    onsubmit: (event) => {
      event.preventDefault();
      begin(...wantedOf(new FormData(form)));
    },
  },
    h("h2", {}, "A new game"),
    h("label", {}, "Your name (Chaos remembers it)",
      h("input", { name: "name", value: known, maxlength: 40, autocomplete: "nickname", placeholder: "anonymous" })),
    h("label", {}, "Opponent", select(opponents.map((each) => [each, opponentText(each)]), { name: "chaos" })),
    h("label", {}, "It aims at", select(Object.entries(AIMS), { name: "target" })),
    h("button", { class: "main" }, "Start"),
    h("details", {}, h("summary", {}, "Rules, map and money"),
      h("div", { class: "more" },
        h("label", {}, "Rules", select(Object.entries(VARIANTS), { name: "variant" })),
        numberField("map", "Number of the map", "by chance"),
        numberField("seed", "Number of the game, for the same map and dice again", "by chance"),
        numberField("human", "Your money, in dollars", "2000"),
        numberField("chaos_money", "Chaos's money, in dollars", "2000"))));
  return form;
}

/** What `create` needs, and the player's name. */
function wantedOf(data) {
  const value = (name) => data.get(name).trim();
  const amount = (name) => (value(name) === "" ? undefined : Number(value(name)));
  const name = value("name");
  const options = { target: value("target"), detail: "summary" };
  if (name) Object.assign(options, { profile: name, reset: false });
  if (amount("map") !== undefined) options.map = { seed: amount("map") };
  options.money = { human: amount("human"), chaos: amount("chaos_money") };
  const seats = ["me", value("chaos")];
  return [{ game: "protection", variant: value("variant"), seats, seed: amount("seed"), options }, name];
}

function opponentText(opponent) {
  return MODES[opponent] ? `${opponent.slice(6)}: ${MODES[opponent]}` : opponent;
}

function numberField(name, words, placeholder) {
  return h("label", {}, words, h("input", { name, type: "number", min: 0, step: 1, placeholder }));
}

// -- The rules ---------------------------------------------------------------------------------------

/** A dialog of the rules of a game. */
function rulesDialog(rules) {
  const dialog = h("dialog", { class: "rules", "aria-label": "The rules" },
    h("form", { method: "dialog", class: "row" }, h("h2", {}, "The rules in short"), h("button", {}, "Close")),
    h("ol", {}, paragraphs(rules).map((text) => h("li", {}, text))),
    h("h3", {}, "Your units"),
    kindTable(["unit", "price", "salvage", "attack", "defence", "farms"], rules.units, UNITS,
      (unit) => [dollars(unit.cost), dollars(unit.salvage), unit.attack, unit.defence, unit.rate || ""]),
    h("h3", {}, "Chaos's minions"),
    kindTable(["minion", "price", "attack", "defence", "hears"], rules.minions, MINIONS,
      (minion) => [dollars(minion.cost), minion.attack, minion.defence, minion.hears || ""]),
    h("h3", {}, "The land"), legend(rules));
  return dialog;
}

/** What the colours and patterns of the map mean. */
function legend(rules) {
  const nugget = h("span", { class: "icon nugget", "aria-hidden": "true" });
  return h("ul", { class: "legend" },
    rules.terrains.map(({ name, farming, defence }) => entry(swatch(name), name, { farming, defence })),
    entry(nugget, "gold", { farming: rules.gold_bonus }));
}

/** The shapes of both sides. */
function shapes(rules) {
  return h("ul", { class: "legend" }, [...rules.units, ...rules.minions].map(({ name }) => entry(icon(name), name, {})));
}

/** A line of a legend; `bonuses` by what they add to. */
function entry(picture, name, bonuses) {
  const given = Object.entries(bonuses).filter(([, bonus]) => bonus).map(([what, bonus]) => `${what} ${signed(bonus)}`);
  return h("li", {}, picture, h("span", {}, name, " ", h("span", { class: "quiet" }, given.join(", "))));
}

function paragraphs(rules) {
  return [
    "You farm an island world that wraps around at its edges. Before each turn you buy units and place them on free land.",
    "Then Chaos sends minions to random squares, and both sides act for 50 phases. A farming unit makes its rate and the land's bonus every phase.",
    "An attack of strength A on a defence of D, with the defender's land added to D, wins A times in A + D. Who destroys a farm takes what it made this turn.",
    "After the turn the minions go home and Chaos has their full price back; your units stay where they are.",
    `You win when you are worth more than ${rules.human_wins_ratio} times what Chaos is: money and units together.`,
    [
      rules.chaos_wins_ratio ? `Chaos wins when it is worth more than ${rules.chaos_wins_ratio} times what you are, and` : "Chaos wins",
      ` when you have no unit and less than ${dollars(rules.elimination_below)}.`,
      rules.turn_cap ? ` After ${rules.turn_cap} turns who is worth more wins.` : "",
    ].join(""),
    "Chaos never cheats: it plays by the same rules against everybody. It chooses among 250 evolved strings by trying them on what you built the turn before.",
  ];
}

/** A table of units or minions, with words `about` each by name; cells(kind) fill the other columns. */
function kindTable([head, ...heads], kinds, about, cells) {
  const name = (kind) =>
    [h("span", { class: "counted" }, icon(kind.name), kind.name), h("div", { class: "quiet about" }, about[kind.name])];
  const columns = [[head, "head"], ...heads.map((each) => [each, "number"])];
  return scrollable(`Every ${head}`, table(columns, kinds.map((kind) => [name(kind), ...cells(kind)])));
}

new App(initPage());
