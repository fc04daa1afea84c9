// The players of the house, game by game, with what was measured of them and their cards.

import { h } from "../shared/element.js";
import { inline } from "../shared/markdown.js";
import { cardAddress } from "./card.js";

const TITLES = { chess: "Chess", acquire: "Acquire", protection: "Advanced Protection", corewar: "Core War" };

export function playersSection(players) {
  const games = Object.keys(TITLES).filter((game) => players.some((player) => player.game === game));
  return h(
    "section",
    { "aria-labelledby": "players" },
    h("h2", { id: "players" }, "Who plays here"),
    h(
      "div",
      { class: "shelves" },
      games.map((game) =>
        shelf(
          TITLES[game],
          players.filter((player) => player.game === game),
        ),
      ),
    ),
  );
}

function shelf(title, players) {
  const evolved = players.filter((player) => player.is_evolved);
  const others = players.filter((player) => !player.is_evolved);
  return h(
    "section",
    { class: "card" },
    h("h3", {}, title),
    h("ul", { class: "players" }, evolved.map(row)),
    others.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, `${others.length} written by hand, or by chance`),
        h("ul", { class: "players" }, others.map(row)),
      ),
  );
}

function row(player) {
  return h(
    "li",
    {},
    h("b", {}, player.name),
    player.card_url && h("a", { href: cardAddress(player), "aria-label": `Card of ${player.name}` }, "card"),
    h("span", {}, inline(player.title)),
    player.strength && h("small", { class: "quiet" }, player.strength),
  );
}
