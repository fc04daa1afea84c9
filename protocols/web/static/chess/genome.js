// A genome, drawn: what its pieces are worth to it and what it wants of a position, in the opening and at the end.

import { h, show } from "../shared/element.js";
import { complain, fetched } from "../shared/page.js";

const PIECES = { P: "Pawn", N: "Knight", B: "Bishop", R: "Rook", Q: "Queen" };

export class GenomeCard {
  constructor() {
    this.element = h("section", { class: "card genome", "aria-label": "The genome" });
    this.known = new Map(); // answers by name
  }

  /** The genomes of these names, one after the other. */
  async show(names) {
    try {
      const genomes = [];
      for (const name of new Set(names)) {
        if (!this.known.has(name)) this.known.set(name, await fetched(`/api/genomes/chess/${name}`));
        genomes.push(this.known.get(name));
      }
      show(this.element, genomes.map(drawn));
    } catch (error) {
      complain(error.message);
    }
  }
}

function drawn(genome) {
  const [about, ...more] = genome.notes;
  return [
    h("h2", {}, `The genome “${genome.name}”`),
    h("p", { class: "quiet" }, marked(about)),
    pieces(genome.genes),
    priorities(genome.genes),
    more.length ? h("details", {}, h("summary", {}, "Where it comes from"), more.map((text) => h("p", {}, marked(text)))) : null,
    h("p", {}, h("a", { href: `/#card/chess/${encodeURIComponent(genome.name)}` }, "Its card")),
    h("details", {}, h("summary", {}, "Its whole text"), h("pre", { tabindex: 0, "aria-label": "Genome" }, genome.text)),
  ];
}

/** A text in which names stand between backquotes. */
function marked(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

function pieces(genes) {
  const gene = genes.find((each) => each.name === "Piece Strength Gene");
  if (!gene) return null;
  const values = Object.fromEntries(gene.values.map((each) => [each.name, each.value]));
  const unit = Math.abs(values.P) > 1e-9 ? values.P : 1;
  const rows = Object.entries(PIECES).map(([piece, name]) => [name, [[values[piece] / unit, "both"]]]);
  return chart("Pieces, in pawns", gene.active ? rows : rows.map(([name]) => [name, [[0, "both"]]]), (value) => value);
}

function priorities(genes) {
  const rows = genes
    .filter((gene) => gene.values.some((value) => value.name.startsWith("Priority")))
    .map((gene) => {
      const value = (phase) => (gene.active ? gene.values.find((each) => [phase, "Priority"].includes(each.name)).value : 0);
      return [gene.name.replace(" Gene", ""), [[value("Priority - Opening"), "opening"], [value("Priority - Endgame"), "endgame"]]];
    });
  return [
    chart("What it wants", rows, (value) => Math.sign(value) * Math.sqrt(Math.abs(value))),
    h("p", { class: "key quiet" }, h("i", { class: "opening" }), "opening", h("i", { class: "endgame" }), "endgame; lengths are square roots, as material outweighs the rest"),
  ];
}

/** Rows of bars to either side of a middle: [name, [[value, class], ...]]. */
function chart(title, rows, length) {
  const most = Math.max(...rows.flatMap(([, bars]) => bars.map(([value]) => Math.abs(length(value)))), 1e-9);
  const least = Math.min(...rows.flatMap(([, bars]) => bars.map(([value]) => length(value))), 0);
  const middle = least < 0 ? 0.3 : 0; // of the width: what is unwanted is rarely much
  const scale = Math.min((1 - middle) / most, least < 0 ? middle / -least : Infinity);
  return h("table", { class: "genes" }, h("caption", {}, title), h("tbody", {}, rows.map(([name, bars]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, bars.map(([value, kind]) => {
      const wide = Math.abs(length(value)) * scale;
      const left = value < 0 ? middle - wide : middle;
      return h("span", { class: "bar" }, h("i", { class: kind, style: { left: `${100 * left}%`, width: `${100 * wide}%` } }));
    })), h("td", { class: "number" }, bars.map(([value]) => h("span", {}, value.toFixed(2).replace("-", "−"))))))));
}
