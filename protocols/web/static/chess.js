// The chess page: a game against a genome, or between two genomes; the browser stores it, so that it survives a reload.

import { Accessibility } from "./vendor/cm-chessboard/src/extensions/accessibility/Accessibility.js";
import { MARKER_TYPE, Markers } from "./vendor/cm-chessboard/src/extensions/markers/Markers.js";
import { PROMOTION_DIALOG_RESULT_TYPE, PromotionDialog } from "./vendor/cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js";
import { Chessboard, INPUT_EVENT_TYPE } from "./vendor/cm-chessboard/src/Chessboard.js";
import { Svg } from "./vendor/cm-chessboard/src/lib/Svg.js";
import { COLOURS, Game, GameController, OTHER, noteOf } from "./chess_game.js";
import { fetchJson } from "./client.js";
import { h, select, show, svg } from "./dom.js";
import { formatNumber } from "./format.js";
import { initPage, showError } from "./page.js";

const STORED = "galapagos-chess"; // in localStorage
const DEFAULTS = { side: "w", white: "evolved", black: "evolved", time: "second", strength: 100 };
const SIDES = { w: "White", b: "Black", none: "neither: watch" };
const TIMES = {
  quick: { name: "0.1 seconds per move", limit: "movetime 100" },
  second: { name: "1 second per move", limit: "movetime 1000" },
  five: { name: "5 seconds per move", limit: "movetime 5000" },
  nodes: { name: "10,000 positions per move", limit: "nodes 10000" },
  bullet: { name: "clock: 1 minute", clock: { base: 60_000, increment: 0 } },
  blitz: { name: "clock: 3 minutes + 2 seconds", clock: { base: 180_000, increment: 2000 } },
  rapid: { name: "clock: 10 minutes + 5 seconds", clock: { base: 600_000, increment: 5000 } },
};
const ASSETS = "/static/vendor/cm-chessboard/assets/";
const PIECES = { P: "Pawn", N: "Knight", B: "Bishop", R: "Rook", Q: "Queen" };
const KINDS = [...Object.values(PIECES), "King"];
const [CURVE_WIDTH, CURVE_HEIGHT] = [300, 80];
const CURVE_PAWNS = 4; // the score at which the curve has covered three quarters of the distance to the edge
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class App {
  constructor(main, genomes, stored) {
    this.thinking = new Thinking();
    this.moves = new MoveList((index) => this.#look(index));
    this.export = new Export();
    this.card = new GenomeCard();
    this.status = h("p", { class: "status", role: "status" });
    this.players = { w: h("div", { class: "player" }), b: h("div", { class: "player" }) };
    this.buttons = {
      back: h("button", { onclick: () => this.#takeBack() }, "Take back"),
      draw: h("button", { onclick: () => this.#offerDraw() }, "Offer a draw"),
      resign: h("button", { onclick: () => this.#resign() }, "Resign"),
      pause: h("button", { onclick: () => this.#pause() }, "Pause"),
      flip: h("button", { onclick: () => this.#flip() }, "Flip the board"),
    };
    const untouched = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    this.field = h("input", { ...untouched, placeholder: "e4, Nf3, e7e8q …" });
    this.typing = h("form", { class: "row typing", onsubmit: (event) => this.#typed(event) },
      h("label", {}, "Your move", this.field), h("button", {}, "Move"));
    const place = h("div", { class: "board" });
    this.setup = new SetupForm(genomes, stored?.settings ?? DEFAULTS, (settings, text) => this.#new(settings, text));
    this.upper = h("div", {});
    this.lower = h("div", {});
    show(main,
      h("h1", { class: "unseen" }, "Chess"),
      h("div", { class: "columns chess" },
        h("div", { class: "play" }, this.upper, place, this.lower, this.status,
          h("div", { class: "row" }, Object.values(this.buttons)), this.typing),
        h("div", { class: "aside" }, this.thinking.element,
          h("section", { class: "card", "aria-label": "The moves" }, h("h2", {}, "Moves"), this.moves.element),
          this.setup.element, this.export.element),
        this.card.element));
    this.board = new Board(place, {
      legal: (square) => this.controller.game.legalMoves(square),
      play: (move) => this.#play(move),
    });
    this.#begin(stored?.settings ?? DEFAULTS, new Game(stored?.game ?? {}), stored?.left ?? null);
  }

  #new(settings, text) {
    try {
      this.#begin(settings, text.trim() ? Game.read(text) : new Game());
      return true;
    } catch (error) {
      showError(error.message);
      return false;
    }
  }

  #begin(settings, game, left = null) {
    this.controller?.close();
    this.looking = null; // the index of the move whose position is shown, if it is not the last one
    this.message = null; // {text, plies}: a text that is shown with the position after `plies` moves
    this.controller = new GameController({
      settings,
      time: TIMES[settings.time],
      game,
      left,
      listener: {
        changed: () => this.#changed(),
        info: (info, colour) => this.thinking.update(info, colour, game.lineInSan(info.line)),
        fails: showError,
      },
    });
    this.thinking.clear();
    this.board.turn(settings.side === "b" ? "b" : "w");
    this.card.show(Object.values(this.controller.engines).map((engine) => engine.options.Genome));
    this.#showPlayers();
    this.controller.go();
  }

  #play(move) {
    try {
      this.controller.play(move);
    } catch {
      showError(`${typeof move === "string" ? move : `${move.from}${move.to}`} is not a legal move in this position`);
      this.#draw();
    }
  }

  #typed(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text || !this.controller.isHumanToMove) return;
    this.field.value = "";
    this.#play(text);
  }

  #takeBack() {
    this.controller.takeBack();
    this.#showMessage("Taken back.");
  }

  #offerDraw() {
    if (!this.controller.draw()) this.#showMessage("The genome declines the draw.");
  }

  #resign() {
    const { resign } = this.buttons;
    if (resign.dataset.sure) return this.controller.resign();
    resign.dataset.sure = "yes";
    resign.textContent = "Really resign?";
  }

  #pause() {
    this.controller.pause(!this.controller.paused);
  }

  #flip() {
    this.board.turn(OTHER[this.board.below]);
    this.#showPlayers();
  }

  #look(index) {
    this.looking = index === this.controller.game.history.length - 1 ? null : index;
    this.#draw();
  }

  #showMessage(text) {
    this.message = { text, plies: this.controller.game.history.length };
    this.#draw();
  }

  #changed() {
    const { settings, game, clock } = this.controller;
    const left = clock.control ? clock.left : null;
    localStorage.setItem(STORED, JSON.stringify({ settings, game: game.dump(), left }));
    this.looking = null;
    this.#draw();
  }

  #draw() {
    const { board, buttons, controller } = this;
    const { game, isWatched } = controller;
    const { end, history } = game;
    const at = this.looking ?? history.length - 1;
    const shown = history[at];
    const isNow = this.looking === null;
    const checked = isNow && game.rules.isCheck() ? game.rules.findPiece({ type: "k", color: game.turn })[0] : null;
    board.show(shown ? shown.after : game.start, shown, checked);
    board.allow(isNow && !end && controller.isHumanToMove ? game.turn : null);
    this.moves.show(game, at);
    this.thinking.draw(game.notes);
    buttons.back.disabled = !history.length;
    buttons.draw.hidden = buttons.resign.hidden = this.typing.hidden = isWatched;
    buttons.draw.disabled = buttons.resign.disabled = Boolean(end);
    buttons.draw.textContent = game.claim && controller.isHumanToMove ? "Claim the draw" : "Offer a draw";
    buttons.resign.textContent = "Resign";
    delete buttons.resign.dataset.sure;
    buttons.pause.hidden = !isWatched && !controller.paused;
    buttons.pause.disabled = Boolean(end);
    buttons.pause.textContent = controller.paused ? "Resume" : "Pause";
    this.export.show(game.fen, game.pgn(this.#tags()));
    const message = this.message?.plies === history.length ? this.message.text : "";
    const state = isNow ? this.#state() : "An earlier position. Choose the last move to continue the game.";
    show(this.status, message ? `${message} ${state}` : state);
  }

  #state() {
    const { game, isHumanToMove, paused } = this.controller;
    const last = game.history.at(-1);
    const made = last ? `${COLOURS[last.color]} played ${last.san}. ` : "";
    if (game.end) {
      const winner = { "1-0": "White wins", "0-1": "Black wins" }[game.end.result] ?? "A draw";
      return `${made}${winner}: ${game.end.why}.`;
    }
    if (paused) return `${made}Paused.`;
    const check = game.rules.isCheck() ? "Check. " : "";
    return `${made}${check}${isHumanToMove ? "Your move." : `${COLOURS[game.turn]} is thinking.`}`;
  }

  #showPlayers() {
    const { engines, settings, clock } = this.controller;
    for (const colour of ["w", "b"]) {
      const strength = engines[colour] && settings.strength < 100 ? `at ${settings.strength} %` : "";
      show(this.players[colour], h("b", {}, engines[colour]?.options.Genome ?? "You"),
        h("span", { class: "quiet" }, `${COLOURS[colour]} ${strength}`), clock.faces[colour]);
    }
    show(this.upper, this.players[OTHER[this.board.below]]);
    show(this.lower, this.players[this.board.below]);
  }

  #tags() {
    const { engines } = this.controller;
    const name = (colour) => (engines[colour] ? `Galapagos ${engines[colour].options.Genome}` : "You");
    return { Event: "Galapagos", Site: location.host, White: name("w"), Black: name("b") };
  }
}

