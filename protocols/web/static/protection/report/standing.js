// How the game stands: both values, and how near either side is to its win.

import { h, show } from "../../shared/element.js";
import { dollars } from "./money.js";

/** A strip that is always in sight. */
export class Standing {
  constructor() {
    this.words = h("div", { class: "figures" });
    this.left = h("span", { class: "quiet" });
    this.pointer = h("span", { class: "pointer" });
    this.rope = h("div", { class: "rope", role: "img" }, h("span", { class: "middle" }), this.pointer);
    this.element = h("section", { class: "standing card", "aria-label": "How it stands" }, this.words,
      h("div", { class: "pull" }, this.left, this.rope, h("span", { class: "quiet" }, "you win")));
  }

  /** After the turns so far. */
  show(game) {
    const [human, chaos] = game.values.at(-1);
    const { human_wins_ratio: most, turn_cap: last } = game.rules;
    const least = game.rules.chaos_wins_ratio || most;
    const ratio = Math.log(Math.max(human, 1) / Math.max(chaos, 1));
    const share = Math.min(Math.max(ratio / Math.log(ratio > 0 ? most : least), -1), 1);
    this.pointer.style.insetInlineStart = `${50 + share * 50}%`;
    const times = balance(human, chaos);
    this.rope.setAttribute("aria-label", `${times}; ${most} times wins`);
    show(this.left, game.rules.chaos_wins_ratio ? "Chaos wins" : "Chaos leads");
    show(this.words,
      figure("Turn", last ? `${game.turn} of ${last}` : game.turn),
      figure("You", dollars(human), "human"),
      figure("Chaos", dollars(chaos), "chaos"),
      figure("Balance", times));
  }
}

function balance(human, chaos) {
  if (human === chaos) return "even";
  const times = (Math.max(human, chaos) / Math.max(Math.min(human, chaos), 1)).toFixed(1);
  return human > chaos ? `you ${times} times Chaos` : `Chaos ${times} times you`;
}

function figure(name, value, side = "") {
  return h("div", { class: `figure ${side}` }, h("span", { class: "quiet" }, name), h("strong", {}, value));
}
