// The card of chess in the lobby: what the game is, its players in words, and a picture.

import { svg } from "./dom.js";
import { squares } from "./picture.js";

export const verb = "Play";
export const about = "The game of kings. No one told these players what a queen is worth: they found out by evolution.";
export const task = "Play at a level that suits you, and see how the engine judges each position.";
export const rules = [
  "Drag a piece to a square, or click both. The page shows the legal moves and refuses all others.",
  "The king must not be left where it could be captured. The player whose king cannot escape is mated and has lost.",
  "It is a draw if the player to move has no legal move but is not in check, if a position occurs three times, or if fifty moves pass without a capture or a pawn move.",
];

/** What each player is like, and how strong, in words. */
export const players = {
  evolved: ["Bred from random genes, by playing and by examination.", "Beats most club players at full strength."],
  handset: ["The same search, with piece values from a textbook.", "A fair opponent for club players."],
  unevolved: ["A control: all pieces and all wishes count the same.", "Weak: loses to both of the above."],
  random: ["Random genes, as each evolution starts with.", "Very weak: made to show what evolution adds."],
};

/** The address of its page, for a game with a player. */
export const path = (player) => `/chess?genome=${encodeURIComponent(player.name)}`;

/** A picture of 96 times 48 units. */
export const picture = () => [
  squares(12, 6, (x, y) => ((x + y) % 2 ? "shade" : "pale")),
  pawn("warm", 20, 20), pawn("warm", 44, 28), pawn("a", 68, 12), pawn("a", 76, 28),
];

function pawn(kind, x, y) {
  return [
    svg("circle", { class: kind, cx: x, cy: y - 2.6, r: 2 }),
    svg("path", { class: kind, d: `M${x - 3} ${y + 3.6}h6c0-2-1.5-2.2-1.7-4.8h-2.6c-.2 2.6-1.7 2.8-1.7 4.8z` }),
  ];
}
