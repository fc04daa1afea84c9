// The lobby: after its first words (lobby.html) a picture that is alive, a card for each game, what happens on the server
// now, and the opponents.

import { fetchJson } from "./client.js";
import { gameCards } from "./game_cards.js";
import { h, show, svg } from "./dom.js";
import { nowSection } from "./lobby_now.js";
import { PAGES, initPage } from "./page.js";
import { initPlayerCards, playersSection } from "./player_cards.js";

const PICTURE = { viewBox: "0 0 96 48", preserveAspectRatio: "xMidYMid slice", class: "picture", "aria-hidden": "true" };

function sections(players, cards) {
  return [
    h("h2", { class: "unseen" }, "Games"),
    h("div", { class: "game-cards" }, [...cards].map(([game, card]) => gameCard(card, players.find((each) => each.game === game)))),
    nowSection(cards),
    playersSection(players, cards),
    more(),
  ];
}

/** The card of a game, with a link to play against the first of its players, the strongest that evolved. */
function gameCard({ title, verb, about, task, path, picture, wordsOf }, player) {
  if (!player) return null;
  const [, strength] = wordsOf(player);
  return h("a", { class: "game-card card", href: path(player) },
    svg("svg", PICTURE, picture()),
    h("h3", {}, title),
    h("p", {}, about),
    task && h("p", { class: "quiet" }, task),
    h("p", { class: "quiet small" }, `${verb === "Watch" ? "With" : "Against"} `, h("b", {}, player.name), strength && `. ${strength}`),
    h("span", { class: "enter" }, verb));
}

/** The pages that belong to no game, and how programs connect. */
function more() {
  const code = (text) => h("code", {}, text);
  return h("section", { class: "card", "aria-labelledby": "more" },
    h("h2", { id: "more" }, "More to do"),
    h("ul", { class: "pages" },
      PAGES.filter(([, , about]) => about).map(([path, name, about]) => h("li", {}, h("a", { href: path }, name), h("span", { class: "quiet" }, about)))),
    h("details", {}, h("summary", {}, "Connect a program of your own"),
      h("p", {}, "Programs connect to the TCP port of this server. The first line that they send selects the protocol: ", code("uci"), " or ", code("xboard"),
        " for chess programs, a JSON object for all games, ", code(";redcode"), " for the hills. Pages use the same protocols over the WebSocket ",
        code("/ws"), ". ", h("a", { href: "/help#protocols" }, "More about the protocols"), ".")));
}

async function start(main) {
  const [players, cards] = await Promise.all([fetchJson("/api/players"), gameCards()]);
  main.append(...sections(players, cards));
  const alive = [...cards.values()].find((card) => card.living);
  if (alive) show(main.querySelector(".place"), alive.living());
  initPlayerCards(players, cards);
}

start(initPage());
