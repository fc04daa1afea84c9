// The map of Advanced Protection: its squares, the units on them, the cursor, and the overlays.

import { h, show, svg } from "./dom.js";

export const SIDE = 24; // squares; a square is y * 24 + x
const SQUARES = SIDE * SIDE;
const SIZE = 24; // of a square in the drawing
const IMPASSABLE = ["water", "peaks"];
const ARROWS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };
const TEXTURES = {
  water: "M2 7q3-3 6 0t6 0M11 18q3-3 6 0t6 0",
  wetlands: "M4 9v-4M6.5 9v-3M1.5 9v-3M15 20v-4M17.5 20v-3M12.5 20v-3",
  forest: "M6 3l4 7H2zM17 12l4 7h-8z",
  hills: "M2 10q4-7 8 0M13 20q4-7 8 0",
  mountains: "M2 11l5-8l5 8M12 21l5-8l5 8",
  peaks: "M2 12l5-10l5 10M5 6.5l2 2l2-2M12 22l5-10l5 10M15 16.5l2 2l2-2",
};
const MARKS = { new: "planned", sold: "to be salvaged", fallen: "destroyed" };
const UNITS = {
  drone: "M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10z",
  mine: star(8, 8.5, 4.8),
  farmer: "M10.8 20v-6.5C6.5 13.5 4 11 4 6c4.5 0 7 1.8 8 5c1-3.2 3.5-5 8-5c0 5-2.5 7.5-6.8 7.5V20z",
  infantry: "M12 3.5l7.5 2.5v5.5c0 5-3.5 7.8-7.5 9.3c-4-1.5-7.5-4.3-7.5-9.3V6z",
  settler: "M12 3.5L3 11.5h2.5V20h5v-5.5h3V20h5v-8.5H21z",
  jammer: "M12 10l4.5 11h-9zM12 5a2.2 2.2 0 1 0 .01 0zM5 3.5l2 1a6 6 0 0 0 0 6l-2 1a9 9 0 0 1 0-8zM19 3.5l-2 1a6 6 0 0 1 0 6l2 1a9 9 0 0 0 0-8z",
  armor: "M2.5 13.5h3.5l2-5.5h6v1.5h8v2.5h-6l.6 1.5h4.9v3l-3 3.5h-13l-3-3.5z",
  artillery: "M8 11L17.5 2.5l4 4.5L12.5 15.5a5 5 0 1 1-4.5-4.5zM8 14.3a1.7 1.7 0 1 0 .01 0z",
};
export const MINIONS = { // they look north
  scout: "M12 4.5l5.5 14.5L12 15.5L6.5 19z",
  scavenger: "M12 3l4.8 6a6.8 6.8 0 1 1-9.6 0z",
  common: "M12 3l8 17.5H4z",
  amphibious: "M12 2l7 11.5H5zM3 16q4.5-3 9 0t9 0v4.5q-4.5 3-9 0t-9 0z",
  mobile: "M12 2l8 8.5v4.5l-8-7l-8 7v-4.5zM12 11l8 8v3.5l-8-6l-8 6V19z",
  jump: "M12 2l7 9.5H5zM6.5 14h11l2.5 7H4z",
  kamikazee: star(6, 10.5, 5.2),
  armored: "M12 1.5l8.5 7.5v12.5h-17V9zM12 10.5a3 3 0 1 0 .01 0z",
};
export const OVERLAYS = {
  none: "terrain only",
  income: "income of a unit",
  free: "free squares",
  ranges: "ranges of your units",
  tracks: "paths of the minions in the last turn",
};

/**
 * The board. It calls look(square) when the cursor moves, press(square, isStroke) for a click and for each further
 * square of a stroke of the mouse, and key(event) for keys that it does not use; key() returns whether it used the key.
 */
