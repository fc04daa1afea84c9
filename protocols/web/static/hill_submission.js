// The form for a warrior that challenges a hill, and the report on it.

import { fetchJson } from "./client.js";
import { lostRound } from "./corewar_fight.js";
import { h, show } from "./dom.js";
import { capitalised, formatNumber } from "./format.js";
import { LostRounds } from "./hill_films.js";
import { battleTable } from "./hill_tables.js";
import { adviceOn, withoutEchoes } from "./redcode_advice.js";
import { RedcodeEditor } from "./redcode_editor.js";

const MAX_BYTES = 65_536; // of a submission
const FIRST_LINE = /^[ \t]*;redcode/im;
const MESSAGE = /^(Error|Warning)(?: in line (\d+): '(.*)'|:)$/; // the first line of a message of the assembler
const COUNTS = /^(Number of (errors|warnings)|Duplicate errors|Program aborted)/;
const BOMBER = `bomb    DAT     #0
start   ADD     #5, bomb     ; add 5 to the target,
        MOV     bomb, @bomb  ; copy the bomb there,
        JMP     start        ; and repeat
        END     start
`;

/** The form: a warrior's text, written, pasted, chosen or dropped as a file. */
export class SubmissionForm {
  /** changed() is called when the table of the hill may have changed. */
  constructor(hill, path, changed) {
    this.hill = hill;
    this.path = path;
    this.changed = changed;
    this.lost = new LostRounds();
    this.report = new Report(path, this.lost);
    this.editor = new RedcodeEditor(() => hill.name, example(hill), { rows: 14, required: true, "aria-label": "Redcode" });
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
      h("p", { class: "quiet small" }, "Write Redcode, or drop a file here. It is checked as you type. ", h("a", { href: "/corewar#learn" }, "Learn Redcode in ten small steps")),
      this.editor.element,
      h("label", {}, "Or choose a file", file),
      h("div", { class: "row" }, this.challenge, this.test),
      h("p", { class: "quiet small" }, "A test fights the same battles and leaves the hill unchanged."));
  }

  async #send(event) {
    event.preventDefault();
    const isTest = event.submitter?.value === "test";
    const { editor } = this;
    if (!FIRST_LINE.test(editor.value)) editor.value = `${this.hill.first_line}\n${editor.value}`;
    const text = editor.value;
    this.challenge.disabled = this.test.disabled = true;
    this.report.wait(isTest);
    try {
      const address = `${this.path}/submissions${isTest ? "?test" : ""}`;
      const reply = await fetchJson(address, { method: "POST", body: text });
      if (reply.refused) this.report.refuse(reply.refused, (line) => editor.select(line));
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
    else this.editor.value = await file.text();
  }
}

function example(hill) {
  return `${hill.first_line}\n;name My first warrior\n;author Anonymous\n;assert CORESIZE == ${hill.size}\n\n${BOMBER}`;
}

/** The result of a submission: the place, the battles, and the report in the format of the mail hills. */
class Report {
  /** `path` is that of the hill, `lost` shows lost rounds. */
  constructor(path, lost) {
    this.path = path;
    this.lost = lost;
    this.element = h("section", { class: "card report", "aria-live": "polite", hidden: true, tabindex: -1 });
  }

  /** choose(line) is called for a line of the text that the message names. */
  refuse(message, choose) {
    this.#open(h("h2", { class: "bad" }, "Refused"), reasons(message, choose));
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
    const last = rows.at(-1);
    const gone = challenge.table.filter((row) => row.fate !== "on the hill" && row.id !== challenge.challenger);
    this.#open(
      h("h2", { class: place ? "good" : null }, headline(challenge, place)),
      last && last.id !== challenge.challenger ? h("p", {}, distance(challenge.score - last.score, last.name)) : null,
      challenge.is_test ? h("p", {}, "This was a test. The hill is unchanged.") : null,
      challenge.token
        ? h("p", {}, "Keep the line ", h("code", {}, `;token ${challenge.token}`),
          `. A submission with it and ;kill ${challenge.name} removes the warrior from the hill.`)
        : null,
      gone.length ? h("p", {}, gone.map((row) => `${row.name} has been ${row.fate}.`).join(" ")) : null,
      challenge.meetings.length ? battleTable(challenge.meetings, (met) => this.#watch(submission, met, idOf(met, rows))) : null,
      challenge.meetings.some((met) => met.losses) ? h("p", { class: "quiet small" }, "Choose a number of lost rounds to watch those rounds.") : null,
      h("details", {}, h("summary", {}, "Full report"), h("pre", { tabindex: 0 }, text)));
    this.element.focus();
  }

  #watch(text, met, id) {
    this.lost.show(met.opponent, (place) => lostRound(`${this.path}/warriors/${id}`, text, place));
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

/** How far the score is from that of the last warrior on the hill. */
function distance(points, name) {
  const count = formatNumber(Number(Math.abs(points).toFixed(2)));
  return `That is ${count} points ${points < 0 ? "below" : "above"} the last place, which ${name} has.`;
}

function headline(challenge, place) {
  const score = `score ${formatNumber(Number(challenge.score.toFixed(2)))}`;
  if (!place) return `${challenge.name} does not get on the hill: ${score}`;
  return `${challenge.name} ${challenge.is_test ? "would take" : "takes"} place ${place} of ${challenge.places}: ${score}`;
}

/**
 * The reason of a refusal in sentences. The assembler's messages, two lines each, become one sentence each with a button
 * for its line and with advice; its counts are left out.
 */
function reasons(message, choose) {
  const [reason, ...rest] = message.split("\n");
  const lines = rest.filter((line) => line.trim() && !COUNTS.test(line));
  const found = [];
  for (const each of lines) {
    const [head, severity, line, source] = MESSAGE.exec(each) ?? [];
    if (head) found.push({ severity, line: Number(line), source, text: "" });
    else if (found.length && /^\s/.test(each)) found.at(-1).text = [found.at(-1).text, each.trim()].filter(Boolean).join(". ");
    else found.push({ severity: "", text: each });
  }
  const button = (number) => h("button", { class: "link", type: "button", onclick: () => choose(number) }, `line ${number}`);
  const sentence = ({ severity, line, source, text }) => {
    const advice = adviceOn(text);
    return h("li", { class: severity === "Error" ? "bad" : null },
      severity, line ? [" in ", button(line), ", ", h("code", {}, source.trim())] : null, severity && ": ", text, advice && `. ${advice}.`);
  };
  const order = ({ severity }) => (severity === "Error" ? 0 : 1);
  return h("div", { class: "messages" },
    h("p", {}, capitalised(reason), /[.!?]$/.test(reason) ? null : ".", found.length > 0 && " Correct the errors, and send it again."),
    found.length > 0 && h("ul", {}, withoutEchoes(found).toSorted((one, other) => order(one) - order(other)).map(sentence)));
}
