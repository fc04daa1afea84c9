// The ground: what each square is, what a unit would make there, and what lies around it. A square is y * 24 + x.

export const SIDE = 24;
export const SQUARES = SIDE * SIDE;

const IMPASSABLE = ["water", "peaks"];

/** [x, y] as the house says it. */
export function placeOf(square) {
  return [square % SIDE, Math.floor(square / SIDE)];
}

export function squareAt([x, y]) {
  return y * SIDE + x;
}

/** The square so many columns to the east and rows to the south; the board wraps both ways. */
export function shifted(square, east, south) {
  const [x, y] = placeOf(square);
  return squareAt([(x + east + SIDE) % SIDE, (y + south + SIDE) % SIDE]);
}

/** All squares within a radius, the square itself among them. */
export function around(square, radius) {
  const found = [];
  for (let south = -radius; south <= radius; south++) {
    for (let east = -radius; east <= radius; east++) found.push(shifted(square, east, south));
  }
  return found;
}

/** The map of a game under its rules. */
export class Ground {
  constructor(lines, gold, rules) {
    const byLetter = new Map(rules.terrains.map((terrain) => [terrain.letter, terrain]));
    this.terrains = [...lines.join("")].map((letter) => byLetter.get(letter));
    this.gold = new Set(gold.map(squareAt));
    this.goldBonus = rules.gold_bonus;
  }

  isLand(square) {
    return !IMPASSABLE.includes(this.terrains[square].name);
  }

  /** Dollars a phase of a unit of the rules there. */
  income(unit, square) {
    if (!unit.rate || !this.isLand(square)) return 0;
    const gold = this.gold.has(square) ? this.goldBonus : 0;
    return Math.max(0, unit.rate + this.terrains[square].farming + gold);
  }

  /** What a square is, in words. */
  words(square) {
    const terrain = this.terrains[square];
    const words = [terrain.name];
    if (this.gold.has(square)) words.push("gold");
    if (!this.isLand(square)) words.push("nothing of yours can stand there");
    else if (terrain.defence) words.push(`defence +${terrain.defence}`);
    return words.join(", ");
  }
}

/** How people name a square: column and row. */
export function named(square) {
  return placeOf(square).join(", ");
}
