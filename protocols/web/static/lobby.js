// The lobby: a card for each game, the players with their cards, the games to join or to watch.

import { EventSocket, JsonClient, RequestError, fetchJson } from "./client.js";
import { h, show, showData, svg, table } from "./dom.js";
import { inline, markdown } from "./markdown.js";
import { initPage, playedAt, showError } from "./page.js";

const GAMES = {
  chess: {
    title: "Chess",
    verb: "Play",
    about: "Its genes say what a position is worth; nobody taught it what a queen is.",
    path: (player) => `/chess?genome=${encodeURIComponent(player.name)}`,
  },
  acquire: {
    title: "Acquire",
    verb: "Play",
    about: "Found hotel chains, merge them, and be the richest at the end.",
    path: (player) => `/acquire?play=${encodeURIComponent(player.name)}`,
  },
  protection: {
    title: "Protection",
    verb: "Play",
    about: "Defend an island against barbarians who learn how you play.",
    path: () => "/protection",
  },
  corewar: {
    title: "Core War",
    verb: "Watch",
    about: "Programs in one memory, each trying to end the other.",
    path: () => "/corewar",
  },
};
const TITLES = { chess: "Chess", acquire: "Acquire", protection: "Advanced Protection", corewar: "Core War" };
const MORE = [
  ["/hills", "Hills", "submit a warrior, and see how long it stays"],
  ["/matches", "Matches", "let players meet, and read the table"],
  ["/runs", "Runs", "watch evolution while it happens"],
];
const ORDER = ["open", "running", "over"];
const MOST_GAMES = 12; // that are listed
const CARD = /^#card\/([^/]+)\/([^/]+)$/; // the address of a player's card

function showLobby(main, players) {
  show(main,
    h("div", { class: "hero" },
      h("h1", {}, "Game players that evolved"),
      h("p", {}, "Galapagos keeps what evolution has found in four games. ",
        "Play against it here, at once, or let your own programs do so.")),
    gameCards(players),
    h("div", { class: "columns" },
      playersSection(players),
      h("div", { class: "aside" }, gamesSection(), more(), programs())));
  initCards();
}

// -- Games to begin ----------------------------------------------------------------------------------

/** For the games that there are; the first of the players of each is the strongest. */
function gameCards(players) {
  const others = [...new Set(players.map((player) => player.game))].filter((game) => !GAMES[game]);
  const games = [...Object.entries(GAMES), ...others.map((game) => [game, plain(game)])];
  return h("div", { class: "game-cards" }, games.map(([game, { title, verb, about, path }]) => {
    const player = players.find((each) => each.game === game);
    return player && h("a", { class: "game-card card", href: path(player) },
      picture(game),
      h("h2", {}, title),
      h("p", {}, about),
      h("p", { class: "quiet" }, player.name, player.strength && h("small", {}, player.strength)),
      h("span", { class: "enter" }, verb));
  }));
}

/** A game of another package, which has the plain page. */
function plain(game) {
  const path = (player) => playedAt(game, { play: player.name });
  return { title: game, verb: "Play", about: "A game that was installed beside the program.", path };
}

function picture(game) {
  const attributes = { viewBox: "0 0 96 48", preserveAspectRatio: "xMidYMid slice", class: "picture", "aria-hidden": "true" };
  return svg("svg", attributes, (PICTURES[game] ?? anyPicture)());
}

const PICTURES = {
  chess: () => [
    squares(12, 6, (x, y) => ((x + y) % 2 ? "shade" : "pale")),
    pawn("warm", 20, 20), pawn("warm", 44, 28), pawn("a", 68, 12), pawn("a", 76, 28),
  ],
  acquire: () => {
    const rows = ["...aaa......", "..aa....bb..", "..a....bbb..", "...w....b...", ".cc.......w.", "cccc........"];
    return squares(12, 6, (x, y) => rows[y][x]);
  },
  protection: () => [
    svg("path", { class: "sea", d: "M0 0h96v48H0z" }),
    svg("path", { class: "land", d: "M14 30C10 14 34 6 50 10S86 12 82 28 58 44 40 42 16 40 14 30Z" }),
    [[34, 22], [48, 18], [62, 26]].map(([x, y]) => svg("rect", { class: "warm", x, y, width: 6, height: 6, rx: 1 })),
    [[6, 8], [88, 14], [10, 42]].map(([cx, cy]) => svg("circle", { class: "bad", cx, cy, r: 3 })),
  ],
  corewar: () =>
    squares(24, 12, (x, y) => ((x * 7 + y * 11) % 13 < 3 ? "a" : (x * 5 + y * 3) % 17 < 3 ? "b" : "pale"), 4),
};

function anyPicture() {
  return squares(12, 6, (x, y) => ((x * 5 + y * 3) % 7 < 2 ? "warm" : "pale"));
}

