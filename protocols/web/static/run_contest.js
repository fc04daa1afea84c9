// Then and now: the champion of one generation of a run against that of another, or against a fixed opponent.

import { fetchJson } from "./client.js";
import { h, select, show } from "./dom.js";
import { formatNumber } from "./format.js";
import { GAMES, showError } from "./page.js";

const RELOAD = 10_000; // milliseconds between two requests for the champions of a run that grows
const ANOTHER = ""; // the opponent is the champion of another generation
const SEEDS = 1_000_000;

/** The section in which two champions play. The address names a contest, so that it can be shared and repeated. */
export class ContestView {
  constructor(run) {
    this.run = run;
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.champions = [];
    this.loadedAt = 0;
    this.first = new GenerationSlider("Champion of generation", () => this.#describe());
    this.second = new GenerationSlider("against the champion of generation", () => this.#describe());
    this.opponents = h("span", {});
    this.button = h("button", { type: "button", class: "main", onclick: () => this.#play(1) }, "Play");
    this.again = h("button", { type: "button", hidden: true, onclick: () => this.#play(1 + Math.floor(Math.random() * SEEDS)) }, "Play another time");
    this.words = h("p", { class: "contest-words", role: "status" });
    this.link = h("a", { class: "small", hidden: true }, "Link to this contest");
    this.viewer = h("div", { class: "viewer" });
    this.element = h("section", { hidden: true },
      h("h2", {}, "Then and now"),
      h("div", { class: "card contest" },
        h("p", {}, "What could it do then? Choose two generations, and watch their champions meet."),
        h("div", { class: "contest-sides" },
          this.first.element,
          h("div", { class: "contest-side" }, h("label", {}, "Opponent", this.opponents), this.second.element)),
        h("div", { class: "row" }, this.button, this.again, this.link),
        this.words, this.viewer));
    addEventListener("hashchange", () => this.element.isConnected && this.#readAddress());
  }

  /** Offer the champions of the run, and those that a growing run has gained since; the address may name a contest. */
  offer(run) {
    if (this.timer || run.generation === this.generation) return;
    const load = async () => {
      if (!this.loadedAt || this.element.isConnected) await this.#load(run);
      this.timer = null;
    };
    this.timer = setTimeout(load, Math.max(this.loadedAt + RELOAD - Date.now(), 0));
  }

  async #load(run) {
    this.loadedAt = Date.now();
    const isFirst = !this.champions.length;
    const { generation } = run;
    try {
      const { champions, opponents } = await fetchJson(`${this.path}/champions`);
      this.game = run.game;
      this.generation = generation;
      this.champions = champions;
      this.element.hidden = !champions.length || (champions.length < 2 && !opponents.length);
      this.first.show(champions, true);
      this.second.show(champions, false);
      if (isFirst) this.#offerOpponents(opponents);
      this.#describe();
      if (isFirst && champions.length) this.#readAddress();
    } catch (error) {
      showError(error.message);
    }
  }

  #offerOpponents(opponents) {
    this.choice = select([[ANOTHER, "the champion of another generation"]], { onchange: () => this.#describe() });
    if (opponents.length) {
      this.choice.append(h("optgroup", { label: "a fixed opponent" }, opponents.map((name) => h("option", { value: name }, name))));
      if (this.champions.length < 2) this.choice.value = opponents[0];
    }
    show(this.opponents, this.choice);
  }

  #describe() {
    if (this.choice) this.second.element.hidden = this.choice.value !== ANOTHER;
  }

  /** Show the contest that the address names: #RUN?first=GENERATION&second=GENERATION or NAME&seed=NUMBER. */
  #readAddress() {
    const [run, query] = location.hash.slice(1).split("?");
    if (!query || run !== encodeURIComponent(this.run) || location.hash === this.shown) return;
    const fields = new URLSearchParams(query);
    const second = fields.get("second") ?? "";
    this.first.choose(Number(fields.get("first")));
    const isGeneration = /^\d+$/.test(second);
    this.choice.value = isGeneration ? ANOTHER : second;
    if (isGeneration) this.second.choose(Number(second));
    this.#describe();
    this.element.scrollIntoView({ block: "start" });
    this.#play(Number(fields.get("seed")) || 1);
  }

  /** Show a game on record of this run. */
  async replay(number) {
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "start" });
    this.again.hidden = this.link.hidden = true;
    await this.#fetch(`${this.path}/games/${number}`, "Reading the game …");
  }

  async #play(seed) {
    const first = this.first.generation;
    const second = this.choice.value === ANOTHER ? this.second.generation : this.choice.value;
    const query = new URLSearchParams({ first, second, seed });
    if (!await this.#fetch(`${this.path}/contest?${query}`, "They play …")) return;
    this.shown = `#${encodeURIComponent(this.run)}?${query}`;
    history.replaceState(null, "", this.shown);
    this.link.href = this.shown;
    this.again.hidden = this.link.hidden = false;
  }

  /** Fetch a contest or a game, and show it; return whether it could be shown. */
  async #fetch(path, meanwhile) {
    this.button.disabled = this.again.disabled = true;
    this.words.textContent = meanwhile;
    try {
      const answer = await fetchJson(path);
      if (answer.refused) throw new Error(answer.refused);
      this.words.textContent = answer.words;
      await this.#show(answer);
      return true;
    } catch (error) {
      this.words.textContent = "";
      showError(error.message);
      return false;
    } finally {
      this.button.disabled = this.again.disabled = false;
    }
  }

  /** Show a contest by the game's part of the page, static/GAME_contest.js; a game without a page has only the words. */
  async #show(answer) {
    if (!GAMES.some(({ name, has_page: hasPage }) => name === this.game && hasPage)) {
      return show(this.viewer, h("pre", {}, answer.text ?? ""));
    }
    const { present, styles } = await import(`./${this.game}_contest.js`);
    const view = await present(answer);
    if (styles) show(this.viewer, await framed(view.element, styles));
    else show(this.viewer, view.element);
    view.begin?.();
  }
}

/** A slider through the generations that have a champion on record. */
class GenerationSlider {
  constructor(label, changed) {
    this.champions = [];
    this.input = h("input", { type: "range", min: 0, step: 1, "aria-label": label, oninput: () => { this.#describe(); changed(); } });
    this.about = h("output", { class: "quiet small" });
    const step = (by, name, text) => h("button", { type: "button", class: "small", "aria-label": name, onclick: () => {
      this.input.value = Number(this.input.value) + by;
      this.#describe();
    } }, text);
    this.number = h("strong", {});
    this.element = h("div", { class: "contest-side" },
      h("span", {}, `${label} `, this.number),
      h("div", { class: "row" }, step(-1, "An earlier generation", "‹"), this.input, step(1, "A later generation", "›")),
      this.about);
  }

  /** Take the champions; what is chosen stays, at first the last one or the first. */
  show(champions, isLast) {
    const before = this.champions.length ? this.generation : null;
    const wasLast = Number(this.input.value) === this.champions.length - 1;
    this.champions = champions;
    this.input.max = Math.max(champions.length - 1, 0);
    if (before === null || (isLast && wasLast)) this.input.value = isLast ? champions.length - 1 : 0;
    else this.choose(before);
    this.#describe();
  }

  get generation() {
    return this.#champion?.generation ?? 0;
  }

  /** Choose the champion of a generation, or the last one before it. */
  choose(generation) {
    this.input.value = Math.max(this.champions.findLastIndex((each) => each.generation <= generation), 0);
    this.#describe();
  }

  get #champion() {
    return this.champions[Number(this.input.value)];
  }

  #describe() {
    const champion = this.#champion;
    if (!champion) return;
    const { born, generation } = champion;
    const kind = champion.is_ancestor ? "an ancestor of the champion, born in this generation"
      : born === generation ? "born in this generation and the best of it"
      : `born in generation ${formatNumber(born)} and still the best in generation ${formatNumber(generation)}`;
    const fitness = champion.fitness === null ? "" : `, fitness ${formatNumber(champion.fitness)}`;
    this.number.textContent = formatNumber(generation);
    this.about.textContent = `individual ${formatNumber(champion.id)}, ${kind}${fitness}`;
    this.input.setAttribute("aria-valuetext", `generation ${generation}, ${this.about.textContent}`);
  }
}

/** An element with style sheets of its own, by name, which do not affect the rest of the page. */
async function framed(element, names) {
  const sheets = await Promise.all(["style", ...names].map(async (name) => {
    const text = await (await fetch(`/static/${name}.css`)).text();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text.replaceAll(":root", ":host"));
    return sheet;
  }));
  const host = h("div", {});
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = sheets;
  root.append(element);
  return host;
}
