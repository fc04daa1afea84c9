// The Advanced Protection page: it continues the game of this tab or starts one; its turns, its end, the rules.

import { JsonClient, RequestError } from "./client.js";
import { h, scrollable, select, show, svg, table } from "./dom.js";
import { dollars, formatNumber, plural, signed } from "./format.js";
import { initPage, showError, showTroubles } from "./page.js";
import { Board, Ground, icon, squareAt, squareName, swatch } from "./protection_board.js";
import { FightLog, Replay, ReplayPlayer, accounts, army } from "./protection_replay.js";
import { SetupDraft, SetupPanel } from "./protection_setup.js";

const STORED = "galapagos-protection-game"; // in sessionStorage: {id, name, before}; `before` is the profile of the player before the game
const TOKENS = "galapagos-protection-profiles"; // in localStorage: the token of each profile, by name
const MODES = {
  "chaos:pilot": "steers each game to a random winner",
  "chaos:calibrated": "uses its ratings of you for even games",
  "chaos:seed": "the rule of the 1999 paper",
  "chaos:best": "always plays the string that hurts you most",
  "chaos:random": "plays a random string",
};
const AIMS = {
  even: "even: you win about half",
  easy: "easy: you win 7 of 10",
  novice: "novice: you win 6 of 10",
  expert: "expert: you win 4 of 10",
  hard: "hard: you win 3 of 10",
};
const STUDY = {
  "": "as before; for a new name, no",
  yes: "yes, this and the next games under this name",
  no: "no, and no earlier game under this name",
};
const VARIANTS = { improved: "improved (for people)", seed: "seed (as printed in 1999)" };
const WINNERS = { human: "You win", chaos: "Chaos wins", none: "A draw" };
const REASONS = {
  surrender: "Chaos surrenders: you are worth more than twenty times as much",
  eliminated: "You have no unit, and no money for one",
  chaos_twenty: "Chaos is worth more than twenty times as much as you are",
  turn_cap: "The last turn has been played",
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
  mine: "explodes under a minion that enters its square, and is used up",
  farmer: "farms",
  infantry: "guards",
  settler: "farms best, and strikes back",
  jammer: "barbarians within 4 squares hear no scout",
  armor: "the strongest guard",
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
    if (line.game_id !== this.player?.id) return;
    if (line.type === "start") this.#showGame(new Game(line, this.rules[line.variant] ?? this.rules.improved));
    else this.view?.receive(line); // without a view, all lines of the game are about to be sent
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
      showError("The game that you played here has ended, and the server no longer has it.");
      this.player = null;
    }
    if (!this.player && !this.form?.isConnected) await this.#showForm(); // a form that is shown already keeps its contents
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
          h("p", {}, "Build farms and guard them. Each turn your opponent, Chaos, sends minions. An evolved string of 1056 bits buys and steers them. ",
            "Chaos tests its 250 strings on what you have built, and chooses the next one."),
          h("p", {}, "You win when you are worth more than 20 times what Chaos is."),
          h("button", { type: "button", onclick: () => dialog.showModal() }, "The rules"),
          h("h2", {}, "Units and minions"), shapes(this.rules.improved),
          h("h2", {}, "Terrain"), legend(this.rules.improved), dialog),
        this.form));
  }

  async #begin(wanted, name) {
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
    const { name } = this.player;
    this.player = this.view = null;
    sessionStorage.removeItem(STORED);
    return this.#showForm(name);
  }
}

// -- A game ------------------------------------------------------------------------------------------

/** The state of a game from the server's lines: the map, the units, and all finished turns. `start` is its first line. */
class Game {
  constructor(start, rules) {
    this.id = start.game_id;
    this.chaos = start.seats[1].name;
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

  /** The number of the current turn, or of the last one. */
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
 * The view of a game: it plans a turn, replays one, or shows the end. request, send and replay reach the server; attempt(step) shows
 * its refusals; again() leaves the game.
 */
class GameView {
  constructor(main, game, player, { request, send, replay, attempt, again }) {
    Object.assign(this, { main, game, player, request, send, loadReplay: replay, attempt, again });
    this.isSent = false; // whether a setup has been sent whose turn has not been shown yet
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

  /** Process a line of this game. */
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
            h("summary", {}, "Legend of the map"), shapes(game.rules), legend(game.rules)))),
      dialog);
    this.balance.show(game);
  }

  /** Show the next setup, or the end. */
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

  /** Show the replay of a turn, and its accounts after the replay. */
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
    const next = game.end ? "Show the result" : `Plan turn ${game.turn}`;
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

  /** Show the result at the end of a replay. */
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

/** Both values, and how close each side is to winning. */
class Balance {
  constructor() {
    this.figures = h("div", { class: "figures" });
    this.left = h("span", { class: "quiet" });
    this.pointer = h("span", { class: "pointer" });
    this.scale = h("div", { class: "scale", role: "img" }, h("span", { class: "middle" }), this.pointer);
    this.element = h("section", { class: "balance card", "aria-label": "Balance" }, this.figures,
      h("div", { class: "scale-row" }, this.left, this.scale, h("span", { class: "quiet" }, "you win")));
  }

