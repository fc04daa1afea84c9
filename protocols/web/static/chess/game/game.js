// A game of chess: its start, its moves with what the players thought, and its end. The rules are chess.js's.

import { Chess, DEFAULT_POSITION } from "../../vendor/chess.js/chess.js";

const LONGEST = 600; // plies of a game that is loaded

export class Game {
  /** `notes` has an entry a move: what its player thought, {score, depth} from White's view, or null. */
  constructor({ start = DEFAULT_POSITION, moves = [], notes = [], end = null } = {}) {
    this.start = start;
    this.rules = new Chess(start);
    this.notes = [];
    this.given = null; // an end that no rule brings about: {result, why}
    moves.forEach((move, index) => this.play(move, notes[index] ?? null));
    if (end) this.given = end;
  }

  get turn() {
    return this.rules.turn();
  }

  get fen() {
    return this.rules.fen();
  }

  /** As UCI has them. */
  get moves() {
    return this.rules.history({ verbose: true }).map((move) => move.lan);
  }

  get history() {
    return this.rules.history({ verbose: true });
  }

  /** {result, why}, or null while it goes on. */
  get end() {
    if (this.given) return this.given;
    if (this.rules.isCheckmate()) return { result: this.turn === "w" ? "0-1" : "1-0", why: "checkmate" };
    if (this.rules.isStalemate()) return { result: "1/2-1/2", why: "stalemate" };
    if (this.rules.isInsufficientMaterial()) return { result: "1/2-1/2", why: "nobody can mate any more" };
    return null;
  }

  /** Why whose turn it is may claim a draw; empty if not. */
  get claim() {
    if (this.rules.isThreefoldRepetition()) return "the position has come up three times";
    if (this.rules.isDrawByFiftyMoves()) return "fifty moves without a capture or a pawn's move";
    return "";
  }

  /** Make a move: SAN, UCI's coordinates, or {from, to, promotion}. Error if it is none. */
  play(move, note = null) {
    const played = this.rules.move(move);
    this.notes.push(note);
    return played;
  }

  takeBack(plies) {
    for (let count = 0; count < plies && this.rules.undo(); count++) this.notes.pop();
    this.given = null;
  }

  finish(result, why) {
    this.given = { result, why };
  }

  /** Legal moves from a square. */
  from(square) {
    return this.rules.moves({ square, verbose: true });
  }

  /** A line that begins here, as SAN with numbers: `12. Nf3 d5 13. O-O`. */
  told(line) {
    const rules = new Chess(this.fen);
    const words = [];
    for (const move of line) {
      if (rules.turn() === "w") words.push(`${rules.moveNumber()}.`);
      else if (!words.length) words.push(`${rules.moveNumber()}…`);
      try {
        words.push(rules.move(move).san);
      } catch {
        break; // beyond the end of the game, or not of this position
      }
    }
    return words.join(" ");
  }

  /** `tags` as PGN has them: White, Black, ... */
  pgn(tags) {
    const rules = new Chess(this.start);
    for (const [name, value] of Object.entries(tags)) rules.setHeader(name, value);
    rules.setHeader("Result", this.end?.result ?? "*");
    this.history.forEach((move, index) => {
      rules.move(move.san);
      const note = this.notes[index];
      if (note) rules.setComment(`${note.score}/${note.depth}`);
    });
    if (this.end) rules.setComment([rules.getComment(), this.end.why].filter(Boolean).join("; "));
    return rules.pgn({ maxWidth: 80 });
  }

  /** For another Game. */
  dump() {
    return { start: this.start, moves: this.moves, notes: this.notes, end: this.given };
  }

  /** From a position (FEN) or a whole game (PGN). Error that says what is wrong. */
  static read(text) {
    const trimmed = text.trim();
    if (/^[1-8pnbrqkPNBRQK/]+ [wb] /.test(trimmed)) return new Game({ start: trimmed });
    const rules = new Chess();
    rules.loadPgn(trimmed);
    const moves = rules.history({ verbose: true });
    if (!moves.length) throw new Error("this is neither a position (FEN) nor a game (PGN)");
    if (moves.length > LONGEST) throw new Error(`a game has at most ${LONGEST} plies here, this one ${moves.length}`);
    return new Game({ start: moves[0].before, moves: moves.map((move) => move.lan) });
  }
}
