// A game of chess: its moves, with the players' evaluations, and its end. The rules are those of chess.js.

import { Chess, DEFAULT_POSITION } from "./vendor/chess.js/chess.js";
import { readNotation } from "./chess_notation.js";
import { commentOf } from "./chess_score.js";

const WIDTH = 80; // characters of a line of PGN
export const USUAL_START = DEFAULT_POSITION;
export const COLOURS = { w: "White", b: "Black" };
export const OTHER = { w: "b", b: "w" };

/** A game: its start, its moves with the players' evaluations, and its end. */
export class Game {
  /**
   * `notes` has an entry for each move: its player's evaluation (chess_score.js), or null.
   * `date` is the day on which the game started, in the format of PGN; `tags` are those of a game that was read.
   */
  constructor({ start = DEFAULT_POSITION, moves = [], notes = [], end = null, date = today(), tags = {} } = {}) {
    this.start = start;
    this.date = date;
    this.tags = tags;
    this.rules = new Chess(start);
    this.history = []; // moves of chess.js
    this.notes = [];
    this.declared = null; // an end by resignation, time or agreement: {result, why}
    moves.forEach((move, index) => this.play(move, notes[index] ?? null));
    if (end) this.declared = end;
  }

  /** Read a position (FEN) or a whole game (PGN). Throws an Error with the reason if the text is neither. */
  static read(text) {
    const { tags, ...data } = readNotation(text);
    return new Game({ ...data, tags, ...(/^\d{4}\.[\d?]{2}\.[\d?]{2}$/.test(tags.Date) ? { date: tags.Date } : {}) });
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
    this.history.push(played);
    this.notes.push(note);
    return played;
  }

  takeBack(plies) {
    for (let count = 0; count < plies && this.rules.undo(); count++) {
      this.history.pop();
      this.notes.pop();
    }
    this.declared = null;
  }

  finish(result, why) {
    this.declared = { result, why };
  }

  /** The position after so many plies, as a FEN. */
  fenAfter(plies) {
    return plies ? this.history[plies - 1].after : this.start;
  }

  /** A copy of the game's first plies, without its end. */
  upTo(plies) {
    const { start, moves, notes, date, tags } = this;
    return new Game({ start, moves: moves.slice(0, plies), notes: notes.slice(0, plies), date, tags });
  }

  /** The game as PGN. `tags` are its tags: White, Black, ... */
  pgn(tags, { withNotes = true } = {}) {
    const { end } = this;
    const rules = new Chess(this.start);
    const all = { ...tags, Date: this.date, Round: "-", Result: end?.result ?? "*", ...(end ? { Termination: end.why } : {}) };
    for (const [name, value] of Object.entries(all)) rules.setHeader(name, value.replace(/["\\\s]+/g, " "));
    this.history.forEach((move, index) => {
      rules.move(move.san);
      const note = this.notes[index];
      if (note && withNotes) rules.setComment(commentOf(note));
    });
    const text = rules.pgn(); // all moves are in its last line
    const cut = text.lastIndexOf("\n") + 1;
    return text.slice(0, cut) + wrapped(text.slice(cut));
  }

  /** The data for the constructor of another Game. */
  dump() {
    return { start: this.start, moves: this.moves, notes: this.notes, end: this.declared, date: this.date, tags: this.tags };
  }
}

/** Legal moves from a square in a position (FEN). */
export function legalMoves(fen, square) {
  return new Chess(fen).moves({ square, verbose: true });
}

/** A line from a position, as SAN with numbers: `12. Nf3 d5 13. O-O`. */
export function lineInSan(fen, line) {
  const rules = new Chess(fen);
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

/** A text in lines of at most WIDTH characters, broken at spaces. */
function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1).length + word.length >= WIDTH) lines.push(word);
    else lines.push(`${lines.pop()} ${word}`.trimStart());
  }
  return lines.join("\n");
}

/** The local date, such as 2026.11.24. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
}
