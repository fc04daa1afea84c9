// The table of a hill: who holds which place, with what score, and who has just been pushed off.

import { h, show } from "../shared/element.js";
import { figure } from "../shared/words.js";
import { bar } from "./bar.js";

export class Standings {
  /** chosen(id) is called for a warrior whose battles somebody wants to see. */
  constructor(facts, chosen) {
    this.facts = facts;
    this.chosen = chosen;
    this.rows = h("tbody", {});
    const heads = ["#", "Warrior", "Won, tied, lost", "Score", "Age"];
    this.table = h(
      "table",
      { class: "standings" },
      h("thead", {}, h("tr", {}, heads.map((head, index) => h("th", { class: index === 1 || index === 2 ? null : "number", scope: "col" }, head)))),
      this.rows,
    );
    this.empty = h("p", { hidden: true }, "Nobody is here yet: the first warrior takes the first place.");
    this.element = h("div", {}, this.table, this.empty);
    this.shown = "";
  }

  show(table) {
    const told = JSON.stringify(table);
    if (told === this.shown) return; // a table that is read keeps its focus
    this.shown = told;
    this.table.hidden = !table.length;
    this.empty.hidden = table.length > 0;
    show(this.rows, table.map((row, index) => this.#row(row, index + 1)));
  }

  #row(row, place) {
    const isHere = row.fate === "on the hill";
    const name = h("button", { class: "link", type: "button", onclick: () => this.chosen(row.id) }, row.name);
    return h(
      "tr",
      { class: isHere ? null : "gone" },
      h("td", { class: "number" }, isHere ? place : "–"),
      h("td", { class: "who" }, name, h("span", { class: "quiet" }, ` by ${row.author}`), isHere ? null : ` (${row.fate})`),
      h("td", { class: "tally" }, bar(row.wins, row.ties, row.losses, " %")),
      h("td", { class: "number" }, row.score.toFixed(Math.max(this.facts.decimals, 1))),
      h("td", { class: "number" }, figure(row.age)),
    );
  }
}
