// Which gene wants what: a bar for each gene of a position, beside that of the position before, so that a move is explained.

import { h, show, table } from "./dom.js";
import { signed } from "./format.js";

const SHOWN = 0.005; // pawns from which a gene is listed
const ROW = /^(.{26})\s*\S+\s+\S+\s+\S+\s+([+-]\d+\.\d+)$/;
const TURN = "Tempo"; // the gene that every move changes alike
const MEANING = {
  "Total Force": "the values of the pieces",
  "Freedom to Move": "the number of legal moves",
  "Pawn Advancement": "how far the pawns have come",
  "Opponent Pieces Targeted": "the pieces that are attacked",
  "Sphere of Influence": "the squares that are attacked",
  "King Confinement": "how few squares the other king has",
  "King Protection": "how safe the squares around the king are",
  "Castling Possible": "the right to castle",
  Placement: "pieces in the middle and pieces that have advanced",
  "Passed Pawn": "pawns that no other pawn can stop",
  "Pawn Structure": "pawns that guard each other",
  "Stacked Pawns": "pawns behind each other on a file",
  "Pawn Islands": "groups of pawns that stand apart",
  "Bishop Pair": "both bishops",
  Squares: "the squares on which the pieces stand",
  Mobility: "the squares to which the pieces can go",
  "King Attack": "pieces that attack squares near the other king, and safe checks",
  "King Shelter": "the pawns in front of the king",
  Threats: "pieces that are attacked by lesser ones, or have no guard",
  Outposts: "knights and bishops that no pawn can drive away",
  "Rook Files": "rooks on open files and on the seventh rank",
  Passers: "passed pawns, and how free their path is",
  "Pawn Formation": "isolated, doubled and guarded pawns",
  Imbalance: "pairs of pieces, and what pawns do for them",
  Tempo: "the right to move",
};

/** Read the table of UCI's eval: a Map from genes to pawns, from White's view. */
export function readGenes(lines) {
  const pawn = Number(/1\.00 is (\S+) in/.exec(lines.at(-1))?.[1] ?? 1);
  return new Map(lines.flatMap((line) => {
    const [, gene, weighted] = ROW.exec(line) ?? [];
    return gene && gene.trim() !== "Sum" ? [[gene.trim(), Number(weighted) / pawn]] : [];
  }));
}

export class GenePanel {
  /** `onOpen()` is called when the panel is opened, and then needs the genes of the position. */
  constructor(onOpen) {
    this.body = h("div", { "aria-live": "polite" });
    this.element = h("details", { class: "card", ontoggle: () => this.element.open && onOpen() },
      h("summary", {}, h("h2", {}, "Which gene wants what")), this.body);
    this.clear();
  }

  get isOpen() {
    return this.element.open;
  }

  clear() {
    show(this.body, h("p", { class: "quiet" }, "Asking the engine …"));
  }

  /** Show the genes of a position and, if a move led to it, those of the position before. */
  show(genome, now, before, move) {
    const changes = before ? [...now].map(([gene, value]) => [gene, value - (before.get(gene) ?? 0)]) : [];
    const rows = [...now]
      .filter(([gene, value]) => Math.max(Math.abs(value), Math.abs(before?.get(gene) ?? 0)) >= SHOWN)
      .sort(([, first], [, second]) => Math.abs(second) - Math.abs(first));
    const largest = Math.max(...rows.map(([gene, value]) => Math.max(Math.abs(value), Math.abs(before?.get(gene) ?? 0))), 0.01);
    show(this.body,
      h("p", {}, explained(changes, move)),
      rows.length ? table([["Gene", "head"], "Black ← → White", ["Pawns", "number"]],
        rows.map(([gene, value]) => [
          [gene, h("small", { class: "quiet" }, MEANING[gene] ?? "")],
          [bar(value, largest, "now"), before ? bar(before.get(gene) ?? 0, largest, "before") : null],
          signed(value, 2),
        ]), { class: "genes wants" }) : h("p", { class: "quiet" }, "Every gene is content with both sides alike."),
      h("p", { class: "quiet small" }, `What the genes of “${genome}” give for this position, without looking ahead: to the right for White, to the left for Black. ${TURN} belongs to the side that moves next, so every move changes it; the sentence above leaves it out.`,
        before ? " The pale bar is the position before the move." : ""));
  }
}

/** A sentence about the genes that a move has changed most. */
function explained(changes, move) {
  if (!move) return "The position before the first move.";
  const side = move.color === "w" ? 1 : -1;
  const most = changes
    .map(([gene, change]) => [gene, side * change])
    .filter(([gene, change]) => gene !== TURN && Math.abs(change) >= SHOWN)
    .sort(([, first], [, second]) => Math.abs(second) - Math.abs(first))
    .slice(0, 3);
  if (!most.length) return `${move.san} changed no gene.`;
  return `For its side, ${move.san} changed most: ${most.map(([gene, change]) => `${gene} ${signed(change, 2)}`).join(", ")}.`;
}

/** A bar from the middle: to the right for White, to the left for Black. */
function bar(value, largest, kind) {
  const wide = (50 * Math.abs(value)) / largest;
  return h("span", { class: "bar" }, h("i", { class: kind, style: { left: `${value < 0 ? 50 - wide : 50}%`, width: `${wide}%` } }));
}