/** The game that this browser has stored, if it can be read and the address requests no other game. */
function storedGame(genomes) {
  const wanted = new URLSearchParams(location.search).get("genome");
  history.replaceState(null, "", location.pathname); // otherwise a reload would start a new game
  const asked = genomes.includes(wanted) ? { settings: { ...DEFAULTS, white: wanted, black: wanted } } : null;
  try {
    const found = JSON.parse(localStorage.getItem(STORED));
    const { settings, game } = found;
    const isKnown = genomes.includes(settings.white) && genomes.includes(settings.black) && settings.time in TIMES;
    const isOver = new Game(game).end !== null;
    const isWanted = !asked || (!isOver && wanted === (settings.side === "b" ? settings.white : settings.black));
    return isKnown && isWanted ? found : asked;
  } catch {
    return asked; // no game is stored, or it cannot be read
  }
}

// -- The board ---------------------------------------------------------------------------------------

class Board {
  /** `legal(square)` returns moves of chess.js; `play({from, to, promotion})` is called for the chosen move. */
  constructor(place, { legal, play }) {
    styleByScript();
    this.legal = legal;
    this.play = play;
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

  /** Show a position and mark the squares of the last move; `checked` is the square of a king in check. */
  show(fen, last = null, checked = null) {
    this.shown = this.board.setPosition(fen, true);
    this.board.removeMarkers(MARKER_TYPE.square);
    this.board.removeMarkers(MARKER_TYPE.circleDanger);
    for (const square of last ? [last.from, last.to] : []) this.board.addMarker(MARKER_TYPE.square, square);
    if (checked) this.board.addMarker(MARKER_TYPE.circleDanger, checked);
  }

  /** Allow moves of "w" or "b" after all animations have ended; null allows no moves. */
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

  /** Turn the board so that "w" or "b" is at the bottom. */
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

// -- The form ----------------------------------------------------------------------------------------

class SetupForm {
  /** `begin(settings, text)` returns whether the game has started; the text may be a FEN or a PGN. */
  constructor(genomes, settings, begin) {
    this.begin = begin;
    this.side = choice("You play", Object.entries(SIDES), settings.side);
    this.white = choice("Genome of White", genomes, settings.white);
    this.black = choice("Genome of Black", genomes, settings.black);
    this.time = choice("Time", Object.entries(TIMES).map(([key, { name }]) => [key, name]), settings.time);
    this.time.label.classList.add("long");
    this.strength = h("input", { type: "range", min: 1, max: 100, value: settings.strength });
    this.percent = h("span", {});
    this.from = h("textarea", { class: "code", rows: 3, spellcheck: "false" });
    this.elsewhere = h("details", {}, h("summary", {}, "Start from a position or game"),
      h("label", { class: "wide" }, "A position (FEN) or a game (PGN)", this.from));
    this.element = h("form", { class: "card setup", "aria-label": "New game", onsubmit: (event) => this.#submit(event) },
      h("h2", {}, "New game"),
      h("div", { class: "fields" }, this.side.label, this.white.label, this.black.label, this.time.label,
        h("label", { class: "long" }, h("span", {}, "Strength ", this.percent), this.strength)),
      this.elsewhere,
      h("button", { class: "main" }, "Start"));
    this.element.addEventListener("input", () => this.#fit());
    this.#fit();
  }

  get settings() {
    const [side, white, black, time] = [this.side, this.white, this.black, this.time].map((each) => each.select.value);
    return { side, white, black, time, strength: Number(this.strength.value) };
  }

  #fit() {
    const { side, strength } = this.settings;
    this.white.label.hidden = side === "w";
    this.black.label.hidden = side === "b";
    show(this.white.words, side === "b" ? "Genome" : "Genome of White");
    show(this.black.words, side === "w" ? "Genome" : "Genome of Black");
    show(this.percent, strength === 100 ? "full" : `${strength} %`);
  }

  #submit(event) {
    event.preventDefault();
    if (!this.begin(this.settings, this.from.value)) return;
    this.from.value = "";
    this.elsewhere.open = false;
  }
}

/** A list with a label whose words can change. */
function choice(title, choices, value) {
  const field = select(choices, {}, value);
  const words = h("span", {}, title);
  return { select: field, words, label: h("label", {}, words, field) };
}

// -- Next to the board -------------------------------------------------------------------------------

/** Engine analysis: the score, the expected line, and the course of the score through the game. */
class Thinking {
  constructor() {
    this.score = h("strong", { class: "score" });
    this.facts = h("span", { class: "quiet number" });
    this.line = h("p", { class: "line" });
    const viewBox = `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`;
    this.curve = svg("svg", { viewBox, class: "curve", role: "img", preserveAspectRatio: "none" });
    this.element = h("section", { class: "card", "aria-label": "Engine analysis" },
      h("h2", {}, "Engine analysis"), h("p", { class: "row" }, this.score, this.facts), this.line, this.curve);
    this.clear();
  }

  clear() {
    this.isClear = true;
    show(this.score, "–");
    show(this.facts, "");
    show(this.line, h("span", { class: "quiet" },
      "When the genome thinks, its score from White’s view, in pawns, and the moves that it expects appear here."));
  }

  /** Show an `info` of the engine that moves for `colour`; `line` is its line in SAN. */
  update(info, colour, line) {
    this.isClear = false;
    show(this.score, noteOf(info, colour).score);
    show(this.facts, `depth ${info.depth}, ${formatNumber(info.nodes)} nodes`);
    show(this.line, line);
  }

  /** Draw the scores of a game so far; `notes` may have gaps. */
  draw(notes) {
    const points = notes.flatMap((note, index) => (note ? [[index, note.pawns, note.score]] : []));
    const x = (index) => ((index + 0.5) / Math.max(notes.length, 20)) * CURVE_WIDTH;
    const y = (pawns) => (CURVE_HEIGHT / 2) * (1 - Math.tanh(pawns / CURVE_PAWNS));
    const middle = svg("line", { x1: 0, x2: CURVE_WIDTH, y1: CURVE_HEIGHT / 2, y2: CURVE_HEIGHT / 2, class: "middle" });
    const line = points.map(([index, pawns]) => `${x(index).toFixed(1)},${y(pawns).toFixed(1)}`).join(" ");
    const last = points.at(-1);
    if (last && this.isClear) { // the page was reloaded
      show(this.score, last[2]);
      show(this.facts, `depth ${notes[last[0]].depth}`);
    }
    this.curve.setAttribute("aria-label", last ? `The score through the game, now ${last[2]}` : "The score through the game");
    if (!last) return show(this.curve, middle);
    const area = `${x(points[0][0]).toFixed(1)},${CURVE_HEIGHT / 2} ${line} ${x(last[0]).toFixed(1)},${CURVE_HEIGHT / 2}`;
    show(this.curve, svg("polygon", { points: area, class: "area" }), middle, svg("polyline", { points: line, class: "way" }));
  }
}

/** The list of the moves, each a button that shows the position after it. */
class MoveList {
  /** `choose(index)` is called for a move whose position should be shown. */
  constructor(choose) {
    this.choose = choose;
    this.element = h("ol", { class: "moves", "aria-label": "Moves" });
  }

  /** Show all moves of a game; `at` is the index of the one whose position the board shows. */
  show(game, at) {
    const rows = [];
    game.history.forEach((move, index) => {
      if (move.color === "w" || !rows.length) rows.push(this.#row(move));
      rows.at(-1).append(this.#button(move, index, at));
    });
    show(this.element, rows.length ? rows : h("li", { class: "quiet" }, "The moves of the game appear here."));
    const current = this.element.querySelector("[aria-current]");
    if (current) this.element.scrollTop = current.offsetTop - this.element.clientHeight / 2;
  }

  #row(move) {
    const number = move.before.split(" ")[5];
    return h("li", {}, h("span", { class: "quiet" }, `${number}.`), move.color === "b" ? h("span", {}, "…") : null);
  }

  #button(move, index, at) {
    const attributes = { "aria-current": index === at ? "step" : null, onclick: () => this.choose(index) };
    return h("button", attributes, move.san);
  }
}

/** The game as text: its FEN and PGN, to copy and to save. */
class Export {
  constructor() {
    this.fen = h("input", { readonly: true, class: "code" });
    this.pgn = h("textarea", { readonly: true, rows: 6, class: "code" });
    this.save = h("a", { download: "galapagos.pgn" }, "Save the PGN");
    this.element = h("details", { class: "card export" }, h("summary", {}, "FEN and PGN"),
      h("label", { class: "wide" }, "FEN", this.fen),
      h("label", { class: "wide" }, "PGN", this.pgn),
      h("div", { class: "row" }, h("button", { onclick: () => copy(this.fen) }, "Copy the FEN"),
        h("button", { onclick: () => copy(this.pgn) }, "Copy the PGN"), this.save));
  }

  show(fen, pgn) {
    this.fen.value = fen;
    this.pgn.value = pgn;
    this.save.href = `data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(pgn)}`;
  }
}

/** Copy a text. Only secure pages can use the clipboard; on others the text is selected. */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    showError("The text is selected. Copy it with Ctrl+C.");
  }
}

