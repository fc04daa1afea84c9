// Charts over generations, each with its title, its unit and its meaning in words; they can be saved as files.

import uPlot from "./vendor/uplot/uPlot.esm.js";
import { h, show } from "./dom.js";
import { csv, curvesSvg, fileName, mapSvg, save } from "./figure_file.js";
import { formatNumber } from "./format.js";
import { HeatMap, colourIn } from "./heat_map.js";

const COLOURS = 8; // --curve-0 ... in the style
const HEIGHT = 210; // pixels
const DIGIT = 7; // pixels of a digit beside an axis

/**
 * A figure for each chart of a run. The curves "fitness: best" and "fitness: mean" belong to the chart "fitness",
 * which `charts` describes: [{name, title, unit, meaning, is_yardstick, is_map}] in the order of display.
 */
export class ChartGrid {
  constructor(run) {
    this.run = run;
    this.element = h("div", { class: "charts" });
    this.figures = new Map(); // by the chart's name
    this.shown = "";
  }

  redraw() {
    for (const figure of this.figures.values()) figure.redraw();
  }

  /**
   * Show curves by name, each a list of values over the generations. `others` are further runs, whose curves are laid
   * over those of the first figure: [{run, generations, curves}]. Return the description of the first figure.
   */
  show(generations, curves, charts, others = []) {
    const groups = grouped(Object.keys(curves), charts);
    const state = JSON.stringify(groups);
    if (state !== this.shown) {
      this.shown = state;
      this.figures = new Map(groups.map(({ chart }) => [chart.name, new Figure(this.run, chart)]));
      show(this.element, [...this.figures.values()].map((figure) => figure.element));
    }
    for (const [index, { chart, names }] of groups.entries()) {
      const own = names.map((name) => ({ name: shortName(name), values: curves[name] }));
      const data = index || !others.length ? { generations, curves: own } : overlaid(this.run, generations, own, chart, others);
      this.figures.get(chart.name).update(data);
    }
    return groups[0]?.chart;
  }

}

/** [{chart, names}]: the described charts in their order, then the others. */
function grouped(names, charts) {
  const groups = new Map();
  for (const name of names) {
    const chart = name.slice(0, Math.max(name.indexOf(": "), 0)) || name;
    groups.set(chart, [...(groups.get(chart) ?? []), name]);
  }
  const known = charts.filter(({ name }) => groups.has(name));
  const others = [...groups.keys()].filter((name) => !known.some((chart) => chart.name === name));
  return [...known, ...others.map((name) => ({ name, title: name, unit: "", meaning: "" }))]
    .map((chart) => ({ chart, names: groups.get(chart.name) }));
}

function shortName(name) {
  return name.slice(name.indexOf(": ") + 1).trim();
}

/** The curves of a run, and of each other run the one that is comparable to the first of these, over all generations. */
function overlaid(run, generations, own, { name }, others) {
  const further = others.map((other) => {
    const names = Object.keys(other.curves).filter((each) => each.startsWith(`${name}: `));
    const same = names.find((each) => shortName(each) === own[0].name) ?? names[0];
    const curve = same && { name: `${other.run}: ${shortName(same)}`, values: other.curves[same], isDashed: true };
    return { generations: other.generations, curves: curve ? [curve] : [] };
  }).filter(({ curves }) => curves.length);
  const tables = [{ generations, curves: own.map((curve) => ({ ...curve, name: `${run}: ${curve.name}` })) }, ...further];
  const [all, ...values] = uPlot.join(tables.map((table) => [table.generations, ...table.curves.map((curve) => curve.values)]));
  const curves = tables.flatMap((table) => table.curves).map((curve, index) => ({ ...curve, values: values[index] }));
  return { generations: all, curves };
}

