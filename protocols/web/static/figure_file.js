// Figures as files: an SVG drawing and comma-separated values, made from the data and not from the screen.

import { svg } from "./dom.js";
import { formatNumber } from "./format.js";

const COLOURS = ["#0b6e6e", "#c2571a", "#5b4fb3", "#b3261e", "#2f7d3b", "#a8820f", "#ad3f86", "#3d6fb4"]; // light
const TEXT = "#23302f";
const QUIET = "#5f6b68";
const LINE = "#d8d2c4";
const WIDTH = 800; // of a drawing, in its units
const LEFT = 78; // the margin with the values
const TOP = 64;
const PLOT = 330; // the height of the curves
const ROW = 22; // the height of a line of the legend, or of a row of a map
const MAP_LEFT = 300; // the margin with the names of the rows
const TICKS = 5;

/**
 * The text of an SVG file of curves over the generations. `figure` has a title, a unit, the meaning in words, the
 * generations, and curves: [{name, values, isDashed}].
 */
export function curvesSvg({ title, unit, meaning, generations, curves }) {
  const rows = Math.ceil(curves.length / 2);
  const height = TOP + PLOT + 50 + rows * ROW + 16;
  const known = curves.flatMap(({ values }) => values.filter((value) => value != null));
  const across = scale(generations, LEFT, WIDTH - 20);
  const up = scale(known, TOP + PLOT, TOP);
  const grid = ticks(up).map((value) => [
    svg("path", { d: `M${LEFT} ${up(value)}H${WIDTH - 20}`, stroke: LINE }),
    label(formatNumber(value), LEFT - 8, up(value) + 4, { "text-anchor": "end" }),
  ]);
  const marks = ticks(across).map((value) => label(formatNumber(value), across(value), TOP + PLOT + 20, { "text-anchor": "middle" }));
  const lines = curves.map(({ values, isDashed }, index) => {
    const points = values.flatMap((value, place) => (value == null ? [] : [`${round(across(generations[place]))} ${round(up(value))}`]));
    const dash = isDashed ? { "stroke-dasharray": "6 4" } : {};
    if (points.length === 1) return svg("circle", { cx: points[0].split(" ")[0], cy: points[0].split(" ")[1], r: 3, fill: COLOURS[index % COLOURS.length] });
    return svg("path", { d: `M${points.join("L")}`, fill: "none", stroke: COLOURS[index % COLOURS.length], "stroke-width": 2, ...dash });
  });
  const legend = curves.map(({ name }, index) => {
    const x = LEFT + (index % 2) * 350;
    const y = TOP + PLOT + 62 + Math.floor(index / 2) * ROW;
    return [svg("path", { d: `M${x} ${y - 4}h22`, stroke: COLOURS[index % COLOURS.length], "stroke-width": 3 }), label(name, x + 30, y)];
  });
  return file(height, title, meaning,
    grid, marks, lines, legend,
    label("generation", (LEFT + WIDTH - 20) / 2, TOP + PLOT + 40, { "text-anchor": "middle", fill: QUIET }),
    label(unit, 0, 0, { transform: `translate(18 ${TOP + PLOT / 2}) rotate(-90)`, "text-anchor": "middle", fill: QUIET }));
}

/** The same with a row of colours for each curve; `colour(value)` is its colour. */
export function mapSvg({ title, unit, meaning, generations, curves }, colour) {
  const width = (WIDTH - 20 - MAP_LEFT) / Math.max(generations.length, 1);
  const rows = curves.map(({ name, values }, row) => [
    label(name, MAP_LEFT - 8, TOP + row * ROW + 15, { "text-anchor": "end" }),
    values.map((value, place) => value != null && svg("rect", {
      x: round(MAP_LEFT + place * width), y: TOP + row * ROW, width: round(width + 0.5), height: ROW - 2, fill: colour(value),
    })),
  ]);
  const bottom = TOP + curves.length * ROW;
  const first = formatNumber(generations[0]);
  const last = formatNumber(generations.at(-1));
  return file(bottom + 40, title, `${meaning} Unit: ${unit}.`, rows,
    label(`generation ${first}`, MAP_LEFT, bottom + 18, { fill: QUIET }),
    label(`generation ${last}`, WIDTH - 20, bottom + 18, { fill: QUIET, "text-anchor": "end" }));
}

/** Comma-separated values: a line for each generation, a column for each curve. */
export function csv({ generations, curves }) {
  const lines = generations.map((generation, place) => [generation, ...curves.map(({ values }) => values[place] ?? "")]);
  return [["generation", ...curves.map(({ name }) => name)], ...lines].map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

/** Let the browser save a text as a file. */
export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A name for the file of a figure. */
export function fileName(run, title, suffix) {
  return `${`${run} ${title}`.toLowerCase().replace(/[^a-z0-9.]+/g, "-").replace(/^-+|-+$/g, "")}.${suffix}`;
}

/** A text that a spreadsheet takes for a formula is kept from being one by a leading apostrophe. */
function quoted(cell) {
  const text = typeof cell === "string" && /^[=+@\t\r-]/.test(cell) ? `'${cell}` : `${cell}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function file(height, title, meaning, ...content) {
  const lines = wrapped(meaning, 118).slice(0, 2);
  const drawing = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, "font-family": "sans-serif", "font-size": 13, fill: TEXT },
    svg("title", {}, title), svg("desc", {}, meaning),
    svg("rect", { width: WIDTH, height, fill: "#ffffff" }),
    label(title, 18, 24, { "font-size": 18, "font-weight": "bold" }),
    lines.map((line, index) => label(line, 18, 42 + index * 14, { fill: QUIET, "font-size": 12 })),
    content);
  return new XMLSerializer().serializeToString(drawing);
}

function label(text, x, y, attributes = {}) {
  return svg("text", { x, y, ...attributes }, `${text}`);
}

/** A linear function from the values to the places from `start` to `end`; `low` and `high` are its ends. */
function scale(values, start, end) {
  let low = values.reduce((least, value) => Math.min(least, value), Infinity);
  let high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  if (!values.length) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const place = (value) => start + ((value - low) / (high - low)) * (end - start);
  return Object.assign(place, { low, high });
}

/** Round values within a scale. */
function ticks({ low, high }) {
  const rough = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) found.push(Number(value.toPrecision(12)));
  return found;
}

function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (`${lines.at(-1)} ${word}`.length > width) lines.push(word);
    else lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim();
  }
  return lines;
}

function round(value) {
  return Math.round(value * 100) / 100;
}
