// The lobby: a card for each game, the players with their cards, the games to join or to watch.

import { EventSocket, JsonClient, RequestError, fetchJson } from "./client.js";
import { h, show, showData, svg, table } from "./dom.js";
import { inline, markdown } from "./markdown.js";
import { GAMES, initPage, playedAt, showError } from "./page.js";
import { squares } from "./picture.js";

const PICTURE = { viewBox: "0 0 96 48", preserveAspectRatio: "xMidYMid slice", class: "picture", "aria-hidden": "true" };
const MORE = [
  ["/hills", "Hills", "test a Core War warrior, or submit it"],
  ["/matches", "Matches", "compare players over many games"],
  ["/runs", "Runs", "start an evolution, or follow one"],
];
const ORDER = ["open", "running", "over"];
const MOST_GAMES = 12; // in the list
const CARD = /^#card\/([^/]+)\/([^/]+)$/; // the address of a player's card

function showLobby(main, players, cards) {
  show(main,
    h("div", { class: "hero" },
      h("h1", {}, "Game players that evolved"),
      h("p", {}, "Galapagos evolves players for the games below. ",
        "Play against them here, watch them, or connect a program of your own.")),
    gameCards(players, cards),
    h("div", { class: "columns" },
      playersSection(players),
      h("div", { class: "aside" }, gamesSection(), more(), programs())));
  initCards();
}

// -- Games to start ----------------------------------------------------------------------------------

/** A card for each game; the first of its players is the strongest. */
function gameCards(players, cards) {
  return h("div", { class: "game-cards" }, GAMES.map(({ name, title }) => {
    const player = players.find((each) => each.game === name);
    const { verb, about, path, picture } = cards.get(name);
    return player && h("a", { class: "game-card card", href: path(player) },
      svg("svg", PICTURE, picture()),
      h("h2", {}, title),
      h("p", {}, about),
      h("p", { class: "quiet" }, player.name, player.strength && h("small", {}, player.strength)),
      h("span", { class: "enter" }, verb));
  }));
}

/** The card of a game that has the plain page. */
function plainCard(game) {
  return {
    verb: "Play",
    about: "A game from another installed package.",
    path: (player) => playedAt(game, { play: player.name }),
    picture: () => squares(12, 6, (x, y) => ((x * 5 + y * 3) % 7 < 2 ? "warm" : "pale")),
  };
}

// -- Players and their cards -------------------------------------------------------------------------

function playersSection(players) {
  const games = GAMES.filter(({ name }) => players.some((player) => player.game === name));
  return h("section", { "aria-labelledby": "players" },
    h("h2", { id: "players" }, "Players"),
    h("div", { class: "player-lists" },
      games.map(({ name, title }) => playerList(title, players.filter((player) => player.game === name)))));
}

function playerList(title, players) {
  const evolved = players.filter((player) => player.is_evolved);
  const others = players.filter((player) => !player.is_evolved);
  return h("section", { class: "card" },
    h("h3", {}, title),
    h("ul", { class: "players" }, evolved.map(playerLine)),
    others.length > 0 && h("details", {},
      h("summary", {}, `${others.length} more: written by hand, or random`),
      h("ul", { class: "players" }, others.map(playerLine))));
}

function playerLine({ game, name, title, strength, card_url: hasCard }) {
  const address = `#card/${encodeURIComponent(game)}/${encodeURIComponent(name)}`;
  return h("li", {},
    h("b", {}, name),
    hasCard && h("a", { href: address, "aria-label": `About ${name}` }, "about"),
    h("span", {}, inline(title)),
    strength && h("small", { class: "quiet" }, strength));
}

