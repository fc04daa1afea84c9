// The players at a table of Acquire: names and colours by which players of the same kind are told apart.

import { h } from "./dom.js";
import { capitalised } from "./format.js";

const NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"]; // of players that are programs, by seat

/**
 * The players of a game, by seat: `called` is the name in the server's sentences, `name` the one on the page, and
 * `program` the name of a built-in player, or "". `seats` are those of `start`, and `visitor` is the name of the user,
 * who sits on the seat `own`, or watches if it is null.
 */
export function playersOf(seats, own, visitor) {
  const called = seats.map((each, seat) => (seat === own ? visitor : each.name)); // the server calls our seat "me"
  const isProgram = (seat) => seats[seat].kind === "agent";
  const people = new Set(called.filter((_, seat) => !isProgram(seat)));
  return called.map((name, seat) => {
    if (isProgram(seat)) return { called: name, program: name, name: people.has(NAMES[seat]) ? `${NAMES[seat]} ${seat + 1}` : NAMES[seat] };
    const isTwice = called.some((other, index) => other === name && index !== seat && !isProgram(index));
    return { called: name, program: "", name: isTwice && seat !== own ? `${name} (seat ${seat + 1})` : name };
  });
}

/** The colour of a seat, for styles. */
export function seatColour(seat) {
  return `var(--seat-${seat % NAMES.length})`;
}

/** The name of a seat's player with the colour of the seat. */
export function seatName(game, seat, name = game.name(seat)) {
  return h("span", { class: "seat", style: { "--seat": seatColour(seat) } }, name);
}

/** The title of a player up to the details: "A net for all decisions, bred on seven chains". */
export function shortTitle(title) {
  return capitalised(title.split(/[:;]/)[0]);
}

/** The short title of a player by its name; the name itself for people and for players that are not listed. */
export function playerTitle(titles, name) {
  return titles.has(name) ? shortTitle(titles.get(name)) : name;
}

/** The sentence of an event, with the name of its player as on the page. */
export function sentence(game, event) {
  const player = game.players[event.seat];
  if (!player || event.kind === "merger" || event.kind === "grew") return [event.say];
  const at = event.say.indexOf(player.called);
  if (at < 0) return [event.say];
  return [event.say.slice(0, at), seatName(game, event.seat, player.name), event.say.slice(at + player.called.length)].filter(Boolean);
}
