// A game of chess against a genome: the moves and the end, the clocks, the engine over UCI, and the side to move.

import { Chess, DEFAULT_POSITION } from "./vendor/chess.js/chess.js";
import { LineSocket } from "./client.js";
import { h } from "./dom.js";
import { signed } from "./format.js";

const LONGEST = 600; // plies of a game that is loaded
const TICK = 100; // milliseconds between two updates of the clock
const TRIES = 3; // connections that may be lost during one search
const RETRY = 1000; // milliseconds before the next try
const WORSE = -0.3; // pawns, from its own view: at this score or below a genome accepts a draw
export const COLOURS = { w: "White", b: "Black" };
export const OTHER = { w: "b", b: "w" };

/** A game: its start, its moves with the players' evaluations, and its end. The rules are those of chess.js. */
export class Game {
  /**
   * `notes` has an entry for each move: its player's evaluation {score, depth} from White's view, or null.
   * `date` is the day on which the game started, in the format of PGN.
   */
  constructor({ start = DEFAULT_POSITION, moves = [], notes = [], end = null, date = today() } = {}) {
    this.start = start;
    this.date = date;
    this.rules = new Chess(start);
    this.notes = [];
    this.declared = null; // an end by resignation, time or agreement: {result, why}
    moves.forEach((move, index) => this.play(move, notes[index] ?? null));
    if (end) this.declared = end;
  }

  get turn() {
    return this.rules.turn();
  }

  get fen() {
    return this.rules.fen();
  }

  /** The moves in UCI's notation. */
  get moves() {
    return this.history.map((move) => move.lan);
  }

  get history() {
    return this.rules.history({ verbose: true });
  }

  /** {result, why}, or null while the game is running. */
  get end() {
    if (this.declared) return this.declared;
    if (this.rules.isCheckmate()) return { result: this.turn === "w" ? "0-1" : "1-0", why: "checkmate" };
    if (this.rules.isStalemate()) return { result: "1/2-1/2", why: "stalemate" };
    if (this.rules.isInsufficientMaterial()) return { result: "1/2-1/2", why: "insufficient material" };
    return null;
  }

  /** The reason for which the side to move may claim a draw; empty if it may not. */
  get claim() {
    if (this.rules.isThreefoldRepetition()) return "threefold repetition";
    if (this.rules.isDrawByFiftyMoves()) return "fifty moves without a capture or a pawn move";
    return "";
  }

  /** Make a move: SAN, UCI's coordinates, or {from, to, promotion}. Throws an Error if it is not legal. */
  play(move, note = null) {
    const played = this.rules.move(move);
    this.notes.push(note);
    return played;
  }

  takeBack(plies) {
    for (let count = 0; count < plies && this.rules.undo(); count++) this.notes.pop();
    this.declared = null;
  }

  finish(result, why) {
    this.declared = { result, why };
  }

  /** Legal moves from a square. */
  legalMoves(square) {
    return this.rules.moves({ square, verbose: true });
  }

  /** A line that starts in this position, as SAN with numbers: `12. Nf3 d5 13. O-O`. */
  lineInSan(line) {
    const rules = new Chess(this.fen);
    const words = [];
    for (const move of line) {
      if (rules.turn() === "w") words.push(`${rules.moveNumber()}.`);
      else if (!words.length) words.push(`${rules.moveNumber()}…`);
      try {
        words.push(rules.move(move).san);
      } catch {
        break; // a move after the end of the game, or of another position
      }
    }
    return words.join(" ");
  }

  /** The game as PGN. `tags` are its tags: White, Black, ... */
  pgn(tags) {
    const rules = new Chess(this.start);
    for (const [name, value] of Object.entries({ ...tags, Date: this.date, Round: "-" })) rules.setHeader(name, value);
    rules.setHeader("Result", this.end?.result ?? "*");
    this.history.forEach((move, index) => {
      rules.move(move.san);
      const note = this.notes[index];
      if (note) rules.setComment(`${note.score}/${note.depth}`);
    });
    if (this.end) rules.setComment([rules.getComment(), this.end.why].filter(Boolean).join("; "));
    return rules.pgn({ maxWidth: 80 });
  }

  /** The data for the constructor of another Game. */
  dump() {
    return { start: this.start, moves: this.moves, notes: this.notes, end: this.declared, date: this.date };
  }

  /** Read a position (FEN) or a whole game (PGN). Throws an Error with the reason if the text is neither. */
  static read(text) {
    const trimmed = text.trim();
    if (/^[1-8pnbrqkPNBRQK/]+ [wb] /.test(trimmed)) return new Game({ start: trimmed });
    const rules = new Chess();
    rules.loadPgn(trimmed);
    const moves = rules.history({ verbose: true });
    if (!moves.length) throw new Error("this is neither a position (FEN) nor a game with moves (PGN)");
    if (moves.length > LONGEST) throw new Error(`this game has ${moves.length} plies; at most ${LONGEST} are supported`);
    return new Game({ start: moves[0].before, moves: moves.map((move) => move.lan) });
  }
}

