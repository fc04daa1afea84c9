// A chart with a row of colours for each curve, where lines would cross too often: generations from left to right.

import { h, show, svg } from "./dom.js";
import { formatNumber } from "./format.js";

const HEIGHT = 16; // of a row, in the units of its drawing; its width is a unit for each point

/** The same interface as a chart of lines (charts.js). */
export class HeatMap {
  constructor() {
    this.body = h("tbody", {});
    this.scale = h("p", { class: "quiet small map-scale" });
    this.span = h("p", { class: "quiet small map-span" });
    this.element = h("div", {},
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rows of colours" },
        h("table", { class: "map" },
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Name")), h("th", { scope: "col" }, this.span), h("th", { scope: "col", class: "number" }, "Last"))),
          this.body)),
      this.scale);
  }

  /** `curves`: [{name, values}], each with a value or null for every generation. */
  update({ generations, curves }) {
    const most = largest(curves);
    const rows = curves
      .map((curve) => ({ ...curve, last: curve.values.findLast((value) => value != null) }))
      .toSorted((one, other) => Math.abs(other.last ?? 0) - Math.abs(one.last ?? 0));
    show(this.span, h("span", {}, `generation ${formatNumber(Math.round(generations[0] ?? 0))}`), h("span", {}, formatNumber(Math.round(generations.at(-1) ?? 0))));
    show(this.body, rows.map(({ name, values, last }) => h("tr", {},
      h("th", { scope: "row" }, name), h("td", {}, strip(values, most)), h("td", { class: "number" }, formatNumber(last)))));
    const hasNegative = curves.some(({ values }) => values.some((value) => value < 0));
    show(this.scale,
      hasNegative && [key(-most, most), ` ${formatNumber(-most)} `], key(0, most), " 0 ", key(most, most), ` ${formatNumber(most)}`);
  }

  redraw() {} // its colours are those of the style
}

/** The colour of a value in a file, which is light. */
export function colourIn(curves) {
  const most = largest(curves);
  return (value) => {
    const [red, green, blue] = value < 0 ? [180, 84, 31] : [11, 110, 110];
    const part = Math.min(Math.abs(value) / most, 1);
    return `rgb(${[red, green, blue].map((each) => Math.round(244 + (each - 244) * part)).join(" ")})`;
  };
}

function largest(curves) {
  return Math.max(...curves.flatMap(({ values }) => values.map((value) => Math.abs(value ?? 0)))) || 1;
}

function strip(values, most) {
  const cells = values.map((value, place) => value != null && svg("rect", {
    x: place, width: 1.02, height: HEIGHT, class: value < 0 ? "below" : "above", style: { opacity: Math.min(Math.abs(value) / most, 1) },
  }));
  return svg("svg", { class: "strip", viewBox: `0 0 ${Math.max(values.length, 1)} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" }, cells);
}

function key(value, most) {
  return h("span", { class: "map-key" }, strip([value], most));
}