function pawn(kind, x, y) {
  return [
    svg("circle", { class: kind, cx: x, cy: y - 2.6, r: 2 }),
    svg("path", { class: kind, d: `M${x - 3} ${y + 3.6}h6c0-2-1.5-2.2-1.7-4.8h-2.6c-.2 2.6-1.7 2.8-1.7 4.8z` }),
  ];
}

/** A grid for a picture; kind(x, y) is the class of each square. */
function squares(across, down, kind, size = 8) {
  return Array.from({ length: across * down }, (_, index) => {
    const [x, y] = [index % across, Math.floor(index / across)];
    const box = { x: x * size + 0.5, y: y * size + 0.5, width: size - 1, height: size - 1, rx: 1 };
    return svg("rect", { class: `cell ${kind(x, y)}`, ...box });
  });
}

// -- Players and their cards -------------------------------------------------------------------------

function playersSection(players) {
  const games = [...new Set([...Object.keys(TITLES), ...players.map((player) => player.game)])]
    .filter((game) => players.some((player) => player.game === game));
  return h("section", { "aria-labelledby": "players" },
    h("h2", { id: "players" }, "Who plays here"),
    h("div", { class: "player-lists" },
      games.map((game) => playerList(TITLES[game] ?? game, players.filter((player) => player.game === game)))));
}

function playerList(title, players) {
  const evolved = players.filter((player) => player.is_evolved);
  const others = players.filter((player) => !player.is_evolved);
  return h("section", { class: "card" },
    h("h3", {}, title),
    h("ul", { class: "players" }, evolved.map(playerLine)),
    others.length > 0 && h("details", {},
      h("summary", {}, `${others.length} written by hand, or by chance`),
      h("ul", { class: "players" }, others.map(playerLine))));
}

function playerLine({ game, name, title, strength, card_url: hasCard }) {
  const address = `#card/${encodeURIComponent(game)}/${encodeURIComponent(name)}`;
  return h("li", {},
    h("b", {}, name),
    hasCard && h("a", { href: address, "aria-label": `Card of ${name}` }, "card"),
    h("span", {}, inline(title)),
    strength && h("small", { class: "quiet" }, strength));
}

/** Show the card that the address names, now and whenever it names another. */
function initCards() {
  const body = h("div", { class: "card-text" });
  const close = h("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { class: "model-card", "aria-label": "Card", onclose: leave, onclick: closeOutside }, close, body);
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

/** The comment at the head of a plain file is Markdown, too. */
function cardText({ form, text }) {
  if (form === "markdown") return markdown(text);
  const lines = text.split("\n");
  const first = Math.max(lines.findIndex((line) => !line.startsWith("#")), 0);
  const comment = lines.slice(0, first).map((line) => line.replace(/^# ?/, ""));
  return [markdown(comment.join("\n")), h("pre", { tabindex: 0 }, lines.slice(first).join("\n").trim())];
}

// -- What else there is ------------------------------------------------------------------------------

/** Games that wait for players, go on or are just over; it keeps itself up to date. */
function gamesSection() {
  const list = h("div", { "aria-live": "polite" }, h("p", { class: "quiet" }, "Looking …"));
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

/** Open games first; of people's games only, the others have no page. */
function gamesTable(games) {
  const wanted = games.filter((game) => playedAt(game.game)).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  if (!wanted.length)
    return h("p", { class: "quiet" },
      "No game is open or under way. Begin one, and leave a seat to whoever comes: ", h("a", { href: "/acquire" }, "Acquire"), ".");
  const rows = wanted.slice(0, MOST_GAMES).map(({ game_id: id, game, variant, seats, state, seed_chosen_by: chooser }) => {
    const isOpen = state === "open";
    const address = playedAt(game, { [isOpen ? "join" : "watch"]: id });
    const about = [variant, state === "over" && "over", chooser && `seed chosen by ${chooser}`];
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
    h("h2", { id: "more" }, "More to see"),
    h("ul", { class: "pages" },
      MORE.map(([path, name, about]) => h("li", {}, h("a", { href: path }, name), h("span", { class: "quiet" }, about)))));
}

function programs() {
  const code = (text) => h("code", {}, text);
  return h("section", { class: "card", "aria-labelledby": "programs" },
    h("h2", { id: "programs" }, "Your own programs"),
    h("p", {}, "The server has a TCP port, too, where the first line decides the protocol: ", code("uci"), " or ", code("xboard"),
      " for chess programs, a JSON object for games, ", code(";redcode"), " for its hills. The WebSocket ", code("/ws"),
      " is the same for pages."));
}

async function start(main) {
  showLobby(main, await fetchJson("/api/players"));
}

start(initPage());
