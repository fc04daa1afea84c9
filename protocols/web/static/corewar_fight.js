// A fight at the server: it is fought and recorded there, and watched here.

import { fetchJson, postJson } from "./client.js";
import { Player } from "./corewar_player.js";
import { readRecording } from "./corewar_replay.js";

/** The server's answer to a request for a fight, and the player of its recording; null where it was refused. */
export async function fight(request) {
  const answer = await postJson("/api/fights", request);
  if (answer.refused) return { answer, player: null };
  return { answer, player: new Player(answer, await readRecording(answer), (tick) => cellsAt(request, tick)) };
}

/**
 * The server's answer and the player of a round that a text loses against a warrior of a hill, at this path: of all
 * those rounds (`lost` of the answer) the one at this place, from 1. The hill's code stays its author's: no cells.
 */
export async function lostRound(path, text, place) {
  const answer = await fetchJson(`${path}/fights?lost=${place}`, { method: "POST", body: text });
  return { answer, player: answer.refused ? null : new Player(answer, await readRecording(answer)) };
}

/** The contents of the cells after so many instructions, as a function from address to text; null if they cannot be had. */
async function cellsAt(request, tick) {
  try {
    const { texts, cells } = await postJson(`/api/fights/cells?tick=${tick}`, request);
    return (cell) => texts[cells[cell]];
  } catch {
    return null;
  }
}
