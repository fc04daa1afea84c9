// The card of chess in the lobby.

import { svg } from "./dom.js";
import { squares } from "./picture.js";

export const verb = "Play";
export const about = "Its genes rate positions. What a queen is worth was found by evolution.";

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
