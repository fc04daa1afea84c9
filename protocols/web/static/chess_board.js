// The chess board: cm-chessboard with our style, moves and premoves by mouse, touch and keyboard, and coloured squares.

import { Accessibility } from "./vendor/cm-chessboard/src/extensions/accessibility/Accessibility.js";
import { MARKER_TYPE, Markers } from "./vendor/cm-chessboard/src/extensions/markers/Markers.js";
import { PROMOTION_DIALOG_RESULT_TYPE, PromotionDialog } from "./vendor/cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js";
import { BORDER_TYPE, Chessboard, INPUT_EVENT_TYPE } from "./vendor/cm-chessboard/src/Chessboard.js";
import { Svg } from "./vendor/cm-chessboard/src/lib/Svg.js";
import { Extension, EXTENSION_POINT } from "./vendor/cm-chessboard/src/model/Extension.js";

const ASSETS = "/static/vendor/cm-chessboard/assets/";
const PREMOVE = { class: "marker-premove", slice: "markerSquare" };
const MOVING = 200; // milliseconds for which a piece moves
const FILES = "abcdefgh";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /**
   * `legal(square)` returns moves of chess.js; `play({from, to, promotion})` is called for the chosen move, and
   * `premove({from, to} or null)` for a move that is chosen, or given up, while the other side thinks.
   */
  constructor(place, { legal, play, premove }) {
    styleByScript();
    this.legal = legal;
    this.play = play;
    this.premove = premove;
    this.isPremove = false;
    this.tints = new Map(); // colours by square
    this.board = new Chessboard(place, {
      assetsUrl: ASSETS,
      style: { animationDuration: calm.matches ? 0 : MOVING, cssClass: "sea", borderType: BORDER_TYPE.frame },
      extensions: [
        { class: Markers, props: { autoMarkers: MARKER_TYPE.frame } },
        { class: PromotionDialog, props: { language: "en" } },
        {
          class: Accessibility,
          props: { language: "en", keyboardMoveInput: true, movePieceForm: false, boardAsTable: true, piecesAsList: false },
        },
        { class: Redrawn, props: { redrawn: () => this.#tintSquares() } },
      ],
    });
  }

  /** Show a position and mark the squares of the last move; `checked` is the square of a king in check. */
  show(fen, last = null, checked = null) {
    this.shown = this.board.setPosition(fen, true);
    this.board.removeMarkers(MARKER_TYPE.square);
    this.board.removeMarkers(MARKER_TYPE.circleDanger);
    for (const square of last ? [last.from, last.to] : []) this.board.addMarker(MARKER_TYPE.square, square);
    if (checked) this.board.addMarker(MARKER_TYPE.circleDanger, checked);
  }

  /** Allow moves of "w" or "b", or premoves, after all animations have ended; null allows no moves. */
  async allow(colour, isPremove = false) {
    if (this.allowed === colour && this.isPremove === isPremove) return;
    const isHeld = this.allowed === colour && this.board.view.visualMoveInput.fromSquare;
    this.allowed = colour;
    this.isPremove = isPremove;
    this.board.removeLegalMovesMarkers();
    if (isHeld) return; // a piece is in the user's hand while the other side moves
    this.board.disableMoveInput();
    await this.shown;
    if (colour && this.allowed === colour && !this.board.isMoveInputEnabled()) {
      this.board.enableMoveInput((event) => this.#moving(event), colour);
    }
  }

  /** Mark the squares of a premove {from, to}; null marks none. */
  markPremove(move) {
    this.board.removeMarkers(PREMOVE);
    for (const square of move ? [move.from, move.to] : []) this.board.addMarker(PREMOVE, square);
  }

  /** Colour squares: a Map from squares to colours of CSS. The squares that it lacks have their own colours. */
  tint(colours) {
    this.tints = colours;
    this.#tintSquares();
  }

  /** Turn the board so that "w" or "b" is at the bottom. */
  async turn(colour) {
    if (this.board.getOrientation() !== colour) await this.board.setOrientation(colour, !calm.matches);
  }

  get below() {
    return this.board.getOrientation();
  }

  #tintSquares() {
    for (const square of this.board?.view.boardGroup.querySelectorAll("[data-square]") ?? []) {
      square.style.fill = this.tints.get(square.dataset.square) ?? "";
    }
  }

  #moving(event) {
    this.board.removeLegalMovesMarkers();
    if (event.type === INPUT_EVENT_TYPE.moveInputStarted) {
      if (this.isPremove) this.premove(null);
      const moves = this.isPremove ? reachable(event.piece, event.squareFrom) : this.legal(event.squareFrom);
      this.board.addLegalMovesMarkers(moves);
      return moves.length > 0;
    }
    if (event.type !== INPUT_EVENT_TYPE.validateMoveInput) return false;
    const { squareFrom: from, squareTo: to } = event;
    if (this.isPremove) {
      if (reachable(event.piece, from).some((move) => move.to === to)) this.premove({ from, to });
      return false; // the piece stays on its square until it may move
    }
    const meant = this.legal(from).filter((move) => move.to === to);
    if (!meant.length) return false;
    if (meant[0].promotion) {
      this.#promote(from, to, meant[0].color);
      return false; // the pawn stays on its square until a piece is chosen
    }
    event.animate = false; // a click elsewhere during the animation would confuse cm-chessboard
    setTimeout(() => this.play({ from, to })); // once cm-chessboard has moved the piece itself
    return true;
  }

  #promote(from, to, colour) {
    this.board.showPromotionDialog(to, colour, (answer) => {
      if (answer.type === PROMOTION_DIALOG_RESULT_TYPE.pieceSelected) this.play({ from, to, promotion: answer.piece[1] });
    });
  }
}

