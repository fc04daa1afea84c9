// The dialog that forks a run: it repeats the run up to a generation, and then goes on differently.

import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { formatNumber } from "./format.js";
import { showError } from "./page.js";
import { SettingsFields, requestRun } from "./run_settings.js";

/** The dialog. `begun(name)` is called when a fork has been created. */
export class ForkDialog {
  constructor(name, begun) {
    this.path = `/api/runs/${encodeURIComponent(name)}/fork`;
    this.begun = begun;
    this.generation = h("input", { type: "number", min: 0, required: true, inputmode: "numeric" });
    this.place = h("div", {});
    this.way = h("p", { class: "quiet small" });
    this.settings = new SettingsFields();
    this.fault = h("p", { class: "bad", role: "alert", hidden: true });
    this.button = h("button", { class: "main" }, "Start the fork");
    this.element = h("dialog", { class: "fork", "aria-label": `Fork ${name}` },
      h("form", { class: "stack", onsubmit: (event) => this.#submit(event) },
        h("h2", {}, `What if ${name} had gone on differently?`),
        h("p", {}, "A fork is a new run. It is the same as this one up to a generation; from there on it has another seed, other settings, or both."),
        this.place, this.way, this.settings.element, this.fault,
        h("div", { class: "row" }, this.button, h("button", { type: "button", onclick: () => this.element.close() }, "Cancel"))));
  }

  async open() {
    try {
      const form = await fetchJson(this.path);
      this.#show(form);
    } catch (error) {
      return showError(error.message);
    }
    this.fault.hidden = true;
    this.element.showModal();
  }

  #show({ last, recorded, keys }) {
    const isExcerpt = recorded.length > 0;
    this.generation = isExcerpt
      ? h("select", {}, recorded.map((number) => h("option", { value: number, selected: number === recorded[0] }, formatNumber(number))))
      : h("input", { type: "number", min: 0, max: last, value: last, required: true, inputmode: "numeric" });
    show(this.place, h("label", {}, "The same up to generation", this.generation));
    this.way.textContent = isExcerpt
      ? "Only a part of this run comes with the program. The fork plays its generations again, which may take long for a late one."
      : `A fork at the last generation, ${formatNumber(last)}, goes on at once. For an earlier one the run is played again up to there.`;
    this.settings.show(keys);
  }

  async #submit(event) {
    event.preventDefault();
    const run = await requestRun(this, this.path, { generation: Number(this.generation.value) });
    if (run === null) return;
    this.element.close();
    this.begun(run);
  }
}