/** The local date, such as 2026.11.24. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
}

/** Two clocks, of which at most one runs; without a time control neither runs. */
class Clock {
  /** `control` is {base, increment} in milliseconds, or null; `left` the time that a resumed game has left. */
  constructor(control, left, onFlag) {
    this.control = control;
    this.left = left ?? { w: control?.base ?? 0, b: control?.base ?? 0 };
    this.onFlag = onFlag;
    this.running = null;
    this.faces = { w: h("span", { class: "clock", hidden: !control }), b: h("span", { class: "clock", hidden: !control }) };
    this.#draw();
  }

  start(colour) {
    this.stop();
    if (!this.control) return;
    this.running = colour;
    this.since = performance.now();
    this.timer = setInterval(() => this.#tick(), TICK);
  }

  /** Stop the running clock after a move, and add the increment. */
  press() {
    const colour = this.running;
    this.stop();
    if (colour) this.left[colour] += this.control.increment;
    this.#draw();
  }

  stop() {
    clearInterval(this.timer);
    this.#take();
    this.running = null;
    this.#draw();
  }

  /** The arguments of UCI's go. */
  get limit() {
    const [w, b] = ["w", "b"].map((colour) => Math.max(Math.round(this.left[colour]), 1));
    return `wtime ${w} btime ${b} winc ${this.control.increment} binc ${this.control.increment}`;
  }

  #tick() {
    this.#take();
    this.#draw();
    if (this.left[this.running] > 0) return;
    const colour = this.running;
    this.stop();
    this.onFlag(colour);
  }

  #take() {
    if (!this.running) return;
    const now = performance.now();
    this.left[this.running] -= now - this.since;
    this.since = now;
  }

  #draw() {
    for (const [colour, face] of Object.entries(this.faces)) {
      const seconds = Math.max(Math.ceil(this.left[colour] / 1000), 0);
      face.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      face.classList.toggle("runs", this.running === colour);
    }
  }
}

/** A genome that plays, over UCI: one connection, opened with the first search. */
class Engine {
  /** `options` are UCI's, by name; `onInfo(info)` is called for every depth: {depth, cents, mate, nodes, line}. */
  constructor(options, onInfo) {
    this.options = options;
    this.onInfo = onInfo;
    this.socket = null;
    this.searches = []; // one for each `go`, in order; UCI answers each with one bestmove
  }