/** A genome: the values of its pieces and the weights of its genes, in the opening and in the endgame. */
class GenomeCard {
  constructor() {
    this.element = h("section", { class: "card genome", "aria-label": "The genome" });
    this.loaded = new Map(); // answers by name
  }

  /** Show the genomes of these names, one after the other. */
  async show(names) {
    try {
      const genomes = [];
      for (const name of new Set(names)) {
        if (!this.loaded.has(name)) this.loaded.set(name, await fetchJson(`/api/genomes/chess/${name}`));
        genomes.push(this.loaded.get(name));
      }
      show(this.element, genomes.map(genomeParts));
    } catch (error) {
      showError(error.message);
    }
  }
}

function genomeParts(genome) {
  const [about, ...more] = genome.notes;
  return [
    h("h2", {}, `The genome “${genome.name}”`),
    h("p", { class: "quiet" }, marked(about)),
    pieces(genome.genes),
    priorities(genome.genes),
    squares(genome.genes),
    more.length ? h("details", {}, h("summary", {}, "Origin"), more.map((text) => h("p", {}, marked(text)))) : null,
    h("p", {}, h("a", { href: `/#card/chess/${encodeURIComponent(genome.name)}` }, "About this player")),
    h("details", {}, h("summary", {}, "Full text of the genome"), h("pre", { tabindex: 0, "aria-label": "Genome" }, genome.text)),
  ];
}