export class Board {
  constructor(ground, { look, press, key }) {
    this.cursor = Math.floor(SQUARES / 2) + SIDE / 2;
    this.look = look;
    this.press = press;
    this.key = key;
    this.drawn = new Map(); // by square: {text, element}
    this.layer = svg("g", {});
    this.held = svg("g", {}); // drawings that follow the cursor
    this.tokens = svg("g", {});
    this.faults = svg("g", {});
    this.mark = svg("rect", { class: "cursor", width: SIZE, height: SIZE, rx: 4 });
    this.drawing = svg("svg", { viewBox: `0 0 ${SIDE * SIZE} ${SIDE * SIZE}`, "aria-hidden": "true" },
      patterns(), scenery(ground), this.layer, this.held, this.tokens, this.faults, this.mark);
    this.element = h("div", {
      class: "board", tabindex: 0, role: "application", "aria-label": "Map of 24 by 24 squares",
      "aria-describedby": "board-help", onkeydown: (event) => this.#pressKey(event),
    }, this.drawing);
    this.#listen();
    this.move(this.cursor, false);
  }

  /** Put the cursor on a square. */
  move(square, isReported = true) {
    this.cursor = square;
    const [x, y] = placeOf(square);
    this.mark.setAttribute("x", x * SIZE);
    this.mark.setAttribute("y", y * SIZE);
    if (isReported) this.look(square);
  }

  /** Show the units: {unit, mark} by square; a mark is new, sold, fallen or nothing. */
  showUnits(units) {
    for (const [square, { element }] of this.drawn) {
      if (!units.has(square)) {
        element.remove();
        this.drawn.delete(square);
      }
    }
    for (const [square, { unit, mark }] of units) {
      const text = `${unit} ${mark ?? ""}`;
      const before = this.drawn.get(square);
      if (before?.text === text) continue;
      before?.element.remove();
      const element = token(unit);
      element.append(svg("title", {}, MARKS[mark] ? `${unit}, ${MARKS[mark]}` : unit));
      if (mark) element.classList.add(mark);
      element.setAttribute("transform", placed(square));
      element.dataset.square = square;
      this.tokens.append(element);
      this.drawn.set(square, { text, element });
    }
  }

  /** Mark faulty squares: the reason by square. */
  showFaults(faults) {
    show(this.faults, [...faults].map(([square, words]) =>
      svg("g", { class: "fault", transform: placed(square), "data-square": square },
        svg("title", {}, words),
        svg("rect", { x: 1, y: 1, width: SIZE - 2, height: SIZE - 2, rx: 5 }),
        svg("circle", { cx: SIZE - 4, cy: 5, r: 6 }),
        svg("text", { x: SIZE - 4, y: 8.6 }, "!")),
    ));
  }

  /** Show drawings above the ground and below the units. */
  overlay(drawings) {
    show(this.layer, drawings);
  }

  /** Show drawings that follow the cursor. */
  carry(drawings) {
    show(this.held, drawings);
  }

  /** Remove everything except the land and the units. */
  clear() {
    for (const group of [this.layer, this.held, this.faults]) show(group);
  }

  /** The square at a point of the window, or null. */
  squareAt(clientX, clientY) {
    const box = this.drawing.getBoundingClientRect();
    const x = Math.floor(((clientX - box.left) / box.width) * SIDE);
    const y = Math.floor(((clientY - box.top) / box.height) * SIDE);
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE ? y * SIDE + x : null;
  }

