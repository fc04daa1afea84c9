// The address of a fight, by which others see the same fight: its query if all warriors are bundled, otherwise a fragment
// that holds the texts, which no server stores.

import { queryOf } from "./corewar_fight.js";

const KEY = "#fight=";
const LONGEST = 16_000; // characters of an address that can be sent by mail and chat
const MOST_CHARACTERS = 1_000_000; // of an unpacked request

/** The address of a fight; without the fight if it is too long. */
export async function addressOf(request) {
  if (request.warriors.every((each) => each.ours)) return `${location.pathname}?${queryOf(request)}`;
  const fragment = KEY + (await pack(JSON.stringify(request)));
  return fragment.length > LONGEST ? location.pathname : location.pathname + fragment;
}

/** The fight that the page's address asks for, over these defaults. Throws an Error if it cannot be read. */
export async function fightOfAddress(defaults) {
  if (location.hash.startsWith(KEY)) return requestOf(defaults, await unpack(location.hash.slice(KEY.length)));
  const query = new URLSearchParams(location.search);
  const number = (name, otherwise) => (/^\d{1,9}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : otherwise);
  const warriors = query.getAll("warrior").map((ours) => ({ ours }));
  return {
    rules: query.get("rules") ?? defaults.rules,
    warriors: warriors.length ? warriors : defaults.warriors,
    seed: number("seed", 1),
    place: number("place", null),
    round: number("round", 1),
  };
}

/** The request of an unpacked fragment: only what a request has; the server checks the values. */
function requestOf({ rules }, text) {
  const given = JSON.parse(text);
  const warriors = given.warriors.map(({ ours, text }) => (ours ? { ours: `${ours}` } : { text: `${text}` }));
  return { rules: `${given.rules ?? rules}`, warriors, seed: given.seed ?? 1, place: given.place ?? null, round: given.round ?? 1 };
}

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > MOST_CHARACTERS) throw new Error("The fight in this address is too long.");
  }
  return text;
}
