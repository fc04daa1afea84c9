// The card of Advanced Protection in the lobby: what the game is, its opponents in words, and a picture.

import { svg } from "./dom.js";

export const verb = "Play";
export const about = "A farming game: settle the land and defend it against Chaos, which learns how you play.";
export const task = "Build farms, place guards, and try to earn more than Chaos destroys.";
export const rules = [
  "You start with $2,000. Buy units and place them on land: some farm and earn money, others fight.",
  "When you end your turn, the minions of Chaos come over the map. A film shows what they do. Each fight between two units is decided by dice, and the stronger unit has the better odds.",
  "What your farms earned and the minions left is yours for the next turn.",
  "You win when you are worth much more than Chaos, or more than Chaos after 60 turns. You lose when you are ruined, or when Chaos is worth twenty times what you are.",
];

/** What each opponent is like, and how strong, in words. */
export const players = {
  "chaos:pilot": ["Decides before each game who should win, and leads it there by the minions that it chooses. It never cheats.", "As strong as you are: you win about half of your games."],
  "chaos:calibrated": ["Aims at games that you win about half the time, from what you have won so far.", "Adapts to you."],
  "chaos:seed": ["If you win more than you lose, it sends minions that are bad for you.", "Adapts to you, slowly."],
  "chaos:best": ["Always sends what has done best against you.", "The hardest."],
  "chaos:random": ["Sends minions at random.", "Does not learn."],
};

/** The address of its page, for a game with a player. */
export const path = () => "/protection";

/** A picture of 96 times 48 units. */
export const picture = () => [
  svg("path", { class: "sea", d: "M0 0h96v48H0z" }),
  svg("path", { class: "land", d: "M14 30C10 14 34 6 50 10S86 12 82 28 58 44 40 42 16 40 14 30Z" }),
  [[34, 22], [48, 18], [62, 26]].map(([x, y]) => svg("rect", { class: "warm", x, y, width: 6, height: 6, rx: 1 })),
  [[6, 8], [88, 14], [10, 42]].map(([cx, cy]) => svg("circle", { class: "bad", cx, cy, r: 3 })),
];
