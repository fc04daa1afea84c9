// Curves by their charts: "fitness: best" and "fitness: mean" stand in the chart "fitness".

import { h, show } from "../shared/element.js";
import { Chart } from "./chart.js";

/** A board of charts that grows with what it is shown. */
export class Board {
  constructor() {
    this.element = h("div", { class: "charts" });
    this.charts = new Map();
    this.groups = "";
  }

  redraw() {
    for (const chart of this.charts.values()) chart.redraw();
  }

  /** `curves` by name, each a list of values over the generations. */
  show(generations, curves) {
    const groups = grouped(Object.keys(curves));
    const data = (names) => [generations, ...names.map((name) => curves[name])];
    const key = JSON.stringify([...groups]);
    if (key === this.groups) {
      for (const [title, names] of groups) this.charts.get(title).update(data(names));
      return;
    }
    this.groups = key;
    this.charts.clear();
    for (const [title, names] of groups) {
      this.charts.set(title, new Chart(title, names.map(short), data(names)));
    }
    show(this.element, ...[...this.charts.values()].map((chart) => chart.element));
  }
}

function grouped(names) {
  const groups = new Map();
  for (const name of names) {
    const title = name.slice(0, Math.max(name.indexOf(": "), 0)) || name;
    groups.set(title, [...(groups.get(title) ?? []), name]);
  }
  return groups;
}

function short(name) {
  return name.slice(name.indexOf(": ") + 1).trim();
}
