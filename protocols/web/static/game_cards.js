// The cards of the games: what each is, what one does in it, its rules and its players in words.

import { GAMES, playedAt } from "./page.js";
import { squares } from "./picture.js";

/**
 * The cards by the names of the games, each from the module NAME_card.js of a game that has a page: title, verb, about,
 * task, rules (sentences), path(player), picture(), wordsOf(player) and, for some, living(), an element that moves.
 */
export async function gameCards() {
  return new Map(await Promise.all(GAMES.map(async (game) => [game.name, await gameCard(game)])));
}

async function gameCard({ name, title, has_page: hasPage }) {
  const card = hasPage ? await import(`./${name}_card.js`) : plainCard(name);
  /** What a player is like, and how strong, in words; without these its title. */
  const wordsOf = (player) => card.players?.[player.name] ?? [sentence(player.title), ""];
  return { ...card, title, wordsOf };
}

/** The card of a game that has the plain page. */
function plainCard(name) {
  return {
    verb: "Play",
    about: "A game from another installed package.",
    path: (player) => playedAt(name, { play: player.name }),
    picture: () => squares(12, 6, (x, y) => ((x * 5 + y * 3) % 7 < 2 ? "warm" : "pale")),
  };
}

/** A text with a capital letter at its beginning and a full stop at its end. */
function sentence(text) {
  const whole = text && text[0].toUpperCase() + text.slice(1);
  return !whole || /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
