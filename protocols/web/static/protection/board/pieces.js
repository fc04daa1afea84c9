// The shapes of units and minions, in a box of 24 by 24. Minions look north.

import { svg } from "../../shared/element.js";

export const UNITS = {
  drone: "M12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10z",
  mine: star(8, 8.5, 4.8),
  farmer: "M10.8 20v-6.5C6.5 13.5 4 11 4 6c4.5 0 7 1.8 8 5c1-3.2 3.5-5 8-5c0 5-2.5 7.5-6.8 7.5V20z",
  infantry: "M12 3.5l7.5 2.5v5.5c0 5-3.5 7.8-7.5 9.3c-4-1.5-7.5-4.3-7.5-9.3V6z",
  settler: "M12 3.5L3 11.5h2.5V20h5v-5.5h3V20h5v-8.5H21z",
  jammer: "M12 10l4.5 11h-9zM12 5a2.2 2.2 0 1 0 .01 0zM5 3.5l2 1a6 6 0 0 0 0 6l-2 1a9 9 0 0 1 0-8zM19 3.5l-2 1a6 6 0 0 1 0 6l2 1a9 9 0 0 0 0-8z",
  armor: "M2.5 13.5h3.5l2-5.5h6v1.5h8v2.5h-6l.6 1.5h4.9v3l-3 3.5h-13l-3-3.5z",
  artillery: "M8 11L17.5 2.5l4 4.5L12.5 15.5a5 5 0 1 1-4.5-4.5zM8 14.3a1.7 1.7 0 1 0 .01 0z",
};

export const MINIONS = {
  scout: "M12 4.5l5.5 14.5L12 15.5L6.5 19z",
  scavenger: "M12 3l4.8 6a6.8 6.8 0 1 1-9.6 0z",
  common: "M12 3l8 17.5H4z",
  amphibious: "M12 2l7 11.5H5zM3 16q4.5-3 9 0t9 0v4.5q-4.5 3-9 0t-9 0z",
  mobile: "M12 2l8 8.5v4.5l-8-7l-8 7v-4.5zM12 11l8 8v3.5l-8-6l-8 6V19z",
  jump: "M12 2l7 9.5H5zM6.5 14h11l2.5 7H4z",
  kamikazee: star(6, 10.5, 5.2),
  armored: "M12 1.5l8.5 7.5v12.5h-17V9zM12 10.5a3 3 0 1 0 .01 0z",
};

const TRADES = { scout: "scout", scavenger: "scavenger" };

/** How a minion is coloured: scout, scavenger or barbarian. */
export function trade(minion) {
  return TRADES[minion] ?? "barbarian";
}

/** A unit as a token on a square of the board. */
export function token(unit) {
  return svg("g", { class: `token ${unit}` },
    svg("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: 5 }),
    svg("path", { d: UNITS[unit], transform: "translate(12 12) scale(0.78) translate(-12 -12)", "fill-rule": "evenodd" }));
}

/** A picture for a list or a button. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, UNITS[name] ? token(name) : walker(name));
}

function walker(minion) {
  return svg("path", { class: `minion ${trade(minion)}`, d: MINIONS[minion], "fill-rule": "evenodd" });
}

function star(points, outer, inner) {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const angle = (index * Math.PI) / points;
    const radius = index % 2 ? inner : outer;
    return `${(12 + radius * Math.sin(angle)).toFixed(2)} ${(12 - radius * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}z`;
}
