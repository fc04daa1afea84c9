// The course of a game against a genome: turns, searches, clocks, draws, resignation and taking back.

import { Clock } from "./chess_clock.js";
import { Engine } from "./chess_engine.js";
import { COLOURS, lineInSan } from "./chess_game.js";
import { optionsOf } from "./chess_levels.js";
import { noteOf } from "./chess_score.js";

const WORSE = -0.3; // pawns, from its own view: at this score or below a genome accepts a draw

/** The course of a game: turns, searches, clocks, draws, resignation and taking back. */
export class GameController {
  /**
   * `settings` are those of the form, `time` is a limit for UCI's go or a clock, `left` the times of a clock that has run before.
   * `listener` has changed(), info(note) and fails(message).
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
      const options = { Genome: genome, ...optionsOf(settings.level) };
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
    this.note = noteOf(info, colour, lineInSan(this.game.fen, info.line));
    this.listener.info(this.note);
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
