// A genome: what its genes say about pieces, priorities and squares, as bars and as small boards.

import { fetchJson } from "./client.js";
import { h, scrollable, select, show, svg, table } from "./dom.js";
import { signed } from "./format.js";
import { showError } from "./page.js";

const PIECES = { P: "Pawn", N: "Knight", B: "Bishop", R: "Rook", Q: "Queen" };
const KINDS = [...Object.values(PIECES), "King"];
const NO_JUDGES = ["Piece Strength Gene", "Look Ahead Gene", "Drawishness Gene"]; // shown elsewhere, or no part of the judgement
const PHASES = ["Opening", "Endgame"];
const NO_COLOURS = () => new Map();

/** A genome: the values of its pieces and the weights of its genes, in the opening and in the endgame. */
export class GenomeCard {
  /** `tint(colours)` colours the squares of the board: a function from "w" or "b" below to a Map of colours by square. */
  constructor(tint) {
    this.element = h("section", { class: "card genome", "aria-label": "The genome" });
    this.loaded = new Map(); // answers by name
    this.tint = tint;
  }

  /** Show the genomes of these names, one after the other. */
  async show(names) {
    try {
      const genomes = [];
      for (const name of new Set(names)) {
        if (!this.loaded.has(name)) this.loaded.set(name, await fetchJson(`/api/genomes/chess/${name}`));
        genomes.push(this.loaded.get(name));
      }
      this.tint(NO_COLOURS);
      show(this.element, genomes.map((genome) => genomeParts(genome, this.tint)));
    } catch (error) {
      showError(error.message);
    }
  }
}

function genomeParts(genome, tint) {
  const [about, ...more] = genome.notes;
  return [
    h("h2", {}, `The genome “${genome.name}”`),
    h("p", { class: "quiet" }, marked(about.replace(/;? see \S+\.md\b/, ""))),
    pieces(genome.genes),
    priorities(genome.genes),
    squares(genome.genes, tint),
    wings(genome.genes),
    more.length ? h("details", {}, h("summary", {}, "Origin"), more.map((text) => h("p", {}, marked(text)))) : null,
    h("p", {}, h("a", { href: `/#card/chess/${encodeURIComponent(genome.name)}` }, "About this player")),
    h("details", {}, h("summary", {}, "Full text of the genome"), h("pre", { tabindex: 0, "aria-label": "Genome" }, genome.text)),
  ];
}

/** A text in which names are between backquotes. */
function marked(text) {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

/** The value of each piece to a genome, in units of its own pawn. */
function pieces(genes) {
  const gene = genes.find((each) => each.name === "Piece Strength Gene");
  if (!gene) return null;
  const values = Object.fromEntries(gene.values.map((each) => [each.name, each.value]));
  const unit = Math.abs(values.P) > 1e-9 ? values.P : 1;
  const rows = Object.entries(PIECES).map(([piece, name]) => [name, [[values[piece] / unit, "both"]]]);
  return barChart("Piece values, in pawns", gene.active ? rows : rows.map(([name]) => [name, [[0, "both"]]]), (value) => value);
}

/** The weights of a genome's genes, in the opening and in the endgame. */
function priorities(genes) {
  const rows = genes
    .filter((gene) => gene.active && gene.values.some((value) => value.name.startsWith("Priority")))
    .map((gene) => {
      const value = (phase) => gene.values.find((each) => [phase, "Priority"].includes(each.name)).value;
      return [shortName(gene), [[value("Priority - Opening"), "opening"], [value("Priority - Endgame"), "endgame"]]];
    });
  return [
    barChart("Weights of the genes", rows, (value) => Math.sign(value) * Math.sqrt(Math.abs(value))),
    h("p", { class: "key quiet" }, h("i", { class: "opening" }), "opening", h("i", { class: "endgame" }),
      "endgame. The length of a bar is the square root of the weight, because material outweighs the rest."),
    ownValues(genes),
  ];
}

/** The active genes that have no weight, but a value for each thing that they look at; and those that are switched off. */
function ownValues(genes) {
  const isWeighted = (gene) => gene.values.some((value) => value.name.startsWith("Priority"));
  const judges = genes.filter((gene) => !NO_JUDGES.includes(gene.name));
  const rows = judges.filter((gene) => gene.active && !isWeighted(gene)).map((gene) => {
    const values = gene.values.map((each) => each.value);
    return [shortName(gene), values.length, signed(Math.min(...values), 2), signed(Math.max(...values), 2)];
  });
  const idle = judges.filter((gene) => !gene.active).map(shortName);
  return [
    rows.length > 0 && h("p", {}, "These genes have no weight. Each has a value of its own, in its pawns, for everything that it looks at, such as a piece on a square:"),
    rows.length > 0 && scrollable("Genes with values of their own",
      table([["Gene", "head"], ["Values", "number"], ["Lowest", "number"], ["Highest", "number"]], rows, { "aria-label": "Genes with values of their own" })),
    idle.length > 0 && h("p", { class: "quiet small" }, `Switched off: ${idle.join(", ")}.`),
  ];
}

function shortName(gene) {
  return gene.name.replace(" Gene", "");
}

/**
 * The bonus of each kind of piece by square, in the opening and in the endgame; a stronger colour is a higher bonus. A list
 * colours the squares of the board below the pieces in the same way.
 */
function squares(genes, tint) {
  const gene = genes.find((each) => each.name === "Squares Gene");
  if (!gene?.active) return null;
  const bonus = bonusOf(gene);
  const maps = KINDS.flatMap((kind) => PHASES.map((phase) => [`${kind}, ${phase.toLowerCase()}`, bonuses(kind, (square) => bonus(square, phase))]));
  const chosen = select([["", "not at all"], ...maps.map(([name], index) => [String(index), name])], {
    onchange: () => tint(chosen.value === "" ? NO_COLOURS : (below) => colours(maps[chosen.value][1], below)),
  });
  return [
    boards("Bonus of each piece by square", KINDS, (kind, phase) => bonuses(kind, (square) => bonus(square, phase))),
    h("p", {}, h("label", {}, "Colour the squares of the board by the bonus of a piece", chosen)),
    h("p", { class: "quiet small" }, "Green squares are the best for it, orange ones the worst."),
  ];
}

const WINGS = {
  "Own Wing Gene": ["Change of these bonuses while the own king is on files e to h", KINDS.slice(0, -1)],
  "Enemy Wing Gene": ["Change of these bonuses while the enemy's king is on files e to h", KINDS],
};

/** How the bonuses by square depend on the wings of the two kings; null for a genome that has no such gene. */
function wings(genes) {
  const found = genes.filter((gene) => gene.active && gene.name in WINGS);
  if (!found.length) return null;
  return [
    found.map((gene) => {
      const [title, kinds] = WINGS[gene.name];
      const bonus = bonusOf(gene);
      const ofHalf = (kind, phase) => bonuses(kind, (square) => bonus(square, phase))
        .map((each) => ({ ...each, value: each.file < 4 ? -each.value : each.value }));
      return boards(title, kinds, ofHalf);
    }),
    h("p", { class: "quiet small" }, "A king on files a to d changes them by as much in the other direction."),
  ];
}

/** A small board for each kind of piece and each phase of the game; `found` returns the values of one. */
function boards(title, kinds, found) {
  return h("table", { class: "genes squares" }, h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("td"), kinds.map((kind) => h("th", { scope: "col" }, kind)))),
    h("tbody", {}, PHASES.map((phase) => h("tr", {}, h("th", { scope: "row" }, phase.toLowerCase()),
      kinds.map((kind) => h("td", {}, heatMap(kind, phase, found(kind, phase))))))));
}