  /** Show the balance after the last finished turn. */
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

/** Both values over the turns, on a logarithmic scale, with a button to replay each turn. */
class Curve {
  constructor(choose) {
    this.choose = choose;
    this.figure = h("div", {});
    this.turns = h("div", { class: "row turns" });
    this.element = h("section", { class: "card history", hidden: true, "aria-label": "History" },
      h("h2", {}, "Turns so far"), this.figure,
      h("p", { class: "quiet" },
        h("span", { class: "key human" }), " you  ", h("span", { class: "key chaos" }),
        " Chaos: value after each turn. Choose a turn to see it again:"),
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

/** The end: the winner and the reason, how Chaos played, and the profile. The parameters are those of GameView. */
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
      h("h3", {}, "How Chaos played"), this.#strings(), this.story, this.profile);
  }

  /** Fetch the story of the whole game and the profile. */
  async load() {
    const owner = { profile_token: tokenOf(this.player.name) };
    this.#showStory((await this.request("explain", owner)).text);
    const now = profileOf((await this.request("record", { format: "apu", ...owner })).lines);
    const { before } = this.player;
    const profiles = before ? { before, now } : { now };
    show(this.profile,
      h("h3", {}, this.player.name ? `What Chaos knows about ${this.player.name}` : "What Chaos learned"),
      h("p", { class: "quiet" }, this.player.name
        ? "After each setup Chaos tests its strings on your arrangement. A string that does well against you has a rating below zero."
        : "Without a name, Chaos forgets this game. If you enter one, it knows you in the next game."),
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
      h("p", { class: "quiet" }, `Mode ${mode}, game number ${seed}. Choose a turn for a description of its string:`),
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
      string ? h("details", {}, h("summary", {}, "the string as 264 hex digits"), h("code", { class: "digits" }, string)) : null);
  }
}

/** The token of this browser for the profile of a name; undefined if it has none. */
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

/** The figures of a profile's file, whose first line has wins, losses and 250 ratings. */
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

/** The form of a new game; begin(wanted, name) is called with the fields of `create` and the player's name, which may be empty. */
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
    h("label", {}, "Difficulty", select(Object.entries(AIMS), { name: "target" })),
    h("button", { class: "main" }, "Start"),
    h("details", {}, h("summary", {}, "Rules, map and money"),
      h("div", { class: "more" },
        h("label", {}, "Rules", select(Object.entries(VARIANTS), { name: "variant" })),
        numberField("map", "Number of the map", "random"),
        numberField("seed", "Number of the game; the same number gives the same map and dice", "random"),
        numberField("human", "Your money, in dollars", "2000"),
        numberField("chaos_money", "Chaos's money, in dollars", "2000"))),
    h("details", {}, h("summary", {}, "A study of players"),
      h("div", { class: "more" },
        h("p", {}, h("a", { href: "/help#protection-study/consent" }, "What you would agree to")),
        h("label", {}, "May your games be studied?", select(Object.entries(STUDY), { name: "study" })))));
  return form;
}

/** The fields of `create`, and the player's name. */
function wantedOf(data) {
  const value = (name) => data.get(name).trim();
  const amount = (name) => (value(name) === "" ? undefined : Number(value(name)));
  const name = value("name");
  const options = { target: value("target"), detail: "summary" };
  const study = { yes: true, no: false }[value("study")];
  if (name) Object.assign(options, { profile: name, reset: false, study });
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

/** A dialog with the rules of a game. */
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
    h("h3", {}, "Terrain"), legend(rules));
  return dialog;
}

/** The meaning of the map's colours and patterns. */
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

/** A line of a legend; `bonuses` by the quantity to which they are added. */
function entry(picture, name, bonuses) {
  const given = Object.entries(bonuses).filter(([, bonus]) => bonus).map(([what, bonus]) => `${what} ${signed(bonus)}`);
  return h("li", {}, picture, h("span", {}, name, " ", h("span", { class: "quiet" }, given.join(", "))));
}

function paragraphs(rules) {
  return [
    "You farm an island world that wraps around at its edges. Before each turn you buy units and place them on free land.",
    "Then Chaos sends minions to random squares, and both sides act for 50 phases. In each phase a farming unit earns its rate plus the bonus of its land.",
    "An attack of strength A on a defence of D, which includes the bonus of the defender's land, wins A times in A + D. "
      + "A minion that destroys a farm takes the money that the farm earned this turn.",
    "After the turn the minions go home and Chaos gets their full price back. Your units stay where they are.",
    `You win when you are worth more than ${rules.human_wins_ratio} times what Chaos is: money and units together.`,
    [
      rules.chaos_wins_ratio ? `Chaos wins when it is worth more than ${rules.chaos_wins_ratio} times what you are, and` : "Chaos wins",
      ` when you have no unit and less than ${dollars(rules.elimination_below)}.`,
      rules.turn_cap ? ` After ${rules.turn_cap} turns the side that is worth more wins.` : "",
    ].join(""),
    "Chaos never cheats: it plays by the same rules against every player. It chooses among 250 evolved strings by testing them on what you built in the turn before.",
  ];
}

/** A table of units or minions with their descriptions `about`, by name; cells(kind) returns the other columns. */
function kindTable([head, ...heads], kinds, about, cells) {
  const name = (kind) =>
    [h("span", { class: "counted" }, icon(kind.name), kind.name), h("div", { class: "quiet about" }, about[kind.name])];
  const columns = [[head, "head"], ...heads.map((each) => [each, "number"])];
  return scrollable(`Every ${head}`, table(columns, kinds.map((kind) => [name(kind), ...cells(kind)])));
}

new App(initPage());
