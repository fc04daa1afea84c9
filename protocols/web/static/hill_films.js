// Films of lost rounds, in a dialog.

import { h, show } from "./dom.js";
import { formatNumber } from "./format.js";

/** A dialog with the rounds that a warrior has lost to another one, one after the other. */
export class LostRounds {
  constructor() {
    this.title = h("h2", {});
    this.facts = h("p", { class: "quiet", role: "status" });
    this.secret = h("p", { class: "quiet small" });
    this.viewer = h("div", { class: "viewer" });
    this.next = h("button", { type: "button", class: "main", onclick: () => this.#watch(this.place + 1) }, "Next lost round");
    const close = h("button", { type: "button", class: "close", onclick: () => this.element.close() }, "Close");
    this.element = h("dialog", { class: "film", "aria-label": "Lost rounds", onclose: () => this.#forget() },
      h("div", { class: "row" }, this.title, this.next, close), this.facts, this.viewer, this.secret);
  }

  /** Show the rounds lost to an opponent; fetchRound(place) returns the answer and the player of one, counted from 1. */
  show(opponent, fetchRound) {
    this.fetchRound = fetchRound;
    show(this.title, `Lost to ${opponent}`);
    this.element.showModal();
    this.#watch(1);
  }

  #forget() {
    this.asked = null; // an answer that is still to come is ignored
    show(this.viewer);
  }

  async #watch(place) {
    const asked = (this.asked = Symbol("of this round"));
    this.next.disabled = true;
    try {
      const { answer, player } = await this.fetchRound(place);
      if (asked !== this.asked) return; // another round has been requested since
      if (!player) return show(this.facts, answer.refused);
      this.place = place;
      show(this.facts, `Lost round ${place} of ${formatNumber(answer.lost.length)} (round ${answer.round} of the battle)`);
      show(this.secret, answer.hides_code ? "The code of warriors belongs to their authors: you see which cells change owner, not what is executed there." : "");
      show(this.viewer, player.element);
      player.begin();
      this.next.disabled = place === answer.lost.length;
    } catch (error) {
      if (asked === this.asked) show(this.facts, error.message);
    }
  }
}
