// The rules in short, with a table of units and one of minions, in a dialog.

import { h } from "../shared/element.js";
import { swatch } from "./board/board.js";
import { icon } from "./board/pieces.js";
import { dollars } from "./report/money.js";

const UNITS = {
  drone: "cheap, farms",
  mine: "goes off under who enters its square, then is gone",
  farmer: "farms",
  infantry: "guards",
  settler: "farms best, and strikes back",
  jammer: "barbarians within 4 squares hear no scout",
  armor: "the hardest guard",
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

/** A dialog of the rules of a game. */
export function rulesDialog(rules) {
  const dialog = h("dialog", { class: "rules", "aria-label": "The rules" },
    h("form", { method: "dialog", class: "row" }, h("h2", {}, "The rules in short"), h("button", {}, "Close")),
    h("ol", {}, paragraphs(rules).map((text) => h("li", {}, text))),
    h("h3", {}, "Your units"),
    table(["unit", "price", "salvage", "attack", "defence", "farms"], rules.units, UNITS,
      (unit) => [dollars(unit.cost), dollars(unit.salvage), unit.attack, unit.defence, unit.rate || ""]),
    h("h3", {}, "Chaos's minions"),
    table(["minion", "price", "attack", "defence", "hears"], rules.minions, MINIONS,
      (minion) => [dollars(minion.cost), minion.attack, minion.defence, minion.hears || ""]),
    h("h3", {}, "The land"), legend(rules));
  return dialog;
}

/** What the colours and patterns of the map mean. */
export function legend(rules) {
  const nugget = h("span", { class: "icon nugget", "aria-hidden": "true" });
  return h("ul", { class: "legend" },
    rules.terrains.map(({ name, farming, defence }) => entry(swatch(name), name, { farming, defence })),
    entry(nugget, "gold", { farming: rules.gold_bonus }));
}

/** The shapes of both sides. */
export function shapes(rules) {
  return h("ul", { class: "legend" }, [...rules.units, ...rules.minions].map(({ name }) => entry(icon(name), name, {})));
}

function entry(picture, name, bonuses) {
  const given = Object.entries(bonuses).filter(([, bonus]) => bonus).map(([what, bonus]) => `${what} ${signed(bonus)}`);
  return h("li", {}, picture, h("span", {}, name, " ", h("span", { class: "quiet" }, given.join(", "))));
}

function paragraphs(rules) {
  return [
    "You farm an island world that wraps around at its edges. Before each turn you buy units and place them on free land.",
    "Then Chaos sends minions to random squares, and both sides act for 50 phases. A farming unit makes its rate and the land's bonus every phase.",
    "An attack of strength A on a defence of D, with the defender's land added to D, wins A times in A + D. Who destroys a farm takes what it made this turn.",
    "After the turn the minions go home and Chaos has their full price back; your units stay where they are.",
    `You win when you are worth more than ${rules.human_wins_ratio} times what Chaos is: money and units together.`,
    [
      rules.chaos_wins_ratio ? `Chaos wins when it is worth more than ${rules.chaos_wins_ratio} times what you are, and` : "Chaos wins",
      ` when you have no unit and less than ${dollars(rules.elimination_below)}.`,
      rules.turn_cap ? ` After ${rules.turn_cap} turns who is worth more wins.` : "",
    ].join(""),
    "Chaos never cheats: it plays by the same rules against everybody. It chooses among 250 evolved strings by trying them on what you built the turn before.",
  ];
}

function table(heads, kinds, about, cells) {
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((head, index) => h("th", { scope: "col", class: index ? "number" : "" }, head)))),
    h("tbody", {}, kinds.map((kind) => h("tr", {},
      h("th", { scope: "row" },
        h("span", { class: "counted" }, icon(kind.name), kind.name),
        h("div", { class: "quiet about" }, about[kind.name])),
      cells(kind).map((cell) => h("td", { class: "number" }, cell)))))));
}

function signed(number) {
  return number > 0 ? `+${number}` : `−${-number}`;
}
