// The balance of a game of Advanced Protection: the values of both sides now, and over the turns.

import { h, show } from "./dom.js";
import { dollars } from "./format.js";
import { lineChart, lineKey } from "./line_chart.js";

/** Both values, and how close each side is to winning. */
export class Balance {
  constructor() {
    this.figures = h("div", { class: "figures" });
    this.left = h("span", { class: "quiet" });
    this.right = h("span", { class: "quiet" });
    this.pointer = h("span", { class: "pointer" });
    this.scale = h("div", { class: "scale", role: "img" }, h("span", { class: "middle" }), this.pointer);
    this.element = h("section", { class: "balance card", "aria-label": "Balance" }, this.figures,
      h("div", { class: "scale-row" }, this.left, this.scale, this.right));
  }

  /** Show the balance after the last finished turn. */
  show(game) {
    const [human, chaos] = game.values.at(-1);
    const { human_wins_ratio: most, turn_cap: last } = game.rules;
    const least = game.rules.chaos_wins_ratio || most;
    const ratio = Math.log(Math.max(human, 1) / Math.max(chaos, 1));
    const share = Math.min(Math.max(ratio / Math.log(ratio > 0 ? most : least), -1), 1);
    this.pointer.style.insetInlineStart = `${50 + share * 50}%`;
    const times = balanceText(human, chaos, game.human);
    this.scale.setAttribute("aria-label", `${times}; ${most} times wins`);
    show(this.left, game.rules.chaos_wins_ratio ? "Chaos wins" : "Chaos leads");
    show(this.right, game.isOwn ? "you win" : `${game.human} wins`);
    show(this.figures,
      figure("Turn", last ? `${game.turn} of ${last}` : game.turn),
      figure(game.isOwn ? "You" : game.human, dollars(human), "human"),
      figure("Chaos", dollars(chaos), "chaos"),
      figure("Balance", times));
  }
}

function balanceText(human, chaos, name) {
  if (human === chaos) return "even";
  const times = (Math.max(human, chaos) / Math.max(Math.min(human, chaos), 1)).toFixed(1);
  return human > chaos ? `${name} ${times} times Chaos` : `Chaos ${times} times ${name}`;
}

function figure(name, value, side = "") {
  return h("div", { class: `figure ${side}` }, h("span", { class: "quiet" }, name), h("strong", {}, value));
}

/** Both values over the turns, on a logarithmic scale, with a button to replay each turn. */
export class Curve {
  constructor(choose) {
    this.choose = choose;
    this.figure = h("div", {});
    this.key = h("p", { class: "quiet" });
    this.turns = h("div", { class: "row turns" });
    this.element = h("section", { class: "card history", hidden: true, "aria-label": "History" },
      h("h2", {}, "Turns so far"), this.figure,
      this.key,
      this.turns);
  }

  show(game) {
    const finished = game.turns.filter((turn) => turn.end);
    this.element.hidden = !finished.length;
    if (!finished.length) return;
    const last = game.values.at(-1);
    const lines = ["human", "chaos"].map((kind, side) => ({ kind, values: game.values.map((each) => each[side]) }));
    const label = `After ${finished.length} turns ${game.human}: ${dollars(last[0])}, Chaos: ${dollars(last[1])}`;
    show(this.figure, lineChart(lines, { label, scale: (value) => Math.log(Math.max(value, 10)) }));
    show(this.key, lineKey(game.human, { kind: "human" }), lineKey("Chaos", { kind: "chaos" }), "Value after each turn. Choose a turn to see it again:");
    show(this.turns, finished.map(({ turn }) => h("button", {
      type: "button", class: "small", "aria-label": `Show turn ${turn} again`, onclick: () => this.choose(turn),
    }, turn)));
  }
}
