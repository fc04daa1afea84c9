// The board: the map drawn once, what stands on it, and the cursor that mouse, finger and keys move.

import { h, show, svg } from "../../shared/element.js";
import { token } from "./pieces.js";
import { SIDE, SQUARES, placeOf, shifted } from "./terrain.js";

export const SIZE = 24; // of a square in the drawing

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

/**
 * Calls look(square) when the cursor moves, press(square, isStroke) for a click and for each square that a stroke of
 * the mouse goes on over, and key(event) for keys that are not its own; key() says whether it has used them.
 */
export class Board {
  constructor(ground, { look, press, key }) {
    this.cursor = Math.floor(SQUARES / 2) + SIDE / 2;
    this.look = look;
    this.press = press;
    this.key = key;
    this.drawn = new Map(); // by square: {text, element}
    this.layer = svg("g", {});
    this.held = svg("g", {}); // what the cursor carries
    this.tokens = svg("g", {});
    this.faults = svg("g", {});
    this.mark = svg("rect", { class: "cursor", width: SIZE, height: SIZE, rx: 4 });
    this.drawing = svg("svg", { viewBox: `0 0 ${SIDE * SIZE} ${SIDE * SIZE}`, "aria-hidden": "true" },
      patterns(), scenery(ground), this.layer, this.held, this.tokens, this.faults, this.mark);
    this.element = h("div", {
      class: "board", tabindex: 0, role: "application", "aria-label": "Map of 24 by 24 squares",
      "aria-describedby": "board-help", onkeydown: (event) => this.#type(event),
    }, this.drawing);
    this.#listen();
    this.move(this.cursor, false);
  }

  /** Put the cursor on a square. */
  move(square, isTold = true) {
    this.cursor = square;
    const [x, y] = placeOf(square);
    this.mark.setAttribute("x", x * SIZE);
    this.mark.setAttribute("y", y * SIZE);
    if (isTold) this.look(square);
  }

  /** Show what stands: {unit, mark} by square; a mark is new, sold, fallen or nothing. */
  stand(units) {
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

  /** Show where something is wrong: words by square. */
  blame(faults) {
    show(this.faults, [...faults].map(([square, words]) =>
      svg("g", { class: "fault", transform: placed(square), "data-square": square },
        svg("title", {}, words),
        svg("rect", { x: 1, y: 1, width: SIZE - 2, height: SIZE - 2, rx: 5 }),
        svg("circle", { cx: SIZE - 4, cy: 5, r: 6 }),
        svg("text", { x: SIZE - 4, y: 8.6 }, "!")),
    ));
  }

  /** Lay drawings over the ground, below the units. */
  overlay(drawings) {
    show(this.layer, drawings);
  }

  /** The same for what goes with the cursor. */
  carry(drawings) {
    show(this.held, drawings);
  }

  /** Nothing but the land and who stands on it. */
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
      if (isFinger) this.#touch(this.squareAt(event.clientX, event.clientY), false); // a finger may have scrolled
    });
  }

  #touch(square, isStroke) {
    if (square === null) return;
    this.move(square);
    this.press(square, isStroke);
  }

  #type(event) {
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

/** Where a square is in the drawing. */
export function placed(square) {
  const [x, y] = placeOf(square);
  return `translate(${x * SIZE} ${y * SIZE})`;
}

/** Squares as one path. */
export function area(squares) {
  return squares.map((square) => {
    const [x, y] = placeOf(square);
    return `M${x * SIZE} ${y * SIZE}h${SIZE}v${SIZE}h-${SIZE}z`;
  }).join("");
}

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

/** A kind of ground with its colour and pattern, for a legend. */
export function swatch(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("rect", { class: `ground ${name}`, width: 24, height: 24, rx: 4 }), texture(name));
}
