// The Core War page: the user chooses or writes warriors; the server simulates one fight, and the page replays it.

import { fetchJson } from "./client.js";
import { fight } from "./corewar_fight.js";
import { h, show } from "./dom.js";
import { formatNumber } from "./format.js";
import { initPage, showError } from "./page.js";

const DEFAULTS = { rules: "94nop", warriors: [{ ours: "large.red" }, { ours: "paper.red" }] };
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

class App {
  constructor(main, request) {
    this.form = new FightForm({ fight: (request) => this.#fight(request), changeRules: (rules) => this.#offer(rules) });
    this.viewer = h("section", { class: "viewer", "aria-label": "Fight" });
    this.title = h("h1", {}, "Core War");
    this.facts = h("p", { class: "quiet lead" }, "Programs share one memory. The last one that still runs wins.");
    show(main, this.title, this.facts, h("div", { class: "columns corewar" }, this.viewer, this.form.element));
    this.#begin(request);
  }

  async #begin(request) {
    if (!(await this.#offer(request.rules))) return;
    this.form.set(request);
    this.#fight(this.form.request);
  }

  async #offer(rules) {
    try {
      this.form.offer(await fetchJson(`/api/warriors?rules=${encodeURIComponent(rules)}`), rules);
      return true;
    } catch (error) {
      showError(error.message);
      return false;
    }
  }

  async #fight(request) {
    this.form.isBusy = true;
    try {
      const { answer, player } = await fight(request);
      this.form.showMessages(answer.warrior, answer.messages);
      if (player) this.#show(request, answer, player);
      else showError(answer.refused);
    } catch (error) {
      showError(error.message);
    } finally {
      this.form.isBusy = false;
    }
  }

  #show(request, answer, player) {
    const title = answer.warriors.map((each) => each.name).join(" v ");
    document.title = `${title} · Core War · Galapagos`;
    show(this.title, title);
    const [size, cycles] = [answer.size, answer.cycles].map(formatNumber);
    show(this.facts, `Round ${answer.round}, a core of ${size} cells, ${cycles} cycles for each`);
    history.replaceState(null, "", address(request));
    show(this.viewer, player.element);
    player.begin();
  }
}

/** The address of a fight; only a fight between bundled warriors has one of its own. */
function address({ rules, warriors, seed, place, round }) {
  if (warriors.some((each) => !each.ours)) return location.pathname;
  const query = new URLSearchParams({ rules, seed, round });
  if (place !== null) query.set("place", place);
  for (const { ours } of warriors) query.append("warrior", ours);
  return `${location.pathname}?${query}`;
}

/** The fight that the address asks for. */
function requestOfAddress() {
  const query = new URLSearchParams(location.search);
  const number = (name, otherwise) => (/^\d{1,9}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : otherwise);
  const warriors = query.getAll("warrior").map((ours) => ({ ours }));
  return {
    rules: query.get("rules") ?? DEFAULTS.rules,
    warriors: warriors.length ? warriors : DEFAULTS.warriors,
    seed: number("seed", 1),
    place: number("place", null),
    round: number("round", 1),
  };
}

// -- The form ----------------------------------------------------------------------------------------

/** The form of a fight: the rules, two or more warriors, bundled or in Redcode, their positions and the round. */
class FightForm {
  /** `fight(request)` is called to start a fight, changeRules(rules) when other rules are chosen. */
  constructor({ fight, changeRules }) {
    this.entries = [];
    this.known = [];
    this.rules = h("select", { onchange: () => changeRules(this.rules.value) });
    this.seed = h("input", { type: "number", min: 0, max: 2147483647, value: 1, required: true });
    this.place = h("input", { type: "number", min: 0, placeholder: "from the seed" });
    this.round = h("input", { type: "number", min: 1, max: 100, value: 1, required: true });
    this.list = h("ol", { class: "entries" });
    this.more = h("button", { type: "button", onclick: () => this.#add(this.known[0]?.ours ?? OWN) }, "Add a warrior");
    this.button = h("button", { class: "main" }, "Fight");
    this.element = h("form", { class: "card fight-form", "aria-label": "New fight", onsubmit: (event) => this.#submit(event, fight) },
      h("h2", {}, "New fight"),
      this.list,
      h("div", { class: "row" }, this.more),
      h("div", { class: "fields" },
        h("label", { class: "long" }, "Rules", this.rules), h("label", {}, "Seed of the positions", this.seed),
        h("label", {}, "Position of warrior 2", this.place), h("label", {}, "Round", this.round)),
      this.button);
  }

  /** Offer the choices under these rules; the current choices stay if the rules allow them. */
  offer({ rules, warriors }, current) {
    this.known = warriors;
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

  /** Show the assembler's messages about one warrior, and remove those about the others. */
  showMessages(seat, messages = []) {
    this.entries.forEach((entry, index) => entry.showMessages(index === seat ? messages : []));
  }

  set isBusy(busy) {
    this.button.disabled = busy;
    show(this.button, busy ? "Simulating …" : "Fight");
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
  constructor(known, choice, text, remove) {
    this.words = h("span", {});
    this.select = h("select", { onchange: () => this.#fit() });
    this.text = h("textarea", { class: "code", rows: 10, spellcheck: "false", "aria-label": "Redcode" });
    this.text.value = text || EXAMPLE;
    this.about = h("p", { class: "about quiet" });
    this.edit = h("button", { type: "button", onclick: () => this.#edit() }, "Edit a copy");
    this.remove = h("button", { type: "button", onclick: () => remove(this) }, "Remove");
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
    show(this.select, group("Evolved", true), group("Hand-written", false), h("option", { value: OWN }, "Your own Redcode"));
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

  showMessages(messages) {
    show(this.messages, messages.map(({ severity, line, text, source }) =>
      h("li", {}, `${severity}${line ? ` in line ${line}` : ""}: ${text} `, source ? h("code", {}, source.trim()) : null)));
  }

  #fit() {
    const ours = this.known.find((each) => each.ours === this.select.value);
    this.text.hidden = Boolean(ours);
    this.edit.hidden = this.about.hidden = !ours;
    if (ours) show(this.about, ours.strategy, " ", h("a", { href: `/#card/corewar/${ours.ours.replace(".red", "")}` }, "About this warrior"));
    this.showMessages([]);
  }

  /** Replace a bundled warrior by a copy of its text that can be edited. */
  #edit() {
    this.text.value = this.known.find((each) => each.ours === this.select.value).text;
    this.select.value = OWN;
    this.#fit();
    this.text.focus();
  }
}

new App(initPage(), requestOfAddress());
