// Charts with curves over generations, drawn by uPlot; the mouse or the arrow keys show the values at a generation.

import uPlot from "./vendor/uplot/uPlot.esm.js";
import { h, show } from "./dom.js";
import { formatNumber } from "./format.js";

const COLOURS = 8; // --curve-0 ... in the style
const HEIGHT = 210; // pixels

/** A chart for each group of curves: the curves "fitness: best" and "fitness: mean" belong to the chart "fitness". */
export class ChartGrid {
  constructor() {
    this.element = h("div", { class: "charts" });
    this.charts = new Map(); // by title
    this.shown = "";
  }

  redraw() {
    for (const chart of this.charts.values()) chart.redraw();
  }

  /** `curves` by name, each a list of values over the generations. */
  show(generations, curves) {
    const groups = new Map();
    for (const name of Object.keys(curves)) {
      const title = name.slice(0, Math.max(name.indexOf(": "), 0)) || name;
      groups.set(title, [...(groups.get(title) ?? []), name]);
    }
    const data = (names) => [generations, ...names.map((name) => curves[name])];
    const state = JSON.stringify([...groups]);
    if (state === this.shown) {
      for (const [title, names] of groups) this.charts.get(title).update(data(names));
      return;
    }
    this.shown = state;
    const short = (name) => name.slice(name.indexOf(": ") + 1).trim();
    this.charts = new Map([...groups].map(([title, names]) => [title, new Chart(title, names.map(short), data(names))]));
    show(this.element, ...[...this.charts.values()].map((chart) => chart.element));
  }
}

class Chart {
  /** `names` of the curves; `data` begins with the generations, then a list of values for each curve. */
  constructor(title, names, data) {
    this.names = names;
    this.data = data;
    this.place = h("div", { class: "plot", tabindex: 0, role: "slider", "aria-label": title, "aria-valuemin": 0 });
    this.keys = names.map((name, index) => this.#key(name, index));
    this.generation = h("span", { class: "quiet" });
    const legend = h("div", { class: "legend" }, ...this.keys.map((key) => key.button));
    const caption = h("figcaption", {}, h("h3", {}, title), this.generation);
    this.element = h("figure", { class: "card chart" }, caption, this.place, legend);
    this.place.addEventListener("keydown", (event) => this.#step(event));
    new ResizeObserver(() => this.#fit()).observe(this.place);
    this.#showValues(null);
  }

  /** Show the same curves with newer data. */
  update(data) {
    this.data = data;
    this.plot?.setData(data);
    this.#showValues(null);
  }

  /** Draw again with other colours, when the colour scheme changes. */
  redraw() {
    this.plot?.destroy();
    this.plot = null;
    this.#fit();
  }

  #fit() {
    const width = this.place.clientWidth;
    if (!width) return;
    if (this.plot) this.plot.setSize({ width, height: HEIGHT });
    else this.#draw(width);
  }

  #draw(width) {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour("--quiet"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1 },
      font: "12px system-ui",
      values: (_, values) => values.map(formatNumber),
    };
    const options = {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { setScale: false, x: false, y: false } },
      scales: { x: { time: false } },
      axes: [{ ...axis, space: 70, size: 32 }, { ...axis, size: 58 }],
      series: [{}, ...this.names.map((_, index) => this.#series(index, colour))],
      hooks: { setCursor: [(plot) => this.#showValues(plot.cursor.idx)] },
    };
    this.plot = new uPlot(options, this.data, this.place);
  }

  #series(index, colour) {
    return {
      stroke: colour(`--curve-${index % COLOURS}`),
      width: 2,
      dash: index < COLOURS ? undefined : [6, 4],
      spanGaps: true,
      points: { show: this.data[0].length < 3 },
      show: this.keys[index].button.getAttribute("aria-pressed") === "true",
    };
  }

  #key(name, index) {
    const value = h("span", { class: "value" });
    const swatch = h("span", { class: "swatch", style: { background: `var(--curve-${index % COLOURS})` } });
    const button = h("button", { type: "button", "aria-pressed": "true" }, swatch, name, value);
    button.addEventListener("click", () => {
      const isShown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", isShown);
      this.plot?.setSeries(index + 1, { show: isShown });
    });
    return { button, value };
  }

  /** Show the values at a point, or the last values without one. */
  #showValues(point) {
    const [generations, ...curves] = this.data;
    const last = generations.length - 1;
    const generation = last < 0 ? "" : `generation ${formatNumber(generations[point ?? last])}`;
    show(this.generation, generation);
    const values = this.keys.map((key, index) => {
      const curve = curves[index];
      key.value.textContent = formatNumber(point == null ? curve.findLast((value) => value != null) : curve[point]);
      return `${this.names[index]} ${key.value.textContent}`;
    });
    this.place.setAttribute("aria-valuemax", Math.max(last, 0));
    this.place.setAttribute("aria-valuenow", Math.max(point ?? last, 0));
    this.place.setAttribute("aria-valuetext", `${generation}: ${values.join(", ")}`);
  }

  #step(event) {
    const last = this.data[0].length - 1;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (!step || !this.plot) return;
    event.preventDefault();
    const point = Math.min(Math.max((this.plot.cursor.idx ?? last) + step, 0), last);
    this.plot.setCursor({ left: this.plot.valToPos(this.data[0][point], "x"), top: HEIGHT / 3 });
  }
}
