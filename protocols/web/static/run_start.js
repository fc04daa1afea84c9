// The form that starts a run on the server.

import { postJson } from "./client.js";
import { h, select, showData } from "./dom.js";
import { GAMES, showError } from "./page.js";

// The title of each configuration that shows something within minutes.
const FIRST = Object.fromEntries(GAMES.filter((game) => game.first_run)
  .map((game) => [`${game.name}/${game.first_run}`, [game.title, game.first_run_about].filter(Boolean).join(": ")]));

/** A form that starts a run on the server; only browsers on the server's own machine see it. */
export class StartForm {
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
