// The chess page: a game against a genome, or between two genomes, and an analysis board. The browser stores the game.

import { Analyst } from "./chess_analysis.js";
import { Board } from "./chess_board.js";
import { GameController } from "./chess_controller.js";
import { Drawings } from "./chess_drawings.js";
import { EvaluationBar, Thinking } from "./chess_evaluation.js";
import { COLOURS, Game, legalMoves, OTHER, USUAL_START } from "./chess_game.js";
import { GenePanel, readGenes } from "./chess_genes.js";
import { GenomeCard } from "./chess_genome.js";
import { LEVELS } from "./chess_levels.js";
import { Exchange, Library, linkTo, takeLinked } from "./chess_library.js";
import { Material } from "./chess_material.js";
import { recall, remember } from "./memory.js";
import { MoveList } from "./chess_moves.js";
import { factsOf, headline, ResultDialogue } from "./chess_result.js";
import { faultOf } from "./chess_score.js";
import { DEFAULTS, isPlayable, SetupForm, TIMES } from "./chess_setup.js";
import { playSound, soundOf } from "./chess_sounds.js";
import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { plural } from "./format.js";
import { initPage, showError } from "./page.js";

const STRONGEST = "evolved"; // the genome that analyses
const RESULT = 600; // milliseconds from the last move to the dialogue with the result
const FAULT_NAMES = { blunder: "blunders", mistake: "mistakes" };
const BOARD = { sound: true, bar: true }; // settings of the board