/** A text in which names are between backquotes. */
function marked(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

/** The value of each piece to a genome, in units of its own pawn. */
function pieces(genes) {
  const gene = genes.find((each) => each.name === "Piece Strength Gene");
  if (!gene) return null;
  const values = Object.fromEntries(gene.values.map((each) => [each.name, each.value]));
  const unit = Math.abs(values.P) > 1e-9 ? values.P : 1;
  const rows = Object.entries(PIECES).map(([piece, name]) => [name, [[values[piece] / unit, "both"]]]);
  return barChart("Piece values, in pawns", gene.active ? rows : rows.map(([name]) => [name, [[0, "both"]]]), (value) => value);
}

/** The weights of a genome's genes, in the opening and in the endgame. */
function priorities(genes) {
  const rows = genes
    .filter((gene) => gene.active && gene.values.some((value) => value.name.startsWith("Priority")))
    .map((gene) => {
      const value = (phase) => gene.values.find((each) => [phase, "Priority"].includes(each.name)).value;
      return [gene.name.replace(" Gene", ""), [[value("Priority - Opening"), "opening"], [value("Priority - Endgame"), "endgame"]]];
    });
  return [
    barChart("Weights of the genes", rows, (value) => Math.sign(value) * Math.sqrt(Math.abs(value))),
    h("p", { class: "key quiet" }, h("i", { class: "opening" }), "opening", h("i", { class: "endgame" }),
      "endgame. The length of a bar is the square root of the weight, because material outweighs the rest"),
  ];
}

/** The bonus of each kind of piece by square, in the opening and in the endgame; a stronger colour is a higher bonus. */
function squares(genes) {
  const gene = genes.find((each) => each.name === "Squares Gene");
  if (!gene?.active) return null;
  const values = new Map(gene.values.map((each) => [each.name, each.value]));
  const bonus = (square, phase) => values.get(`${square} - ${phase}`) ?? values.get(square);
  return h("table", { class: "genes squares" }, h("caption", {}, "Bonus of each piece by square"),
    h("thead", {}, h("tr", {}, h("td"), KINDS.map((kind) => h("th", { scope: "col" }, kind)))),
    h("tbody", {}, ["Opening", "Endgame"].map((phase) => h("tr", {}, h("th", { scope: "row" }, phase.toLowerCase()),
      KINDS.map((kind) => h("td", {}, heatMap(kind, phase, (square) => bonus(square, phase))))))));
}

/** White's board, coloured by the bonus of a piece. The gene has the queen's half; the king's half is its mirror image. */
function heatMap(kind, phase, bonus) {
  const found = [];
  for (let rank = 8; rank >= 1; rank--) {
    for (let file = 0; file < 8; file++) {
      const value = bonus(`${kind} ${rank} ${"abcddcba"[file]}`);
      if (value !== undefined) found.push({ name: "abcdefgh"[file] + rank, file, rank, value });
    }
  }
  const [least, most] = [Math.min(...found.map((each) => each.value)), Math.max(...found.map((each) => each.value))];
  const pawns = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);
  return svg("svg", { viewBox: "0 0 8 8", role: "img", "aria-label": `${kind}, ${phase.toLowerCase()}: ${pawns(least)} to ${pawns(most)} pawns` },
    found.map(({ name, file, rank, value }) => svg("rect", { x: file, y: 8 - rank, width: 1, height: 1,
      "fill-opacity": most > least ? (value - least) / (most - least) : 0.5 }, svg("title", {}, `${name} ${pawns(value)}`))));
}

/** Rows of bars to both sides of a middle line: [name, [[value, class], ...]]. */
function barChart(title, rows, length) {
  const most = Math.max(...rows.flatMap(([, bars]) => bars.map(([value]) => Math.abs(length(value)))), 1e-9);
  const least = Math.min(...rows.flatMap(([, bars]) => bars.map(([value]) => length(value))), 0);
  const middle = least < 0 ? 0.3 : 0; // as a share of the width: negative values are rarely large
  const scale = Math.min((1 - middle) / most, least < 0 ? middle / -least : Infinity);
  return h("table", { class: "genes" }, h("caption", {}, title), h("tbody", {}, rows.map(([name, bars]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, bars.map(([value, kind]) => {
      const wide = Math.abs(length(value)) * scale;
      const left = value < 0 ? middle - wide : middle;
      return h("span", { class: "bar" }, h("i", { class: kind, style: { left: `${100 * left}%`, width: `${100 * wide}%` } }));
    })), h("td", { class: "number" }, bars.map(([value]) => h("span", {}, value.toFixed(2).replace("-", "−"))))))));
}

async function start(main) {
  const genomes = await fetchJson("/api/genomes/chess");
  new App(main, genomes, storedGame(genomes));
}

start(initPage());
