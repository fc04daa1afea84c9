// What is due: the decision that is ours, whom the table waits for, or how it has ended.

import { h, show } from "../../shared/element.js";
import { choice } from "../decisions/choice.js";
import { disposal } from "../decisions/disposal.js";
import { purchase } from "../decisions/purchase.js";
import { ending } from "./ending.js";

const PANELS = { found: choice, survivor: choice, order: choice, dispose: disposal, buy: purchase };
const STATUS = {
  place: "Your turn: place a tile.",
  found: "Your turn: found a chain.",
  survivor: "Your turn: which chain survives?",
  order: "Your turn: which chain is dissolved first?",
  dispose: "Your turn: what becomes of your shares?",
  buy: "Your turn: buy shares.",
};

/** `act(action)` is called with what is decided. */
export class Due {
  constructor(act) {
    this.act = act;
    this.status = h("p", { role: "status", class: "status" });
    this.panel = h("div", { class: "panel" });
    this.element = h("section", { class: "due", "aria-label": "Your decision" }, this.status, this.panel);
  }

  /** Answers whether another decision is shown than before. */
  show(game) {
    const shown = game.end ?? game.due;
    this.status.textContent = this.#told(game);
    if (shown === this.shown) return false;
    this.shown = shown;
    this.element.dataset.decision = game.due?.id ?? "";
    this.element.dataset.phase = game.end ? "over" : (game.due?.phase ?? "wait");
    this.end = h("input", { type: "checkbox" });
    if (game.end) show(this.panel, ending(game));
    else if (!game.due) show(this.panel);
    else if (game.due.phase === "place") show(this.panel, game.due.legal.may_end && this.#announcement());
    else show(this.panel, PANELS[game.due.phase](game, this.act));
    return Boolean(game.due);
  }

  /** A tile of the hand is chosen. */
  place(tile) {
    this.act(this.end.checked ? { kind: "place", tile, end: true } : { kind: "place", tile });
  }

  focus(options) {
    this.panel.querySelector("button.main, button.option")?.focus(options);
  }

  #announcement() {
    return h("label", { class: "check" }, h("span", {}, this.end, " End the game with this turn"));
  }

  #told(game) {
    if (game.end) return "The game is over.";
    if (game.due) return STATUS[game.due.phase];
    return game.seat == null
      ? `You are watching. ${game.name(game.turn)} is at it.`
      : `Waiting for ${game.name(game.turn)} …`;
  }
}
