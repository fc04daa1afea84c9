// The strength of a run's champions against the fixed reference of the game, measured on request by the server.

import { ChartGrid } from "./charts.js";
import { fetchJson, postJson } from "./client.js";
import { h, show } from "./dom.js";
import { formatNumber } from "./format.js";
import { showError } from "./page.js";

const POINTS = 6; // champions that are measured by a click

export class StrengthView {
  constructor(run) {
    this.run = run;
    this.path = `/api/runs/${encodeURIComponent(run)}/strength`;
    this.points = new Map(); // by generation
    this.chart = new ChartGrid(run);
    this.about = h("p", { class: "quiet small" });
    this.state = h("p", { class: "quiet small", role: "status" });
    this.button = h("button", { onclick: () => this.#measure() }, "Measure the champions");
    this.element = h("section", { class: "strength card" }, h("h3", {}, "Strength against a fixed yardstick"), this.about, h("p", { class: "row" }, this.button, this.state));
    this.place = h("div", { class: "stack" }, this.chart.element, this.element);
    this.last = -1; // the last generation of the run
  }

  /** Show what has been measured. `hasYardstick`: the run itself measures strength by something fixed. */
  async load(last, hasYardstick) {
    this.last = last;
    show(this.about, hasYardstick
      ? "The run measures itself against fixed opponents, as the first chart shows. Champions of the past can also be measured now against the reference of the game, which is the same for all runs."
      : "So far this run has not measured its players by anything fixed, so none of its own curves can show whether they get stronger. Champions of the past can be measured now against the reference of the game, which is the same for all runs. The run is not changed by it.");
    this.button.hidden = last < 1;
    if (last < 1) show(this.state, "This is possible from generation 1 on.");
    else if (this.state.textContent.startsWith("This is")) show(this.state);
    try {
      for (const point of (await fetchJson(this.path)).points) this.#add(point);
      this.#draw();
    } catch (error) {
      showError(error.message);
    }
  }

  redraw() {
    this.chart.redraw();
  }

  /** Measure champions at about equal distances in time, the last one first. */
  async #measure() {
    const count = Math.min(POINTS, this.last);
    const wanted = Array.from({ length: count }, (_, index) => Math.round(this.last - (index * (this.last - 1)) / Math.max(count - 1, 1)));
    const missing = wanted.filter((generation) => !this.points.has(generation));
    this.button.disabled = true;
    try {
      for (const [index, generation] of missing.entries()) {
        show(this.state, `Measuring champion ${index + 1} of ${missing.length}, that of generation ${formatNumber(generation)} …`);
        const point = await postJson(`${this.path}?generation=${generation}`);
        if (point?.refused) throw new Error(point.refused);
        this.#add(point);
        this.#draw();
      }
      show(this.state, this.#hasValues() ? "Done. Click again when the run has gone on." : "None of these champions can be measured: the record of the run does not have them.");
    } catch (error) {
      show(this.state);
      showError(error.message);
    } finally {
      this.button.disabled = false;
    }
  }

  #add(point) {
    if (point) this.points.set(point.generation, point);
  }

  #hasValues() {
    return [...this.points.values()].some(({ value }) => value != null);
  }

  #draw() {
    const points = [...this.points.values()].filter(({ value }) => value != null).toSorted((one, other) => one.generation - other.generation);
    if (!points.length) return;
    const { against, is_share: isShare, games, unit } = points.at(-1);
    const kind = isShare ? "share " : "";
    const chart = {
      name: "strength",
      title: "Strength against the reference of the game",
      unit: kind + against,
      meaning: `Rising means that the champions have become stronger. Each point is a champion in ${formatNumber(games)} ${unit}; the other lines are the ends of the 95 % interval.`,
    };
    this.chart.show(points.map(({ generation }) => generation), {
      "strength: champion": points.map(({ value }) => value),
      "strength: low end": points.map(({ low }) => low),
      "strength: high end": points.map(({ high }) => high),
    }, [chart]);
  }
}
