// The hills: their tables, the recent challenges, the form for a warrior, and its report.

import { EventSocket, fetchJson } from "./client.js";
import { lostRound } from "./corewar_fight.js";
import { h, show, showData, table } from "./dom.js";
import { ago, formatNumber } from "./format.js";
import { initPage, showError, timeAgo } from "./page.js";

const MAX_BYTES = 65_536; // of a submission
const FIRST_LINE = /^[ \t]*;redcode/im;
const BOMBER = `bomb    DAT     #0
start   ADD     #5, bomb     ; add 5 to the target,
        MOV     bomb, @bomb  ; copy the bomb there,
        JMP     start        ; and repeat
        END     start
`;

/** The hill that the address names, with links to the others. */
class App {
  constructor(main, hills) {
    this.hills = hills;
    this.tabs = h("nav", { class: "tabs", "aria-label": "Hills" });
    this.place = h("div", {});
    this.hill = null;
    show(main,
      h("h1", {}, "Hills"),
      h("p", { class: "quiet" },
        "Warriors are programs that fight in the memory of a simulated computer. A new warrior fights all warriors on the hill; the best ones stay."),
      this.tabs, this.place);
    this.#choose();
    addEventListener("hashchange", () => this.#choose());
    new EventSocket("hill").refreshOn(["challenge", "standings"], () => this.hill?.refresh());
  }

  #choose() {
    const { hills } = this;
    const chosen = hills.find((each) => location.hash === `#${encodeURIComponent(each.name)}`) ?? hills[0];
    if (!chosen) return show(this.place, noHill());
    show(this.tabs, hills.map((each) =>
      h("a", { href: `#${encodeURIComponent(each.name)}`, "aria-current": each === chosen ? "true" : null }, each.title)));
    this.hill = new HillView(chosen);
    show(this.place, this.hill.element);
    this.hill.refresh();
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
    this.warrior = new WarriorDialog(this.path);
    this.standings = new Standings(hill, (id) => this.warrior.show(id));
    this.recent = h("ol", { class: "recent" });
    this.news = h("p", { class: "quiet small", role: "status" });
    this.newest = null;
    this.submission = new SubmissionForm(hill, this.path, () => this.refresh());
    this.element = h("div", { class: "columns" },
      h("div", { class: "stack" },
        this.submission.report.element,
        h("section", { class: "card" }, h("h2", {}, "Ranking"), this.standings.element)),
      h("div", { class: "stack" },
        this.submission.element,
        h("section", { class: "card" }, h("h2", {}, "Recent challenges"), this.news, this.recent),
        h("section", { class: "card" }, h("h2", {}, "Rules"), rules(hill))),
      this.warrior.element, this.submission.lost.element);
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
        h("button", { class: "link", type: "button", onclick: () => this.warrior.show(id) }, name),
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
  /** choose(id) is called to show the battles of a warrior. */
  constructor(hill, choose) {
    this.decimals = Math.max(hill.decimals, 1);
    this.choose = choose;
    this.element = h("div", {});
  }

  show(rows) {
    const columns = [["#", "number"], ["Warrior", "who"], ["Won, tied, lost", "tally"], ["Score", "number"],
      [h("span", { title: "Successful challenges that the warrior has survived, its own included" }, "Age"), "number"]];
    showData(this.element, rows, () => rows.length
      ? table(columns, rows.map((row, index) => this.#row(row, index + 1)), { class: "standings" })
      : h("p", {}, "No warrior yet. The first one that is submitted takes place 1."));
  }

  #row(row, place) {
    const isOn = row.fate === "on the hill";
    const name = h("button", { class: "link", type: "button", onclick: () => this.choose(row.id) }, row.name);
    return {
      class: isOn ? null : "gone",
      cells: [
        isOn ? place : "–",
        [name, h("span", { class: "quiet" }, ` by ${row.author}`), isOn ? null : ` (${row.fate})`],
        bar(row.wins, row.ties, row.losses, " %"),
        row.score.toFixed(this.decimals),
        formatNumber(row.age),
      ],
    };
  }
}

/** What a warrior won, tied and lost, as a bar with a text for screen readers; `unit` follows the numbers. */
function bar(wins, ties, losses, unit = "") {
  const total = wins + ties + losses || 1;
  const rounded = (value) => `${formatNumber(Number(value.toFixed(1)))}${unit}`;
  const text = `${rounded(wins)} won, ${rounded(ties)} tied, ${rounded(losses)} lost`;
  const part = (value, kind) => h("span", { class: kind, style: { width: `${(100 * value) / total}%` } });
  return h("span", { class: "bar", role: "img", "aria-label": text, title: text },
    part(wins, "won"), part(ties, "tied"), part(losses, "lost"));
}

/** A table of battles, the best first. watch(met), if given, is called to show the lost rounds of a battle. */
function battleTable(battles, watch = null) {
  const sorted = battles.toSorted((one, other) => other.wins - other.losses - (one.wins - one.losses));
  return table([["Opponent", "who"], [null, "tally"], ["Won, tied, lost", "number nowrap"]], sorted.map((met) => [
    [met.opponent, h("span", { class: "quiet" }, ` by ${met.author}`)],
    bar(met.wins, met.ties, met.losses),
    [`${met.wins} – ${met.ties} – `, watch && met.losses ? losses(met, watch) : `${met.losses}`],
  ]));
}

function losses(met, watch) {
  const title = `Watch the rounds lost to ${met.opponent}`;
  return h("button", { class: "link", type: "button", title, "aria-label": `${met.losses}: ${title}`, onclick: () => watch(met) },
    `${met.losses}`);
}

/** One warrior: its challenge, and its battles against the warriors that are on the hill now. */
class WarriorDialog {
  constructor(path) {
    this.path = path;
    this.body = h("div", {});
    const close = h("button", { type: "button", class: "close", onclick: () => this.element.close() }, "Close");
    this.element = h("dialog", { "aria-label": "Warrior" }, this.body, close);
  }

  async show(id) {
    try {
      const warrior = await fetchJson(`${this.path}/warriors/${id}`);
      const { name, author, number, place, score, seconds, pushed_off: pushed } = warrior;
      const came = place ? `took place ${place}` : "did not get on the hill";
      const battles = warrior.is_on_hill && warrior.battles.length ? warrior.battles : warrior.meetings;
      show(this.body,
        h("h2", {}, name, h("span", { class: "quiet" }, ` by ${author}`)),
        h("p", {}, `Challenge ${number}, ${ago(seconds)}: ${came} with a score of ${formatNumber(score)}`,
          pushed.length ? `, and pushed off ${pushed.join(", ")}.` : "."),
        battles.length
          ? [h("h3", {}, warrior.is_on_hill ? "Against the warriors on the hill" : "In its challenge"), battleTable(battles)]
          : h("p", { class: "quiet" }, "No battles in pairs are recorded."));
      this.element.showModal();
    } catch (error) {
      showError(error.message);
    }
  }
}

/** A dialog with the rounds that a submission has lost to a warrior of the hill, one after the other. */
class LostRounds {
  constructor(path) {
    this.path = path; // of the hill
    this.title = h("h2", {});
    this.facts = h("p", { class: "quiet", role: "status" });
    this.viewer = h("div", { class: "viewer" });
    this.next = h("button", { type: "button", class: "main", onclick: () => this.#watch(this.place + 1) }, "Next lost round");
    const close = h("button", { type: "button", class: "close", onclick: () => this.element.close() }, "Close");
    this.element = h("dialog", { class: "film", "aria-label": "Lost rounds", onclose: () => this.#forget() },
      h("div", { class: "row" }, this.title, this.next, close), this.facts, this.viewer);
  }

  /** Show the rounds of a text against an opponent whose number on the hill is `id`. */
  show(text, met, id) {
    this.text = text;
    this.opponent = id;
    show(this.title, `Lost to ${met.opponent}`);
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
      const { answer, player } = await lostRound(`${this.path}/warriors/${this.opponent}`, this.text, place);
      if (asked !== this.asked) return; // another round has been requested since
      if (!player) return show(this.facts, answer.refused);
      this.place = place;
      show(this.facts, `Lost round ${place} of ${formatNumber(answer.lost.length)} (round ${answer.round} of the battle)`);
      show(this.viewer, player.element);
      player.begin();
      this.next.disabled = place === answer.lost.length;
    } catch (error) {
      if (asked === this.asked) show(this.facts, error.message);
    }
  }
}

// -- Submissions -------------------------------------------------------------------------------------

/** The form: a warrior's text, written, pasted, chosen or dropped as a file. */
class SubmissionForm {
  /** changed() is called when the table of the hill may have changed. */
  constructor(hill, path, changed) {
    this.hill = hill;
    this.path = path;
    this.changed = changed;
    this.lost = new LostRounds(path);
    this.report = new Report(this.lost);
    const attributes = { class: "code", rows: 14, spellcheck: "false", autocapitalize: "off", autocomplete: "off", required: true };
    this.text = h("textarea", attributes, example(hill));
    const file = h("input", { type: "file", accept: ".red,.txt,text/plain", onchange: () => this.#load(file.files[0]) });
    this.challenge = h("button", { class: "main", value: "challenge" }, "Challenge the hill");
    this.test = h("button", { value: "test" }, "Test only");
    this.element = h("form", {
      class: "card submission",
      onsubmit: (event) => this.#send(event),
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => this.#drop(event),
    },
      h("h2", {}, "Submit a warrior"),
      h("label", {}, h("span", { class: "quiet" }, "Redcode; you can also drop a file here"), this.text),
      h("label", {}, "Or choose a file", file),
      h("div", { class: "row" }, this.challenge, this.test),
      h("p", { class: "quiet small" }, "A test fights the same battles and leaves the hill unchanged."));
  }

  async #send(event) {
    event.preventDefault();
    const isTest = event.submitter?.value === "test";
    if (!FIRST_LINE.test(this.text.value)) this.text.value = `${this.hill.first_line}\n${this.text.value}`;
    const text = this.text.value;
    this.challenge.disabled = this.test.disabled = true;
    this.report.wait(isTest);
    try {
      const address = `${this.path}/submissions${isTest ? "?test" : ""}`;
      const reply = await fetchJson(address, { method: "POST", body: text });
      if (reply.refused) this.report.refuse(reply.refused, (line) => this.#select(line));
      else this.report.show(reply, text);
      if (!isTest) this.changed();
    } catch (error) {
      this.report.refuse(error.message);
    } finally {
      this.challenge.disabled = this.test.disabled = false;
    }
  }

  #drop(event) {
    const [file] = event.dataTransfer.files;
    if (!file) return; // the browser inserts text where it was dropped
    event.preventDefault();
    this.#load(file);
  }

  async #load(file) {
    if (!file) return;
    const [size, most] = [file.size, MAX_BYTES].map(formatNumber);
    if (file.size > MAX_BYTES) this.report.refuse(`This file has ${size} bytes; a submission may have at most ${most}.`);
    else this.text.value = await file.text();
  }

  /** Select a line of the text. */
  #select(line) {
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }
}

function example(hill) {
  return `${hill.first_line}\n;name My first warrior\n;author Anonymous\n;assert CORESIZE == ${hill.size}\n\n${BOMBER}`;
}

/** The result of a submission: the place, the battles, and the report in the format of the mail hills. */
class Report {
  constructor(lost) {
    this.lost = lost; // rounds
    this.element = h("section", { class: "card report", "aria-live": "polite", hidden: true, tabindex: -1 });
  }

  /** choose(line) is called for a line of the text that the message names. */
  refuse(message, choose) {
    this.#open(h("h2", { class: "bad" }, "Refused"), assemblerMessages(message, choose));
  }

  wait(isTest) {
    const title = isTest ? "Simulating the test battles …" : "Simulating the battles …";
    this.#open(h("h2", {}, title), h("progress", { "aria-label": "Battles" }));
  }

  /** Show the server's reply to the text `submission`. */
  show({ text, challenge }, submission) {
    if (!challenge.meetings) return this.#open(h("h2", {}, "Removed"), h("pre", { tabindex: 0 }, text)); // the submission had no program
    const rows = challenge.table.filter((row) => row.fate === "on the hill");
    const place = rows.findIndex((row) => row.id === challenge.challenger) + 1;
    const gone = challenge.table.filter((row) => row.fate !== "on the hill" && row.id !== challenge.challenger);
    this.#open(
      h("h2", { class: place ? "good" : null }, headline(challenge, place)),
      challenge.is_test ? h("p", {}, "This was a test. The hill is unchanged.") : null,
      challenge.token
        ? h("p", {}, "Keep the line ", h("code", {}, `;token ${challenge.token}`),
          `. A submission with it and ;kill ${challenge.name} removes the warrior from the hill.`)
        : null,
      gone.length ? h("p", {}, gone.map((row) => `${row.name} has been ${row.fate}.`).join(" ")) : null,
      challenge.meetings.length ? battleTable(challenge.meetings, (met) => this.lost.show(submission, met, idOf(met, rows))) : null,
      challenge.meetings.some((met) => met.losses) ? h("p", { class: "quiet small" }, "Choose a number of lost rounds to watch those rounds.") : null,
      h("details", {}, h("summary", {}, "Full report"), h("pre", { tabindex: 0 }, text)));
    this.element.focus();
  }

  #open(...children) {
    show(this.element, ...children);
    this.element.hidden = false;
  }
}

/** The number of an opponent on the hill; of several with one name, that of the best. */
function idOf(met, rows) {
  return rows.find((row) => row.name === met.opponent && row.author === met.author)?.id;
}

function headline(challenge, place) {
  const score = `score ${formatNumber(Number(challenge.score.toFixed(2)))}`;
  if (!place) return `${challenge.name} does not get on the hill: ${score}`;
  return `${challenge.name} ${challenge.is_test ? "would take" : "takes"} place ${place} of ${challenge.places}: ${score}`;
}

/** The assembler's messages, with a button for each line that they name. */
function assemblerMessages(message, choose) {
  const lines = message.split("\n").map((line) => {
    const found = /^(Error|Warning) in line (\d+)(.*)$/.exec(line);
    if (!found) return h("div", {}, line || "\u00a0");
    const [, kind, number, rest] = found;
    const button = h("button", { class: "link", type: "button", onclick: () => choose(Number(number)) }, `line ${number}`);
    return h("div", { class: kind === "Error" ? "bad" : null }, `${kind} in `, button, rest);
  });
  return h("div", { class: "messages" }, ...lines);
}

async function start(main) {
  new App(main, (await fetchJson("/api/hills")).hills);
}

start(initPage());
