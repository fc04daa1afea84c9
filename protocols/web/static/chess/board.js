// The board: cm-chessboard, for pointer and keyboard, that asks which moves are legal and tells which is made.

import { Accessibility } from "../vendor/cm-chessboard/src/extensions/accessibility/Accessibility.js";
import { MARKER_TYPE, Markers } from "../vendor/cm-chessboard/src/extensions/markers/Markers.js";
import { PROMOTION_DIALOG_RESULT_TYPE, PromotionDialog } from "../vendor/cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js";
import { Chessboard, INPUT_EVENT_TYPE } from "../vendor/cm-chessboard/src/Chessboard.js";
import { Svg } from "../vendor/cm-chessboard/src/lib/Svg.js";

const ASSETS = "/static/vendor/cm-chessboard/assets/";
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  /** `legal(square)` gives chess.js moves; `made({from, to, promotion})` hears of the one that is chosen. */
  constructor(place, { legal, made }) {
    styleByScript();
    this.legal = legal;
    this.made = made;
    this.board = new Chessboard(place, {
      assetsUrl: ASSETS,
      style: { animationDuration: calm.matches ? 0 : 200, cssClass: "sea" },
      extensions: [
        { class: Markers, props: { autoMarkers: MARKER_TYPE.frame } },
        { class: PromotionDialog, props: { language: "en" } },
        {
          class: Accessibility,
          props: { language: "en", keyboardMoveInput: true, movePieceForm: false, boardAsTable: true, piecesAsList: false },
        },
      ],
    });
  }

  /** Show a position, with the squares of the last move; `checked` is the king's square, if it is in check. */
  show(fen, last = null, checked = null) {
    this.shown = this.board.setPosition(fen, true);
    this.board.removeMarkers(MARKER_TYPE.square);
    this.board.removeMarkers(MARKER_TYPE.circleDanger);
    for (const square of last ? [last.from, last.to] : []) this.board.addMarker(MARKER_TYPE.square, square);
    if (checked) this.board.addMarker(MARKER_TYPE.circleDanger, checked);
  }

  /** Let "w" or "b" move, once all pieces have come to rest; null lets nobody. */
  async allow(colour) {
    if (this.allowed === colour) return;
    this.allowed = colour;
    this.board.disableMoveInput();
    this.board.removeLegalMovesMarkers();
    await this.shown;
    if (colour && this.allowed === colour && !this.board.isMoveInputEnabled()) {
      this.board.enableMoveInput((event) => this.#moving(event), colour);
    }
  }

  /** "w" or "b" is below. */
  turn(colour) {
    if (this.board.getOrientation() !== colour) this.board.setOrientation(colour, !calm.matches);
  }

  get below() {
    return this.board.getOrientation();
  }

  #moving(event) {
    this.board.removeLegalMovesMarkers();
    if (event.type === INPUT_EVENT_TYPE.moveInputStarted) {
      const moves = this.legal(event.squareFrom);
      this.board.addLegalMovesMarkers(moves);
      return moves.length > 0;
    }
    if (event.type !== INPUT_EVENT_TYPE.validateMoveInput) return false;
    const { squareFrom: from, squareTo: to } = event;
    const meant = this.legal(from).filter((move) => move.to === to);
    if (!meant.length) return false;
    if (meant[0].promotion) {
      this.#promote(from, to, meant[0].color);
      return false; // the pawn waits where it is
    }
    event.animate = false; // or a click elsewhere, while it moves, would confuse cm-chessboard
    setTimeout(() => this.made({ from, to })); // once cm-chessboard has moved the piece itself
    return true;
  }

  #promote(from, to, colour) {
    this.board.showPromotionDialog(to, colour, (answer) => {
      if (answer.type === PROMOTION_DIALOG_RESULT_TYPE.pieceSelected) this.made({ from, to, promotion: answer.piece[1] });
    });
  }
}

/**
 * cm-chessboard writes style attributes as text, which our Content-Security-Policy forbids ('self' and no inline
 * style); what a script sets is allowed.
 */
function styleByScript() {
  const { createSvg, addElement } = Svg;
  if (Svg.isTame) return;
  Svg.isTame = true;
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
