// One hill: its rules, its table, its last challenges, and the way in.

import { h, show } from "../shared/element.js";
import { complain, fetched } from "../shared/page.js";
import { ago, figure } from "../shared/words.js";
import { Submission } from "./submission.js";
import { Standings } from "./standings.js";
import { Warrior } from "./warrior.js";

export class Hill {
  constructor(facts) {
    this.facts = facts;
    this.path = `/api/hills/${encodeURIComponent(facts.tag)}`;
    this.warrior = new Warrior(this.path);
    this.standings = new Standings(facts, (id) => this.warrior.show(id));
    this.recent = h("ol", { class: "recent" });
    this.news = h("p", { class: "quiet small", role: "status" });
    this.newest = null;
    this.submission = new Submission(facts, this.path, () => this.look());
    this.element = h(
      "div",
      { class: "columns" },
      h("div", { class: "stack" }, h("section", { class: "card" }, h("h2", {}, "The table"), this.standings.element)),
      h(
        "div",
        { class: "stack" },
        this.submission.element,
        h("section", { class: "card" }, h("h2", {}, "Last challenges"), this.news, this.recent),
        h("section", { class: "card" }, h("h2", {}, "Rules"), rules(facts)),
      ),
      this.warrior.element,
    );
    this.element.firstChild.prepend(this.submission.report.element);
  }

  /** Ask how the hill stands. */
  async look() {
    try {
      this.#show(await fetched(this.path));
    } catch (error) {
      complain(error.message);
    }
  }

  #show(hill) {
    this.standings.show(hill.table);
    const newest = hill.recent[0];
    if (newest && this.newest !== null && newest.number > this.newest) show(this.news, told(newest));
    this.newest = newest?.number ?? 0;
    show(this.recent, hill.recent.map((each) => this.#line(each)));
  }

  #line(challenge) {
    const { name, author, place, score, seconds } = challenge;
    return h(
      "li",
      {},
      h("button", { class: "link", type: "button", onclick: () => this.warrior.show(challenge.id) }, name),
      h("span", { class: "quiet" }, ` by ${author}`),
      h("br"),
      h("span", { class: place ? "good" : "quiet" }, place ? `place ${place}` : "did not get on"),
      h("span", { class: "quiet" }, `, score ${figure(score)}, ${ago(seconds)}`),
    );
  }
}

function told({ number, name, author, place }) {
  return `Challenge ${number}: ${name} by ${author} ${place ? `takes place ${place}` : "did not get on the hill"}.`;
}

function rules(facts) {
  const rows = [
    ["Core", `${figure(facts.size)} instructions`],
    ["Time", `${figure(facts.cycles)} cycles`],
    ["Processes", `at most ${figure(facts.processes)}`],
    ["Length", `at most ${figure(facts.length)} instructions`],
    ["Apart", `at least ${figure(facts.distance)}`],
    ["Battles", facts.is_melee ? `all at once, ${facts.rounds} rounds` : `${facts.rounds} rounds with each`],
    ["Places", figure(facts.places)],
    ["Language", facts.is_88 ? "ICWS'88" : `ICWS'94 draft${facts.has_pspace ? "" : ", no P-space"}`],
  ];
  return h("dl", { class: "rules" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}
