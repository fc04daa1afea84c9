// One run: how it began, its curves, its champion, and the traits of its offspring.

import { ChartGrid } from "./charts.js";
import { fetchJson } from "./client.js";
import { h, show, showData } from "./dom.js";
import { duration, formatNumber } from "./format.js";
import { LifeTreeView } from "./life_tree.js";
import { showError } from "./page.js";
import { RunActions } from "./run_actions.js";
import { Comparison } from "./run_comparison.js";
import { ContestView } from "./run_contest.js";
import { ChampionFilm } from "./run_film.js";
import { CHAMPION, IndividualView } from "./run_individual.js";
import { stateOf } from "./run_list.js";
import { StoryView } from "./run_story.js";
import { StrengthView } from "./run_strength.js";

const MOST_POINTS = 2000; // of a curve; above that the server thins them again
const LOAD_DELAY = 5000; // milliseconds between two loads of a whole run
const REST_DELAY = 5000; // milliseconds between two loads of the story, the champion and the traits

/** A run: how it began, its curves, its champion, the traits of its offspring, and its configuration. */
export class RunView {
  /** `changed()` is called when a button of the run has been used. */
  constructor(name, changed) {
    this.name = name;
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    this.facts = h("p", { class: "facts", "aria-live": "off" });
    this.actions = new RunActions(name, { changed, deleting: () => this.#stopLoading() });
    this.advice = h("p", { hidden: true }, "The run is paused. “Resume the run” continues it where it was; nothing is lost.");
    this.words = h("pre", { class: "words" });
    this.output = h("div", {}, h("p", { class: "quiet small" }, "What its process has reported last, every few seconds:"), this.words);
    this.curves = new ChartGrid(name);
    this.traits = new ChartGrid(name);
    this.strength = new StrengthView(name);
    this.comparison = new Comparison(name, () => this.#showCurves());
    this.figures = h("div", { class: "charts" }); // that only this game has
    this.individual = new IndividualView(name);
    this.individual.element.hidden = true;
    this.film = new ChampionFilm(name);
    this.contest = new ContestView(name);
    this.tree = new LifeTreeView(name, { open: (id) => this.individual.open(id), watch: (number) => this.contest.replay(number) });
    this.awaited = h("p", { role: "status" }, "");
    this.identity = h("p", { class: "identity quiet small" });
    this.configuration = h("pre", {});
    this.champion = null;
    this.loadedAt = 0;
    this.restAt = 0;
    this.timer = null;
    this.storyPlace = h("div", {});
    this.measured = h("div", { class: "stack" });
    this.titles = {
      champion: h("h2", {}, "Champion"),
      traits: h("h2", { hidden: true }, "How the offspring change"),
    };
    this.element = h("article", {},
      h("div", { class: "row" }, h("h2", {}, name), this.actions.element),
      this.facts, this.advice, this.output, this.storyPlace,
      h("h2", {}, "How strong they are, and how they change"),
      this.measured, this.film.element, this.contest.element,
      h("h2", {}, "Tree of life"), this.tree.element,
      this.titles.champion, this.awaited, this.individual.element,
      this.titles.traits, h("div", { class: "stack" }, this.traits.element, this.figures),
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
    const { rules } = this.run;
    if (!this.story) {
      this.story = new StoryView(this.name, rules ? (id) => this.film.watchAlone(rules, id) : null);
      show(this.storyPlace, this.story.element);
    }
    this.#draw();
    await this.#loadRest();
  }

  redraw() {
    for (const each of [this.curves, this.traits, this.strength, this.tree]) each.redraw();
  }

  /** Show the run's state and the last output of its process, as the list of runs has them. */
  update(run) {
    this.actions.show(run);
    if (!this.run) return;
    const hasEnded = this.run.status === "evolving" && run.status !== "evolving";
    Object.assign(this.run, run);
    this.#showFacts();
    if (hasEnded) this.load(); // the last generations, and the last champion
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
    this.#loadRestSoon();
  }

  #draw() {
    this.#showCurves();
    this.#showChampion();
    this.contest.offer(this.run);
    this.#showFacts();
  }

  #showCurves() {
    const { course, charts, generation } = this.run;
    const first = this.curves.show(course.generations, course.measures, charts, this.comparison.chosen);
    const hasYardstick = Boolean(first?.is_yardstick);
    showData(this.measured, hasYardstick, () => (hasYardstick
      ? [this.comparison.element, this.curves.element, this.strength.place]
      : [this.strength.place, this.comparison.element, this.curves.element]));
    this.comparison.offer(this.run.game, first);
    this.hasYardstick = hasYardstick;
    this.strength.last = generation;
  }

  /** Show a new champion instead of the old one, but not instead of an individual that the user has chosen. */
  #showChampion() {
    const { course: { champion }, champion_born: born } = this.run;
    const isBred = champion != null && born > 0; // a founder that leads is none
    const hint = champion == null
      ? `There is no champion yet. ${this.expected ?? ""}`
      : `There is no bred champion yet: individual ${champion}, which was there from the start, is still the best.`;
    this.awaited.textContent = isBred ? "" : hint;
    this.awaited.hidden = isBred;
    if (champion == null || champion === this.champion) return;
    this.champion = champion;
    if (isBred) this.film.offer(this.run.rules, champion);
    if (!this.individual.isChosen) this.individual.show(champion, isBred ? CHAMPION : "Individual");
    this.individual.element.hidden = false;
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
    this.advice.hidden = run.status !== "stopped" || run.action !== "resume";
    this.words.textContent = last.join("\n");
    this.output.hidden = !last.length;
  }

  #stopLoading() {
    clearTimeout(this.timer);
    this.timer = null;
    this.tree.stop();
  }

  /** Load the rest at most once per REST_DELAY, and always after the last generation. */
  #loadRestSoon() {
    this.timer ??= setTimeout(() => this.#loadRest(), Math.max(this.restAt + REST_DELAY - Date.now(), 0));
  }

  /** Load what the server computes from the whole run: the story, the champion, the traits and the game's own figures. */
  async #loadRest() {
    clearTimeout(this.timer);
    this.timer = null;
    if (!this.element.isConnected) return; // another run is shown
    this.restAt = Date.now();
    this.expected = await this.story.load();
    this.#showChampion();
    await this.strength.load(this.run.generation, this.hasYardstick);
    if (this.run.generation < 0 || !this.element.isConnected) return;
    try {
      const { generations, traits } = await fetchJson(`${this.path}/traits`);
      this.traits.show(generations, traits, this.run.charts);
      this.titles.traits.hidden = !Object.keys(traits).length;
      const { course, champion_born: born } = await fetchJson(this.path);
      this.run.course.champion = course.champion;
      this.run.champion_born = born;
      this.#showChampion();
      await this.#showFigures();
    } catch (error) {
      showError(error.message);
    }
  }

  /** Show the figures that only runs of this game have, drawn by the script of the game. */
  async #showFigures() {
    const data = await fetchJson(`${this.path}/portrait`);
    if (!data || data.refused || !Object.keys(data).length) return;
    const { figures } = await import(`./${this.run.game}_run.js`);
    showData(this.figures, data, () => figures(this.name, data));
  }
}
