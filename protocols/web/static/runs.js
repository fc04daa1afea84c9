// The runs: a form that starts one, the list of them, and the run that is chosen.

import { EventSocket, fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { hideError, initPage, showError } from "./page.js";
import { RunList, stateOf } from "./run_list.js";
import { RunQueue } from "./run_queue.js";
import { StartForm } from "./run_start.js";
import { RunView } from "./run_view.js";

const AGE_DELAY = 5000; // milliseconds between two updates of the times

class App {
  constructor(main) {
    this.runs = [];
    this.configs = []; // that can be started here
    this.view = null;
    this.said = ""; // of the state of the run that is shown
    this.list = new RunList();
    this.start = new StartForm((run) => (location.hash = `#${encodeURIComponent(run)}`));
    this.queue = new RunQueue(() => this.#refresh());
    this.place = h("div", {});
    this.news = h("p", { class: "unseen", role: "status" });
    main.append(
      this.news,
      this.start.element,
      this.queue.element,
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
    let queue;
    try {
      ({ runs: this.runs, configs: this.configs, folder: this.folder, queue } = await fetchJson("/api/runs"));
    } catch (error) {
      return showError(error.message);
    }
    this.start.show(this.configs, this.runs.some((run) => run.action === "stop"));
    this.queue.show(queue);
    if (this.view && !this.runs.some((run) => run.name === this.view.name)) {
      this.view = null; // it was deleted
      hideError(); // of a request of that view
      history.replaceState(null, "", location.pathname);
    }
    this.#show();
    if (this.runs.some(isWanted) || !this.view) this.#choose();
  }

  /** The list, and the state of the run that is shown. */
  #show() {
    const { list, runs, view } = this;
    list.show(runs, view?.name);
    const run = runs.find((each) => each.name === view?.name);
    if (!run) return;
    view.update(run);
    const words = run.status && `${run.name}: ${stateOf({ ...run, changed: 0 })[1]}`;
    if (words !== this.said) show(this.news, words); // for screen readers
    this.said = words;
  }

  /** Show the run that the address names, or the one that has changed last. */
  #choose() {
    const { runs } = this;
    const own = runs.filter((run) => !run.is_bundled);
    const newest = own.toSorted((one, other) => other.changed - one.changed)[0];
    const run = runs.find(isWanted) ?? newest;
    if (!run) return show(this.place, noRun(this.folder, runs.length));
    if (run.name === this.view?.name) return;
    this.view = new RunView(run.name, () => this.#refresh());
    this.#show();
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

/** Whether the address names this run, alone or with a contest (run_contest.js). */
function isWanted(run) {
  return location.hash.split("?")[0] === `#${encodeURIComponent(run.name)}`;
}

/** `folder` is the server's folder of runs, in which this browser may start them; "" if it may not. */
function noRun(folder, hasBundled) {
  const advice = folder
    ? "Start an evolution above, or with this command in a terminal; the server shows it by itself:"
    : "Start an evolution with the first command in a terminal, and name its folder when the server is started:";
  const place = /[^\w./-]/.test(folder) ? `'${folder.replaceAll("'", "'\\''")}/tiny'` : `${folder}/tiny`;
  return h("section", { class: "card" },
    h("h2", {}, "No runs yet"),
    hasBundled > 0 && h("p", {}, "The list has some of the runs that produced the bundled players."),
    h("p", {}, `Curves, the best individual and its ancestors appear here. ${advice}`),
    h("pre", {}, folder
      ? `galapagos evolve corewar tiny --run ${place}`
      : "galapagos evolve corewar tiny --run runs/tiny\ngalapagos serve --runs runs"));
}

new App(initPage()).begin();
