// The runs: the progress of each evolution, its curves, its champion and the ancestors of any individual.

import { ChartGrid } from "./charts.js";
import { EventSocket, fetchJson, postJson } from "./client.js";
import { fight } from "./corewar_fight.js";
import { h, select, show, showData, svg } from "./dom.js";
import { ago, duration, formatNumber } from "./format.js";
import { GAMES, initPage, showError } from "./page.js";

const AGE_DELAY = 5000; // milliseconds between two updates of the times
const MOST_POINTS = 2000; // of a curve; above that the server thins them again
const LOAD_DELAY = 5000; // milliseconds between two loads of a whole run
const TRAITS_DELAY = 10_000; // milliseconds between two loads of the traits
// The title of each configuration that shows something within minutes.
const FIRST = Object.fromEntries(GAMES.filter((game) => game.first_run)
  .map((game) => [`${game.name}/${game.first_run}`, [game.title, game.first_run_about].filter(Boolean).join(": ")]));

class App {
  constructor(main) {
    this.runs = [];
    this.configs = []; // that can be started here
    this.view = null;
    this.list = new RunList();
    this.start = new StartForm((run) => (location.hash = `#${encodeURIComponent(run)}`));
    this.place = h("div", {});
    this.news = h("p", { class: "unseen", role: "status" });
    show(main,
      h("h1", {}, "Runs"),
      h("p", { class: "quiet" }, "The evolutions on this server. Curves of a running evolution are updated after each generation."),
      this.news,
      this.start.element,
      h("div", { class: "list-and-run" }, this.list.element, this.place));
  }

  async begin() {
    addEventListener("hashchange", () => this.#choose());
    await this.#refresh();
    this.#choose();
    setInterval(() => this.#show(), AGE_DELAY);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.view?.redraw());
    const events = new EventSocket("run");
    this.ask = events.refreshOn(["progress"], () => this.#refresh());
    events.addEventListener("generation", ({ detail }) => this.#add(detail));
    events.addEventListener("gap", () => this.view?.load());
  }

  async #refresh() {
    try {
      ({ runs: this.runs, configs: this.configs } = await fetchJson("/api/runs"));
    } catch (error) {
      return showError(error.message);
    }
    this.start.show(this.configs, this.runs.some((run) => run.action === "stop"));
    this.#show();
    if (this.runs.some(isWanted) || !this.view) this.#choose();
  }

  /** The list, and the state of the run that is shown. */
  #show() {
    const { list, runs, view } = this;
    list.show(runs, view?.name);
    const run = runs.find((each) => each.name === view?.name);
    if (run) view.update(run);
  }

  /** Show the run that the address names, or the one that has changed last. */
  #choose() {
    const { runs } = this;
    const own = runs.filter((run) => !run.is_bundled);
    const newest = own.toSorted((one, other) => other.changed - one.changed)[0];
    const run = runs.find(isWanted) ?? newest;
    if (!run) return show(this.place, noRun(this.configs.length, runs.length));
    if (run.name === this.view?.name) return;
    this.view = new RunView(run.name);
    this.list.show(runs, run.name);
    show(this.place, this.view.element);
    this.view.load();
  }

  /** A generation of some run. */
  #add(generation) {
    const run = this.runs.find((each) => each.name === generation.run);
    if (!run) return this.ask();
    if (run.status) this.ask(); // its process has printed a line
    const isNew = generation.generation > run.generation;
    Object.assign(run, { generation: generation.generation, changed: isNew ? Date.now() / 1000 : run.changed });
    this.list.show(this.runs, this.view?.name);
    if (generation.run !== this.view?.name) return;
    this.view.add(generation);
    if (isNew) show(this.news, `Generation ${generation.generation} of ${generation.run}`);
  }
}

/** Whether the address names this run. */
function isWanted(run) {
  return location.hash === `#${encodeURIComponent(run.name)}`;
}

function noRun(canStart, hasBundled) {
  return h("section", { class: "card" },
    h("h2", {}, "No runs yet"),
    hasBundled > 0 && h("p", {}, "The list has some of the runs that produced the bundled players."),
    canStart
      ? h("p", {}, "Curves, the best individual and its ancestors appear here. Start an evolution above, or with a command:")
      : h("p", {}, "Curves, the best individual and its ancestors appear here. Start an evolution with a command, and name its folder to the server:"),
    h("pre", {}, canStart
      ? "galapagos evolve corewar tiny --run .galapagos/runs/tiny"
      : "galapagos evolve corewar tiny --run runs/tiny\ngalapagos serve --runs runs"));
}

