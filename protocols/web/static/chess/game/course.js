// The course of a game: who is to move, thinks or has time left, and how it is drawn, given up or taken back.

import { Clock } from "./clock.js";
import { Engine } from "./engine.js";
import { noteOf } from "./note.js";

const WORSE = -0.3; // pawns, from its view, below which a genome takes a draw
export const COLOURS = { w: "White", b: "Black" };
export const OTHER = { w: "b", b: "w" };

export class Course {
  /**
   * `settings` as the form has them, `time` a limit for UCI's go or a clock, `left` of a clock that has run before.
   * `hears` has changed(), thinks(info, colour) and fails(words).
   */
  constructor({ settings, time, game, left, hears }) {
    this.settings = settings;
    this.time = time;
    this.game = game;
    this.hears = hears;
    this.paused = false;
    this.ticket = 0; // of the last thought that was asked for
    this.note = null; // of the thinking
    this.clock = new Clock(time.clock ?? null, left, (colour) => this.#flag(colour));
    this.engines = {};
    for (const [colour, genome] of [["w", settings.white], ["b", settings.black]]) {
      if (settings.side === colour) continue;
      const options = { Genome: genome, Strength: settings.strength };
      this.engines[colour] = new Engine(options, (info) => this.#hear(info, colour));
    }
  }

  get isHumans() {
    return this.game.turn === this.settings.side;
  }

  get isWatched() {
    return this.settings.side === "none";
  }

  /** Whoever is to move may. */
  go() {
    const { game, clock } = this;
    this.note = null;
    if (!game.end && !this.isHumans && game.claim) game.finish("1/2-1/2", `claimed: ${game.claim}`);
    if (game.end || this.paused) clock.stop();
    else if (clock.running !== game.turn) clock.start(game.turn);
    this.hears.changed();
    if (!game.end && !this.paused && !this.isHumans) this.#think();
  }

  /** Error if it is no move. */
  play(move, note = null) {
    this.game.play(move, note);
    this.clock.press();
    this.go();
  }

  /** To our last turn; where only genomes play, by one move, and they wait. */
  takeBack() {
    this.#stop();
    this.game.takeBack(this.isHumans ? 2 : 1);
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
    else if (note && pawns <= WORSE) this.#finish("1/2-1/2", "a draw is agreed");
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
      this.hears.fails(error.message);
      this.pause(true);
    }
  }

  #hear(info, colour) {
    if (colour !== this.game.turn || this.game.end) return;
    this.note = noteOf(info, colour);
    this.hears.thinks(info, colour);
  }

  #flag(colour) {
    this.#finish(colour === "w" ? "0-1" : "1-0", `${COLOURS[colour]}’s time is over`);
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
