// The hills: their tables, the recent challenges, and the form for a warrior. The address #nano is a hill, #nano/12 the
// page of its warrior 12.

import { EventSocket, fetchJson } from "./client.js";
import { h, show, showData, table } from "./dom.js";
import { formatNumber } from "./format.js";
import { SubmissionForm } from "./hill_submission.js";
import { addressOf, bar } from "./hill_tables.js";
import { WarriorView } from "./hill_warrior.js";
import { initPage, showError, timeAgo } from "./page.js";

const SKIP = "#main"; // "Skip to content"

/** The hill that the address names, with links to the others. */
class App {
  constructor(main, hills) {
    this.hills = hills;
    this.tabs = h("nav", { class: "tabs", "aria-label": "Hills" });
    this.place = h("div", {});
    this.views = new Map(); // by hill, so that a text that is being written stays
    main.append(this.tabs, this.place);
    this.#choose();
    addEventListener("hashchange", () => location.hash !== SKIP && this.#choose());
    new EventSocket("hill").refreshOn(["challenge", "standings"], () => this.view?.refresh());
  }

  #choose() {
    const { hills } = this;
    const [name, id] = location.hash.slice(1).split("/");
    const chosen = hills.find((each) => addressOf(each) === `#${name}`) ?? hills[0];
    if (!chosen) return show(this.place, noHill());
    show(this.tabs, hills.map((each) => h("a", { href: addressOf(each), "aria-current": each === chosen ? "true" : null }, each.title)));
    document.title = `${chosen.title} hill · Galapagos`;
    if (id) this.view = new WarriorView(chosen, id);
    else if (this.views.has(chosen)) this.view = this.views.get(chosen);
    else this.views.set(chosen, (this.view = new HillView(chosen)));
    show(this.place, this.view.element);
    this.view.refresh();
    if (this.isOpen) this.view.focus(); // by a link, whose target the user wants to read
    this.isOpen = true;
  }
}

function noHill() {
  return h("section", { class: "card" },
    h("h2", {}, "No hill is open"),
    h("p", {}, "A hill ranks the warriors that users submit. Create one, and start the server with it:"),
    h("pre", {}, "galapagos hill create nano.hill --preset nano\ngalapagos serve --hill nano.hill"));
}

/** One hill: its rules, its table, its recent challenges, and the form. */
class HillView {
  constructor(hill) {
    this.path = `/api/hills/${encodeURIComponent(hill.tag)}`;
    this.hill = hill;
    this.standings = new Standings(hill);
    this.recent = h("ol", { class: "recent" });
    this.news = h("p", { class: "quiet small", role: "status" });
    this.newest = null;
    this.submission = new SubmissionForm(hill, this.path, () => this.refresh());
    this.heading = h("h2", { tabindex: -1 }, "Ranking");
    this.element = h("div", { class: "columns" },
      h("div", { class: "stack" },
        this.submission.report.element,
        h("section", { class: "card" }, this.heading, this.standings.element)),
      h("div", { class: "stack" },
        this.submission.element,
        h("section", { class: "card" }, h("h2", {}, "Recent challenges"), this.news, this.recent),
        h("section", { class: "card" }, h("h2", {}, "Rules"), rules(hill))),
      this.submission.lost.element);
  }

  focus() {
    this.heading.focus();
  }

  /** Fetch the hill as it is now. */
  async refresh() {
    try {
      this.#show(await fetchJson(this.path));
    } catch (error) {
      showError(error.message);
    }
  }

  #show({ table: rows, recent }) {
    this.standings.show(rows);
    const newest = recent[0];
    if (newest && this.newest !== null && newest.number > this.newest) show(this.news, sentence(newest));
    this.newest = newest?.number ?? 0;
    if (!newest) return show(this.recent, h("li", { class: "quiet" }, "None yet. Warriors that are submitted appear here."));
    show(this.recent, recent.map(({ id, name, author, place, score, seconds }) =>
      h("li", {},
        h("a", { href: addressOf(this.hill, id) }, name),
        h("span", { class: "quiet" }, ` by ${author}`),
        h("br"),
        h("span", { class: place ? "good" : "quiet" }, place ? `place ${place}` : "did not get on the hill"),
        h("span", { class: "quiet" }, `, score ${formatNumber(score)}, `, timeAgo(seconds)))));
  }
}

/** A challenge and its result, in a sentence. */
function sentence({ number, name, author, place }) {
  return `Challenge ${number}: ${name} by ${author} ${place ? `takes place ${place}` : "did not get on the hill"}.`;
}

/** The rules of a hill. */
function rules(hill) {
  const rows = [
    ["Core", `${formatNumber(hill.size)} instructions`],
    ["Cycles", formatNumber(hill.cycles)],
    ["Processes", `at most ${formatNumber(hill.processes)}`],
    ["Length", `at most ${formatNumber(hill.length)} instructions`],
    ["Distance", `at least ${formatNumber(hill.distance)} instructions`],
    ["Battles", hill.is_melee ? `all warriors together, ${hill.rounds} rounds` : `${hill.rounds} rounds against each warrior`],
    ["Places", formatNumber(hill.places)],
    ["Language", hill.is_88 ? "ICWS'88" : `ICWS'94 draft${hill.has_pspace ? "" : ", no P-space"}`],
  ];
  return h("dl", { class: "rules" }, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** The table of a hill: place, warrior, results and score, also of warriors that have just been pushed off. */
class Standings {
  constructor(hill) {
    this.hill = hill;
    this.decimals = Math.max(hill.decimals, 1);
    this.element = h("div", {});
  }

  show(rows) {
    const columns = [["#", "number"], ["Warrior", "who"], ["Won / tied / lost in %", "tally"], ["Score", "number"],
      [h("span", { title: "Successful challenges that the warrior has survived, its own included" }, "Age"), "number"]];
    showData(this.element, rows, () => rows.length
      ? table(columns, rows.map((row, index) => this.#row(row, index + 1)), { class: "standings" })
      : h("p", {}, "No warrior yet. The first one that is submitted takes place 1."));
  }

  #row(row, place) {
    const isOn = row.fate === "on the hill";
    const name = h("a", { href: addressOf(this.hill, row.id) }, row.name);
    const shares = [row.wins, row.ties, row.losses].map((share) => share.toFixed(this.hill.decimals));
    return {
      class: isOn ? null : "gone",
      cells: [
        isOn ? place : "–",
        [name, h("span", { class: "quiet" }, ` by ${row.author}`), isOn ? null : ` (${row.fate})`],
        [bar(row.wins, row.ties, row.losses, " %"), h("span", { class: "small shares", "aria-hidden": "true" }, shares.join(" / "))],
        row.score.toFixed(this.decimals),
        formatNumber(row.age),
      ],
    };
  }
}

async function start(main) {
  new App(main, (await fetchJson("/api/hills")).hills);
}

start(initPage());
