// The rules of Advanced Protection in short, with an example, the units and minions, and the legend of the map.

import { h, scrollable, table } from "./dom.js";
import { dollars, signed } from "./format.js";
import { icon, nameOf, swatch } from "./protection_board.js";

const PHASES = 50;
export const UNITS = { // what each unit is good for
  drone: "cheap, farms",
  mine: "explodes under a minion that enters its square, and is used up",
  farmer: "farms",
  infantry: "guards",
  settler: "farms best, and strikes back",
  jammer: "barbarians within 4 squares hear no scout",
  armor: "the strongest guard",
  artillery: "bombs every minion within 2 squares, each phase",
};
const MINIONS = {
  scout: "calls barbarians",
  scavenger: "farms for Chaos",
  common: "attacks",
  amphibious: "crosses water",
  mobile: "acts twice a phase",
  jump: "jumps over what blocks it",
  kamikazee: "destroys what it rams, and itself; acts twice",
  armored: "the strongest; sweeps mines",
};

/** The rules, for a place of their own. */
export function rulesText(rules) {
  return [
    h("ol", {}, paragraphs(rules).map((text) => h("li", {}, text))),
    example(rules),
    h("h3", {}, "Your units"),
    kindTable(["unit", "price", "salvage", "attack", "defence", "farms"], rules.units, UNITS,
      (unit) => [dollars(unit.cost), dollars(unit.salvage), unit.attack, unit.defence, unit.rate || ""]),
    h("h3", {}, "Chaos's minions"),
    kindTable(["minion", "price", "attack", "defence", "hears"], rules.minions, MINIONS,
      (minion) => [dollars(minion.cost), minion.attack, minion.defence, minion.hears || ""]),
    h("h3", {}, "Terrain"), legend(rules),
  ];
}

/** A farm and a fight in figures. */
function example(rules) {
  const [settler, infantry] = ["settler", "infantry"].map((name) => rules.units.find((unit) => unit.name === name));
  const common = rules.minions.find((minion) => minion.name === "common");
  const [best, hills] = [[...rules.terrains].sort((a, b) => b.farming - a.farming)[0], rules.terrains.find(({ name }) => name === "hills")];
  const income = settler.rate + best.farming;
  const odds = (attack, defence) => `wins ${attack} times in ${attack + defence}`;
  return h("section", { class: "example" },
    h("h3", {}, "Example: a farm and a fight"),
    h("p", {}, `A settler on ${best.name} earns ${settler.rate} + ${best.farming} = ${dollars(income)} in each phase: ${dollars(income * PHASES)} in a turn of ${PHASES} phases. `,
      `It costs ${dollars(settler.cost)}.`),
    h("p", {}, `A common minion attacks with ${common.attack}. Against the settler, which defends with ${settler.defence}, it ${odds(common.attack, settler.defence)}. `,
      `If it wins in phase 30, it takes all that the settler has earned until then, up to ${dollars(income * 30)}, and the settler is gone. `,
      `Against infantry on hills, which defends with ${infantry.defence} + ${hills.defence}, it ${odds(common.attack, infantry.defence + hills.defence)}. `,
      `If it fails, the infantry strikes back with ${infantry.attack} against ${common.defence}, and ${odds(infantry.attack, common.defence)}.`));
}

/** The meaning of the map's colours and patterns. */
export function legend(rules) {
  const nugget = h("span", { class: "icon nugget", "aria-hidden": "true" });
  return h("ul", { class: "legend" },
    rules.terrains.map(({ name, farming, defence }) => entry(swatch(name), name, { farming, defence })),
    entry(nugget, "gold", { farming: rules.gold_bonus }));
}

/** The shapes of both sides. */
export function shapes(rules) {
  return h("ul", { class: "legend" }, [...rules.units, ...rules.minions].map(({ name }) => entry(icon(name), nameOf(name), {})));
}

/** A line of a legend; `bonuses` by the quantity to which they are added. */
function entry(picture, name, bonuses) {
  const given = Object.entries(bonuses).filter(([, bonus]) => bonus).map(([what, bonus]) => `${what} ${signed(bonus)}`);
  return h("li", {}, picture, h("span", {}, name, " ", h("span", { class: "quiet" }, given.join(", "))));
}

function paragraphs(rules) {
  return [
    "You farm an island world that wraps around at its edges. Before each turn you buy units and place them on free land.",
    "Then Chaos sends minions to random squares, and both sides act for 50 phases. In each phase a farming unit earns its rate plus the bonus of its land.",
    "An attack of strength A on a defence of D, which includes the bonus of the defender's land, wins A times in A + D. "
      + "A minion that destroys a farm takes the money that the farm earned this turn.",
    "After the turn the minions go home and Chaos gets their full price back. Your units stay where they are.",
    `You win when you are worth more than ${rules.human_wins_ratio} times what Chaos is: money and units together.`,
    [
      rules.chaos_wins_ratio ? `Chaos wins when it is worth more than ${rules.chaos_wins_ratio} times what you are, and` : "Chaos wins",
      ` when you have no unit and less than ${dollars(rules.elimination_below)}.`,
      rules.turn_cap ? ` After ${rules.turn_cap} turns the side that is worth more wins.` : "",
    ].join(""),
    "Chaos never cheats: it plays by the same rules against every player. It chooses among 250 evolved strings by testing them on what you built in the turn before.",
  ];
}

/** A table of units or minions with their descriptions `about`, by name; cells(kind) returns the other columns. */
function kindTable([head, ...heads], kinds, about, cells) {
  const name = (kind) =>
    [h("span", { class: "counted" }, icon(kind.name), nameOf(kind.name)), h("div", { class: "quiet about" }, about[kind.name])];
  const columns = [[head, "head"], ...heads.map((each) => [each, "number"])];
  return scrollable(`Every ${head}`, table(columns, kinds.map((kind) => [name(kind), ...cells(kind)])));
}
