// The chess room: a game against a genome, or between two, that survives the page being loaded again.

import { h, show } from "../shared/element.js";
import { complain, fetched, furnish } from "../shared/page.js";
import { Board } from "./board.js";
import { Course, COLOURS, OTHER } from "./game/course.js";
import { Game } from "./game/game.js";
import { GenomeCard } from "./genome.js";
import { Moves } from "./moves.js";
import { Papers } from "./papers.js";
import { Setup, TIMES } from "./setup.js";
import { Thinking } from "./thinking.js";

const KEPT = "galapagos-chess"; // in localStorage
const USUAL = { side: "w", white: "evolved", black: "evolved", time: "second", strength: 100 };

class Room {
  constructor(genomes, kept) {
    this.thinking = new Thinking();
    this.moves = new Moves((index) => this.#look(index));
    this.papers = new Papers();
    this.card = new GenomeCard();
    this.status = h("p", { class: "status", role: "status" });
    this.players = { w: h("div", { class: "player" }), b: h("div", { class: "player" }) };
    this.buttons = {
      back: h("button", { onclick: () => this.#takeBack() }, "Take back"),
      draw: h("button", { onclick: () => this.#draw() }, "Offer a draw"),
      resign: h("button", { onclick: () => this.#resign() }, "Resign"),
      pause: h("button", { onclick: () => this.#pause() }, "Pause"),
      flip: h("button", { onclick: () => this.#flip() }, "Flip"),
    };
    this.field = h("input", { autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: "e4, Nf3, e7e8q …" });
    this.typing = h("form", { class: "row typing", onsubmit: (event) => this.#typed(event) },
      h("label", {}, "Your move", this.field), h("button", {}, "Move"));
    const place = h("div", { class: "board" });
    this.setup = new Setup(genomes, kept?.settings ?? USUAL, (settings, text) => this.#new(settings, text));
    this.upper = h("div", {});
    this.lower = h("div", {});
    show(document.getElementById("main"),
      h("h1", { class: "unseen" }, "Chess"),
      h("div", { class: "columns chess" },
        h("div", { class: "play" }, this.upper, place, this.lower, this.status,
          h("div", { class: "row" }, Object.values(this.buttons)), this.typing),
        h("div", { class: "aside" }, this.thinking.element,
          h("section", { class: "card", "aria-label": "The moves" }, h("h2", {}, "Moves"), this.moves.element),
          this.setup.element, this.papers.element),
        this.card.element));
    this.board = new Board(place, {
      legal: (square) => this.course.game.from(square),
      made: (move) => this.#play(move),
    });
    this.#begin(kept?.settings ?? USUAL, new Game(kept?.game ?? {}), kept?.left ?? null);
  }

  // -- What a person can do ------------------------------------------------------------------------

  #new(settings, text) {
    try {
      this.#begin(settings, text.trim() ? Game.read(text) : new Game());
      return true;
    } catch (error) {
      complain(error.message);
      return false;
    }
  }

  #begin(settings, game, left = null) {
    this.course?.close();
    this.looking = null; // the index of the move that is looked at, if it is not the last
    this.said = null; // {text, plies}: what is said of the position after so many
    this.course = new Course({
      settings,
      time: TIMES[settings.time],
      game,
      left,
      hears: {
        changed: () => this.#changed(),
        thinks: (info, colour) => this.thinking.tell(info, colour, game.told(info.line)),
        fails: complain,
      },
    });
    this.thinking.clear();
    this.board.turn(settings.side === "b" ? "b" : "w");
    this.card.show(Object.values(this.course.engines).map((engine) => engine.options.Genome));
    this.#seat();
    this.course.go();
  }

  #play(move) {
    try {
      this.course.play(move);
    } catch {
      complain(`${typeof move === "string" ? move : `${move.from}${move.to}`} is no move here`);
      this.#draws();
    }
  }

  #typed(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text || !this.course.isHumans) return;
    this.field.value = "";
    this.#play(text);
  }

  #takeBack() {
    this.course.takeBack();
    this.#say("Taken back.");
  }

  #draw() {
    if (!this.course.draw()) this.#say("The genome declines the draw.");
  }

  #resign() {
    const { resign } = this.buttons;
    if (resign.dataset.sure) return this.course.resign();
    resign.dataset.sure = "yes";
    resign.textContent = "Resign: sure?";
  }

  #pause() {
    this.course.pause(!this.course.paused);
  }

  #flip() {
    this.board.turn(OTHER[this.board.below]);
    this.#seat();
  }

  #look(index) {
    this.looking = index === this.course.game.history.length - 1 ? null : index;
    this.#draws();
  }

  #say(text) {
    this.said = { text, plies: this.course.game.history.length };
    this.#draws();
  }

  // -- What is shown -------------------------------------------------------------------------------

  #changed() {
    const { settings, game, clock } = this.course;
    const left = clock.control ? clock.left : null;
    localStorage.setItem(KEPT, JSON.stringify({ settings, game: game.dump(), left }));
    this.looking = null;
    this.#draws();
  }

  #draws() {
    const { board, buttons, course } = this;
    const { game, isWatched } = course;
    const { end, history } = game;
    const at = this.looking ?? history.length - 1;
    const shown = history[at];
    const isNow = this.looking === null;
    const checked = isNow && game.rules.isCheck() ? game.rules.findPiece({ type: "k", color: game.turn })[0] : null;
    board.show(shown ? shown.after : game.start, shown, checked);
    board.allow(isNow && !end && course.isHumans ? game.turn : null);
    this.moves.show(game, at);
    this.thinking.draw(game.notes);
    buttons.back.disabled = !history.length;
    buttons.draw.hidden = buttons.resign.hidden = this.typing.hidden = isWatched;
    buttons.draw.disabled = buttons.resign.disabled = Boolean(end);
    buttons.draw.textContent = game.claim && course.isHumans ? "Claim the draw" : "Offer a draw";
    buttons.resign.textContent = "Resign";
    delete buttons.resign.dataset.sure;
    buttons.pause.hidden = !isWatched && !course.paused;
    buttons.pause.disabled = Boolean(end);
    buttons.pause.textContent = course.paused ? "Go on" : "Pause";
    this.papers.show(game.fen, game.pgn(this.#tags()));
    const said = this.said?.plies === history.length ? this.said.text : "";
    show(this.status, [said, isNow ? this.#state() : "An earlier position; choose the last move to go on."].filter(Boolean).join(" "));
  }

  #state() {
    const { game, isHumans, paused } = this.course;
    const last = game.history.at(-1);
    const made = last ? `${COLOURS[last.color]} played ${last.san}. ` : "";
    if (game.end) {
      const winner = { "1-0": "White wins", "0-1": "Black wins" }[game.end.result] ?? "A draw";
      return `${made}${winner}: ${game.end.why}.`;
    }
    if (paused) return `${made}Paused.`;
    const check = game.rules.isCheck() ? "Check. " : "";
    return `${made}${check}${isHumans ? "Your move." : `${COLOURS[game.turn]} is thinking.`}`;
  }

  #seat() {
    const { engines, settings, clock } = this.course;
    for (const colour of ["w", "b"]) {
      const strength = engines[colour] && settings.strength < 100 ? `at ${settings.strength} %` : "";
      show(this.players[colour], h("b", {}, engines[colour]?.options.Genome ?? "You"),
        h("span", { class: "quiet" }, `${COLOURS[colour]} ${strength}`), clock.faces[colour]);
    }
    show(this.upper, this.players[OTHER[this.board.below]]);
    show(this.lower, this.players[this.board.below]);
  }

  #tags() {
    const { engines } = this.course;
    const name = (colour) => (engines[colour] ? `Galapagos ${engines[colour].options.Genome}` : "You");
    return { Event: "Galapagos", Site: location.host, White: name("w"), Black: name("b") };
  }
}

/** The game of this browser, if it has one that can be read and nobody asks for another. */
function kept(genomes) {
  const wanted = new URLSearchParams(location.search).get("genome");
  history.replaceState(null, "", location.pathname); // or to load the page again would begin again
  const asked = genomes.includes(wanted) ? { settings: { ...USUAL, white: wanted, black: wanted } } : null;
  try {
    const found = JSON.parse(localStorage.getItem(KEPT));
    const { settings, game } = found;
    const isKnown = genomes.includes(settings.white) && genomes.includes(settings.black) && settings.time in TIMES;
    const isOver = new Game(game).end !== null;
    const isWanted = !asked || (!isOver && wanted === (settings.side === "b" ? settings.white : settings.black));
    return isKnown && isWanted ? found : asked;
  } catch {
    return asked; // nothing is kept, or nothing that can be read
  }
}

furnish();
const genomes = await fetched("/api/genomes/chess");
new Room(genomes, kept(genomes));
