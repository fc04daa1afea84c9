// The form of a fight: the rules, the warriors, their positions.

import { h, show } from "./dom.js";
import { formatNumber } from "./format.js";
import { RedcodeEditor } from "./redcode_editor.js";

const OWN = "own"; // the choice for a text of the user
const MAX_WARRIORS = 12;
const EXAMPLE = `;redcode
;name Mine
;author Me
;assert 1

bomb    dat #0, #0
start   add.ab #4, bomb
        mov bomb, @bomb
        jmp start
        end start
`;

/** The form of a fight: the rules, two or more warriors, bundled or in Redcode, their positions and the round. */
export class FightForm {
  /** `fight(request)` is called to start a fight, changeRules(rules) when other rules are chosen. */
  constructor({ fight, changeRules }) {
    this.entries = [];
    this.known = [];
    this.sizes = {}; // of the core, by rules
    this.rules = h("select", { onchange: () => {
      changeRules(this.rules.value);
      for (const entry of this.entries) entry.check();
    } });
    this.seed = h("input", { type: "number", min: 0, max: 2147483647, value: 1, required: true });
    this.place = h("input", { type: "number", min: 0, placeholder: "from the seed" });
    this.round = h("input", { type: "number", min: 1, max: 100, value: 1, required: true });
    this.list = h("ol", { class: "entries" });
    this.more = h("button", { type: "button", onclick: () => this.#add(this.known[0]?.ours ?? OWN) }, "Add a warrior");
    this.button = h("button", { class: "main" }, "Fight");
    this.fault = h("p", { class: "bad", role: "alert", hidden: true });
    this.element = h("form", { class: "card fight-form", "aria-label": "New fight", onsubmit: (event) => this.#submit(event, fight) },
      h("h2", {}, "New fight"),
      this.list,
      h("div", { class: "row" }, this.more),
      h("div", { class: "fields" },
        h("label", { class: "long" }, "Rules", this.rules), h("label", {}, "Seed of the positions", this.seed),
        h("label", {}, "Position of warrior 2", this.place), h("label", {}, "Round", this.round)),
      this.fault, this.button);
  }

  /** Offer the choices under these rules; the current choices stay if the rules allow them. */
  offer({ rules, warriors }, current) {
    this.known = warriors;
    this.sizes = Object.fromEntries(rules.map(({ name, size }) => [name, size]));
    show(this.rules, rules.map(({ name, title, size }) =>
      h("option", { value: name, selected: name === current }, `${title}, ${formatNumber(size)} cells`)));
    for (const entry of this.entries) entry.offer(warriors);
  }

  /** Fill in the form. */
  set({ warriors, seed = 1, place = null, round = 1 }) {
    Object.assign(this.seed, { value: seed });
    Object.assign(this.place, { value: place ?? "" });
    Object.assign(this.round, { value: round });
    this.entries = [];
    for (const { ours, text } of warriors) this.#add(ours || OWN, text);
    this.#list();
  }

  get request() {
    const place = this.place.value.trim();
    return {
      rules: this.rules.value,
      warriors: this.entries.map((entry) => entry.warrior),
      seed: Number(this.seed.value),
      place: place && this.entries.length === 2 ? Number(place) : null,
      round: Number(this.round.value),
    };
  }

  /** Show why there is no fight; of a text of the user also the assembler's messages, with the cursor at the first one. */
  refuse(reason, seat, messages) {
    this.entries[seat]?.refuse(messages);
    this.fault.hidden = false;
    show(this.fault, reason);
  }

  /** The size of the core under these rules, or null while it is unknown. */
  sizeOf(rules) {
    return this.sizes[rules] ?? null;
  }

  set isBusy(busy) {
    this.button.disabled = busy;
    if (busy) this.fault.hidden = true;
    show(this.button, busy ? "Simulating …" : "Fight");
  }

  #add(choice, text) {
    this.entries.push(new Entry(this.known, () => this.rules.value, choice, text, (entry) => {
      this.entries = this.entries.filter((each) => each !== entry);
      this.#list();
    }));
    this.#list();
  }

  #list() {
    this.entries.forEach((entry, seat) => entry.seat(seat, this.entries.length > 1));
    show(this.list, this.entries.map((entry) => entry.element));
    this.more.disabled = this.entries.length >= MAX_WARRIORS;
    this.place.disabled = this.entries.length !== 2;
  }

  #submit(event, fight) {
    event.preventDefault();
    fight(this.request);
  }
}

/** One warrior of the fight. */
class Entry {
  constructor(known, rules, choice, text, remove) {
    this.words = h("span", {});
    this.select = h("select", { onchange: () => this.#fit() });
    this.editor = new RedcodeEditor(rules, text || EXAMPLE, { "aria-label": "Redcode" });
    this.about = h("p", { class: "about quiet" });
    this.edit = h("button", { type: "button", onclick: () => this.#edit() }, "Edit a copy");
    this.remove = h("button", { type: "button", onclick: () => remove(this) }, "Remove");
    this.element = h("li", {}, h("label", {}, this.words, this.select), this.about, this.editor.element,
      h("div", { class: "row" }, this.edit, this.remove));
    this.choice = choice;
    this.offer(known);
  }

  offer(known) {
    this.known = known;
    const wanted = this.select.value || this.choice;
    const group = (label, isEvolved) => h("optgroup", { label }, known.filter((each) => each.is_evolved === isEvolved)
      .map((each) => h("option", { value: each.ours }, each.name)));
    show(this.select, group("Evolved", true), group("Hand-written", false), h("option", { value: OWN }, "Your own Redcode"));
    this.select.value = known.some((each) => each.ours === wanted) ? wanted : wanted === OWN ? OWN : (known[0]?.ours ?? OWN);
    this.#fit();
  }

  get warrior() {
    return this.select.value === OWN ? { text: this.editor.value } : { ours: this.select.value };
  }

  seat(seat, isRemovable) {
    show(this.words, `Warrior ${seat + 1}`);
    this.remove.disabled = !isRemovable;
  }

  check() {
    if (this.select.value === OWN) this.editor.check();
  }

  refuse(messages) {
    if (this.select.value !== OWN) return;
    this.editor.showMessages(messages);
    this.editor.focusError(messages);
  }

  #fit() {
    const ours = this.known.find((each) => each.ours === this.select.value);
    this.editor.element.hidden = Boolean(ours);
    this.edit.hidden = this.about.hidden = !ours;
    if (ours) show(this.about, ours.strategy, " ", h("a", { href: `/#card/corewar/${ours.ours.replace(".red", "")}` }, "About this warrior"));
    else this.check();
  }

  /** Replace a bundled warrior by a copy of its text that can be edited. */
  #edit() {
    this.editor.value = this.known.find((each) => each.ours === this.select.value).text;
    this.select.value = OWN;
    this.#fit();
    this.editor.focus();
  }
}
