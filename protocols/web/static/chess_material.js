// Captured pieces, and which side has more material.

import { h, show, svg } from "./dom.js";

const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };
const NAMES = { q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** The pieces that each side has captured, as elements by the colour that captured them. */
export class Material {
  constructor() {
    this.places = { w: h("span", { class: "captured", role: "img" }), b: h("span", { class: "captured", role: "img" }) };
  }

  /** Show what a side has captured between two positions (FEN). */
  show(start, fen) {
    const [before, now] = [counted(start), counted(fen)];
    const lead = (colour) => Object.entries(VALUES).reduce((sum, [kind, value]) => sum + value * (now[colour + kind] ?? 0), 0);
    for (const [colour, other] of [["w", "b"], ["b", "w"]]) {
      const taken = Object.keys(VALUES).flatMap((kind) =>
        Array(Math.max((before[other + kind] ?? 0) - (now[other + kind] ?? 0), 0)).fill(kind));
      const more = lead(colour) - lead(other);
      const words = taken.length ? `has captured ${inWords(taken)}` : "has captured nothing";
      const place = this.places[colour];
      place.setAttribute("aria-label", more > 0 ? `${words}; ${more} ahead in material` : words);
      show(place,
        taken.map((kind) => svg("svg", { viewBox: "4 4 32 32", "aria-hidden": "true" }, svg("use", { href: `#${other}${kind}` }))),
        more > 0 ? h("span", { class: "quiet" }, `+${more}`) : null);
    }
  }
}

/** The number of each kind of piece in a FEN: {wp: 8, bq: 1, ...}. */
function counted(fen) {
  const count = {};
  for (const sign of fen.split(" ")[0]) {
    if (!/[a-z]/i.test(sign)) continue;
    const name = (sign < "a" ? "w" : "b") + sign.toLowerCase();
    count[name] = (count[name] ?? 0) + 1;
  }
  return count;
}

function inWords(kinds) {
  return Object.keys(NAMES)
    .map((kind) => [NAMES[kind], kinds.filter((each) => each === kind).length])
    .filter(([, count]) => count)
    .map(([name, count]) => `${count} ${name}${count > 1 ? "s" : ""}`)
    .join(", ");
}
