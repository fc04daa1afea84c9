// A game of chess between two genomes of a run, as protocols/web/chess_contest.py returns it.

import { h, show, svg } from "./dom.js";
import { MovePlayer } from "./move_player.js";

export const styles = ["move_player", "chess_contest"];

const PIECES = "/static/vendor/cm-chessboard/assets/pieces/standard.svg";
const SIZE = 40; // of a square in the drawing, as of a piece in the file
const SIDE = 8;
const PACE = 900; // milliseconds of a move

/** The board with its controls and the list of moves. */
export function present({ start, moves, white, black }) {
  const pieces = svg("g", {});
  const marks = svg("g", {});
  const board = svg("svg", { class: "diagram", viewBox: `0 0 ${SIDE * SIZE} ${SIDE * SIZE}`, role: "img" },
    Array.from({ length: SIDE * SIDE }, (_, index) => square(index)), marks, pieces);
  const list = h("ol", { class: "moves", "aria-label": "Moves of the game" });
  const first = start.split(" ");
  const isWhiteFirst = first[1] === "w";
  const numbered = moves.map(({ san }, index) => {
    const ply = index + (isWhiteFirst ? 0 : 1);
    return `${ply % 2 ? (index ? "" : `${Number(first[5])}… `) : `${Number(first[5]) + ply / 2}. `}${san}`;
  });
  const items = numbered.map((text) => h("li", {}, text));
  show(list, items);
  const player = new MovePlayer(moves.length, {
    milliseconds: PACE,
    name: (step) => (step ? `move ${step} of ${moves.length}: ${moves[step - 1].san}` : "the opening position"),
    show: (step) => {
      const move = moves[step - 1];
      show(pieces, piecesOf(move?.fen ?? start));
      show(marks, move ? [move.from, move.to].map(mark) : []);
      board.setAttribute("aria-label", step ? `Board after ${numbered[step - 1]}` : "Board at the start");
      for (const [index, each] of items.entries()) each.toggleAttribute("aria-current", index === step - 1);
      const current = items[step - 1];
      if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    },
  });
  const element = h("div", { class: "chess-contest" },
    h("div", { class: "side" }, h("p", {}, h("b", {}, "Black: "), black), board, h("p", {}, h("b", {}, "White: "), white), player.element),
    list);
  return { element, begin: () => player.begin() };
}

function square(index) {
  const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
  return svg("rect", { class: (x + y) % 2 ? "dark" : "light", x: x * SIZE, y: y * SIZE, width: SIZE, height: SIZE });
}

function mark(name) {
  const [x, y] = [name.charCodeAt(0) - 97, SIDE - Number(name[1])];
  return svg("rect", { class: "played", x: x * SIZE, y: y * SIZE, width: SIZE, height: SIZE });
}

/** The pieces of a position in FEN. */
function piecesOf(fen) {
  const found = [];
  for (const [y, row] of fen.split(" ")[0].split("/").entries()) {
    let x = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) {
        x += Number(letter);
        continue;
      }
      const kind = `${letter === letter.toUpperCase() ? "w" : "b"}${letter.toLowerCase()}`;
      found.push(svg("use", { href: `${PIECES}#${kind}`, x: x * SIZE, y: y * SIZE }));
      x++;
    }
  }
  return found;
}
