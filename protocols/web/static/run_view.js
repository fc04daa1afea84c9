// One run: its progress, its curves, its champion, and the traits of its offspring.

import { ChartGrid } from "./charts.js";
import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { duration, formatNumber } from "./format.js";
import { LifeTreeView } from "./life_tree.js";
import { showError } from "./page.js";
import { RunActions } from "./run_actions.js";
import { ContestView } from "./run_contest.js";
import { ChampionFilm } from "./run_film.js";
import { IndividualView } from "./run_individual.js";
import { stateOf } from "./run_list.js";

const MOST_POINTS = 2000; // of a curve; above that the server thins them again
const LOAD_DELAY = 5000; // milliseconds between two loads of a whole run
const TRAITS_DELAY = 10_000; // milliseconds between two loads of the traits

/** A run: its curves, its champion, the traits of its offspring, and its configuration. */
export class RunView {
  /** `changed()` is called when a button of the run has been used. */
  constructor(name, changed) {
    this.name = name;
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    this.facts = h("p", { class: "facts", "aria-live": "off" });
    this.actions = new RunActions(name, changed);
    this.output = h("pre", { class: "words" });
    this.curves = new ChartGrid();
    this.traits = new ChartGrid();
    this.individual = new IndividualView(name);
    this.film = new ChampionFilm(name);
    this.contest = new ContestView(name);
    this.tree = new LifeTreeView(name, { open: (id) => this.individual.open(id), watch: (number) => this.contest.replay(number) });
    this.identity = h("p", { class: "identity quiet small" });
    this.configuration = h("pre", {});
    this.champion = null;
    this.loadedAt = 0;
    this.traitsAt = 0;
    this.element = h("article", {},
      h("div", { class: "row" }, h("h2", {}, name), this.actions.element),
      this.facts, this.output, this.curves.element, this.film.element,
      this.contest.element,
      h("h2", {}, "Tree of life"), this.tree.element,
      h("h2", {}, "Champion"), this.individual.element,
      h("h2", {}, "Traits of the offspring"), this.traits.element,
      h("details", { class: "card" }, h("summary", {}, "Configuration, seed and hash"), this.identity, this.configuration));
  }

  /** Fetch the whole run. */
  async load() {
    if (this.run) this.tree.grow();
    this.loadedAt = Date.now();
    try {
      this.run = await fetchJson(this.path);
    } catch (error) {
      return showError(error.message);
    }
    this.configuration.textContent = this.run.configuration;
    this.#draw();
    await this.#loadTraits();
  }

  redraw() {
    this.curves.redraw();
    this.traits.redraw();
    this.tree.redraw();
  }

  /** Show the run's state and the last output of its process, as the list of runs has them. */
  update(run) {
    this.actions.show(run);
    if (!this.run) return;
    const hasEnded = this.run.status === "evolving" && run.status !== "evolving";
    Object.assign(this.run, run);
    if (hasEnded) this.load(); // the last generations, and the last champion
    else this.#showFacts();
  }

  /** Add a generation to the curves. */
  async add(next) {
    if (!this.run) return; // the run is being loaded
    const { course } = this.run;
    if (next.generation !== course.generations.at(-1)) this.tree.grow();
    if (course.generations.length >= MOST_POINTS || next.generation < course.generations.at(-1)) {
      if (Date.now() - this.loadedAt > LOAD_DELAY) await this.load();
      return;
    }
    if (next.generation === course.generations.at(-1)) return;
    const before = course.generations.length;
    course.generations.push(next.generation);
    for (const name of new Set([...Object.keys(course.measures), ...Object.keys(next.measures)])) {
      course.measures[name] ??= Array(before).fill(null);
      course.measures[name].push(next.measures[name] ?? null);
    }
    course.seconds += next.seconds;
    Object.assign(this.run, { generation: next.generation, hash: next.hash, changed: Date.now() / 1000 });
    this.#draw();
    await this.#loadTraits();
  }

  #draw() {
    const { course } = this.run;
    this.curves.show(course.generations, course.measures);
    this.#showChampion(course.champion);
    this.contest.offer(this.run);
    this.#showFacts();
  }

  /** Show a new champion instead of the old one, but not instead of an individual that the user has chosen. */
  #showChampion(champion) {
    if (champion == null || champion === this.champion) return;
    this.champion = champion;
    this.film.offer(this.run.rules, champion);
    if (!this.individual.isChosen) this.individual.show(champion, "Champion");
  }

  #showFacts() {
    const { run } = this;
    const [kind, words] = stateOf(run);
    const facts = [
      run.game,
      run.generation < 0 ? "no generation yet" : `generation ${formatNumber(run.generation)}`,
      `running time ${duration(run.course.seconds)}`,
      ...run.forked_at.slice(-1).map((generation) => `forked at generation ${formatNumber(generation)}`),
    ];
    show(this.identity, `Seed ${run.seed}`, run.hash && `, hash ${run.hash} after generation ${run.generation}`);
    show(this.facts, h("span", { class: `state ${kind}` }, words), facts.map((text) => h("span", {}, text)));
    const last = run.status === "evolving" ? run.last_words.slice(-1) : run.last_words;
    this.output.textContent = last.join("\n");
    this.output.hidden = !last.length;
  }

  /** Load the traits, which the server needs a moment to compute, at most once per TRAITS_DELAY. */
  async #loadTraits() {
    if (Date.now() - this.traitsAt < TRAITS_DELAY || this.run.generation < 0) return;
    this.traitsAt = Date.now();
    try {
      const { generations, traits } = await fetchJson(`${this.path}/traits`);
      this.traits.show(generations, traits);
      this.#showChampion((await fetchJson(this.path)).course.champion);
    } catch (error) {
      showError(error.message);
    }
  }
}
