// The card of Core War in the lobby: what the game is, its warriors in words, a picture, and a fight that runs.

import { squares } from "./picture.js";

export { living } from "./corewar_living.js";

export const verb = "Watch";
export const about = "A fight between programs: they share one memory, and each tries to stop the other.";
export const task = "Watch fights instruction by instruction, or write a warrior of your own.";
export const rules = [
  "Two programs, called warriors, are put into a circular memory, the core. Its cells hold instructions of the language Redcode.",
  "The warriors take turns: each executes one instruction, which may copy, change or compare cells anywhere in the core, or start another process.",
  "A process that executes a data instruction (DAT) ends. A warrior without a process has lost; if both still run at the end, it is a draw.",
];

/** What each warrior is like, and how strong, in words; the others have their own descriptions. */
export const players = {
  general: ["Seven instructions, bred against many kinds of warriors.", "Strong: beats 60 of 70 warriors that people wrote for an early hill."],
  wilkies: ["Ten instructions for the usual core of 8,000 cells.", ""],
  large: ["A large warrior of 67 instructions.", "Fair: takes a quarter to nearly half of the points from well-known warriors."],
  three: ["Remembers how its rounds ended, and changes between three ways to fight.", ""],
  switcher: ["Remembers how its rounds ended, and changes between two warriors.", ""],
  tiny: ["Bred for a tiny core of 800 cells.", "Strong in its core: scores well against 66 warriors it had never met."],
  nano: ["Five instructions for a core of only 80 cells.", "Strong in its core."],
};

/** The address of its page, for a game with a player. */
export const path = () => "/corewar";

/** A picture of 96 times 48 units. */
export const picture = () =>
  squares(24, 12, (x, y) => ((x * 7 + y * 11) % 13 < 3 ? "a" : (x * 5 + y * 3) % 17 < 3 ? "b" : "pale"), 4);
