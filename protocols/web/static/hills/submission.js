// The way in: a warrior's text, written, pasted, chosen or dropped as a file, and what came of it.

import { h } from "../shared/element.js";
import { fetched } from "../shared/page.js";
import { Report } from "./report.js";

const MOST_BYTES = 65_536; // that the house takes
const HEAD = /^[ \t]*;redcode/im;
const BOMBER = `bomb    DAT     #0
start   ADD     #5, bomb     ; five on,
        MOV     bomb, @bomb  ; a bomb there,
        JMP     start        ; and again
        END     start
`;

export class Submission {
  /** told() is called when the hill has changed. */
  constructor(facts, path, told) {
    this.facts = facts;
    this.path = path;
    this.told = told;
    this.report = new Report();
    this.text = h(
      "textarea",
      { class: "code", rows: 14, spellcheck: "false", autocapitalize: "off", autocomplete: "off", required: true },
      example(facts),
    );
    const file = h("input", { type: "file", accept: ".red,.txt,text/plain", onchange: () => this.#take(file.files[0]) });
    this.challenge = h("button", { class: "main", value: "challenge" }, "Challenge the hill");
    this.test = h("button", { value: "test" }, "Only a test");
    this.element = h(
      "form",
      {
        class: "card submission",
        onsubmit: (event) => this.#send(event),
        ondragover: (event) => event.preventDefault(),
        ondrop: (event) => this.#drop(event),
      },
      h("h2", {}, "Submit a warrior"),
      h("label", {}, h("span", { class: "quiet" }, "Redcode; a file may be dropped here, too"), this.text),
      h("label", {}, "or a file", file),
      h("div", { class: "row" }, this.challenge, this.test),
    );
  }

  async #send(event) {
    event.preventDefault();
    const isTest = event.submitter?.value === "test";
    if (!HEAD.test(this.text.value)) this.text.value = `${this.facts.first_line}\n${this.text.value}`;
    this.#busy(true);
    this.report.wait(isTest);
    try {
      const address = `${this.path}/submissions${isTest ? "?test" : ""}`;
      const reply = await fetched(address, { method: "POST", body: this.text.value });
      if (reply.refused) this.report.refuse(reply.refused, (line) => this.#go(line));
      else this.report.tell(reply);
      if (!isTest) this.told();
    } catch (error) {
      this.report.refuse(error.message);
    } finally {
      this.#busy(false);
    }
  }

  #busy(isBusy) {
    this.challenge.disabled = isBusy;
    this.test.disabled = isBusy;
  }

  #drop(event) {
    const [file] = event.dataTransfer.files;
    if (!file) return; // text goes where it was dropped
    event.preventDefault();
    this.#take(file);
  }

  async #take(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) this.report.refuse(`a submission has at most ${MOST_BYTES} bytes`);
    else this.text.value = await file.text();
  }

  /** Select a line of the text. */
  #go(line) {
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }
}

function example(facts) {
  return `${facts.first_line}\n;name My first warrior\n;author Anonymous\n;assert CORESIZE == ${facts.size}\n\n${BOMBER}`;
}
