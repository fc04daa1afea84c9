// One run: its curves as they grow, what its players consist of, its champion, and what it was begun with.

import { h, show } from "../shared/element.js";
import { complain, fetched } from "../shared/page.js";
import { duration, figure } from "../shared/words.js";
import { Board } from "./curves.js";
import { Individual } from "./individual.js";
import { state } from "./list.js";

const MOST_POINTS = 2000; // then the house thins them again
const LOAD_WAIT = 5000; // milliseconds between two times that all of it is loaded
const TRAITS_WAIT = 10_000; // milliseconds between two looks at what players consist of

export class Detail {
  constructor(name) {
    this.name = name;
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    this.facts = h("p", { class: "facts", "aria-live": "off" });
    this.words = h("pre", { class: "words" });
    this.curves = new Board();
    this.traits = new Board();
    this.individual = new Individual(name);
    this.configuration = h("pre", {});
    this.champion = null;
    this.loaded = 0;
    this.looked = 0;
    this.element = h(
      "article",
      {},
      h("h2", {}, name),
      this.facts,
      this.words,
      this.curves.element,
      h("h2", {}, "The champion"),
      this.individual.element,
      h("h2", {}, "What the newborn are like"),
      this.traits.element,
      h("details", { class: "card" }, h("summary", {}, "What the run was begun with"), this.configuration),
    );
  }

  /** Look at all of it anew. */
  async load() {
    this.loaded = Date.now();
    try {
      this.run = await fetched(this.path);
    } catch (error) {
      complain(error.message);
      return;
    }
    this.configuration.textContent = this.run.configuration;
    this.#draw();
    await this.#look();
  }

  redraw() {
    this.curves.redraw();
    this.traits.redraw();
  }

  /** What the house knows of the run by now: its state, and what its process said last. */
  tell(run) {
    if (!this.run) return;
    Object.assign(this.run, run);
    this.#say();
  }

  /** A generation has come. */
  async hear(news) {
    if (!this.run) return; // it is being loaded
    const { course } = this.run;
    if (course.generations.length >= MOST_POINTS || news.generation < course.generations.at(-1)) {
      if (Date.now() - this.loaded > LOAD_WAIT) await this.load();
      return;
    }
    if (news.generation === course.generations.at(-1)) return;
    const before = course.generations.length;
    course.generations.push(news.generation);
    for (const name of new Set([...Object.keys(course.measures), ...Object.keys(news.measures)])) {
      course.measures[name] ??= Array(before).fill(null);
      course.measures[name].push(news.measures[name] ?? null);
    }
    course.seconds += news.seconds;
    Object.assign(this.run, { generation: news.generation, hash: news.hash, changed: Date.now() / 1000 });
    this.#draw();
    await this.#look();
  }

  #draw() {
    const { course } = this.run;
    this.curves.show(course.generations, course.measures);
    this.#crown(course.champion);
    this.#say();
  }

  /** There may be a new champion; whoever has chosen somebody else to look at is left alone. */
  #crown(champion) {
    if (champion == null || champion === this.champion) return;
    this.champion = champion;
    if (!this.individual.isChosen) this.individual.show(champion, "Champion");
  }

  #say() {
    const { run } = this;
    const [kind, words] = state(run);
    show(
      this.facts,
      h("span", { class: `state ${kind}` }, words),
      ...[
        run.game,
        run.generation < 0 ? "no generation yet" : `generation ${figure(run.generation)}`,
        `${duration(run.course.seconds)} of evolution`,
        `seed ${run.seed}`,
        run.hash ? `hash ${run.hash.slice(0, 12)}` : null,
      ].filter(Boolean).map((text) => h("span", {}, text)),
    );
    const last = run.status === "evolving" ? run.last_words.slice(-1) : run.last_words;
    this.words.textContent = last.join("\n");
    this.words.hidden = !last.length;
  }

  /** What players consist of takes the house a moment to find out: now and then is enough. */
  async #look() {
    if (Date.now() - this.looked < TRAITS_WAIT || this.run.generation < 0) return;
    this.looked = Date.now();
    try {
      const { generations, traits } = await fetched(`${this.path}/traits`);
      this.traits.show(generations, traits);
      const { course } = await fetched(this.path);
      this.#crown(course.champion);
    } catch (error) {
      complain(error.message);
    }
  }
}