class App {
  constructor(main, genomes, stored) {
    this.genomes = genomes;
    this.prefs = { ...BOARD, ...recall("chess-board") };
    this.study = null; // the analysis board: {game, opened, tags, found, faults, isLong, isWhole}
    this.premove = null; // a move for the user's next turn
    this.moves = new MoveList((index) => this.#look(index));
    this.thinking = new Thinking({ choose: (index) => this.#look(index), play: (move) => this.#play(move) });
    this.bar = new EvaluationBar();
    this.material = new Material();
    this.genes = new GenePanel(() => this.#draw());
    this.library = new Library((pgn) => this.#open(pgn));
    this.exchange = new Exchange((game) => this.#analyse(game, game.tags));
    this.colours = () => new Map(); // of the squares, by the colour below
    this.card = new GenomeCard((colours) => {
      this.colours = colours;
      this.board.tint(colours(this.board.below));
    });
    this.result = new ResultDialogue({ rematch: () => this.#rematch(), another: () => this.setup.enter(), analyse: () => this.#analyse() });
    this.analyst = new Analyst({
      lines: (found) => this.#found(found),
      genes: (tables) => this.#showGenes(tables.map(readGenes)),
      examined: (notes, isLast) => this.#examined(notes, isLast),
      fails: showError,
    });
    const settings = stored?.settings ?? { ...DEFAULTS, ...playable(recall("chess-form"), genomes) };
    this.setup = new SetupForm(genomes, settings, {
      begin: (chosen) => this.#begin(chosen, new Game()),
      changed: (chosen) => remember("chess-form", chosen),
    });
    this.#build(main);
    const linked = takeLinked();
    this.#begin(settings, new Game(stored?.game ?? {}), { left: stored?.left ?? null, isPaused: linked !== null, isNew: false });
    if (linked !== null) this.#open(linked);
    this.wasPaused = false; // the game goes on when the analysis board is left
    addEventListener("hashchange", () => {
      const text = takeLinked();
      if (text !== null) this.#open(text);
    });
  }

  #build(main) {
    const button = (text, onclick, attributes = {}) => h("button", { onclick, ...attributes }, text);
    this.status = h("p", { class: "status", role: "status" });
    this.opening = h("p", { class: "quiet opening-name" });
    this.players = { w: h("div", { class: "player" }), b: h("div", { class: "player" }) };
    this.buttons = {
      rematch: button("Rematch", () => this.#rematch(), { class: "main" }),
      another: button("New game", () => this.setup.enter()),
      onward: button("Play on from here", () => this.#playOn(), { class: "main" }),
      deeper: button("Look deeper", () => this.#lookDeeper()),
      faults: button("Find the mistakes", () => this.#findFaults()),
      opened: button("Undo my moves", () => this.#undoMoves()),
      leave: button("Back to your game", () => this.#leave()),
      back: button("Take back", () => this.#takeBack()),
      draw: button("Offer a draw", () => this.#offerDraw()),
      resign: button("Resign", () => this.#resign()),
      pause: button("Pause", () => this.controller.pause(!this.controller.paused)),
      analyse: button("Analyse", () => this.#analyse()),
      flip: button("Flip the board", () => this.#flip()),
      sound: button("Sound", () => this.#switch("sound")),
      bar: button("Evaluation bar", () => this.#switch("bar")),
    };
    const untouched = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
    this.field = h("input", { ...untouched, placeholder: "e4, Nf3, e7e8q …" });
    this.typing = h("form", { class: "row typing", onsubmit: (event) => this.#typed(event) },
      h("label", {}, "Your move", this.field), h("button", {}, "Move"));
    const place = h("div", { class: "board" });
    this.upper = h("div", {});
    this.lower = h("div", {});
    this.play = h("div", { class: "play" }, this.upper, h("div", { class: "beside" }, this.bar.element, place), this.lower,
      this.moves.navigation, this.status, h("div", { class: "row actions" }, Object.values(this.buttons)), this.typing);
    main.querySelector(".columns").replaceWith(
      h("div", { class: "columns chess" }, this.play,
        h("div", { class: "aside" },
          h("section", { class: "card", "aria-label": "The moves" }, h("h2", {}, "Moves"), this.opening, this.moves.list),
          this.setup.element, this.thinking.element, this.genes.element, this.library.element, this.exchange.element),
        this.card.element),
      this.result.element);
    this.board = new Board(place, {
      legal: (square) => legalMoves(this.game.fenAfter(this.at + 1), square),
      play: (move) => this.#play(move),
      premove: (move) => this.#setPremove(move),
    });
    this.drawings = new Drawings(place, { below: () => this.board.below, onRightButton: () => this.#setPremove(null) });
    this.moves.listenOn(place);
    addEventListener("keydown", (event) => event.key === "Escape" && this.premove && this.#setPremove(null));
  }

  /** The game on the board: that of the analysis, or the one that is played. */
  get game() {
    return this.study?.game ?? this.controller.game;
  }

  /** The index of the move whose position is shown; -1 is the position before the first move. */
  get at() {
    return this.looking ?? this.game.history.length - 1;
  }

  // -- Games -------------------------------------------------------------------------------------------

  #begin(settings, game, { left = null, isPaused = false, isNew = true } = {}) {
    this.controller?.close();
    this.study = this.premove = null;
    this.looking = null; // the index of the move whose position is shown, if it is not the last one
    this.message = null; // {text, plies}: a text that is shown with the position after `plies` moves
    this.live = null; // the evaluation of the engine that thinks
    this.isRunning = !game.end;
    this.heard = game.history.length; // the moves whose sound was played
    this.setup.settings = settings;
    this.drawings.clear();
    this.controller = new GameController({
      settings,
      time: TIMES[settings.time],
      game,
      left,
      listener: { changed: () => this.#changed(), info: (note) => this.#thinks(note), fails: showError },
    });
    this.controller.paused = isPaused;
    this.#turn(settings.side === "b" ? "b" : "w");
    this.card.show(Object.values(this.controller.engines).map((engine) => engine.options.Genome));
    this.controller.go();
    if (isNew && this.play.getBoundingClientRect().top < 0) this.play.scrollIntoView();
  }

  #rematch() {
    const { side, white, black, ...others } = this.controller.settings;
    this.#begin({ ...others, side: OTHER[side] ?? side, white: black, black: white }, new Game());
  }

  #playOn() {
    const { start, moves } = this.game.upTo(this.at + 1);
    this.#begin(this.setup.settings, new Game({ start, moves }));
  }

  #play(move) {
    try {
      if (this.study) this.#playInStudy(move);
      else this.controller.play(move);
    } catch {
      showError(`${typeof move === "string" ? move : `${move.from}${move.to}`} is not a legal move in this position`);
      this.#draw();
    }
  }

  #typed(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text) return;
    this.field.value = "";
    if (this.study || this.controller.isHumanToMove) this.#play(text);
    else this.#setPremove(text);
  }

  #takeBack() {
    this.controller.takeBack();
    this.heard = this.controller.game.history.length;
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

  #setPremove(move) {
    if (!move && !this.premove) return;
    this.premove = move;
    this.board.markPremove(typeof move === "string" ? null : move);
    this.#draw();
  }

  /** Play the premove, now that it is the user's turn. */
  #playPremove() {
    const move = this.premove;
    this.#setPremove(null);
    if (!move) return;
    try {
      this.controller.play(typeof move === "string" ? move : { ...move, promotion: "q" });
    } catch {
      this.#showMessage("Your premove was not possible.");
    }
  }

  // -- Analysis ----------------------------------------------------------------------------------------

  /** Open the analysis board with a game, or with the one that is played. */
  #analyse(game = this.controller.game, tags = this.#tags()) {
    const at = game === this.controller.game ? this.at : game.history.length - 1;
    const copy = new Game(game.dump());
    this.wasPaused = this.study ? this.wasPaused : this.controller.paused;
    this.study = { game: copy, opened: copy, tags, found: [], faults: [], isLong: false, isWhole: false };
    this.premove = null;
    this.board.markPremove(null);
    this.controller.pause(true);
    this.#look(at);
    if (this.play.getBoundingClientRect().top < 0) this.play.scrollIntoView();
  }

  /** Open a game or a position as text on the analysis board. */
  #open(text) {
    try {
      const game = Game.read(text);
      this.#analyse(game, game.tags);
    } catch (error) {
      showError(error.message);
    }
  }

  #leave() {
    this.study = null;
    this.looking = null;
    this.controller.pause(this.wasPaused);
  }

  #playInStudy(move) {
    const line = this.study.game.upTo(this.at + 1);
    const played = line.play(move);
    playSoundIf(this.prefs, soundOf(played, line.end));
    if (this.study.game.history[this.at + 1]?.lan === played.lan) return this.#look(this.at + 1);
    Object.assign(this.study, { game: line, faults: [], isWhole: false });
    return this.#look(line.history.length - 1);
  }

  #findFaults() {
    const { study } = this;
    study.isWhole = true;
    study.faults = [];
    this.#draw();
    this.analyst.examineAll(this.#analysing(), study.game);
  }

  /** Show how far the engine is with the whole game and, at the end, which moves were faults. */
  #examined(notes, isLast) {
    const { study, game } = this;
    if (!study) return;
    game.notes = notes.slice(1).concat(game.notes.slice(notes.length - 1));
    if (!isLast) {
      show(this.status, `Examining move ${Math.ceil(notes.length / 2)} of ${Math.ceil(game.history.length / 2)} …`);
      return this.#showThoughts();
    }
    study.isWhole = false;
    study.faults = game.history.map((move, index) =>
      notes[index] && notes[index + 1] && faultOf(notes[index], notes[index + 1], move.color));
    return this.#draw();
  }

  #undoMoves() {
    Object.assign(this.study, { game: this.study.opened, faults: [], isWhole: false });
    this.#look(this.study.game.history.length - 1);
  }

  #lookDeeper() {
    this.study.isLong = true;
    this.#draw();
  }

  /** Show the best lines that the analysis has found, and keep the evaluation for the curve. */
  #found(found) {
    if (!this.study || !found[0]) return;
    this.study.found = found;
    if (this.at >= 0) this.game.notes[this.at] = found[0].note;
    this.#showThoughts();
  }

  #showGenes([now, before]) {
    this.genes.show(this.#analysing(), now, before, this.game.history[this.at]);
  }

  /** The genome that analyses: the strongest on the analysis board, and the opponent in a game. */
  #analysing() {
    const own = Object.values(this.controller.engines)[0].options.Genome;
    return this.study && this.genomes.includes(STRONGEST) ? STRONGEST : own;
  }

  // -- What is shown -----------------------------------------------------------------------------------

  #look(index) {
    this.looking = index === this.game.history.length - 1 ? null : index;
    if (this.study) Object.assign(this.study, { found: [], isLong: false });
    this.#draw();
  }

  #switch(name) {
    this.prefs[name] = !this.prefs[name];
    remember("chess-board", this.prefs);
    this.#draw();
  }

  async #flip() {
    await this.#turn(OTHER[this.board.below]);
    this.#draw();
  }

  async #turn(colour) {
    await this.board.turn(colour);
    this.board.tint(this.colours(colour));
    this.drawings.draw();
    this.#showPlayers();
    this.#showThoughts();
  }

  #showMessage(text) {
    this.message = { text, plies: this.controller.game.history.length };
    this.#draw();
  }

  #thinks(note) {
    this.live = note;
    if (!this.study) this.#showThoughts();
  }

  /** The played game has changed: keep it, and show it unless the analysis board is open. */
  #changed() {
    const { settings, game, clock } = this.controller;
    remember("chess", { settings, game: game.dump(), left: clock.control ? clock.left : null });
    if (game.history.length > this.heard) playSoundIf(this.prefs, soundOf(game.history.at(-1), game.end));
    this.heard = game.history.length;
    this.live = null;
    if (!this.study) {
      this.looking = null;
      this.drawings.clear();
    }
    if (this.premove && this.controller.isHumanToMove) setTimeout(() => this.#playPremove());
    this.#draw();
    if (game.end && this.isRunning) this.#finish(game);
  }

  #finish(game) {
    const { settings } = this.controller;
    this.isRunning = false;
    this.#setPremove(null);
    const opponent = Object.values(this.controller.engines)[0].options.Genome;
    this.library.add({
      pgn: game.pgn(this.#tags()),
      side: settings.side,
      against: `${opponent}, ${LEVELS[settings.level].name.toLowerCase()}`,
      result: game.end.result,
      date: game.date.replaceAll(".", "-"),
    });
    // Later, so that the last move is seen, and no button of the mouse is down any more, which would confuse cm-chessboard.
    setTimeout(() => {
      if (game === this.game) this.result.open(game.end, settings.side, factsOf(game, this.opening.textContent));
    }, RESULT);
  }

  #draw() {
    const { at, board, game, study } = this;
    const { isHumanToMove, isWatched, paused } = this.controller;
    const { history } = game;
    const shown = history[at];
    const isNow = this.looking === null;
    const fen = game.fenAfter(at + 1);
    const checked = isNow && game.rules.isCheck() ? game.rules.findPiece({ type: "k", color: game.turn })[0] : null;
    board.show(fen, shown, checked);
    const isOver = isNow && game.rules.isGameOver();
    if (study) board.allow(isOver ? null : fen.split(" ")[1]);
    else if (!isNow || game.end || isWatched || paused) board.allow(null);
    else board.allow(this.controller.settings.side, !isHumanToMove);
    this.moves.show(game, at, study?.faults);
    this.material.show(game.start, fen);
    this.#showOpening(game, at);
    this.#showButtons();
    this.#showPlayers();
    this.#showThoughts();
    this.#showText();
    this.#examine(fen, at);
    const message = !study && this.message?.plies === history.length ? this.message.text : "";
    const state = study ? this.#studyState() : isNow ? this.#state() : "An earlier position. Choose the last move to continue the game.";
    show(this.status, message ? `${message} ${state}` : state);
  }

  #showButtons() {
    const { buttons, study } = this;
    const { isHumanToMove, isWatched, paused, game } = this.controller;
    const isOver = Boolean(game.end);
    const visible = {
      onward: study, leave: study, deeper: study && !study.isLong, opened: study && study.game !== study.opened,
      faults: study && !study.isWhole && !study.faults.length && study.game.history.length,
      rematch: !study && isOver, another: !study && isOver,
      back: !study && !isOver, draw: !study && !isOver && !isWatched, resign: !study && !isOver && !isWatched,
      pause: !study && !isOver && (isWatched || paused), analyse: !study, flip: true, sound: true, bar: true,
    };
    for (const [name, button] of Object.entries(buttons)) button.hidden = !visible[name];
    buttons.leave.textContent = this.controller.game.history.length ? "Back to your game" : "Play a game yourself"; // a friend with a link has none
    buttons.back.disabled = !game.history.length;
    buttons.draw.textContent = game.claim && isHumanToMove ? "Claim the draw" : "Offer a draw";
    buttons.resign.textContent = "Resign";
    delete buttons.resign.dataset.sure;
    buttons.pause.textContent = paused ? "Resume" : "Pause";
    for (const name of ["sound", "bar"]) buttons[name].setAttribute("aria-pressed", String(this.prefs[name]));
    this.typing.hidden = !study && (isWatched || isOver);
    this.bar.element.hidden = !this.prefs.bar;
  }

  /** Show the evaluation of the position on the board: the bar, the score and lines, the curve, and the best move's arrow. */
  #showThoughts() {
    const { at, game, study } = this;
    const isLive = !study && this.looking === null && this.live;
    const note = isLive || (study?.found[0]?.note ?? game.notes[at] ?? game.notes[at - 1] ?? null);
    const end = this.looking === null ? game.end : null;
    this.bar.show(note, end, this.board.below);
    this.thinking.show(note);
    this.thinking.showLines(study ? study.found : null);
    this.thinking.draw(game.notes, at);
    this.drawings.point(study?.found[0]?.move ?? null);
  }

