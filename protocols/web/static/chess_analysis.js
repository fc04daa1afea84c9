// The engine that analyses and explains positions which the visitor looks at: one connection, and one position at a time.

import { Chess } from "./vendor/chess.js/chess.js";
import { Engine } from "./chess_engine.js";
import { lineInSan } from "./chess_game.js";
import { noteOf } from "./chess_score.js";

const LINES = 3;
const PAUSE = 150; // milliseconds without another position before one is examined
const SHORT = "movetime 3000";
const LONG = "movetime 20000";
const BRIEF = "nodes 50000"; // for each position of a whole game; not a time, so that a busy server finds the same mistakes

export class Analyst {
  /**
   * `listener` has lines(lines) with [{note, move}, ...] of the position, best first, genes(tables, fens) with a table for each
   * position of which the genes were asked, examined(notes, isLast) for a whole game, and fails(message).
   */
  constructor(listener) {
    this.listener = listener;
    this.wanted = ""; // what is examined, as text
    this.genome = "";
    this.engine = null;
  }

  /**
   * Examine the position after `plies` moves of a game with a genome: its best lines, and, for the positions `fens`, the genes.
   * What is examined already goes on.
   */
  examine(genome, game, plies, { lines, fens = [], isLong = false }) {
    if (!this.#change([genome, game.start, game.moves.slice(0, plies), lines, fens, isLong])) return;
    if (lines || fens.length) this.timer = setTimeout(() => this.#start(genome, game.upTo(plies), lines, fens, isLong), PAUSE);
  }

  /** Examine all positions of a game, each briefly, until something else is examined. */
  async examineAll(genome, game) {
    if (!this.#change([genome, game.start, game.moves, "all"])) return;
    const { wanted } = this;
    const engine = this.#engineOf(genome);
    const { start, moves } = game;
    const notes = []; // of the position before the first move, and after each move
    this.isWhole = true;
    try {
      for (let plies = 0; plies <= moves.length; plies++) {
        this.#look(game.fenAfter(plies));
        if (plies < moves.length || !game.rules.isGameOver()) await engine.think({ start, moves: moves.slice(0, plies) }, BRIEF);
        if (wanted !== this.wanted) return;
        notes.push(this.found[0]?.note ?? null);
        this.listener.examined(notes, plies === moves.length);
      }
    } catch (error) {
      if (wanted === this.wanted) this.listener.fails(error.message);
    }
  }

  /** Stop what is examined, unless it is what is wanted. */
  #change(what) {
    const wanted = JSON.stringify(what);
    if (wanted === this.wanted) return false;
    this.wanted = wanted;
    this.isWhole = false;
    clearTimeout(this.timer);
    this.engine?.stop();
    return true;
  }

  #engineOf(genome) {
    if (this.genome !== genome || !this.engine) {
      this.engine?.close();
      this.genome = genome;
      this.engine = new Engine({ Genome: genome, MultiPV: LINES }, (info) => this.#info(info));
    }
    return this.engine;
  }

  #look(fen) {
    this.fen = fen;
    this.found = []; // the best lines of that position
  }

  async #start(genome, game, lines, fens, isLong) {
    const engine = this.#engineOf(genome);
    const { wanted } = this;
    this.#look(game.fen);
    try {
      const work = fens.length ? [engine.explain(fens).then((tables) => wanted === this.wanted && this.listener.genes(tables, fens))] : [];
      if (lines && !new Chess(game.fen).isGameOver()) work.push(engine.think(game.dump(), isLong ? LONG : SHORT));
      await Promise.all(work);
    } catch (error) {
      if (wanted === this.wanted) this.listener.fails(error.message);
    }
  }

  #info(info) {
    const turn = this.fen.split(" ")[1];
    this.found[info.place - 1] = { note: noteOf(info, turn, lineInSan(this.fen, info.line)), move: info.line[0] };
    if (!this.isWhole) this.listener.lines(this.found);
  }
}
