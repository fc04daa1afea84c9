// A game of Acquire on the page: the board, the user's tiles, chains and players, the history, a summary of the rules.

import { chip } from "./acquire_chip.js";
import { DecisionPanel } from "./acquire_decision.js";
import { tileAt } from "./acquire_events.js";
import { LESSONS } from "./acquire_lessons.js";
import { MAJORITY, MINORITY, rulesCard } from "./acquire_rules.js";
import { playerTitle, seatColour, seatName, sentence } from "./acquire_seats.js";
import { h, show, table } from "./dom.js";
import { dollars } from "./format.js";
import { Guide } from "./guide.js";
import { ownGamesCard } from "./own_games.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }; // on the board
const NEXT = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }; // in the hand
const SQUARES = { ".": ["empty", "empty"], o: ["lone", "a lone tile"], x: ["out", "out of play"], "*": ["new", "just placed"] };
const OMITTED = { own: ["turn", "left", "rejoined"], others: ["turn", "drew"] }; // events that the log leaves out
const OF_MERGERS = ["merger", "bonus", "disposed"];
const PRICES_OF_BONUS = { first: MAJORITY, second: MINORITY, both: MAJORITY + MINORITY }; // a whole bonus in prices of a share

/**
 * The view of a game. `act(action)`, `resign()` and `leave()` are called for the user's actions; leave() after the end
 * of the game. `pace` is that of the other players, and `titles` describes players that are programs, by name.
 */
export class GameView {
  constructor(game, { act, resign, leave, pace, titles }) {
    this.decision = new DecisionPanel({ act, changed: (tile) => this.#mark(tile) });
    const place = (tile) => this.decision.place(tile);
    this.game = game;
    this.pace = pace;
    this.titles = titles;
    this.guide = new Guide("acquire", LESSONS);
    this.board = new Board(place);
    this.hand = new Hand(place);
    this.log = new Log();
    this.chains = h("section", { class: "card" });
    this.players = h("section", { class: "card" });
    this.statistics = h("div", {});
    this.leaving = h("button", { type: "button", onclick: leave }, "New game");
    this.resigning = resignButton(resign);
    this.hurry = h("button", { type: "button", class: "small", onclick: () => pace.hurry() }, "Show all at once");
    const isWatching = game.seat == null;
    this.near = h("div", { class: "card near" }, this.board.element, h("div", {}, !isWatching && this.guide.element, this.decision.element, this.hurry), this.hand.element);
    this.element = h("div", { class: "table" },
      h("div", { class: "row top" },
        h("h1", {}, "Acquire ", h("span", { class: "quiet variant" }, game.variant)), this.resigning, this.leaving),
      game.chosenBy && h("p", { role: "note" },
        `${game.chosenBy} chose the seed and can therefore know all tiles. The game is not rated.`),
      h("div", { class: "columns" }, this.near,
        h("div", { class: "aside" }, this.chains, this.players, this.statistics, this.log.element),
        h("div", { class: "under stack" },
          h("section", { class: "card row settings", "aria-label": "Settings" },
            pace.element, !isWatching && [this.decision.setting, this.guide.switch]),
          rulesCard(game.rules, !isWatching && this.guide.isNew))));
  }

  show(game) {
    this.board.show(game, this.decision.tile);
    this.hand.show(game, this.decision.tile);
    const isNew = this.decision.show(game);
    this.hurry.hidden = !this.pace.isBusy;
    show(this.chains, chainTable(game));
    show(this.players, playerTable(game, this.titles));
    this.log.show(game);
    if (game.seat != null) this.guide.show(lessonOf(game));
    this.resigning.hidden = game.seat == null || Boolean(game.end);
    this.leaving.hidden = !this.resigning.hidden;
    if (game.end && game.seat != null && !this.statistics.firstChild) show(this.statistics, ownGamesCard("acquire", (name) => playerTitle(this.titles, name)));
    if (isNew) this.#focus(game.due.phase);
  }

  /** Mark the tile that is proposed; after an undo, `tile` gets the focus again. */
  #mark(tile) {
    this.board.show(this.game, this.decision.tile);
    this.hand.show(this.game, this.decision.tile);
    if (tile) this.hand.focusOn(tile);
  }

  /** Move the focus to the decision, unless the user is busy elsewhere. */
  #focus(phase) {
    const busy = document.activeElement;
    if (busy !== document.body && !this.near.contains(busy)) return;
    if (this.board.element.contains(busy) && phase === "place") return;
    const options = { preventScroll: matchMedia("(pointer: coarse)").matches };
    if (phase === "place") this.hand.focus(options);
    else this.decision.focus(options);
  }
}

