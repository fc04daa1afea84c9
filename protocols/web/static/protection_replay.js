// The replay of a turn: its frames from the server's events, the canvas, the controls, the fights and the accounts.

import { h, show, table } from "./dom.js";
import { dollars, plural, signedDollars } from "./format.js";
import { recall, remember } from "./memory.js";
import { MINIONS, SIDE, icon, minionKind, nameOf, placeOf, shifted, squareAt, squareName } from "./protection_board.js";

const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]]; // by facing
const TURNS = { R: 1, L: 3 };
const MOVES = { F: 1, J: 2 };
const PHASES_A_SECOND = 6;
const SPEEDS = [0.5, 1, 2, 5];
const SPEED = "protection-speed"; // in the browser's memory
const MINE_ATTACK = 10;
const FIGHTS_OF_UNITS = ["counter", "mine", "bomb"]; // the others are attacks of minions
const MOST_FIGHTS = 200; // in the list
const ALIKE = ["amphibious", "armored", "infantry", "armor", "artillery"]; // their plural is the same word

/**
 * A turn phase by phase, from a roster, letters and fights. A letter is an action in the order of acting: F moved, f
 * blocked, R, L, S special, J jumped. A minion that falls does not act again; it then has one letter instead of two.
 */
export class Replay {
  /** `units` are the units before the first phase, `events` the answer to `replay`, `kinds` the minions of the rules. */
  constructor(units, events, kinds) {
    const roster = events.filter((event) => event.kind === "roster").flatMap((event) => event.roster);
    const phases = events.filter((event) => event.kind === "phases");
    this.kinds = new Map(roster.map(([number, kind]) => [number, kinds[kind]])); // by number of the minion
    this.frames = [...makeFrames(units, roster.filter(([, , x]) => x >= 0), phases, kinds)];
  }

  /** The names of the unit and the minions on a square. */
  at(index, square) {
    const { units, minions } = this.frames[index];
    const there = [...minions.values()].filter((minion) => minion.at === square).map((minion) => nameOf(minion.kind));
    return units.has(square) ? [units.get(square), ...there] : there;
  }

  /** The number of minions on each square, summed over all phases. */
  tracks() {
    const found = new Map();
    for (const { minions } of this.frames) {
      for (const { at } of minions.values()) found.set(at, (found.get(at) ?? 0) + 1);
    }
    return found;
  }
}

/** All frames, the field before the turn first: {phase, minions by number, units by square, fights}. */
function* makeFrames(units, roster, phases, kinds) {
  const fights = byPhase(phases.flatMap((event) => event.fights));
  let minions = new Map(roster.map(([number, kind, x, y, facing]) =>
    [number, { kind: kinds[kind].name, at: squareAt([x, y]), facing, actions: kinds[kind].actions }]));
  let field = new Map([...units].map(([square, { unit }]) => [square, unit]));
  let phase = 0;
  yield { phase, minions, units: field, fights: [] };
  for (const acts of phases.flatMap((event) => event.acts)) {
    phase += 1;
    const own = fights.get(phase) ?? [];
    minions = new Map(minions);
    field = new Map(field);
    act(minions, field, acts, own);
    yield { phase, minions, units: field, fights: own };
  }
}

/** Fights by the number of their phase, each with its square. */
function byPhase(fights) {
  const found = new Map();
  for (const fight of fights) {
    const each = { ...fight, at: squareAt(fight.at) };
    found.set(fight.phase, [...(found.get(fight.phase) ?? []), each]);
  }
  return found;
}

/** Apply the events of one phase to minions and units; `acts` has a letter for each action. */
function act(minions, units, acts, fights) {
  const own = new Map();
  for (const fight of fights) {
    if (fight.kind !== "bomb") own.set(fight.by, [...(own.get(fight.by) ?? []), fight]);
  }
  let next = 0;
  for (const number of [...minions.keys()].sort((one, other) => one - other)) {
    for (let action = minions.get(number).actions; action > 0; action--) {
      const letter = acts[next++] ?? "";
      const minion = afterAction(minions.get(number), letter);
      minions.set(number, minion);
      if (falls(minion, letter, own.get(number) ?? [], units)) {
        minions.delete(number);
        break;
      }
    }
  }
  for (const fight of fights) if (fight.kind === "bomb" && fight.win) minions.delete(fight.by);
}