/** A form that starts a run on the server; only browsers on the server's own machine see it. */
class StartForm {
  /** `begun(name)` is called when a run has started. */
  constructor(begun) {
    this.begun = begun;
    this.kind = h("div", {});
    this.button = h("button", { class: "main" }, "Start an evolution");
    this.about = h("p", { class: "quiet small" });
    this.element = h("form", { class: "card start row", hidden: true, onsubmit: (event) => this.#submit(event) },
      this.kind, this.button, this.about);
  }

  show(configs, isBusy) {
    this.element.hidden = !configs.length;
    const names = Object.keys(FIRST);
    const ordered = configs.toSorted((one, other) => names.indexOf(one) - names.indexOf(other));
    showData(this.kind, ordered, () => select(ordered.map((config) => [config, FIRST[config] ?? config]), { "aria-label": "What evolves" }));
    this.button.disabled = isBusy;
    this.about.textContent = isBusy
      ? "Only one evolution can run at a time. Stop the running one first."
      : "Runs at low priority and stops after 30 minutes.";
  }

  async #submit(event) {
    event.preventDefault();
    this.button.disabled = true;
    try {
      const { run } = await postJson("/api/runs", { config: this.kind.firstChild.value });
      this.begun(run);
    } catch (error) {
      this.button.disabled = false;
      showError(error.message);
    }
  }
}

/** The state of a run in a few words: [class, words]. */
function stateOf(run) {
  if (run.trouble) return ["bad", run.trouble];
  if (run.status === "waiting" && run.restarts) return ["bad", "crashed; the server will restart it"];
  if (run.status === "finished") return ["quiet", "finished"];
  if (run.status === "evolving") return ["good", "evolving"];
  if (run.is_bundled) return ["quiet", "comes with the program"];
  return ["quiet", run.changed ? ago(run.changed) : ""];
}

/** The list of runs: name, game, generation and state of each. */
class RunList {
  constructor() {
    this.element = h("nav", { class: "runs", "aria-label": "Runs" });
    this.links = new Map(); // by name; they stay where they are, and so does the focus
    this.chosen = "";
  }

  show(runs, chosen) {
    const names = runs.map((run) => run.name);
    if (names.join("\n") !== [...this.links.keys()].join("\n")) {
      this.links = new Map(runs.map((run) => [run.name, this.links.get(run.name) ?? runLink(run)]));
      const linksOf = (isBundled) => runs.filter((run) => run.is_bundled === isBundled).map((run) => this.links.get(run.name));
      const bundled = linksOf(true);
      show(this.element, linksOf(false), bundled.length > 0 && h("h2", {}, "Runs of the bundled players"), bundled);
    }
    for (const run of runs) updateLink(this.links.get(run.name), run);
    if (chosen === this.chosen) return;
    this.chosen = chosen;
    for (const [name, link] of this.links) {
      if (name !== chosen) link.removeAttribute("aria-current");
      else link.setAttribute("aria-current", "true");
    }
    const link = this.links.get(chosen);
    if (link) this.element.scrollLeft = link.offsetLeft - this.element.offsetLeft;
  }
}

function runLink({ name, is_bundled: isBundled }) {
  const kind = isBundled ? "run bundled" : "run";
  return h("a", { href: `#${encodeURIComponent(name)}`, class: kind }, h("strong", {}, name), h("span", {}), h("span", {}));
}

function updateLink(link, run) {
  const [kind, words] = stateOf(run);
  const [, about, state] = link.children;
  about.className = "quiet";
  about.textContent = run.game + (run.generation < 0 ? "" : `, generation ${formatNumber(run.generation)}`);
  state.className = `state ${kind}`;
  state.textContent = words;
}

// -- One run -----------------------------------------------------------------------------------------

