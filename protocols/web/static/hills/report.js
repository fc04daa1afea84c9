// What came of a submission: the place, who was met with what result, and the letter as the mail hills write it.

import { h, show } from "../shared/element.js";
import { figure } from "../shared/words.js";
import { bar } from "./bar.js";

export class Report {
  constructor() {
    this.element = h("section", { class: "card report", "aria-live": "polite", hidden: true, tabindex: -1 });
  }

  /** `chosen(line)` is called for a line of the text that somebody wants to look at. */
  refuse(words, chosen) {
    this.#open(h("h2", { class: "bad" }, "Refused"), complaints(words, chosen));
  }

  wait(isTest) {
    this.#open(h("h2", {}, isTest ? "A test is fought…" : "The battles are fought…"), h("progress", { "aria-label": "The battles" }));
  }

  tell({ text, challenge }) {
    const rows = challenge.table.filter((row) => row.fate === "on the hill");
    const place = rows.findIndex((row) => row.id === challenge.challenger) + 1;
    const gone = challenge.table.filter((row) => row.fate !== "on the hill" && row.id !== challenge.challenger);
    this.#open(
      h("h2", { class: place ? "good" : null }, headline(challenge, place)),
      challenge.is_test ? h("p", {}, "This was a test: the hill stays as it was.") : null,
      gone.length ? h("p", {}, gone.map((row) => `${row.name} has been ${row.fate}.`).join(" ")) : null,
      challenge.meetings.length ? meetings(challenge.meetings) : null,
      h("details", {}, h("summary", {}, "The whole report"), h("pre", { tabindex: 0 }, text)),
    );
    this.element.focus();
  }

  #open(...children) {
    show(this.element, ...children);
    this.element.hidden = false;
  }
}

/** A table of battles, the best first. */
export function meetings(battles) {
  const sorted = battles.toSorted((one, other) => other.wins - other.losses - (one.wins - one.losses));
  const rows = sorted.map((met) =>
    h(
      "tr",
      {},
      h("td", { class: "who" }, met.opponent, h("span", { class: "quiet" }, ` by ${met.author}`)),
      h("td", { class: "tally" }, bar(met.wins, met.ties, met.losses)),
      h("td", { class: "number nowrap" }, `${met.wins} – ${met.ties} – ${met.losses}`),
    ),
  );
  const heads = h("tr", {}, ["Opponent", "", "Won, tied, lost"].map((head, index) => h("th", { scope: "col", class: index === 2 ? "number" : null }, head)));
  return h("table", {}, h("thead", {}, heads), h("tbody", {}, rows));
}

function headline(challenge, place) {
  const score = `score ${figure(Number(challenge.score.toFixed(2)))}`;
  if (!place) return `${challenge.name} does not get on the hill: ${score}`;
  return `${challenge.name} ${challenge.is_test ? "would take" : "takes"} place ${place} of ${challenge.places}: ${score}`;
}

/** The assembler's messages, with a way to each line that they name. */
function complaints(words, chosen) {
  const lines = words.split("\n").map((line) => {
    const found = /^(Error|Warning) in line (\d+)(.*)$/.exec(line);
    if (!found) return h("div", {}, line || "\u00a0");
    const [, kind, number, rest] = found;
    const button = h("button", { class: "link", type: "button", onclick: () => chosen(Number(number)) }, `line ${number}`);
    return h("div", { class: kind === "Error" ? "bad" : null }, `${kind} in `, button, rest);
  });
  return h("div", { class: "complaints" }, ...lines);
}
