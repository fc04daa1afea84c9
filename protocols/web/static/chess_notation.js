// Positions (FEN) and games (PGN) as visitors paste them: read with errors that say what is wrong and where.

import { Chess, DEFAULT_POSITION, validateFen } from "./vendor/chess.js/chess.js";
import { noteFrom } from "./chess_score.js";

const LONGEST = 600; // plies of a game that is read
const LONGEST_TEXT = 100_000; // characters
const LONGEST_TAG = 80; // characters of a tag's value
const POSITION = /^[^\s[{]*\/[^\s[{]*\/[^\s[{]*\//; // three slashes before the first space: no move has them
const TAG = /^[ \t]*\[[ \t]*(\w+)[ \t]+"([^"\n]*)"[ \t]*\][ \t\r]*$/gm;
const TOKEN = /\{[^}]*\}?|;[^\n]*|\(|\)|\$\d+|1-0|0-1|1\/2-1\/2|\*|\d+\.+|[^\s(){};$]+/g;
const MOVE = /^(?:[KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](?:=?[QRBNqrbn])?|[O0]-[O0](?:-[O0])?)[+#]?$/;
const RESULTS = new Set(["1-0", "0-1", "1/2-1/2"]);
const SIDES = { w: "White", b: "Black" };
const HOME = { K: ["e1", "h1"], Q: ["e1", "a1"], k: ["e8", "h8"], q: ["e8", "a8"] }; // of the king and the rook
const NEITHER = "This is neither a position (FEN) nor a game with moves (PGN). Paste one of the two, such as 1. e4 e5.";

/** Read a FEN or a PGN: {start, moves, notes, tags, end}, the data of a Game. Throws an Error with a sentence if it is neither. */
export function readNotation(text) {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_TEXT) throw new Error(`This text is too long: at most ${LONGEST_TEXT.toLocaleString("en")} characters can be read.`);
  if (POSITION.test(trimmed)) return { start: readPosition(trimmed), moves: [], notes: [], tags: {}, end: null };
  return readGame(trimmed);
}

/** Read a FEN, complete its missing fields, and drop castling rights that cannot be. Throws an Error if it is no position. */
function readPosition(text) {
  const [board, turn = "w", castling = "-", passant = "-", halfmoves = "0", number = "1"] = text.split(/\s+/);
  const squares = readBoard(board);
  if (!(turn in SIDES)) throw new Error(`After the pieces the position must say w or b, for the side to move, not “${turn.slice(0, 20)}”.`);
  const isAt = (square, piece) => squares.get(square) === piece;
  const rights = [...castling].filter((right) => {
    const [king, rook] = HOME[right] ?? [];
    return king && isAt(king, right < "a" ? "K" : "k") && isAt(rook, right < "a" ? "R" : "r");
  });
  const counted = (field, least) => (/^\d{1,4}$/.test(field) && Number(field) >= least ? field : String(least));
  const fields = [board, turn, [...new Set(rights)].join("") || "-"];
  const rest = [counted(halfmoves, 0), counted(number, 1)];
  const fen = [...fields, /^[a-h][36]$/.test(passant) ? passant : "-", ...rest].join(" ");
  const usable = validateFen(fen).ok ? fen : [...fields, "-", ...rest].join(" ");
  const found = validateFen(usable);
  if (!found.ok) throw new Error(`This position cannot be read. ${found.error}`);
  const rules = new Chess(usable);
  const waiting = turn === "w" ? "b" : "w";
  if (rules.isAttacked(rules.findPiece({ type: "k", color: waiting })[0], turn)) {
    throw new Error(`${SIDES[waiting]} is in check, but ${SIDES[turn]} is to move. Change the side to move, or move a piece.`);
  }
  return rules.fen(); // without an en passant square that no pawn can use
}

/** The pieces of a FEN's first field by square. Throws an Error that names the rank. */
function readBoard(board) {
  const ranks = board.split("/");
  if (ranks.length !== 8) throw new Error(`A position has 8 ranks between slashes; this one has ${ranks.length}.`);
  const squares = new Map();
  const count = { K: 0, k: 0 };
  ranks.forEach((rank, index) => {
    let file = 0;
    for (const sign of rank) {
      if (/[1-8]/.test(sign)) file += Number(sign);
      else if (/[pnbrqkPNBRQK]/.test(sign)) {
        if (/[pP]/.test(sign) && (index === 0 || index === 7)) throw new Error(`There is a pawn on rank ${8 - index}, where no pawn can stand.`);
        if (sign in count) count[sign]++;
        squares.set(`${"abcdefgh"[file++]}${8 - index}`, sign);
      } else throw new Error(`Rank ${8 - index} of the position has “${sign}”. Pieces are K Q R B N P for White and k q r b n p for Black.`);
    }
    if (file !== 8) throw new Error(`Rank ${8 - index} of the position describes ${file} squares instead of 8.`);
  });
  for (const [sign, side] of [["K", "White"], ["k", "Black"]]) {
    if (count[sign] !== 1) throw new Error(`${side} has ${count[sign] || "no"} king${count[sign] > 1 ? "s" : ""}. Each side needs exactly one.`);
  }
  return squares;
}

/** Read the first game of a PGN; its variations are left out. Throws an Error that names the move. */
function readGame(text) {
  const tags = {};
  const body = text.replace(TAG, (_, name, value) => {
    tags[name] ??= value.slice(0, LONGEST_TAG);
    return "";
  });
  const start = tags.FEN ? readPosition(tags.FEN) : DEFAULT_POSITION;
  const rules = new Chess(start);
  const [moves, notes] = [[], []];
  let depth = 0; // of variations
  let result = tags.Result;
  for (const [token] of body.matchAll(TOKEN)) {
    if (token === "(") depth++;
    else if (token === ")") depth = Math.max(depth - 1, 0);
    else if (depth || token[0] === "$" || token[0] === ";" || /^\d*\.+$/.test(token)) continue;
    else if (token[0] === "{") {
      if (moves.length) notes[moves.length - 1] ??= noteFrom(token);
    } else if (token === "*" || RESULTS.has(token)) {
      result = token;
      break;
    } else {
      moves.push(readMove(rules, token.replace(/^\d+\.+/, ""), moves.length).lan);
      notes[moves.length - 1] = null;
      if (moves.length > LONGEST) throw new Error(`This game is too long: at most ${LONGEST / 2} moves of each side can be read.`);
    }
  }
  if (!moves.length && !tags.FEN) throw new Error(NEITHER);
  const end = RESULTS.has(result) && !rules.isGameOver() ? { result, why: tags.Termination || "as its text says" } : null;
  return { start, moves, notes, tags, end };
}

function readMove(rules, text, plies) {
  const move = text.replace(/[!?]+$/, "").replaceAll("0-0-0", "O-O-O").replaceAll("0-0", "O-O");
  try {
    return rules.move(move);
  } catch {
    if (!plies && !MOVE.test(move)) throw new Error(NEITHER);
    const number = `Move ${rules.moveNumber()} of ${SIDES[rules.turn()]}`;
    throw new Error(`${number}, “${move.slice(0, 20)}”, is not possible in the position before it.`);
  }
}