/** The function that returns a gene's number of a square in a phase, also for a gene without phases. */
function bonusOf(gene) {
  const values = new Map(gene.values.map((each) => [each.name, each.value]));
  return (square, phase) => values.get(`${square} - ${phase}`) ?? values.get(square);
}

/** The bonus of a piece on each square of White's board. The gene has the queen's half; the king's half is its mirror image. */
function bonuses(kind, bonus) {
  const found = [];
  for (let rank = 8; rank >= 1; rank--) {
    for (let file = 0; file < 8; file++) {
      const value = bonus(`${kind} ${rank} ${"abcddcba"[file]}`);
      if (value !== undefined) found.push({ name: "abcdefgh"[file] + rank, file, rank, value });
    }
  }
  return found;
}

/** Colours for the squares of the board, from the view of the side below: from warm for the least bonus to green for the largest. */
function colours(found, below) {
  const [least, most] = extent(found);
  return new Map(found.map(({ name, value }) => {
    const square = below === "w" ? name : name[0] + (9 - Number(name[1]));
    const share = most > least ? (value - least) / (most - least) : 0.5;
    return [square, `color-mix(in oklab, #1f8f6f ${Math.round(100 * share)}%, #e3a98a)`];
  }));
}

function extent(found) {
  const values = found.map((each) => each.value);
  return [Math.min(...values), Math.max(...values)];
}

/** White's board, coloured by the bonus of a piece. */
function heatMap(kind, phase, found) {
  const [least, most] = extent(found);
  const pawns = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);
  return svg("svg", { viewBox: "0 0 8 8", role: "img", "aria-label": `${kind}, ${phase.toLowerCase()}: ${pawns(least)} to ${pawns(most)} pawns` },
    found.map(({ name, file, rank, value }) => svg("rect", { x: file, y: 8 - rank, width: 1, height: 1,
      "fill-opacity": most > least ? (value - least) / (most - least) : 0.5 }, svg("title", {}, `${name} ${pawns(value)}`))));
}

/** Rows of bars to both sides of a middle line: [name, [[value, class], ...]]. */
function barChart(title, rows, length) {
  const most = Math.max(...rows.flatMap(([, bars]) => bars.map(([value]) => Math.abs(length(value)))), 1e-9);
  const least = Math.min(...rows.flatMap(([, bars]) => bars.map(([value]) => length(value))), 0);
  const middle = least < 0 ? 0.3 : 0; // as a share of the width: negative values are rarely large
  const scale = Math.min((1 - middle) / most, least < 0 ? middle / -least : Infinity);
  return h("table", { class: "genes" }, h("caption", {}, title), h("tbody", {}, rows.map(([name, bars]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, bars.map(([value, kind]) => {
      const wide = Math.abs(length(value)) * scale;
      const left = value < 0 ? middle - wide : middle;
      return h("span", { class: "bar" }, h("i", { class: kind, style: { left: `${100 * left}%`, width: `${100 * wide}%` } }));
    })), h("td", { class: "number" }, bars.map(([value]) => h("span", {}, value.toFixed(2).replace("-", "−"))))))));
}
