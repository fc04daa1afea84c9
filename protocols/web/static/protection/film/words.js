// A fight in words: who, the chance of it, and how it went.

import { named } from "../board/terrain.js";

const MINE_ATTACK = 10;

/** `kind` is the minion of the rules, `unit` the human's as it stood before. */
export function told(fight, kind, unit) {
  const name = unit?.name ?? "unit";
  const how = fight.win ? "wins" : "fails";
  switch (fight.kind) {
    case "ram":
      return `${kind.name} rams ${name} at ${named(fight.at)}; both are gone`;
    case "sweep":
      return `${kind.name} sweeps the mine at ${named(fight.at)}`;
    case "attack":
      return `${kind.name} attacks ${name} at ${named(fight.at)}: ${odds(kind.attack, fight)}, ${how}${plunder(fight)}`;
    case "counter":
      return `${name} at ${named(fight.at)} strikes back at ${kind.name}: ${odds(unit?.attack ?? 0, fight)}, ${how}`;
    case "mine":
      return `the mine at ${named(fight.at)} goes off under ${kind.name}: ${odds(MINE_ATTACK, fight)}, ${how}`;
    default:
      return `artillery at ${named(fight.at)} hits ${kind.name}: rolls ${fight.n} of ${fight.of}, ${how}`;
  }
}

function odds(strength, fight) {
  return `${strength} in ${fight.of}`;
}

function plunder(fight) {
  return fight.plunder ? `, plunders $${fight.plunder.toLocaleString("en")}` : "";
}