/** The position and direction of a minion after an action. */
function afterAction(minion, letter) {
  const facing = (minion.facing + (TURNS[letter] ?? 0)) % 4;
  return { ...minion, facing, at: ahead(minion.at, facing, MOVES[letter] ?? 0) };
}

/** Apply the fights of an action; return whether the minion falls. */
function falls(minion, letter, fights, units) {
  const reach = { S: 1, f: 2 }[letter] ?? 0; // a jump that fails attacks two squares ahead
  const place = ahead(minion.at, minion.facing, reach);
  while (letter && "FJSf".includes(letter) && fights[0]?.at === place) {
    const { kind, win } = fights[0];
    const isMine = kind === "mine" || kind === "sweep";
    if (isMine && !"FJ".includes(letter)) break;
    fights.shift();
    if (isMine || kind === "ram" || (kind === "attack" && win)) units.delete(place);
    if (kind === "ram" || ((kind === "mine" || kind === "counter") && win)) return true;
    const answer = fights[0]?.kind;
    if (!["counter", "mine", "sweep"].includes(answer) || (letter === "S" && answer !== "counter")) break;
  }
  return false;
}

/** The square that is `squares` squares ahead. */
function ahead(square, facing, squares) {
  const [east, south] = STEPS[facing];
  return shifted(square, east * squares, south * squares);
}

/** The player of a replay. It calls shown(index) at every new frame and ended() at the last one. */
export class ReplayPlayer {
  constructor({ shown, ended }) {
    this.shown = shown;
    this.ended = ended;
    this.canvas = new ReplayCanvas();
    this.isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.frames = [];
    this.at = 0; // the frame, with the fraction of the way to the next one
    this.shownIndex = -1;
    this.speed = recall(SPEED, 1);
    this.playing = h("button", { type: "button", onclick: () => this.toggle() });
    this.bar = h("input", {
      type: "range", min: 0, step: 1, "aria-label": "Phase", oninput: () => this.#jump(Number(this.bar.value)),
    });
    this.count = h("output", { class: "quiet" });
    this.element = h("div", { class: "replay row", role: "group", "aria-label": "Replay" },
      this.playing,
      h("button", { type: "button", "aria-label": "One phase back", onclick: () => this.step(-1) }, "‹"),
      h("button", { type: "button", "aria-label": "One phase forward", onclick: () => this.step(1) }, "›"),
      this.bar,
      this.count,
      h("select", { "aria-label": "Speed", onchange: (event) => this.#setSpeed(Number(event.target.value)) },
        SPEEDS.map((value) => h("option", { value, selected: value === this.speed }, `${value} ×`))),
      h("button", { type: "button", onclick: () => this.#jump(this.frames.length - 1) }, "To the end"));
    new ResizeObserver(() => this.#paint()).observe(this.canvas.element);
  }

  /** Take the frames of a turn and play them, unless the user prefers reduced motion. */
  load(frames) {
    this.frames = frames;
    this.bar.max = frames.length - 1;
    this.shownIndex = -1;
    this.#jump(0);
    if (!this.isCalm) this.#play();
  }

  stop() {
    this.#pause();
    this.frames = [];
  }

  toggle() {
    if (this.timer) {
      this.#pause();
    } else {
      if (this.at >= this.frames.length - 1) this.at = 0;
      this.#play();
    }
  }

  step(phases) {
    this.#jump(Math.min(Math.max(Math.floor(this.at) + phases, 0), this.frames.length - 1));
  }

  #setSpeed(speed) {
    this.speed = speed;
    remember(SPEED, speed);
  }

  #jump(index) {
    this.#pause();
    this.at = index;
    this.#paint();
  }

  #play() {
    let before = null; // the clock of frames is not that of performance.now()
    const tick = (now) => {
      before ??= now;
      this.at = Math.min(this.at + ((now - before) / 1000) * PHASES_A_SECOND * this.speed, this.frames.length - 1);
      before = now;
      this.timer = requestAnimationFrame(tick);
      this.#paint();
    };
    this.timer = requestAnimationFrame(tick);
    this.#label();
  }

  #pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.#label();
  }

  #label() {
    show(this.playing, this.timer ? "Pause" : "Play");
  }

