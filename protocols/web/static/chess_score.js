// Evaluations of chess positions: in pawns from White's view (1 wins half the games), as text, as a share of the evaluation bar, and in PGN.

import { signed } from "./format.js";

const MATE = 30; // pawns as which a mate counts in curves
const COVERED = 3; // pawns at which the bar has covered three quarters of the distance to its end
const LONGEST_LINE = 12; // moves of a line that is kept
const COMMENT = /([+\-\u2212])(M?)(\d{1,4}(?:\.\d{1,2})?)\/(\d{1,3})/;

/** The evaluation in an engine's info when it moves for `colour`: {score, pawns, depth, nodes, line}; `line` is in SAN. */
export function noteOf(info, colour, line = "") {
  const sign = colour === "w" ? 1 : -1;
  const facts = { depth: info.depth, nodes: info.nodes, line: line.split(" ").slice(0, 2 * LONGEST_LINE).join(" ") };
  if (info.mate !== null) {
    const mate = sign * info.mate;
    return { score: `${mate > 0 ? "+" : "−"}M${Math.abs(mate)}`, pawns: mate > 0 ? MATE : -MATE, ...facts };
  }
  const pawns = (sign * info.cents) / 100;
  return { score: signed(pawns, 2), pawns, ...facts };
}

/** The evaluation for a comment of a PGN, in ASCII: `+0.31/9`. */
export function commentOf(note) {
  return `${note.score.replace("−", "-")}/${note.depth}`;
}

/** The evaluation in a comment of a PGN, or null. */
export function noteFrom(comment) {
  const [, sign, mate, value, depth] = COMMENT.exec(comment) ?? [];
  if (!sign) return null;
  const factor = sign === "+" ? 1 : -1;
  const pawns = factor * (mate ? MATE : Number(value));
  return { score: mate ? `${sign === "+" ? "+" : "−"}M${value}` : signed(pawns, 2), pawns, depth: Number(depth), nodes: 0, line: "" };
}

/** Scores with an end of the game: 1 for White's win, 0 for Black's, 0.5 for a draw; null while it runs. */
export const SHARES = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 };

/** White's share of the evaluation bar, from 0 to 1. */
export function shareOf(pawns) {
  return (1 + Math.tanh(pawns / COVERED)) / 2;
}

// Moves that lose a share of the evaluation bar, the worst kind first: [share, sign, name].
const FAULTS = [
  [0.3, "??", "blunder"],
  [0.15, "?", "mistake"],
];

/** The fault of a move of `colour` between two evaluations: {sign, name}, or null for a good move. */
export function faultOf(before, after, colour) {
  const lost = (shareOf(before.pawns) - shareOf(after.pawns)) * (colour === "w" ? 1 : -1);
  const [, sign, name] = FAULTS.find(([share]) => lost >= share) ?? [];
  return sign ? { sign, name } : null;
}

/** An evaluation in words: "White is winning", "about equal". */
export function wordsOf(pawns) {
  const size = Math.abs(pawns);
  if (size < 0.25) return "about equal";
  const side = pawns > 0 ? "White" : "Black";
  if (size >= MATE) return `${side} gives mate`;
  return `${side} is ${size < 0.7 ? "slightly better" : size < 1.5 ? "better" : size < 3 ? "much better" : "winning"}`;
}
