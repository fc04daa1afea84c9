// The card of Core War in the lobby.

import { squares } from "./picture.js";

export const verb = "Watch";
export const about = "Programs share one memory, and each tries to stop the others.";

/** The address of its page, for a game with a player. */
export const path = () => "/corewar";

/** A picture of 96 times 48 units. */
export const picture = () =>
  squares(24, 12, (x, y) => ((x * 7 + y * 11) % 13 < 3 ? "a" : (x * 5 + y * 3) % 17 < 3 ? "b" : "pale"), 4);
