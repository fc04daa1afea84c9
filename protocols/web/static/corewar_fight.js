// A fight at the server: it is fought and recorded there, and watched here.

import { postJson } from "./client.js";
import { Player } from "./corewar_player.js";
import { readRecording } from "./corewar_replay.js";

/** The server's answer to a request for a fight, and the player of its recording; null where it was refused. */
export async function fight(request) {
  const answer = await postJson("/api/fights", request);
  if (answer.refused) return { answer, player: null };
  return { answer, player: new Player(answer, await readRecording(answer), (tick) => cellsAt(request, tick)) };
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
