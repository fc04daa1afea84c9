// The table: everything that is seen of a game, each in its place.

import { h, show } from "../../shared/element.js";
import { Board } from "./board.js";
import { Due } from "./due.js";
import { Hand } from "./hand.js";
import { History } from "./history.js";
import { rulesCard } from "./rules.js";
import { showChains, showPlayers } from "./standing.js";

/** `act(action)`, `resign()` and `leave()` are called for what is done at it; leave() when the game is over. */
export class Table {
  constructor(game, { act, resign, leave }) {
    this.due = new Due(act);
    const place = (tile) => this.due.place(tile);
    this.board = new Board(place);
    this.hand = new Hand(place);
    this.history = new History();
    this.chains = h("section", { class: "card" });
    this.players = h("section", { class: "card" });
    this.leaving = h("button", { type: "button", onclick: leave }, "New game");
    this.resigning = resignation(resign);
    const variant = h("span", { class: "quiet variant" }, game.variant);
    this.near = h("div", { class: "card near" }, this.board.element, this.due.element, this.hand.element);
    this.element = h(
      "div",
      { class: "table" },
      h("div", { class: "row top" }, h("h1", {}, "Acquire ", variant), this.resigning, this.leaving),
      h(
        "div",
        { class: "columns" },
        this.near,
        h("div", { class: "aside" }, this.chains, this.players, this.history.element, rulesCard(game.rules)),
      ),
    );
  }

  show(game) {
    this.board.show(game);
    this.hand.show(game);
    const isNew = this.due.show(game);
    showChains(this.chains, game);
    showPlayers(this.players, game);
    this.history.show(game);
    this.resigning.hidden = game.seat == null || Boolean(game.end);
    this.leaving.hidden = !this.resigning.hidden;
    if (isNew) this.#attend(game.due.phase);
  }

  /** Put the keyboard where the decision is, unless somebody is busy elsewhere. */
  #attend(phase) {
    const busy = document.activeElement;
    if (busy !== document.body && !this.near.contains(busy)) return;
    if (this.board.element.contains(busy) && phase === "place") return;
    const options = { preventScroll: matchMedia("(pointer: coarse)").matches };
    if (phase === "place") this.hand.focus(options);
    else this.due.focus(options);
  }
}

/** A button that asks once more. */
function resignation(resign) {
  const place = h("span", { class: "row" });
  const ask = h("button", { type: "button", onclick: sure }, "Resign");
  const yes = h("button", { type: "button", class: "bad", onclick: resign }, "Yes, give up");
  const no = h("button", { type: "button", onclick: () => show(place, ask) }, "Play on");

  function sure() {
    show(place, yes, no);
    no.focus();
  }

  show(place, ask);
  return place;
}
