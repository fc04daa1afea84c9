// The ledger of a setup: what it costs and brings, at once as far as the page knows, and then as the house says.

import { h, show } from "../../shared/element.js";
import { dollars } from "../report/money.js";

const PHASES = 50;
const ROWS = {
  treasury: "money left",
  cost: "to buy",
  refund: "from salvage",
  human_value: "you are worth",
  income: "income a phase",
  turn: `in ${PHASES} phases`,
};

/** A list of figures. */
export class Ledger {
  constructor() {
    this.cells = new Map(Object.keys(ROWS).map((name) => [name, h("dd", { "data-figure": name })]));
    this.element = h("dl", { class: "ledger" },
      Object.entries(ROWS).map(([name, words]) => h("div", {}, h("dt", {}, words), this.cells.get(name))));
  }

  /** What the page can tell by itself; the rest waits for the house, which does not reckon with what is wrong. */
  estimate({ money, cost, rules }) {
    this.#put("treasury", money);
    this.#put("cost", cost);
    this.#put("refund", money + cost - rules.treasury);
    this.cells.get("treasury").classList.toggle("bad", money < 0);
  }

  /** Something is wrong with the setup. */
  withhold() {
    for (const name of ["human_value", "income", "turn"]) show(this.cells.get(name), "–");
  }

  /** What the house has found. */
  show(preview) {
    for (const name of Object.keys(ROWS)) this.#put(name, name === "turn" ? preview.income * PHASES : preview[name]);
  }

  #put(name, amount) {
    show(this.cells.get(name), dollars(amount));
  }
}