  /** Search the game {start, moves} within a limit such as `movetime 1000`; resolves to UCI's move, or null if stopped. */
  think({ start, moves }, limit) {
    const position = `position fen ${start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
    return new Promise((resolve, reject) => {
      const search = { resolve, reject, lines: [position, `go ${limit}`], tries: TRIES };
      this.searches.push(search);
      if (this.socket) this.#send(search);
      else this.#open();
    });
  }

  /** End all searches without a move. */
  stop() {
    for (const search of this.searches) {
      search.resolve?.(null);
      search.resolve = null;
    }
    if (this.searches.length) this.socket?.send("stop");
  }

  close() {
    this.stop();
    this.searches = [];
    this.socket?.close();
    this.socket = null;
  }

  #send(search) {
    for (const line of search.lines) this.socket.send(line);
  }

  /** Connect, and start the searches that are still wanted. */
  #open() {
    const socket = new LineSocket(
      (text) => socket === this.socket && this.#receive(text),
      () => socket === this.socket && this.#lose(),
    );
    this.socket = socket;
    this.refusal = "";
    socket.send("uci");
    for (const [name, value] of Object.entries(this.options)) socket.send(`setoption name ${name} value ${value}`);
    this.searches = this.searches.filter((search) => search.resolve);
    for (const search of this.searches) this.#send(search);
  }

  #receive(text) {
    const words = text.split(" ");
    const search = this.searches[0];
    if (words[0] === "bestmove") {
      this.searches.shift();
      search?.resolve?.(words[1]);
    } else if (words[0] === "info" && words[1] === "depth" && search?.resolve) {
      this.onInfo(parseInfo(words));
    } else if (!/^(id|option|uciok|readyok|info)\b/.test(text)) {
      this.refusal = text; // such as: too many connections
    }
  }

  #lose() {
    this.socket = null;
    const isWanted = (search) => search.resolve && !this.refusal && --search.tries > 0;
    const [again, failed] = [[], []];
    for (const search of this.searches) (isWanted(search) ? again : failed).push(search);
    this.searches = again;
    for (const search of failed) search.reject(new Error(this.refusal || "the connection to the server is lost"));
    if (again.length) setTimeout(() => this.#retry(), RETRY);
  }

  /** Connect again, unless the searches have been stopped or another search has connected already. */
  #retry() {
    if (!this.socket && this.searches.some((search) => search.resolve)) this.#open();
  }
}

/** `info depth 9 score cp 31 time 200 nodes 9000 nps 45000 pv e2e4 e7e5` as an object. */
function parseInfo(words) {
  const after = (name) => words[words.indexOf(name) + 1];
  const at = words.indexOf("pv");
  const value = Number(words[words.indexOf("score") + 2]);
  return {
    depth: Number(after("depth")),
    cents: after("score") === "cp" ? value : null,
    mate: after("score") === "mate" ? value : null,
    nodes: words.includes("nodes") ? Number(after("nodes")) : 0,
    line: at < 0 ? [] : words.slice(at + 1),
  };
}

/** The evaluation in an engine's info when it moves for `colour`: `score` as text, `pawns` as a number, from White's view. */
export function noteOf(info, colour) {
  const sign = colour === "w" ? 1 : -1;
  if (info.mate !== null) {
    const mate = sign * info.mate;
    return { score: `${mate > 0 ? "+" : "−"}M${Math.abs(mate)}`, pawns: mate > 0 ? 30 : -30, depth: info.depth };
  }
  const pawns = (sign * info.cents) / 100;
  return { score: signed(pawns, 2), pawns, depth: info.depth };
}

/** The course of a game: turns, searches, clocks, draws, resignation and taking back. */
export class GameController {
  /**
   * `settings` are those of the form, `time` is a limit for UCI's go or a clock, `left` the times of a clock that has run before.
   * `listener` has changed(), info(info, colour) and fails(message).
   */
  constructor({ settings, time, game, left, listener }) {
    this.settings = settings;
    this.time = time;
    this.game = game;
    this.listener = listener;
    this.paused = false;
    this.ticket = 0; // of the last search
    this.note = null; // of the present search
    this.clock = new Clock(time.clock ?? null, left, (colour) => this.#flag(colour));
    this.engines = {};
    for (const [colour, genome] of [["w", settings.white], ["b", settings.black]]) {
      if (settings.side === colour) continue;
      const options = { Genome: genome, Strength: settings.strength };
      this.engines[colour] = new Engine(options, (info) => this.#info(info, colour));
    }
  }

  get isHumanToMove() {
    return this.game.turn === this.settings.side;
  }

  get isWatched() {
    return this.settings.side === "none";
  }

  /** Let the side to move play: the user, or a genome that starts to think. */
  go() {
    const { game, clock } = this;
    this.note = null;
    if (!game.end && !this.isHumanToMove && game.claim) game.finish("1/2-1/2", `claimed: ${game.claim}`);
    if (game.end || this.paused) clock.stop();
    else if (clock.running !== game.turn) clock.start(game.turn);
    this.listener.changed();
    if (!game.end && !this.paused && !this.isHumanToMove) this.#think();
  }

  /** Play a move. Throws an Error if it is not legal. */
  play(move, note = null) {
    this.game.play(move, note);
    this.clock.press();
    this.go();
  }

  /** Go back to the user's last turn; if only genomes play, go back one move and pause. */
  takeBack() {
    this.#stop();
    this.game.takeBack(this.isHumanToMove ? 2 : 1);
    this.paused = this.isWatched;
    this.go();
  }

  pause(paused) {
    this.paused = paused;
    if (paused) this.#stop();
    this.go();
  }

  /** Claim a draw, or offer one; false if it is declined. */
  draw() {
    const { game, settings } = this;
    const note = game.notes.findLast((each) => each);
    const pawns = note && (settings.side === "b" ? note.pawns : -note.pawns); // from the genome's view
    if (game.claim) this.#finish("1/2-1/2", `claimed: ${game.claim}`);
    else if (note && pawns <= WORSE) this.#finish("1/2-1/2", "by agreement");
    return Boolean(game.end);
  }

  resign() {
    const { side } = this.settings;
    this.#finish(side === "w" ? "0-1" : "1-0", `${COLOURS[side]} resigns`);
  }

  close() {
    this.ticket++;
    this.clock.stop();
    for (const engine of Object.values(this.engines)) engine.close();
  }

  async #think() {
    const ticket = ++this.ticket;
    try {
      const limit = this.clock.control ? this.clock.limit : this.time.limit;
      const move = await this.engines[this.game.turn].think(this.game.dump(), limit);
      if (move && ticket === this.ticket) this.play(move, this.note);
    } catch (error) {
      if (ticket !== this.ticket) return;
      this.listener.fails(error.message);
      this.pause(true);
    }
  }

  #info(info, colour) {
    if (colour !== this.game.turn || this.game.end) return;
    this.note = noteOf(info, colour);
    this.listener.info(info, colour);
  }

  #flag(colour) {
    this.#finish(colour === "w" ? "0-1" : "1-0", `${COLOURS[colour]} has run out of time`);
  }

  #finish(result, why) {
    this.#stop();
    this.game.finish(result, why);
    this.go();
  }

  /** End all thinking. */
  #stop() {
    this.ticket++;
    for (const engine of Object.values(this.engines)) engine.stop();
  }
}
