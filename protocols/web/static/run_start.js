// The form that starts a run on the server.

import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { GAMES, showError } from "./page.js";
import { SettingsFields, requestRun } from "./run_settings.js";

const TITLES = new Map(GAMES.map((game) => [game.name, game.title]));
// What is soon to be seen in a run of each configuration that shows something within minutes.
const FIRST = new Map(GAMES.filter((game) => game.first_run).map((game) => [`${game.name}/${game.first_run}`, game.first_run_about]));

/** A form that starts a run on the server; only browsers that may direct the server see it. */
export class StartForm {
  /** `begun(name)` is called when a run has been created. */
  constructor(begun) {
    this.begun = begun;
    this.configurations = null; // by GAME/NAME, once loaded
    this.kind = h("select", { id: "start-kind", "aria-describedby": "start-about", onchange: () => this.#choose() });
    this.about = h("p", { id: "start-about", "aria-live": "polite" });
    this.kinds = h("div", { class: "kinds" });
    this.settings = new SettingsFields();
    this.button = h("button", { class: "main" }, "Start an evolution");
    this.note = h("p", { class: "quiet small" });
    this.fault = h("p", { class: "bad", role: "alert", hidden: true });
    this.element = h("form", { class: "card start", hidden: true, onsubmit: (event) => this.#submit(event) },
      h("div", { class: "row" }, h("label", { for: "start-kind" }, "What evolves"), this.kind, this.button),
      this.about,
      h("details", {}, h("summary", {}, "All kinds of runs, a sentence about each"), this.kinds),
      h("details", {}, h("summary", {}, "Settings"), this.settings.element),
      this.fault, this.note);
  }

  /** Show the form if there are configurations to start; `isBusy`: a run evolves already. */
  async show(configs, isBusy) {
    this.button.textContent = isBusy ? "Add to the queue" : "Start an evolution";
    this.note.textContent = isBusy
      ? "One run evolves at a time. A new one waits until the runs before it are paused or finished."
      : "It runs at low priority. You can pause it, and resume it later.";
    if (!configs.length || this.configurations) {
      this.element.hidden = !configs.length;
      return;
    }
    this.configurations = new Map();
    try {
      const { configurations } = await fetchJson("/api/configurations");
      this.configurations = new Map(configurations.map((each) => [each.config, each]));
    } catch (error) {
      this.configurations = null;
      return showError(error.message);
    }
    const games = Map.groupBy(this.configurations.values(), (each) => each.game);
    show(this.kind, [...games].map(([game, several]) =>
      h("optgroup", { label: TITLES.get(game) ?? game }, several.map((each) => h("option", { value: each.config }, optionText(each))))));
    show(this.kinds, [...games].map(([game, several]) => [
      h("h3", {}, TITLES.get(game) ?? game),
      h("dl", {}, several.map((each) => [
        h("dt", {}, h("button", { type: "button", class: "small", onclick: () => this.#pick(each.config) }, each.name)),
        h("dd", {}, aboutOf(each)),
      ])),
    ]));
    this.#choose();
    this.element.hidden = false;
  }

  /** Choose a kind from the list of all kinds. */
  #pick(config) {
    this.kind.value = config;
    this.#choose();
    this.kind.focus();
  }

  #choose() {
    const kind = this.configurations.get(this.kind.value);
    this.about.textContent = aboutOf(kind);
    this.settings.show(kind.keys);
    this.fault.hidden = true;
  }

  async #submit(event) {
    event.preventDefault();
    const run = await requestRun(this, "/api/runs", { config: this.kind.value });
    if (run !== null) this.begun(run);
  }
}

function aboutOf({ about, shows_soon: showsSoon }) {
  return `${about}.${showsSoon ? " There is something to see within minutes." : ""}`;
}

function optionText({ config, name }) {
  return FIRST.get(config) ? `${name}: ${FIRST.get(config)}` : name;
}
