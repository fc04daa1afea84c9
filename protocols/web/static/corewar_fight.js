// A fight that the server simulates and records, and the page replays.

import { fetchJson, postJson } from "./client.js";
import { Player } from "./corewar_player.js";
import { readRecording } from "./corewar_replay.js";

/** The server's answer to a request for a fight, and the player of its recording, or null if the request was refused. */
export async function fight(request) {
  const answer = await postJson("/api/fights", request);
  if (answer.refused) return { answer, player: null };
  return { answer, player: new Player(answer, await readRecording(answer), (tick) => cellsAt(request, tick)) };
}

/**
 * The server's answer and the player of a round that a text loses against the warrior of a hill at this path. `place`,
 * from 1, selects one of the lost rounds (`lost` of the answer). The warrior's code stays secret: there are no cells.
 */
export async function lostRound(path, text, place) {
  const answer = await fetchJson(`${path}/fights?lost=${place}`, { method: "POST", body: text });
  return { answer, player: answer.refused ? null : new Player(answer, await readRecording(answer)) };
}

/** The contents of the cells after `tick` instructions, as a function from address to text; null if not available. */
async function cellsAt(request, tick) {
  try {
    const { texts, cells } = await postJson(`/api/fights/cells?tick=${tick}`, request);
    return (cell) => texts[cells[cell]];
  } catch {
    return null;
  }
}
