// The card of Advanced Protection in the lobby.

import { svg } from "./dom.js";

export const verb = "Play";
export const about = "Defend an island against barbarians that learn how you play.";

/** The address of its page, for a game with a player. */
export const path = () => "/protection";

/** A picture of 96 times 48 units. */
export const picture = () => [
  svg("path", { class: "sea", d: "M0 0h96v48H0z" }),
  svg("path", { class: "land", d: "M14 30C10 14 34 6 50 10S86 12 82 28 58 44 40 42 16 40 14 30Z" }),
  [[34, 22], [48, 18], [62, 26]].map(([x, y]) => svg("rect", { class: "warm", x, y, width: 6, height: 6, rx: 1 })),
  [[6, 8], [88, 14], [10, 42]].map(([cx, cy]) => svg("circle", { class: "bad", cx, cy, r: 3 })),
];