  #examine(fen, at) {
    const { game, study } = this;
    if (study?.isWhole) return;
    const fens = this.genes.isOpen ? [fen, ...(at >= 0 ? [game.fenAfter(at)] : [])] : [];
    this.analyst.examine(this.#analysing(), game, at + 1, { lines: Boolean(study), fens, isLong: Boolean(study?.isLong) });
  }

  async #showOpening(game, at) {
    const moves = game.history.slice(0, at + 1).map((move) => move.san);
    if (!moves.length || game.start !== USUAL_START) return show(this.opening, "");
    const { openingOf } = await import("./chess_openings.js");
    if (game === this.game && at === this.at) show(this.opening, openingOf(moves));
    return undefined;
  }

  /** The game as text: made anew only when the game has changed. */
  #showText() {
    const { game } = this;
    const shown = [game, game.history.length, game.end?.result, this.at];
    if (this.texts?.every((each, index) => each === shown[index])) return;
    this.texts = shown;
    const tags = this.study?.tags ?? this.#tags();
    this.exchange.show(game.fenAfter(this.at + 1), game.pgn(tags), linkTo(game.pgn(tags, { withNotes: false })));
  }

  #state() {
    const { game, isHumanToMove, paused, settings } = this.controller;
    const last = game.history.at(-1);
    const made = last ? `${COLOURS[last.color]} played ${last.san}. ` : "";
    if (game.end) return `${made}${headline(game.end.result, "none")}: ${game.end.why}.`;
    if (paused) return `${made}Paused.`;
    const check = game.rules.isCheck() ? "Check. " : "";
    if (isHumanToMove) return `${made}${check}Your move.`;
    const { premove } = this;
    const waiting = premove ? ` Your premove is ${typeof premove === "string" ? premove : `${premove.from}–${premove.to}`}; Escape or the right button takes it back.` : "";
    return `${made}${check}${COLOURS[game.turn]} is thinking.${settings.side === "none" ? "" : waiting}`;
  }

  #studyState() {
    const { game } = this;
    if (this.study.isWhole) return "Examining the game …";
    if (this.study.faults.length) return `Analysis. White: ${faultsOf(this.study.faults, game, "w")}. Black: ${faultsOf(this.study.faults, game, "b")}.`;
    if (this.looking === null && game.end) return `Analysis. ${headline(game.end.result, "none")}: ${game.end.why}.`;
    return "Analysis. Move the pieces of both sides; the engine shows its best lines.";
  }

  #showPlayers() {
    const { engines, settings, clock } = this.controller;
    const { study } = this;
    for (const colour of ["w", "b"]) {
      const engine = engines[colour];
      const tag = study?.tags[COLOURS[colour]] ?? "?";
      const name = study ? tag.replace(/^\?$/, "") : engine?.options.Genome ?? "You";
      const level = engine && !study ? `, ${LEVELS[settings.level].name.toLowerCase()}` : "";
      show(this.players[colour], h("b", {}, name || COLOURS[colour]), name && h("span", { class: "quiet" }, `${COLOURS[colour]}${level}`),
        this.material.places[colour], study ? null : clock.faces[colour]);
    }
    show(this.upper, this.players[OTHER[this.board.below]]);
    show(this.lower, this.players[this.board.below]);
  }

  #tags() {
    const { engines, settings } = this.controller;
    const name = (colour) => (engines[colour] ? `Galapagos ${engines[colour].options.Genome} (${LEVELS[settings.level].name})` : "You");
    return { Event: "Galapagos", Site: location.host, White: name("w"), Black: name("b") };
  }
}

