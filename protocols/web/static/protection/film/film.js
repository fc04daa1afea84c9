// A turn redrawn phase by phase from a roster, letters and fights. A letter is an action in the order of acting:
// F moved, f blocked, R, L, S special, J jumped. Who falls acts no more: of two actions one letter is left then.

import { shifted, squareAt } from "../board/terrain.js";

const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]]; // by facing
const TURNS = { R: 1, L: 3 };
const MOVES = { F: 1, J: 2 };

/** Of a turn: `units` stood as its phases began, `events` answer `replay`, and `kinds` are the minions of the rules. */
export class Film {
  constructor(units, events, kinds) {
    const roster = events.filter((event) => event.kind === "roster").flatMap((event) => event.roster);
    const phases = events.filter((event) => event.kind === "phases");
    this.kinds = new Map(roster.map(([number, kind]) => [number, kinds[kind]])); // by number of the minion
    this.frames = [...developed(units, roster.filter(([, , x]) => x >= 0), phases, kinds)];
  }

  /** Who is on a square: the unit and the minions by name. */
  seen(index, square) {
    const { units, minions } = this.frames[index];
    const there = [...minions.values()].filter((minion) => minion.at === square).map((minion) => minion.kind);
    return units.has(square) ? [units.get(square), ...there] : there;
  }

  /** How many minions were on each square, over all phases. */
  walked() {
    const found = new Map();
    for (const { minions } of this.frames) {
      for (const { at } of minions.values()) found.set(at, (found.get(at) ?? 0) + 1);
    }
    return found;
  }
}

/** All frames, the field before the turn first: {phase, minions by number, units by square, fights}. */
function* developed(units, roster, phases, kinds) {
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

function byPhase(fights) {
  const found = new Map();
  for (const fight of fights) {
    const each = { ...fight, at: squareAt(fight.at) };
    found.set(fight.phase, [...(found.get(fight.phase) ?? []), each]);
  }
  return found;
}

function act(minions, units, acts, fights) {
  const own = new Map();
  for (const fight of fights) {
    if (fight.kind !== "bomb") own.set(fight.by, [...(own.get(fight.by) ?? []), fight]);
  }
  let next = 0;
  for (const number of [...minions.keys()].sort((one, other) => one - other)) {
    for (let action = minions.get(number).actions; action > 0; action--) {
      const letter = acts[next++] ?? "";
      const minion = moved(minions.get(number), letter);
      minions.set(number, minion);
      if (falls(minion, letter, own.get(number) ?? [], units)) {
        minions.delete(number);
        break;
      }
    }
  }
  for (const fight of fights) if (fight.kind === "bomb" && fight.win) minions.delete(fight.by);
}

function moved(minion, letter) {
  const facing = (minion.facing + (TURNS[letter] ?? 0)) % 4;
  return { ...minion, facing, at: ahead(minion.at, facing, MOVES[letter] ?? 0) };
}

/** Fight what this action fights; whether the minion falls. */
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

function ahead(square, facing, squares) {
  const [east, south] = STEPS[facing];
  return shifted(square, east * squares, south * squares);
}