/** Calls `redrawn` whenever cm-chessboard has drawn its squares again. */
class Redrawn extends Extension {
  constructor(board, { redrawn }) {
    super(board);
    this.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, redrawn);
  }
}

/** Moves {to} of a piece such as "wn" on an empty board: what it may do once the other side has moved. */
function reachable(piece, from) {
  const [x, y] = [FILES.indexOf(from[0]), Number(from[1]) - 1];
  const ahead = piece[0] === "w" ? 1 : -1;
  const home = piece[0] === "w" ? [0, 1] : [7, 6]; // ranks of the pieces and of the pawns
  const fits = {
    n: (dx, dy) => dx * dy === 2,
    b: (dx, dy) => dx === dy,
    r: (dx, dy) => dx === 0 || dy === 0,
    q: (dx, dy) => dx === dy || dx === 0 || dy === 0,
    k: (dx, dy) => Math.max(dx, dy) === 1 || (dx === 2 && dy === 0 && from === `e${home[0] + 1}`),
    p: (dx, dy, step) => dx <= 1 && (step === ahead || (dx === 0 && step === 2 * ahead && y === home[1])),
  }[piece[1]];
  const squares = Array.from({ length: 64 }, (_, index) => [index % 8, Math.floor(index / 8)]);
  return squares
    .filter(([file, rank]) => (file !== x || rank !== y) && fits(Math.abs(file - x), Math.abs(rank - y), rank - y))
    .map(([file, rank]) => ({ to: FILES[file] + (rank + 1) }));
}

/**
 * cm-chessboard writes style attributes as text, which our Content-Security-Policy forbids ('self' and no inline
 * style). Set the styles by a script, which is allowed.
 */
function styleByScript() {
  const { createSvg, addElement } = Svg;
  if (Svg.isPatched) return;
  Svg.isPatched = true;
  Svg.createSvg = (container) => {
    const svg = createSvg.call(Svg, container);
    svg.setAttribute = (name, value) => {
      if (name === "style") svg.style.cssText = value;
      else SVGElement.prototype.setAttribute.call(svg, name, value);
    };
    return svg;
  };
  Svg.addElement = (parent, name, { style = "", ...attributes } = {}) => {
    const element = addElement.call(Svg, parent, name, attributes);
    if (style) element.style.cssText = style;
    return element;
  };
}
