// The card of Acquire in the lobby.

import { squares } from "./picture.js";

export const verb = "Play";
export const about = "Found hotel chains, merge them, and be the richest at the end.";

/** The address of its page, for a game with a player. */
export const path = (player) => `/acquire?play=${encodeURIComponent(player.name)}`;

/** A picture of 96 times 48 units. */
export const picture = () => {
  const rows = ["...aaa......", "..aa....bb..", "..a....bbb..", "...w....b...", ".cc.......w.", "cccc........"];
  return squares(12, 6, (x, y) => rows[y][x]);
};
