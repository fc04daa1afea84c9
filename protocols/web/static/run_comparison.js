// Other runs of the same game, whose first curve can be laid over that of a run.

import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { showError } from "./page.js";

const MOST = 6; // runs at a time; more colours could not be told apart

export class Comparison {
  /** `changed()` is called when the choice has changed. */
  constructor(run, changed) {
    this.run = run;
    this.changed = changed;
    this.courses = new Map(); // by run
    this.title = h("span", {});
    this.list = h("div", { class: "row" });
    this.element = h("details", { class: "card compare", hidden: true, ontoggle: () => this.element.open && this.#list() },
      h("summary", {}, "Compare with other runs"),
      h("p", { class: "quiet small" }, "The curve of each chosen run is laid over ", this.title, ", dashed."),
      this.list);
  }

  /** The chosen runs: [{run, generations, curves}]. */
  get chosen() {
    return [...this.courses].map(([run, { generations, measures }]) => ({ run, generations, curves: measures }));
  }

  /** Offer the comparison for a chart, if there is one. */
  offer(game, chart) {
    this.game = game;
    this.element.hidden = !chart;
    show(this.title, chart ? `“${chart.title}”` : "");
  }

  async #list() {
    try {
      const { runs } = await fetchJson("/api/runs");
      const others = runs.filter(({ name, game, generation }) => game === this.game && name !== this.run && generation > 0);
      show(this.list, others.length
        ? others.map(({ name }) => h("label", { class: "choice" },
          h("input", { type: "checkbox", checked: this.courses.has(name), onchange: ({ target }) => this.#choose(name, target) }), name))
        : h("p", { class: "quiet" }, "There is no other run of this game. Start one, and compare it here."));
    } catch (error) {
      showError(error.message);
    }
  }

  async #choose(name, box) {
    try {
      if (!box.checked) this.courses.delete(name);
      else if (this.courses.size >= MOST) {
        box.checked = false;
        return showError(`At most ${MOST} runs can be compared at a time. Remove one first.`);
      } else this.courses.set(name, (await fetchJson(`/api/runs/${encodeURIComponent(name)}`)).course);
      this.changed();
    } catch (error) {
      box.checked = false;
      showError(error.message);
    }
  }
}
