// The form for a fight: the rules, two warriors or more, of ours or in Redcode, where they stand and which round.

import { h, show } from "../shared/element.js";

const OWN = "own"; // the choice of a text
const MOST = 12;
const EXAMPLE = ";redcode\n;name Mine\n;author Me\n;assert 1\n\nbomb    dat #0, #0\nstart   add.ab #4, bomb\n        mov bomb, @bomb\n        jmp start\n        end start\n";

export class OrderForm {
  /** `wished(order)` hears of a fight, `ruled(rules)` of other rules. */
  constructor({ wished, ruled }) {
    this.entries = [];
    this.known = [];
    this.rules = h("select", { onchange: () => ruled(this.rules.value) });
    this.seed = h("input", { type: "number", min: 0, max: 2147483647, value: 1, required: true });
    this.place = h("input", { type: "number", min: 0, placeholder: "by the seed" });
    this.round = h("input", { type: "number", min: 1, max: 100, value: 1, required: true });
    this.list = h("ol", { class: "entries" });
    this.more = h("button", { type: "button", onclick: () => this.#add(this.known[0]?.ours ?? OWN) }, "Another warrior");
    this.button = h("button", { class: "main" }, "Fight");
    this.element = h("form", { class: "card order", "aria-label": "A fight", onsubmit: (event) => this.#submit(event, wished) },
      h("h2", {}, "A fight"),
      this.list,
      h("div", { class: "row" }, this.more),
      h("div", { class: "fields" },
        h("label", { class: "long" }, "Rules", this.rules), h("label", {}, "Seed of the places", this.seed),
        h("label", {}, "Place of the second", this.place), h("label", {}, "Round", this.round)),
      this.button);
  }

  /** What there is to choose from under these rules; what is chosen already stays, if it fits. */
  offer({ rules, warriors }, current) {
    this.known = warriors;
    show(this.rules, rules.map(({ name, title, size }) =>
      h("option", { value: name, selected: name === current }, `${title}, ${size.toLocaleString("en")} cells`)));
    for (const entry of this.entries) entry.offer(warriors);
  }

  /** Fill it in. */
  set({ warriors, seed = 1, place = null, round = 1 }) {
    Object.assign(this.seed, { value: seed });
    Object.assign(this.place, { value: place ?? "" });
    Object.assign(this.round, { value: round });
    this.entries = [];
    for (const { ours, text } of warriors) this.#add(ours || OWN, text);
    this.#list();
  }

  get order() {
    const place = this.place.value.trim();
    return {
      rules: this.rules.value,
      warriors: this.entries.map((entry) => entry.warrior),
      seed: Number(this.seed.value),
      place: place && this.entries.length === 2 ? Number(place) : null,
      round: Number(this.round.value),
    };
  }

  /** What the assembler says of one warrior; nothing takes it back. */
  complain(seat, messages = []) {
    this.entries.forEach((entry, index) => entry.complain(index === seat ? messages : []));
  }

  set isBusy(busy) {
    this.button.disabled = busy;
    show(this.button, busy ? "They fight …" : "Fight");
  }

  #add(choice, text) {
    this.entries.push(new Entry(this.known, choice, text, (entry) => {
      this.entries = this.entries.filter((each) => each !== entry);
      this.#list();
    }));
    this.#list();
  }

  #list() {
    this.entries.forEach((entry, seat) => entry.seat(seat, this.entries.length > 1));
    show(this.list, this.entries.map((entry) => entry.element));
    this.more.disabled = this.entries.length >= MOST;
    this.place.disabled = this.entries.length !== 2;
  }

  #submit(event, wished) {
    event.preventDefault();
    wished(this.order);
  }
}

/** One warrior of the fight. */
class Entry {
  constructor(known, choice, text, removed) {
    this.words = h("span", {});
    this.select = h("select", { onchange: () => this.#fit() });
    this.text = h("textarea", { class: "code", rows: 10, spellcheck: "false", "aria-label": "Redcode" });
    this.text.value = text || EXAMPLE;
    this.about = h("p", { class: "about quiet" });
    this.edit = h("button", { type: "button", onclick: () => this.#edit() }, "Change it");
    this.remove = h("button", { type: "button", onclick: () => removed(this) }, "Remove");
    this.messages = h("ul", { class: "messages", role: "alert" });
    this.element = h("li", {}, h("label", {}, this.words, this.select), this.about, this.text, this.messages,
      h("div", { class: "row" }, this.edit, this.remove));
    this.choice = choice;
    this.offer(known);
  }

  offer(known) {
    this.known = known;
    const wanted = this.select.value || this.choice;
    const group = (label, isEvolved) => h("optgroup", { label }, known.filter((each) => each.is_evolved === isEvolved)
      .map((each) => h("option", { value: each.ours }, each.name)));
    show(this.select, group("Bred", true), group("Written", false), h("option", { value: OWN }, "Redcode of your own"));
    this.select.value = known.some((each) => each.ours === wanted) ? wanted : wanted === OWN ? OWN : (known[0]?.ours ?? OWN);
    this.#fit();
  }

  get warrior() {
    return this.select.value === OWN ? { text: this.text.value } : { ours: this.select.value };
  }

  seat(seat, isRemovable) {
    show(this.words, `Warrior ${seat + 1}`);
    this.remove.disabled = !isRemovable;
  }

  complain(messages) {
    show(this.messages, messages.map(({ severity, line, text, source }) =>
      h("li", {}, `${severity}${line ? ` in line ${line}` : ""}: ${text} `, source ? h("code", {}, source.trim()) : null)));
  }

  #fit() {
    const ours = this.known.find((each) => each.ours === this.select.value);
    this.text.hidden = Boolean(ours);
    this.edit.hidden = this.about.hidden = !ours;
    if (ours) show(this.about, ours.strategy, " ", h("a", { href: `/#card/corewar/${ours.ours.replace(".red", "")}` }, "Its card"));
    this.complain([]);
  }

  /** Go on with a copy of one of ours. */
  #edit() {
    this.text.value = this.known.find((each) => each.ours === this.select.value).text;
    this.select.value = OWN;
    this.#fit();
    this.text.focus();
  }
}
