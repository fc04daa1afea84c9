// A fight that the server simulates and records, and the page replays.

import { fetchJson, postJson } from "./client.js";
import { Player } from "./corewar_player.js";
import { readRecording } from "./corewar_replay.js";

const BEGINNING = 4000; // instructions that are recorded first: half a minute at the speed that fits them

/** The server's answer to a request for a fight, and the player of its recording, or null if the request was refused. */
export async function fight(request) {
  return shown(request, await ask(request));
}

/**
 * The same as soon as the beginning is recorded, which takes no time that one notices: the answer is about the beginning.
 * The player goes on with the rest when it comes.
 */
export async function fightFromStart(request) {
  const { answer, player } = await shown(request, await ask({ ...request, instructions: BEGINNING }));
  if (player && !answer.is_whole) {
    player.expectMore();
    extend(player, request);
  }
  return { answer, player };
}

async function extend(player, request) {
  try {
    const answer = await ask(request);
    player.extend(answer, await readRecording(answer));
  } catch (error) {
    player.stopAt(`The rest of the fight could not be loaded: ${error.message}`);
  }
}

async function shown(request, answer) {
  if (answer.refused) return { answer, player: null };
  return { answer, player: await recorded(request, answer) };
}

/** The player of a recording that the server has made for a request. */
export async function recorded(request, recording) {
  return new Player(recording, await readRecording(recording), (tick) => cellsAt(request, tick));
}

/** The answer to a request; browsers keep that to a fight between bundled warriors, which has an address. */
function ask(request) {
  if (request.warriors.some((each) => !each.ours)) return postJson("/api/fights", request);
  return fetchJson(`/api/fights?${queryOf(request)}`);
}

/** The query of a fight between bundled warriors. */
export function queryOf({ warriors, ...fields }) {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return new URLSearchParams([...given, ...warriors.map(({ ours }) => ["warrior", ours])]);
}

/** The server's answer and the player of a round that a warrior of a hill at this path loses against another one there. */
export async function lostRoundOnHill(path, opponent, place) {
  const answer = await fetchJson(`${path}/fights?against=${opponent}&lost=${place}`);
  return { answer, player: answer.refused ? null : new Player(answer, await readRecording(answer)) };
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