  #listen() {
    let stroke = null; // the square that a pressed mouse is on
    let isFinger = false;
    this.drawing.addEventListener("pointerdown", (event) => {
      isFinger = event.pointerType === "touch";
      if (isFinger || event.button) return;
      stroke = this.squareAt(event.clientX, event.clientY);
      this.drawing.setPointerCapture(event.pointerId);
      this.#touch(stroke, false);
    });
    this.drawing.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      const square = this.squareAt(event.clientX, event.clientY);
      if (square === null || square === (stroke ?? this.cursor)) return;
      if (stroke === null) {
        this.move(square);
      } else {
        stroke = square;
        this.#touch(square, true);
      }
    });
    for (const end of ["pointerup", "pointercancel"]) this.drawing.addEventListener(end, () => (stroke = null));
    this.drawing.addEventListener("click", (event) => {
      if (isFinger) this.#touch(this.squareAt(event.clientX, event.clientY), false); // a touch may have been the start of a scroll
    });
  }

  #touch(square, isStroke) {
    if (square === null) return;
    this.move(square);
    this.press(square, isStroke);
  }

  #pressKey(event) {
    const arrow = ARROWS[event.key];
    if (arrow && !event.ctrlKey && !event.metaKey && !event.altKey) {
      this.move(shifted(this.cursor, ...arrow));
      this.mark.scrollIntoView({ block: "nearest", inline: "nearest" });
      event.preventDefault();
    } else if (this.key(event)) {
      event.preventDefault();
    }
  }
}

/** The transform of a square in the drawing. */
function placed(square) {
  const [x, y] = placeOf(square);
  return `translate(${x * SIZE} ${y * SIZE})`;
}

/** Squares as one path. */
function area(squares) {
  return squares.map((square) => {
    const [x, y] = placeOf(square);
    return `M${x * SIZE} ${y * SIZE}h${SIZE}v${SIZE}h-${SIZE}z`;
  }).join("");
}

/** The land: its grounds with their patterns, the grid, and the gold. */
function scenery(ground) {
  const kinds = new Map();
  ground.terrains.forEach((terrain, square) => kinds.set(terrain.name, [...(kinds.get(terrain.name) ?? []), square]));
  const grounds = [...kinds].map(([name, squares]) => {
    const d = area(squares);
    return [svg("path", { class: `ground ${name}`, d }), svg("path", { d, fill: `url(#${name})` })];
  });
  const lines = Array.from({ length: SIDE - 1 }, (_, index) => (index + 1) * SIZE);
  const end = SIDE * SIZE;
  const grid = lines.map((at) => `M${at} 0V${end}M0 ${at}H${end}`).join("");
  const gold = [...ground.gold].map((square) =>
    svg("g", { class: "gold", transform: placed(square) }, svg("path", { d: "M18.5 14l4 4l-4 4l-4-4z" })));
  return svg("g", {}, grounds.flat(), svg("path", { class: "grid", d: grid }), gold);
}

function patterns() {
  return svg("defs", {}, Object.keys(TEXTURES).map((name) =>
    svg("pattern", { id: name, width: SIZE, height: SIZE, patternUnits: "userSpaceOnUse" }, texture(name))));
}

function texture(name) {
  return svg("path", { class: `texture ${name}`, d: TEXTURES[name] });
}

/** A sample of a kind of ground with its colour and pattern, for a legend. */
export function swatch(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("rect", { class: `ground ${name}`, width: 24, height: 24, rx: 4 }), texture(name));
}

// -- Overlays ----------------------------------------------------------------------------------------

/** The drawings of an overlay; `chosen` is the selected unit, `tracks` the number of minions that were on each square. */
export function overlay(name, { ground, rules, units, chosen, tracks }) {
  const held = rules.units.find((unit) => unit.name === chosen);
  switch (name) {
    case "income":
      return incomes(ground, held?.rate ? held : rules.units.find((unit) => unit.name === "farmer"));
    case "free":
      return [svg("path", { class: "shade", d: area(unusable(ground, units)) })];
    case "ranges":
      return ["jammer", "artillery"].map((unit) => range(unit, rules, squaresOf(units, unit)));
    case "tracks":
      return [...tracks].map(([square, count]) =>
        svg("path", { class: "track", d: area([square]), style: { opacity: Math.min(0.15 + count / 20, 0.75) } }));
    default:
      return [];
  }
}

/** The drawing of a unit's range from a square. */
export function rangeOf(unit, rules, square) {
  return reach(unit, rules) ? [range(unit, rules, [square])] : [];
}