/** Show the player's card that the address names, now and whenever the address changes. */
function initCards() {
  const body = h("div", { class: "card-text" });
  const close = h("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { class: "model-card", "aria-label": "About a player", onclose: leave, onclick: closeOutside }, close, body);
  document.body.append(dialog);
  addEventListener("hashchange", showCard);
  showCard();

  async function showCard() {
    const wanted = CARD.exec(location.hash);
    if (!wanted) return dialog.close();
    try {
      const card = await fetchJson(`/api/cards/${wanted[1]}/${wanted[2]}`);
      show(body, h("p", { class: "quiet" }, `${card.game}, ${card.name}`), cardText(card));
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
    } catch (error) {
      showError(error.message);
    }
  }

  function leave() {
    if (CARD.test(location.hash)) history.replaceState(null, "", location.pathname + location.search);
  }

  function closeOutside(event) {
    if (event.target === dialog) dialog.close();
  }
}

/** The content of a card. The comment at the head of a plain file is Markdown, too. */
function cardText({ form, text }) {
  if (form === "markdown") return markdown(text);
  const lines = text.split("\n");
  const first = Math.max(lines.findIndex((line) => !line.startsWith("#")), 0);
  const comment = lines.slice(0, first).map((line) => line.replace(/^# ?/, ""));
  return [markdown(comment.join("\n")), h("pre", { tabindex: 0 }, lines.slice(first).join("\n").trim())];
}

// -- Further sections --------------------------------------------------------------------------------

/** The games that wait for players, are running or have just ended, kept up to date. */
function gamesSection() {
  const list = h("div", { "aria-live": "polite" }, h("p", { class: "quiet" }, "Loading …"));
  const client = new JsonClient("lobby", { role: "watcher", name: "lobby" });
  client.addEventListener("open", new EventSocket("listing").refreshOn(["line"], refresh));
  return h("section", { class: "card", "aria-labelledby": "games" }, h("h2", { id: "games" }, "Games"), list);

  async function refresh() {
    try {
      const { games } = await client.request("list", { what: "games", limit: 100 });
      showData(list, games.map(({ seq, ...game }) => game), gamesTable);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error; // else the connection is lost, and comes back
    }
  }
}

/** A table of the games that can be shown on a page, open games first. */
function gamesTable(games) {
  const wanted = games.filter((game) => playedAt(game.game)).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  if (!wanted.length)
    return h("p", { class: "quiet" },
      "No game is open or running. Games that you can join or watch appear here. ",
      "To open one, start a game with an open seat: ", h("a", { href: "/acquire" }, "Acquire"), ".");
  const rows = wanted.slice(0, MOST_GAMES).map(({ game_id: id, game, variant, seats, state, seed_chosen_by: chooser }) => {
    const isOpen = state === "open";
    const address = playedAt(game, { [isOpen ? "join" : "watch"]: id });
    const about = [variant, state === "over" && "ended", chooser && `seed chosen by ${chooser}`];
    return [
      [`${game} `, h("small", { class: "quiet" }, about.filter(Boolean).join(", "))],
      seats.map((name) => name || "open").join(", "),
      h("a", { href: address }, isOpen ? "Join" : "Watch"),
    ];
  });
  return table(["Game", ["Seats", "names"], [null]], rows);
}

function more() {
  return h("section", { class: "card", "aria-labelledby": "more" },
    h("h2", { id: "more" }, "More pages"),
    h("ul", { class: "pages" },
      MORE.map(([path, name, about]) => h("li", {}, h("a", { href: path }, name), h("span", { class: "quiet" }, about)))));
}

function programs() {
  const code = (text) => h("code", {}, text);
  return h("section", { class: "card", "aria-labelledby": "programs" },
    h("h2", { id: "programs" }, "Your own programs"),
    h("p", {}, "Programs connect to the TCP port of the server. Their first line selects the protocol: ", code("uci"), " or ", code("xboard"),
      " for chess programs, a JSON object for games, ", code(";redcode"), " for the hills. Pages use the same protocols over the WebSocket ",
      code("/ws"), ". ", h("a", { href: "/help#protocols" }, "More about the protocols"), "."));
}

async function start(main) {
  const cards = Promise.all(GAMES.map(async ({ name, has_page: hasPage }) => [name, hasPage ? await import(`./${name}_card.js`) : plainCard(name)]));
  showLobby(main, await fetchJson("/api/players"), new Map(await cards));
}

start(initPage());