  #paint() {
    if (!this.frames.length) return;
    const index = Math.floor(this.at);
    this.canvas.draw(this.frames[index], this.frames[index + 1], this.isCalm ? 0 : this.at - index);
    if (index === this.shownIndex) return;
    this.shownIndex = index;
    this.bar.value = index;
    show(this.count, `phase ${index} of ${this.frames.length - 1}`);
    this.shown(index);
    if (index === this.frames.length - 1) {
      this.#pause();
      this.ended();
    }
  }
}

/** Minions between one phase and the next, drawn over the board. */
class ReplayCanvas {
  constructor() {
    this.element = h("canvas", { class: "minions", "aria-hidden": "true" });
    this.shapes = new Map(Object.entries(MINIONS).map(([kind, d]) => [kind, new Path2D(d)]));
  }

  /** Show a frame with the minions moved by the fraction `part`, 0 to 1, towards the next frame. */
  draw(frame, next, part) {
    const canvas = this.element;
    const style = getComputedStyle(canvas);
    const size = Math.round(canvas.clientWidth * devicePixelRatio);
    if (canvas.width !== size) canvas.width = canvas.height = size;
    const pen = canvas.getContext("2d");
    const square = size / SIDE;
    pen.clearRect(0, 0, size, size);
    for (const fight of (part > 0.5 && next ? next : frame).fights) this.#flash(pen, style, square, fight);
    const crowds = new Map();
    for (const [number, minion] of frame.minions) {
      const later = next?.minions.get(number);
      const [x, y] = between(minion.at, later?.at ?? minion.at, part);
      const turn = later ? (((later.facing - minion.facing + 6) % 4) - 2) * part : 0;
      pen.globalAlpha = next && !later ? 1 - part : 1;
      const place = `${Math.round(x * 4)} ${Math.round(y * 4)}`;
      const rank = crowds.get(place) ?? 0;
      crowds.set(place, rank + 1);
      if (rank < 4) this.#minion(pen, style, square, minion, [x + rank * 0.09, y - rank * 0.09], minion.facing + turn);
    }
    pen.globalAlpha = 1;
  }

  #minion(pen, style, square, minion, [x, y], facing) {
    const kind = minion.kind;
    pen.save();
    pen.translate((x + 0.5) * square, (y + 0.5) * square);
    pen.rotate((facing * Math.PI) / 2);
    pen.scale((square / 24) * 0.86, (square / 24) * 0.86);
    pen.translate(-12, -12);
    pen.fillStyle = style.getPropertyValue(`--${minionKind(kind)}`);
    pen.strokeStyle = style.getPropertyValue("--edge");
    pen.lineWidth = 2.2;
    pen.lineJoin = "round";
    pen.stroke(this.shapes.get(kind));
    pen.fill(this.shapes.get(kind), "evenodd");
    pen.restore();
  }

  #flash(pen, style, square, fight) {
    const [x, y] = placeOf(fight.at);
    const isGood = FIGHTS_OF_UNITS.includes(fight.kind) === fight.win;
    pen.strokeStyle = style.getPropertyValue(isGood ? "--flash-won" : "--flash-failed");
    pen.lineWidth = square * 0.14;
    pen.beginPath();
    pen.arc((x + 0.5) * square, (y + 0.5) * square, square * 0.72, 0, Math.PI * 2);
    pen.stroke();
  }
}

/** The position of a minion between two squares, on the shorter way around the edge. */
function between(from, to, part) {
  const [start, end] = [placeOf(from), placeOf(to)];
  return start.map((each, axis) => each + ((((end[axis] - each + SIDE * 1.5) % SIDE) - SIDE / 2) * part));
}

// -- Fights and accounts -----------------------------------------------------------------------------

