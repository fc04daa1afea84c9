// What can be laid over the map: income, free squares, ranges, and where minions walked.

import { svg } from "../../shared/element.js";
import { SIZE, area, placed } from "./board.js";
import { around } from "./terrain.js";

export const OVERLAYS = {
  none: "the land alone",
  income: "income of a unit",
  free: "free squares",
  ranges: "ranges of your units",
  tracks: "where Chaos walked last turn",
};

/** The drawings of an overlay; `chosen` is the unit in hand, `tracks` how many minions were on each square. */
export function overlay(name, { ground, rules, units, chosen, tracks }) {
  const held = rules.units.find((unit) => unit.name === chosen);
  switch (name) {
    case "income":
      return incomes(ground, held?.rate ? held : rules.units.find((unit) => unit.name === "farmer"));
    case "free":
      return [svg("path", { class: "shade", d: area(taken(ground, units)) })];
    case "ranges":
      return ["jammer", "artillery"].map((unit) => range(unit, rules, standing(units, unit)));
    case "tracks":
      return [...tracks].map(([square, count]) =>
        svg("path", { class: "track", d: area([square]), style: { opacity: Math.min(0.15 + count / 20, 0.75) } }));
    default:
      return [];
  }
}

/** How far a unit in hand would reach from a square. */
export function shadow(unit, rules, square) {
  return reach(unit, rules) ? [range(unit, rules, [square])] : [];
}

function taken(ground, units) {
  return [...ground.terrains.keys()].filter((square) => !ground.isLand(square) || units.has(square));
}

function incomes(ground, unit) {
  return ground.terrains.flatMap((_, square) => {
    const income = ground.income(unit, square);
    if (!ground.isLand(square)) return [];
    return svg("g", { class: "income", transform: placed(square) },
      svg("rect", { width: SIZE, height: SIZE, style: { opacity: income / 10 } }),
      svg("text", { x: SIZE / 2, y: SIZE / 2 + 4 }, income));
  });
}

function standing(units, kind) {
  return [...units].filter(([, { unit, mark }]) => unit === kind && mark !== "sold").map(([square]) => square);
}

function range(kind, rules, squares) {
  const covered = new Set(squares.flatMap((square) => around(square, reach(kind, rules))));
  return svg("path", { class: `range ${kind}`, d: area([...covered]) });
}

function reach(kind, rules) {
  return { jammer: rules.jamming_radius, artillery: rules.bombing_radius }[kind] ?? 0;
}
