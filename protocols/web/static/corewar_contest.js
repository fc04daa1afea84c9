// The fight of two warriors of a run, as protocols/web/corewar_contest.py returns it.

import { recorded } from "./corewar_fight.js";

/** The player of the fight. */
export async function present({ request, recording }) {
  const player = await recorded(request, recording);
  return { element: player.element, begin: () => player.begin() };
}