/** A table of the values, gains and losses of both sides in a turn. */
export function accounts(turn, game) {
  const { human, chaos } = turn.end;
  const [humanBefore, chaosBefore] = turn.before;
  const lost = countsOf(human.lost.map((each) => each.unit));
  const rows = [
    ["worth before", dollars(humanBefore), dollars(chaosBefore)],
    ["farms made", dollars(human.produced), ""],
    ["plundered", dollars(-human.plundered), ""],
    ["carried home", "", dollars(chaos.carried)],
    ["lost", pictures(lost), pictures(chaos.lost)],
    ["worth after", dollars(human.value), dollars(chaos.value)],
    ["change", signedDollars(turn.end.change[0]), signedDollars(turn.end.change[1])],
  ];
  if (turn.grant) rows.push(["granted", "", signedDollars(turn.grant.amount)]);
  return table([[null, "head"], [game.human, "number"], ["Chaos", "number"]], rows, { class: "accounts" });
}

/** The minions that Chaos sent. */
export function army(turn) {
  const { bought, kept, left_off: leftOff } = turn.start;
  const rest = [kept ? `${dollars(kept)} not spent` : "", leftOff ? `${leftOff} without a free square` : ""].filter(Boolean);
  return h("p", { class: "army" }, h("span", {}, "Chaos sends "), Object.keys(bought).length ? pictures(bought) : "nothing",
    rest.length ? h("span", { class: "quiet" }, ` (${rest.join(", ")})`) : null);
}

/** The fights of a replay up to a frame, the latest first. */
export class FightLog {
  constructor() {
    this.list = h("ol", { class: "log fights", "aria-label": "Fights", tabindex: 0 });
    this.element = h("div", {}, h("h3", {}, "Fights"), this.list);
  }

  show({ frames, kinds }, index, units) {
    const lines = [];
    for (let phase = index; phase > 0 && lines.length < MOST_FIGHTS; phase--) {
      for (const fight of frames[phase].fights.toReversed()) {
        const unit = units.get(frames[phase - 1].units.get(fight.at));
        const isGood = FIGHTS_OF_UNITS.includes(fight.kind) === fight.win;
        lines.push(h("li", { class: isGood ? "good" : "bad" },
          h("span", { class: "quiet" }, `Phase ${phase}: `), fightText(fight, kinds.get(fight.by), unit)));
      }
    }
    show(this.list, lines.length ? lines : h("li", { class: "quiet" }, "No fight yet. Fights appear here during the replay."));
  }
}

/** Counts by name, with pictures; "none" without any. */
function pictures(counts) {
  const names = Object.entries(counts);
  if (!names.length) return "none";
  return h("span", { class: "pictures" }, names.map(([name, count]) =>
    h("span", { class: "counted" }, icon(name), counted(name, count))));
}

/** A count of units or minions in words. */
export function counted(name, count) {
  return plural(count, nameOf(name), ALIKE.includes(name) ? name : undefined);
}

/** How often each name occurs. */
export function countsOf(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** A fight in a sentence or two; `kind` is the minion of the rules, `unit` the human's unit before the fight. */
function fightText(fight, kind, unit) {
  const place = `(${squareName(fight.at)})`;
  const name = `${unit ? nameOf(unit.name) : "unit"} at ${place}`;
  const minion = nameOf(kind.name);
  switch (fight.kind) {
    case "ram":
      return `The ${minion} rams the ${name}; both are gone.`;
    case "sweep":
      return `The ${minion} sweeps the mine at ${place}.`;
    case "attack":
      return `The ${minion} attacks the ${name}. ${chance(kind.attack, fight, "wins", "is beaten off")}${plunder(fight)}.`;
    case "counter":
      return `The ${name} strikes back at the ${minion}. ${chance(unit?.attack ?? 0, fight, "destroys it", "misses")}.`;
    case "mine":
      return `The mine at ${place} goes off under the ${minion}. ${chance(MINE_ATTACK, fight, "destroys it", "does it no harm")}.`;
    default:
      return `The artillery at ${place} shoots at the ${minion}, rolls ${fight.n} of ${fight.of}, and ${fight.win ? "destroys it" : "misses"}.`;
  }
}

/** The probability, as cases of all cases, and the outcome. */
function chance(strength, fight, won, lost) {
  return `It has a chance of ${strength} in ${fight.of}, and ${fight.win ? won : lost}`;
}

function plunder(fight) {
  return fight.plunder ? ` and plunders ${dollars(fight.plunder)}` : "";
}
