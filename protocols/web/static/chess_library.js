// Games that are kept and shared: a list in the browser, links that carry the moves, and the game as FEN and PGN.

import { Game } from "./chess_game.js";
import { copyButton } from "./copy_link.js";
import { recall, remember } from "./memory.js";
import { h, show } from "./dom.js";
import { plural } from "./format.js";
import { showError } from "./page.js";

const MOST = 200; // games in the list; the oldest ones are dropped
const OUTCOMES = { won: "won", lost: "lost", drawn: "drawn" };

/** The address that opens a game for everybody. */
export function linkTo(pgn) {
  return `${location.origin}${location.pathname}#${new URLSearchParams({ pgn })}`;
}

/** The text of the game or the position in the address, or null; it is taken out of the address. */
export function takeLinked() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const text = fields.get("pgn") ?? fields.get("fen");
  if (text !== null) history.replaceState(null, "", location.pathname);
  return text;
}

/** The user's games that have ended: a list of {pgn, side, against, outcome, date}, newest first. */
export class Library {
  /** `open(pgn)` shows a game. */
  constructor(open) {
    this.open = open;
    this.games = (Array.isArray(recall("chess-games")) ? recall("chess-games") : []).filter((each) => typeof each?.pgn === "string");
    this.record = h("p", {});
    this.list = h("ol", { class: "library", reversed: true, "aria-label": "Your games" });
    this.element = h("details", { class: "card" }, h("summary", {}, h("h2", {}, "Your games")), this.record, this.list);
    this.#draw();
  }

  /** Keep a game. `side` is "w", "b" or "none", `against` names the opponent. */
  add({ pgn, side, against, result, date }) {
    const winner = { "1-0": "w", "0-1": "b" }[result];
    const outcome = side === "none" ? "" : !winner ? "drawn" : winner === side ? "won" : "lost";
    this.games = [{ pgn, side, against, outcome, date }, ...this.games].slice(0, MOST);
    this.#keep();
  }

  #keep() {
    if (!remember("chess-games", this.games)) showError("The browser does not keep this game. Save its PGN instead.");
    this.#draw();
  }

  #draw() {
    const count = (outcome) => this.games.filter((each) => each.outcome === outcome).length;
    const record = Object.keys(OUTCOMES).map((outcome) => `${count(outcome)} ${OUTCOMES[outcome]}`).join(", ");
    show(this.record, this.games.length
      ? `${plural(this.games.length, "game")}: ${record}. Only this browser has them.`
      : "Games that you finish appear here. Only this browser keeps them.");
    show(this.list, this.games.map((game) => h("li", {},
      h("button", { onclick: () => this.open(game.pgn) }, `${game.date}, against ${game.against}${game.outcome ? `: ${OUTCOMES[game.outcome]}` : ""}`),
      h("button", { class: "small", "aria-label": `Delete the game of ${game.date} against ${game.against}`, onclick: () => this.#delete(game) }, "Delete"))));
  }

  #delete(game) {
    this.games = this.games.filter((each) => each !== game);
    this.#keep();
  }
}

/** The game as text: its FEN, PGN and link, to copy and to save; and a field for those of other games. */
export class Exchange {
  /** `open(game)` shows a game that was read from a FEN or a PGN. */
  constructor(open) {
    this.fen = h("input", { readonly: true, class: "code" });
    this.pgn = h("textarea", { readonly: true, rows: 6, class: "code" });
    this.link = h("input", { readonly: true, class: "code" });
    this.save = h("a", { download: "galapagos.pgn" }, "Save the PGN");
    this.text = h("textarea", { class: "code", rows: 4, spellcheck: "false", oninput: () => this.#complain("") });
    this.fault = h("p", { class: "bad", role: "alert", hidden: true });
    this.element = h("details", { class: "card export" }, h("summary", {}, h("h2", {}, "Share, load and save")),
      field("A link to this game", this.link, "Copy the link"),
      field("FEN", this.fen, "Copy the FEN"),
      field("PGN", this.pgn, "Copy the PGN", this.save),
      h("form", { "aria-label": "Open a position or a game", onsubmit: (event) => this.#open(event, open) },
        h("label", { class: "wide" }, "Open a position (FEN) or a game (PGN)", this.text), this.fault, h("button", {}, "Open")));
  }

  show(fen, pgn, link) {
    this.fen.value = fen;
    this.pgn.value = pgn;
    this.link.value = link;
    this.save.href = `data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(pgn)}`;
  }

  #open(event, open) {
    event.preventDefault();
    try {
      open(Game.read(this.text.value));
      this.text.value = "";
    } catch (error) {
      this.#complain(error.message);
    }
  }

  #complain(text) {
    this.fault.hidden = !text;
    show(this.fault, text);
  }
}

/** A read-only field with buttons below it. */
function field(title, element, action, ...more) {
  return [h("label", { class: "wide" }, title, element), h("div", { class: "row" }, copyButton(action, () => selected(element), "Selected: copy it with Ctrl+C"), more)];
}

/** Select the text of a field, for browsers that do not let pages copy, and return it. */
function selected(element) {
  element.select();
  return element.value;
}