function playSoundIf({ sound }, name) {
  if (sound) playSound(name);
}

/** The faults of a side in words: `1 blunder, 2 mistakes`. */
function faultsOf(faults, game, colour) {
  const own = faults.filter((fault, index) => fault && game.history[index].color === colour).map((fault) => fault.name);
  const counts = Object.entries(FAULT_NAMES)
    .map(([name, several]) => [own.filter((each) => each === name).length, name, several])
    .filter(([count]) => count);
  return counts.map(([count, name, several]) => plural(count, name, several)).join(", ") || "no mistake";
}

/** Settings that the browser has remembered, if they can still be played; otherwise none. */
function playable(settings, genomes) {
  const whole = { ...DEFAULTS, ...settings };
  return isPlayable(whole, genomes) ? whole : {};
}

/** The game that this browser has stored, if it can be read and the address requests no other game. */
function storedGame(genomes) {
  const wanted = new URLSearchParams(location.search).get("genome");
  if (location.search) history.replaceState(null, "", location.pathname + location.hash); // otherwise a reload would start a new game
  const asked = genomes.includes(wanted) ? { settings: { ...DEFAULTS, ...playable(recall("chess-form"), genomes), white: wanted, black: wanted } } : null;
  try {
    const found = recall("chess");
    const { game } = found;
    const settings = { level: "full", ...found.settings }; // a game that an earlier version of the page has stored has no level
    const isOver = new Game(game).end !== null;
    const isWanted = !asked || (!isOver && wanted === (settings.side === "b" ? settings.white : settings.black));
    return isPlayable(settings, genomes) && isWanted ? { ...found, settings } : asked;
  } catch {
    return asked; // no game is stored, or it cannot be read
  }
}

async function start(main) {
  const genomes = await fetchJson("/api/genomes/chess");
  new App(main, genomes, storedGame(genomes));
}

start(initPage());