/** A run: its curves, its champion, the traits of its offspring, and its configuration. */
class RunView {
  constructor(name) {
    this.name = name;
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    this.facts = h("p", { class: "facts", "aria-live": "off" });
    this.action = h("button", { hidden: true, onclick: () => this.#act() });
    this.output = h("pre", { class: "words" });
    this.curves = new ChartGrid();
    this.traits = new ChartGrid();
    this.individual = new IndividualView(name);
    this.film = new ChampionFilm(name);
    this.identity = h("p", { class: "identity quiet small" });
    this.configuration = h("pre", {});
    this.champion = null;
    this.loadedAt = 0;
    this.traitsAt = 0;
    this.element = h("article", {},
      h("div", { class: "row" }, h("h2", {}, name), this.action),
      this.facts, this.output, this.curves.element, this.film.element,
      h("h2", {}, "Champion"), this.individual.element,
      h("h2", {}, "Traits of the offspring"), this.traits.element,
      h("details", { class: "card" }, h("summary", {}, "Configuration, seed and hash"), this.identity, this.configuration));
  }

  /** Fetch the whole run. */
  async load() {
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
  }

  /** Show the run's state and the last output of its process, as the list of runs has them. */
  update(run) {
    if (!this.run) return;
    Object.assign(this.run, run);
    this.#showFacts();
  }

  /** Add a generation to the curves. */
  async add(next) {
    if (!this.run) return; // the run is being loaded
    const { course } = this.run;
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
    ];
    show(this.identity, `Seed ${run.seed}`, run.hash && `, hash ${run.hash} after generation ${run.generation}`);
    show(this.facts, h("span", { class: `state ${kind}` }, words), facts.map((text) => h("span", {}, text)));
    const last = run.status === "evolving" ? run.last_words.slice(-1) : run.last_words;
    this.output.textContent = last.join("\n");
    this.output.hidden = !last.length;
    this.action.hidden = !run.action;
    this.action.disabled = false;
    this.action.textContent = run.action === "stop" ? "Stop" : "Resume";
  }

  /** Stop the run, or resume it. */
  async #act() {
    this.action.disabled = true; // until the server reports the new state
    try {
      await postJson(`${this.path}/${this.run.action}`);
    } catch (error) {
      this.action.disabled = false;
      showError(error.message);
    }
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

/** A fight of the champion of a Core War run against a bundled warrior. */
class ChampionFilm {
  constructor(run) {
    this.run = run;
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.rules = "";
    this.champion = null;
    this.opponents = h("span", {});
    this.button = h("button", { onclick: () => this.#watch() });
    this.viewer = h("div", { class: "viewer" });
    this.element = h("section", { hidden: true },
      h("h2", {}, "The champion in a fight"),
      h("p", { class: "row" }, h("label", { class: "row" }, "Against", this.opponents), this.button),
      this.viewer);
  }

  /** Offer a fight of a new champion; the first one is shown at once. `rules` are "" if no fight can be shown. */
  async offer(rules, champion) {
    if (!rules) return;
    this.champion = champion;
    this.button.textContent = `Watch champion ${champion}`;
    this.element.hidden = false;
    if (this.rules) return;
    this.rules = rules;
    try {
      const { warriors } = await fetchJson(`/api/warriors?rules=${encodeURIComponent(rules)}`);
      const easiest = warriors.toReversed(); // the oldest ones, which have only a few lines
      show(this.opponents, select(easiest.map(({ ours, name }) => [ours, name]), { "aria-label": "Opponent" }));
      await this.#watch();
    } catch (error) {
      showError(error.message);
    }
  }

  async #watch() {
    this.button.disabled = true;
    try {
      const { text } = await fetchJson(`${this.path}/individuals/${this.champion}`);
      const named = text.replace(/^;name Unknown$/m, () => `;name ${this.run} ${this.champion}`); // as `genome show`
      const warriors = [{ text: named }, { ours: this.opponents.firstChild.value }];
      const seed = Math.floor(Math.random() * 1_000_000);
      const { answer, player } = await fight({ rules: this.rules, warriors, seed });
      if (!player) return showError(answer.refused);
      show(this.viewer, player.element);
      player.begin();
    } catch (error) {
      showError(error.message);
    } finally {
      this.button.disabled = false;
    }
  }
}

/** An individual, at first the champion: its ancestors and the text of its genome. */
class IndividualView {
  constructor(run) {
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.id = null;
    this.isChosen = false; // by the user
    this.ancestors = h("div", {});
    this.head = h("h3", { "aria-live": "polite" });
    this.birth = h("p", { class: "quiet small" });
    this.text = h("pre", { class: "genome", tabindex: 0, "aria-label": "The genome" });
    this.other = h("input", { type: "number", min: 0, step: 1, inputmode: "numeric", required: true });
    const form = h("form", { class: "row", onsubmit: (event) => this.#request(event) },
      h("label", {}, "Number of another individual", this.other),
      h("button", {}, "Show"));
    this.element = h("div", { class: "pair" },
      h("section", { class: "card" }, h("h3", {}, "Ancestors"), this.ancestors),
      h("section", { class: "card" }, this.head, this.birth, this.text, form));
  }

  /** Show an individual with its ancestors under a title. */
  async show(id, title = "Individual") {
    if (id === this.id) return;
    this.id = id;
    try {
      const { relatives, is_whole: isWhole } = await fetchJson(`${this.path}/lineage/${id}`);
      if (id !== this.id) return; // another one was requested meanwhile
      show(this.ancestors, familyTree(relatives, isWhole, (relative) => {
        this.isChosen = true;
        this.#load(relative.id);
      }));
      await this.#load(id, title);
    } catch (error) {
      this.id = null;
      showError(error.message);
    }
  }

  async #load(id, title = "Individual") {
    try {
      this.wanted = id;
      const born = await fetchJson(`${this.path}/individuals/${id}`);
      if (id !== this.wanted) return; // another one was chosen meanwhile
      show(this.head, `${title} ${id}`);
      const parents = born.parents.length ? ` of ${born.parents.join(" and ")}` : "";
      show(this.birth, `born in generation ${formatNumber(born.generation)}, ${born.origin}${parents}`);
      this.text.textContent = born.text;
    } catch (error) {
      showError(error.message);
    }
  }

  #request(event) {
    event.preventDefault();
    this.isChosen = true;
    this.show(Number(this.other.value));
  }
}

// -- The family tree ---------------------------------------------------------------------------------

const ACROSS = 92; // pixels between two neighbours
const DOWN = 64;
const RADIUS = 9;

/** A drawing with an individual on top and its ancestors below; choose(relative) is called for a selected one. */
function familyTree(relatives, isWhole, choose) {
  const places = placed(relatives);
  const width = Math.max(...[...places.values()].map((place) => place.x)) + ACROSS / 2;
  const height = (Math.max(...relatives.map((each) => each.depth)) + 1) * DOWN + 12;
  const lines = relatives.flatMap((each) => each.parents.map((parent) => {
    const from = places.get(each.id);
    const to = places.get(parent) ?? { x: from.x, y: from.y + DOWN / 2 };
    const middle = (from.y + to.y) / 2;
    const path = `M${from.x} ${from.y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
    return svg("path", { d: path, class: places.has(parent) ? "tie" : "tie beyond" });
  }));
  const nodes = relatives.map((each, index) => node(each, places.get(each.id), index === 0, choose));
  const box = { viewBox: `0 0 ${width} ${height}`, width, height, class: "family", role: "group", "aria-label": "Ancestors" };
  const drawing = svg("svg", { ...box, onkeydown: (event) => moveFocus(event, nodes) }, lines, nodes);
  const kinds = [["founder", "no recorded parents"], ["copy", "one parent"], ["child", "two parents"]];
  const keys = kinds.map(([kind, text]) => h("span", { class: `key ${kind}` }, h("span", { class: "dot" }), text));
  const rest = isWhole ? "All ancestors are shown." : "Older ancestors are not shown.";
  return h("div", {}, h("div", { class: "scroll" }, drawing), h("p", { class: "quiet row small" }, keys, rest));
}

/** Coordinates by ID: individuals of the same depth are side by side, each near its children. */
function placed(relatives) {
  const levels = [];
  for (const each of relatives) (levels[each.depth] ??= []).push(each);
  const most = Math.max(...levels.map((level) => level.length));
  const places = new Map();
  for (const [depth, level] of levels.entries()) {
    const wish = new Map(level.map((each) => [each.id, meanOfChildren(each, relatives, places)]));
    level.sort((one, other) => wish.get(one.id) - wish.get(other.id));
    level.forEach((each, index) => {
      const x = ((index + 0.5) * most * ACROSS) / level.length;
      places.set(each.id, { x, y: depth * DOWN + RADIUS + 6 });
    });
  }
  return places;
}

function meanOfChildren(parent, relatives, places) {
  const children = relatives.filter((each) => each.parents.includes(parent.id) && places.has(each.id));
  return children.reduce((sum, each) => sum + places.get(each.id).x, 0) / Math.max(children.length, 1);
}

/** An individual in the family tree, a button. */
function node(relative, place, isFirst, choose) {
  const kind = ["founder", "copy"][relative.parents.length] ?? "child";
  const words = `${relative.id}, generation ${relative.generation}, ${relative.origin}`;
  const attributes = {
    class: `relative ${kind}`,
    transform: `translate(${place.x} ${place.y})`,
    tabindex: isFirst ? 0 : -1,
    role: "button",
    "aria-label": words,
    onclick: () => {
      for (const each of group.parentNode.querySelectorAll(".chosen")) each.classList.remove("chosen");
      group.classList.add("chosen");
      choose(relative);
    },
  };
  const group = svg("g", attributes,
    svg("title", {}, words),
    svg("circle", { r: RADIUS }),
    svg("text", { y: 26 }, `${relative.id}`),
    svg("text", { y: 38, class: "when" }, `gen ${formatNumber(relative.generation)}`));
  return group;
}

/** The arrow keys move between individuals; Enter and Space select one. */
function moveFocus(event, nodes) {
  const here = nodes.indexOf(document.activeElement);
  if (here < 0) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    nodes[here].dispatchEvent(new MouseEvent("click"));
    return;
  }
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const next = nodes[here + (step ?? 0)];
  if (!step || !next) return;
  event.preventDefault();
  nodes[here].setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
}

new App(initPage()).begin();
