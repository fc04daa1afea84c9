// A small chart of lines over equal steps, as an SVG that fits its place.

import { h, svg } from "./dom.js";

const [WIDTH, HEIGHT, EDGE] = [640, 130, 8];

/**
 * `lines` are {kind, colour, values}: `kind` is the class of its line and dots, `colour` a value of CSS where the class
 * has none. A null among the values is a gap. `scale` turns a value into a height, for example Math.log; `range` has the
 * lowest and the highest value of the chart, instead of those of the lines.
 */
export function lineChart(lines, { label, scale = Number, range = null, hasDots = true }) {
  const heights = lines.map(({ values }) => values.map((value) => (value == null ? null : scale(value))));
  const all = heights.flat().filter((height) => height !== null);
  const [least, most] = range?.map(scale) ?? [Math.min(...all), Math.max(...all)];
  const steps = Math.max(...lines.map(({ values }) => values.length)) - 1;
  const x = (index) => EDGE + (index / Math.max(steps, 1)) * (WIDTH - 2 * EDGE);
  const y = (height) => HEIGHT - EDGE - ((height - least) / (most - least || 1)) * (HEIGHT - 2 * EDGE);
  return svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    lines.map(({ kind = "", colour }, index) => {
      const points = heights[index].flatMap((height, step) => (height === null ? [] : [[x(step), y(height)]]));
      const style = colour ? { "--colour": colour } : {};
      return svg("g", { style },
        svg("polyline", { class: `line ${kind}`, points: points.map((point) => point.join(",")).join(" ") }),
        hasDots && points.map(([cx, cy]) => svg("circle", { class: `dot ${kind}`, cx, cy, r: 4 })));
    }));
}

/** The meaning of a line: a sample of it, and its name. */
export function lineKey(name, { kind = "", colour } = {}) {
  return h("span", { class: "line-key" },
    h("span", { class: `key ${kind}`, style: colour ? { "--colour": colour } : {} }), " ", name);
}