/** Squares where nothing can be placed. */
function unusable(ground, units) {
  return [...ground.terrains.keys()].filter((square) => !ground.isLand(square) || units.has(square));
}

/** The income of a unit on each square. */
function incomes(ground, unit) {
  return ground.terrains.flatMap((_, square) => {
    const income = ground.income(unit, square);
    if (!ground.isLand(square)) return [];
    return svg("g", { class: "income", transform: placed(square) },
      svg("rect", { width: SIZE, height: SIZE, style: { opacity: income / 10 } }),
      svg("text", { x: SIZE / 2, y: SIZE / 2 + 4 }, income));
  });
}

function squaresOf(units, kind) {
  return [...units].filter(([, { unit, mark }]) => unit === kind && mark !== "sold").map(([square]) => square);
}

/** All squares that units of a kind on these squares would reach. */
function range(kind, rules, squares) {
  const covered = new Set(squares.flatMap((square) => around(square, reach(kind, rules))));
  return svg("path", { class: `range ${kind}`, d: area([...covered]) });
}

/** The range of a kind of unit in squares; 0 for most. */
function reach(kind, rules) {
  return { jammer: rules.jamming_radius, artillery: rules.bombing_radius }[kind] ?? 0;
}

// -- The land ----------------------------------------------------------------------------------------

/** [x, y] in the server's notation. */
export function placeOf(square) {
  return [square % SIDE, Math.floor(square / SIDE)];
}

/** The square of [x, y] in the server's notation. */
export function squareAt([x, y]) {
  return y * SIDE + x;
}

/** The square `east` columns to the east and `south` rows to the south; the board wraps in both directions. */
export function shifted(square, east, south) {
  const [x, y] = placeOf(square);
  return squareAt([(x + east + SIDE) % SIDE, (y + south + SIDE) % SIDE]);
}

/** All squares within a radius, including the square itself. */
function around(square, radius) {
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

  /** The income of a unit there, in dollars per phase. */
  income(unit, square) {
    if (!unit.rate || !this.isLand(square)) return 0;
    const gold = this.gold.has(square) ? this.goldBonus : 0;
    return Math.max(0, unit.rate + this.terrains[square].farming + gold);
  }

  /** A description of a square. */
  describe(square) {
    const terrain = this.terrains[square];
    const words = [terrain.name];
    if (this.gold.has(square)) words.push("gold");
    if (!this.isLand(square)) words.push("no unit can be placed here");
    else if (terrain.defence) words.push(`defence +${terrain.defence}`);
    return words.join(", ");
  }
}

/** The name of a square for users: column and row. */
export function squareName(square) {
  return placeOf(square).join(", ");
}

// -- Units and minions, in a box of 24 by 24 ---------------------------------------------------------

/** The name of a minion's colour. */
export function minionKind(minion) {
  return ["scout", "scavenger"].includes(minion) ? minion : "barbarian";
}

/** A unit as a token on a square of the board. */
function token(unit) {
  return svg("g", { class: `token ${unit}` },
    svg("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 5 }),
    svg("path", { d: UNITS[unit], transform: "translate(12 12) scale(0.78) translate(-12 -12)", "fill-rule": "evenodd" }));
}

/** The name of a unit or a minion on the page, or a text with such names: files and protocols keep a misspelling of the paper. */
export function nameOf(kind) {
  return kind.replaceAll("kamikazee", "kamikaze");
}

/** A picture for a list or a button. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, UNITS[name] ? token(name) : minionShape(name));
}

function minionShape(minion) {
  return svg("path", { class: `minion ${minionKind(minion)}`, d: MINIONS[minion], "fill-rule": "evenodd" });
}

/** A star as a path. */
function star(points, outer, inner) {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const angle = (index * Math.PI) / points;
    const radius = index % 2 ? inner : outer;
    return `${(12 + radius * Math.sin(angle)).toFixed(2)} ${(12 - radius * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}