/** A chart with its words and its buttons. */
class Figure {
  constructor(run, chart) {
    this.run = run;
    this.about = chart;
    this.data = { generations: [], curves: [] };
    this.at = h("span", { class: "quiet" });
    this.plot = chart.is_map ? new HeatMap() : new LineChart(chart.title, this.at);
    const words = [
      h("h3", {}, chart.title), this.at,
      chart.unit && h("p", { class: "quiet small unit" }, `Unit: ${chart.unit}`),
    ];
    const button = (text, label, act) => h("button", { type: "button", class: "small", "aria-label": `${label}: ${chart.title}`, onclick: act }, text);
    this.element = h("figure", { class: chart.is_map ? "card chart wide" : "card chart" },
      h("figcaption", {}, words), this.plot.element,
      chart.meaning && h("p", { class: "small meaning" }, chart.meaning),
      h("p", { class: "row save" },
        button("Save as SVG", "Save the drawing as SVG", () => this.#save("svg", "image/svg+xml", this.#svg())),
        button("Save as CSV", "Save the values as CSV", () => this.#save("csv", "text/csv", csv(this.data)))));
  }

  update(data) {
    this.data = data;
    this.plot.update(data);
  }

  redraw() {
    this.plot.redraw();
  }

  #svg() {
    const figure = { ...this.about, title: `${this.about.title}, ${this.run}`, ...this.data };
    return this.about.is_map ? mapSvg(figure, colourIn(this.data.curves)) : curvesSvg(figure);
  }

  #save(suffix, type, text) {
    save(fileName(this.run, this.about.title, suffix), type, text);
  }
}

/** Lines, drawn by uPlot; the mouse or the arrow keys show the values at a generation. */
class LineChart {
  constructor(title, at) {
    this.data = [[]];
    this.curves = [];
    this.at = at;
    this.place = h("div", { class: "plot", tabindex: 0, role: "slider", "aria-label": title, "aria-valuemin": 0 });
    this.legend = h("div", { class: "legend" });
    this.element = h("div", {}, this.place, this.legend);
    this.place.addEventListener("keydown", (event) => this.#step(event));
    new ResizeObserver(() => this.#fit()).observe(this.place);
  }

  update({ generations, curves }) {
    const names = ({ name }) => name;
    const isSame = curves.map(names).join("\n") === this.curves.map(names).join("\n");
    this.curves = curves;
    this.data = [generations, ...curves.map(({ values }) => values)];
    if (!isSame) {
      this.keys = curves.map((curve, index) => this.#key(curve, index));
      show(this.legend, this.keys.map((key) => key.button));
      this.redraw();
    } else this.plot?.setData(this.data);
    this.#showValues(null);
  }

  /** Draw again with other curves or colours. */
  redraw() {
    this.plot?.destroy();
    this.plot = null;
    this.#fit();
  }

  #fit() {
    const width = this.place.clientWidth;
    if (!width || !this.curves.length) return;
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
    const size = (_, values) => 22 + DIGIT * Math.max(...(values ?? []).map((value) => value.length), 2);
    const options = {
      width,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { setScale: false, x: false, y: false } },
      scales: { x: { time: false } },
      axes: [{ ...axis, space: 70, size: 32 }, { ...axis, size }],
      series: [{}, ...this.curves.map((curve, index) => this.#series(curve, index, colour))],
      hooks: { setCursor: [(plot) => this.#showValues(plot.cursor.idx)] },
    };
    this.plot = new uPlot(options, this.data, this.place);
  }

  #series({ values, isDashed }, index, colour) {
    return {
      stroke: colour(`--curve-${index % COLOURS}`),
      width: 2,
      dash: isDashed || index >= COLOURS ? [6, 4] : undefined,
      spanGaps: true,
      points: { show: values.reduce((count, value) => count + (value != null), 0) < 3 },
      show: this.keys[index].button.getAttribute("aria-pressed") === "true",
    };
  }

  #key({ name, isDashed }, index) {
    const value = h("span", { class: "value" });
    const kind = isDashed || index >= COLOURS ? "swatch dashed" : "swatch";
    const swatch = h("span", { class: kind, style: { "--swatch": `var(--curve-${index % COLOURS})` } });
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
    show(this.at, generation);
    const values = this.keys.map((key, index) => {
      const curve = curves[index];
      key.value.textContent = formatNumber(point == null ? curve.findLast((value) => value != null) : curve[point]);
      return `${this.curves[index].name} ${key.value.textContent}`;
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
