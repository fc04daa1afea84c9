// The figures that only runs of Core War have: the niches of the warriors, a map that fills.

import { h, show, svg } from "./dom.js";
import { csv, fileName, save } from "./figure_file.js";
import { formatNumber, percent, plural } from "./format.js";

const PARTS = [0.002, 0.01, 0.03, 0.1, 0.3, 0.6, 1]; // of the core that is changed: the upper ends of the rows
const WIDTH = 56; // of a niche, in the units of the drawing
const HEIGHT = 34;
const LEFT = 84;
const BOTTOM = 44;

/** The figures of a run, from what the server has found in it (engines/corewar/evolution/story.py). */
export function figures(run, { niches, core }) {
  return [new NicheMap(run, niches, core).element];
}

class NicheMap {
  /** `niches`: [[generation, ID, processes, part of the core changed]]. */
  constructor(run, niches, core) {
    this.run = run;
    this.niches = niches;
    this.columns = Math.floor(Math.log2(Math.max(...niches.map(([, , processes]) => processes)))) + 1;
    this.last = niches.at(-1)[0];
    this.drawing = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The map of the niches" });
    this.words = h("p", { role: "status", class: "small" });
    const slider = h("input", { type: "range", min: 0, max: this.last, value: this.last, oninput: () => this.#show(Number(slider.value)) });
    this.element = h("figure", { class: "card chart wide" },
      h("figcaption", {}, h("h3", {}, "Niches: a map that fills"),
        h("p", { class: "quiet small unit" }, `Processes by memory written, alone in a core of ${formatNumber(core)} cells`)),
      h("label", {}, "Up to generation", slider), this.words, this.drawing,
      h("p", { class: "small meaning" }, `A square is a way to live: to the right more processes at a time, upwards more of the core changed. The number is how many of ${plural(niches.length, "warrior")} from the whole run live so. Random code lives at the lower left; a stone changes much with few processes, and paper fills the upper right.`),
      h("p", { class: "row save" },
        h("button", { type: "button", class: "small", onclick: () => this.#save("svg") }, "Save as SVG"),
        h("button", { type: "button", class: "small", onclick: () => this.#save("csv") }, "Save as CSV")));
    this.#show(this.last);
  }

  #show(generation) {
    const cells = this.#cells(generation);
    const all = this.columns * PARTS.length;
    show(this.words, `Generation ${formatNumber(generation)}: ${plural(cells.size, "niche")} of ${all} ${cells.size === 1 ? "has" : "have"} been reached.`);
    show(this.drawing, this.#picture(cells, "var(--accent)", "var(--text)", "var(--quiet)", "var(--line)"));
  }

  /** The number of warriors up to a generation by niche, "column,row". */
  #cells(until) {
    const cells = new Map();
    for (const [generation, , processes, part] of this.niches) {
      if (generation > until) continue;
      const key = `${Math.floor(Math.log2(processes))},${PARTS.findIndex((most) => part <= most)}`;
      cells.set(key, (cells.get(key) ?? 0) + 1);
    }
    return cells;
  }

  #picture(cells, colour, text, quiet, line) {
    const most = Math.max(...cells.values());
    const width = LEFT + this.columns * WIDTH + 8;
    const height = PARTS.length * HEIGHT + BOTTOM;
    const squares = PARTS.flatMap((_, row) => Array.from({ length: this.columns }, (_, column) => {
      const count = cells.get(`${column},${row}`) ?? 0;
      const x = LEFT + column * WIDTH;
      const y = (PARTS.length - 1 - row) * HEIGHT;
      const shade = count ? 0.15 + (0.55 * Math.log(1 + count)) / Math.log(1 + most) : 0;
      return [
        svg("rect", { x: x + 1, y: y + 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 4, fill: colour, "fill-opacity": shade, stroke: line }),
        count > 0 && svg("text", { x: x + WIDTH / 2, y: y + HEIGHT / 2 + 5, "text-anchor": "middle", fill: text }, `${count}`),
      ];
    }));
    const sides = PARTS.map((part, row) => svg("text", { x: LEFT - 8, y: (PARTS.length - 1 - row) * HEIGHT + HEIGHT / 2 + 5, "text-anchor": "end", fill: quiet }, `up to ${percent(part, part < 0.01 ? 1 : 0)}`));
    const feet = Array.from({ length: this.columns }, (_, column) =>
      svg("text", { x: LEFT + column * WIDTH + WIDTH / 2, y: PARTS.length * HEIGHT + 17, "text-anchor": "middle", fill: quiet }, column ? `${formatNumber(2 ** column)}+` : "1"));
    const name = svg("text", { x: LEFT + (this.columns * WIDTH) / 2, y: height - 6, "text-anchor": "middle", fill: quiet }, "processes at a time, at most");
    return svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": "sans-serif", "font-size": 12, class: "niches", role: "img", "aria-label": this.words.textContent },
      squares.flat(), sides, feet, name);
  }

  #save(suffix) {
    const name = fileName(this.run, "niches", suffix);
    if (suffix === "svg") {
      const picture = this.#picture(this.#cells(this.last), "#0b6e6e", "#23302f", "#5f6b68", "#d8d2c4");
      save(name, "image/svg+xml", new XMLSerializer().serializeToString(picture));
    } else {
      const column = (name, index) => ({ name, values: this.niches.map((each) => each[index]) });
      const curves = [column("individual", 1), column("processes", 2), column("part of the core changed", 3)];
      save(name, "text/csv", csv({ generations: this.niches.map(([generation]) => generation), curves }));
    }
  }
}