/** A button that asks for confirmation. */
function resignButton(resign) {
  const place = h("span", { class: "row" });
  const ask = h("button", { type: "button", onclick: confirm }, "Resign");
  const yes = h("button", { type: "button", class: "bad", onclick: resign }, "Yes, resign");
  const no = h("button", { type: "button", onclick: () => show(place, ask) }, "Continue");

  function confirm() {
    show(place, yes, no);
    no.focus();
  }

  show(place, ask);
  return place;
}

/** A grid of squares with the chains' colours and letters; the arrow keys move on it. */
class Board {
  /** `place(tile)` is called for a tile of the hand that may be placed. */
  constructor(place) {
    this.place = place;
    this.at = [0, 0]; // the square that Tab focuses
    this.element = h("div", { class: "board", role: "grid", "aria-label": "Board", onkeydown: (event) => this.#walk(event) });
  }

  /** Show the board, with the tile `planned` that has not been confirmed yet. */
  show(game, planned) {
    const { board, hand } = game.seen;
    this.planned = planned;
    const own = new Map(hand ?? []);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.style.setProperty("--across", board[0].length);
    show(this.element, board.map((cells, row) =>
      h("div", { role: "row" }, [...cells].map((cell, column) => this.#cell(game, cell, row, column, own)))));
    if (hadFocus) this.#square(this.at)?.focus();
  }

  #cell(game, cell, row, column, own) {
    const tile = tileAt(row, column);
    const chain = game.chain(cell);
    const isPlayable = game.playable.has(tile);
    const [kind, words] = chain ? [null, chain.name] : SQUARES[cell];
    const [placer] = [...game.placed].find(([, placed]) => placed === tile) ?? [];
    const about = own.has(tile) && !chain ? `yours: ${game.meaning(tile, own.get(tile))}` : words;
    const by = placer === undefined ? "" : `, placed by ${game.name(placer)}`;
    const classes = ["square", kind ? `ground-${kind}` : "chain", own.has(tile) && "own", isPlayable && "may", tile === this.planned && "planned",
      placer !== undefined && "recent", tile === game.latest && "latest"];
    const attributes = {
      class: classes.filter(Boolean).join(" "),
      role: "gridcell",
      tabindex: row === this.at[0] && column === this.at[1] ? 0 : -1,
      "aria-label": `${tile}, ${about}${by}`,
      title: `${tile}: ${about}${by}`,
      "data-chain": chain?.letter,
      "data-tile": tile,
      style: placer === undefined ? {} : { "--seat": seatColour(placer) },
      onclick: isPlayable ? () => this.place(tile) : null,
    };
    return h("div", attributes, chain || cell === "*" ? h("b", {}, chain?.letter ?? "*") : h("span", {}, tile));
  }

  #square([row, column]) {
    return this.element.children[row]?.children[column];
  }

  #walk(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.target.click();
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const there = [this.at[0] + step[0], this.at[1] + step[1]];
    const square = this.#square(there);
    if (!square) return;
    this.#square(this.at).tabIndex = -1;
    this.at = there;
    square.tabIndex = 0;
    square.focus();
  }
}

/** The user's tiles, each with its effect; they are buttons when a tile must be placed. */
class Hand {
  /** `place(tile)` is called for one of them. */
  constructor(place) {
    this.place = place;
    this.list = h("div", { class: "hand", role: "group", "aria-label": "Your tiles", onkeydown: (event) => this.#walk(event) });
    this.element = h("section", { class: "own-tiles" }, h("h2", {}, "Your tiles"), this.list);
  }

  /** Show the tiles; `planned` is the one that has not been confirmed yet. */
  show(game, planned) {
    const { hand } = game.seen;
    this.element.hidden = !hand || Boolean(game.end);
    if (!hand) return;
    const { playable } = game;
    show(this.list, hand.map(([tile, kind]) =>
      h("button", { type: "button", class: `tile ${kind}`, "data-tile": tile, "aria-pressed": tile === planned ? "true" : null, disabled: !playable.has(tile), onclick: () => this.place(tile) },
        h("b", {}, tile), h("span", {}, game.meaning(tile, kind)))),
    !hand.length && h("p", { class: "quiet" }, "You have no tiles left."));
  }

  focus(options) {
    this.list.querySelector("button:enabled")?.focus(options);
  }

  focusOn(tile) {
    [...this.list.querySelectorAll("button")].find((button) => button.dataset.tile === tile)?.focus();
  }

  #walk(event) {
    if (!NEXT[event.key]) return;
    event.preventDefault();
    const tiles = [...this.list.querySelectorAll("button:enabled")];
    const at = tiles.indexOf(document.activeElement);
    tiles[(at + NEXT[event.key] + tiles.length) % tiles.length]?.focus();
  }
}

/** The history in sentences: a paragraph for each turn, the newest first, with mergers set apart. */
class Log {
  constructor() {
    this.list = h("ol", {});
    this.element = h("section", { class: "card history" }, h("h2", {}, "What has happened"),
      h("div", { class: "log", role: "log", "aria-label": "What has happened", tabindex: 0 }, this.list));
    this.shown = 0; // events
  }

  show(game) {
    for (const event of game.events.slice(this.shown)) this.#add(game, event);
    this.shown = game.events.length;
  }

  #add(game, event) {
    if (event.kind === "turn" || !this.turn) {
      this.turn = h("li", {}, h("b", {}, event.kind === "turn" ? seatName(game, event.seat) : "The game"));
      this.list.prepend(this.turn);
    }
    if (OMITTED[event.seat === game.seat ? "own" : "others"].includes(event.kind)) return;
    if (event.kind === "end_announced") this.turn.classList.add("last");
    const before = this.turn.lastChild;
    if (OF_MERGERS.includes(event.kind)) this.turn.append(h("p", { class: "merger" }, sentence(game, event), bonusFormula(event)));
    else if (before.matches("p:not(.merger)")) before.append(" ", ...sentence(game, event));
    else this.turn.append(h("p", {}, sentence(game, event)));
  }
}

/** The calculation of a bonus. */
function bonusFormula(event) {
  const times = event.kind === "bonus" && PRICES_OF_BONUS[event.place];
  return times ? h("span", { class: "quiet" }, ` (${times} × ${dollars(event.amount / times)})`) : null;
}

// -- Chains and players ------------------------------------------------------------------------------

function chainTable({ seen, rules, seat }) {
  const own = seat == null ? null : seen.shares[seat];
  const rows = rules.chains.map((chain, index) => {
    const size = seen.size[index];
    const safe = size >= rules.safe && h("span", { class: "safe", title: "safe: it cannot be taken over" }, " safe");
    const cells = [chip(chain, chain.name), [size || "–", safe], size ? dollars(seen.price[index]) : "–", seen.bank[index]];
    return { class: size ? null : "absent", cells: own ? [...cells, own[index] || "–"] : cells };
  });
  const numbers = ["Tiles", "Price", "Bank", ...(own ? ["You"] : [])].map((head) => [head, "number"]);
  return [
    h("h2", {}, "Chains"),
    table([["Chain", "head"], ...numbers], rows),
    h("p", { class: "quiet" }, `${seen.bag_left} tiles left in the bag.`),
  ];
}

function playerTable(game, titles) {
  const { seen, players, turn, end } = game;
  const rows = players.map(({ program }, seat) => {
    const facts = seen.cash[seat] == null
      ? ["hidden", "hidden", "hidden"] : [dollars(seen.cash[seat]), dollars(game.worth(seat)), holdings(game, seat)];
    const shares = h("span", { class: "shares" }, facts.pop());
    const title = program && h("small", { class: "quiet", title: program }, playerTitle(titles, program));
    return { class: turn === seat && !end ? "moving" : null, cells: [[seatName(game, seat), title], ...facts, shares] };
  });
  return [
    h("h2", {}, "Players"),
    table([["Player", "head"], ["Cash", "number"], ["Worth", "number"], "Shares"], rows),
    h("p", { class: "quiet" }, "Worth: cash, and all shares at today's prices. ★ majority, ☆ minority."),
  ];
}

/** The shares of a seat, with a star where they would earn a bonus. */
function holdings(game, seat) {
  const held = game.rules.chains.map((chain, index) => {
    const count = game.seen.shares[seat][index];
    return count > 0 && h("span", { class: "held" }, chip(chain), ` ${count}${star(game, seat, index)}`);
  });
  return held.some(Boolean) ? held : "none";
}

/** A star for a seat that would get the majority bonus, alone or shared, another for the minority bonus. */
function star(game, seat, chain) {
  if (!game.seen.size[chain] || game.seen.cash.includes(null)) return "";
  const counts = game.seen.shares.map((shares) => shares[chain]).sort((a, b) => b - a);
  const own = game.seen.shares[seat][chain];
  if (own === counts[0]) return "★";
  return counts[1] < counts[0] && own === counts[1] ? "☆" : "";
}

/** The lesson that the current decision calls for. */
function lessonOf({ due, end }) {
  if (end) return "over";
  return due?.legal.may_end ? "end" : due?.phase;
}
