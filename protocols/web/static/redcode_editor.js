// An editor of Redcode: a text area over the same text in colours. The server's assembler checks it while it is written.

import { postJson } from "./client.js";
import { h, show } from "./dom.js";
import { plural } from "./format.js";
import { instructionLike, partsOf, strayWord } from "./redcode.js";
import { adviceOn, withoutEchoes } from "./redcode_advice.js";

const REST = 500; // milliseconds after the last change before the text is checked
const LONGEST = 65_536; // characters that the server checks

let checking = Promise.resolve(); // the server checks one text of a page at a time

export class RedcodeEditor {
  /** `rules()` returns the name of the rules for the check; `attributes` are those of the text area. */
  constructor(rules, text = "", attributes = {}) {
    this.rules = rules;
    this.rows = []; // the texts of the lines as they are drawn, with their marks
    this.marks = new Map(); // by line: {severity, column, width}
    this.area = h("textarea", {
      class: "code", rows: 10, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      oninput: () => this.#change(), onscroll: () => this.#scroll(), ...attributes,
    });
    this.colours = h("pre", { class: "colours", "aria-hidden": "true" });
    this.numbers = h("div", { class: "lines", "aria-hidden": "true" });
    this.messages = h("div", { class: "messages", role: "status" });
    this.element = h("div", { class: "redcode" },
      h("div", { class: "sheet" }, h("div", { class: "gutter" }, this.numbers), h("div", { class: "page" }, this.area, this.colours)),
      this.messages);
    this.value = text;
  }

  get value() {
    return this.area.value;
  }

  set value(text) {
    this.area.value = text;
    this.showMessages([]);
    this.#rest();
  }

  focus() {
    this.area.focus();
  }

  /** Check the text now, for example under other rules; resolves when its messages are shown. */
  check() {
    clearTimeout(this.timer);
    checking = checking.then(() => this.#check());
    return checking;
  }

  /** Show the assembler's messages at their places, and below the text in words; `length` is that of a sound warrior. */
  showMessages(messages, length = null) {
    const lines = this.value.split("\n");
    const placed = withoutEchoes(messages).map((message) => ({ ...message, line: placeOf(message, lines) }));
    this.marks.clear();
    for (const each of placed) if (each.line && this.marks.get(each.line)?.severity !== "Error") this.marks.set(each.line, each);
    const isBad = messages.some(({ severity }) => severity === "Error");
    this.area.setAttribute("aria-invalid", isBad);
    show(this.messages,
      placed.length ? h("ul", {}, placed.map((message) => h("li", { class: message.severity === "Error" ? "bad" : null }, this.#inWords(message, lines)))) : null,
      length !== null ? h("p", { class: "good" }, `A warrior of ${plural(length, "instruction")}.`) : null);
    this.#draw();
  }

  /** Put the cursor at the first error, or at the start. */
  focusError(messages) {
    const first = messages.find(({ severity, line }) => severity === "Error" && line);
    if (first) this.select(placeOf(first, this.value.split("\n")));
    else this.focus();
  }

  /** Select a line, counted from 1, or `width` of its characters from a column on. */
  select(line, column = null, width = 0) {
    const lines = this.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const from = start + (column ? column - 1 : 0);
    this.focus();
    this.area.setSelectionRange(from, column ? from + width : start + (lines[line - 1]?.length ?? 0));
  }

  #inWords({ severity, line, column, width, text }, lines) {
    const known = adviceOn(text);
    if (!line) return `${severity}: ${text}${known && `. ${known}.`}`;
    const place = h("button", { class: "link", type: "button", onclick: () => this.select(line, column, width) },
      `${severity} in line ${line}${column ? `, column ${column}` : ""}`);
    const stray = strayWord(lines[line - 1]);
    const meant = stray && instructionLike(stray);
    const advice = stray ? `. No instruction is called ${stray}, so it is read as a label${meant && `. Did you mean ${meant}?`}` : known && `. ${known}.`;
    return [place, `: ${text}${advice}`];
  }

  #change() {
    this.marks.clear(); // they would be at wrong places
    this.#draw();
    this.#rest();
  }

  #rest() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.area.offsetParent && this.check(), REST); // a hidden text is not checked
  }

  async #check() {
    const text = this.value;
    if (!text.trim()) return this.showMessages([]);
    if (text.length > LONGEST) return this.showMessages([{ severity: "Error", line: null, text: `The text may have at most ${plural(LONGEST, "character")}` }]);
    try {
      const { messages, length } = await postJson("/api/redcode", { text, rules: this.rules() });
      if (text === this.value && messages) this.showMessages(messages, length);
    } catch {
      // The server is busy or away: the text is checked again when it changes, or when it fights.
    }
  }

  /** Draw the lines that have changed. */
  #draw() {
    const lines = this.value.split("\n");
    const rows = lines.map((text, index) => `${text}\n${JSON.stringify(this.marks.get(index + 1) ?? "")}`);
    const { rows: old } = this;
    let same = 0; // lines at the start, then at the end
    while (same < rows.length && same < old.length && rows[same] === old[same]) same++;
    let last = 0;
    while (last < Math.min(rows.length, old.length) - same && rows.at(-1 - last) === old.at(-1 - last)) last++;
    const children = this.colours.children;
    for (let count = old.length - same - last; count > 0; count--) children[same].remove();
    const fresh = document.createDocumentFragment();
    for (let at = same; at < rows.length - last; at++) fresh.append(lineElement(lines[at], this.marks.get(at + 1)));
    this.colours.insertBefore(fresh, children[same] ?? null);
    this.rows = rows;
    while (this.numbers.children.length > lines.length) this.numbers.lastChild.remove();
    while (this.numbers.children.length < lines.length) this.numbers.append(h("div", {}, `${this.numbers.children.length + 1}`));
    for (const marked of this.numbers.querySelectorAll("[class]")) marked.removeAttribute("class");
    for (const [line, { severity }] of this.marks) this.numbers.children[line - 1].className = severity;
    this.#scroll();
  }

  #scroll() {
    const { scrollLeft, scrollTop } = this.area;
    this.colours.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-scrollTop}px)`;
  }
}

/**
 * The line of a message in the text. The assembler counts a line that continues in the next one (with a backslash) as
 * one, so the message's own text is looked for from its number on. Null if there is no such line.
 */
function placeOf({ line, source }, lines) {
  if (!line) return null;
  const found = lines.findIndex((text, index) => index >= line - 1 && text.includes(source));
  const place = found < 0 ? line : found + 1;
  return place <= lines.length ? place : null;
}

/** A line in colours, the place of its mark underlined. */
function lineElement(text, mark) {
  const from = mark ? (mark.column ? mark.column - 1 : text.length - text.trimStart().length) : 0;
  const to = mark ? (mark.column ? from + mark.width : text.trimEnd().length) : 0;
  let at = 0;
  const pieces = partsOf(text).flatMap(([kind, part]) => {
    const start = at;
    at += part.length;
    const cuts = [0, from - start, to - start, part.length].map((cut) => Math.min(Math.max(cut, 0), part.length));
    return [0, 1, 2].map((index) => {
      const piece = part.slice(cuts[index], cuts[index + 1]);
      const classes = [kind, index === 1 && mark ? `fault ${mark.severity}` : ""].filter(Boolean).join(" ");
      return piece && (classes ? h("span", { class: classes }, piece) : piece);
    }).filter(Boolean);
  });
  return h("div", { class: "line" }, pieces);
}
