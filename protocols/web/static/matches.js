// The matches: running and finished ones, the form that starts one, and games to watch.

import { EventSocket, JsonClient, RequestError, fetchJson } from "./client.js";
import { h, scrollable, select, show, showData, table } from "./dom.js";
import { formatNumber, percent, plural, signed } from "./format.js";
import { GAMES, initPage, playedAt, showError } from "./page.js";

const OWN = "galapagos-own-matches"; // of this browser tab
const GAME = "galapagos-match-game"; // that was chosen last in this browser tab
const DRAWN = "openings"; // rules by which each game starts elsewhere; from one position two programs would repeat one game
const WANTED = /^#match-([\w-]+)$/;
const PAIRINGS = [
  ["round_robin", "round robin: all pairs play"],
  ["gauntlet", "gauntlet: the first player plays all others"],
  ["swiss", "Swiss: players with equal scores play"],
  ["ladder", "ladder: neighbours play, winners climb"],
  ["elimination", "elimination: winners play winners"],
];
const PRECISIONS = [
  ["", "all games have been played"],
  ["0.05", "the first player’s share is known to ±5 %"],
  ["0.02", "the first player’s share is known to ±2 %"],
  ["0.01", "the first player’s share is known to ±1 %"],
];

class App {
  constructor(main) {
    this.client = new JsonClient("matches", { role: "director" });
    this.form = new MatchForm((wanted) => this.#begin(wanted));
    this.games = new GameList();
    this.matches = new Map(); // by ID
    this.wanted = WANTED.exec(location.hash)?.[1] ?? ""; // the match that the address names
    this.own = new Set(JSON.parse(sessionStorage.getItem(OWN) ?? "[]"));
    this.none = h("p", { class: "card quiet" }, "There is no recent match. ",
      "The table of each match appears here while it runs; start one with the form “New match”.");
    this.list = h("div", { class: "stack" }, this.none);
    this.tokenForm = tokenForm((token) => this.client.reconnect({ role: "director", token }));
    main.append(
      h("div", { class: "columns" }, this.list,
        h("div", { class: "stack" }, this.tokenForm, this.form.element, this.games.element)));
    this.#listen();
  }

  #listen() {
    const { client } = this;
    const update = (line) => this.#match(line.match_id).update(line);
    client.addEventListener("open", () => this.#attempt(() => this.#open()));
    client.addEventListener("refused", ({ detail: error }) => this.#refused(error));
    for (const type of ["match_event", "match_end"]) client.addEventListener(type, ({ detail }) => update(detail));
    const events = new EventSocket("match", "listing");
    const refresh = events.refreshOn([], () => this.#attempt(() => this.#refresh()));
    events.addEventListener("line", ({ detail: { line } }) => {
      if (!this.matches.has(line.match_id)) refresh(); // a game, or a match that is not listed yet
      if (line.match_id) update(line);
    });
  }

  async #open() {
    const { client, form } = this;
    form.open({ ...client.welcome.games, ...client.welcome.contests }, client.fields.role === "director");
    if (!form.isFull) {
      const [{ agents }, players] = await Promise.all([client.request("list", { what: "agents" }), fetchJson("/api/players")]);
      form.offer(agents, players);
    }
    await this.#refresh();
  }

  async #refresh() {
    const { matches } = await this.client.request("list", { what: "matches", limit: 100 });
    for (const each of matches) this.#match(each.match_id).list(each);
    this.#goToWanted();
    this.games.show((await this.client.request("list", { state: "running", limit: 20 })).games);
  }

  /** Run a step without showing a refusal: it means that the connection is lost, and the client reconnects. */
  async #attempt(step) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  }

  /** Remote clients need the token to start matches; without it they may watch. */
  #refused(error) {
    const { client } = this;
    if (error.code !== "not_permitted" || client.fields.role !== "director") return showError(error.message);
    if (client.fields.token) showError(error.message);
    this.tokenForm.hidden = false;
    client.hello({ role: "watcher", token: undefined });
  }

  /** Show the match that the address names, once; or say that it is not kept any more. */
  #goToWanted() {
    if (!this.wanted) return;
    const match = this.matches.get(this.wanted);
    this.wanted = "";
    if (match) match.element.scrollIntoView({ block: "start" });
    else show(this.none, "The match of this link is no longer shown: a match is kept for an hour after its end. ",
      "Start another one with the form “New match”.");
  }

  #match(id) {
    if (!this.matches.has(id)) {
      const match = new MatchView(id, this.own.has(id) ? () => this.#cancel(id) : null);
      this.matches.set(id, match);
      this.none.remove();
      this.list.prepend(match.element);
    }
    return this.matches.get(id);
  }

  async #begin(wanted) {
    const { match_id: id } = await this.client.request("match", wanted);
    this.own.add(id);
    sessionStorage.setItem(OWN, JSON.stringify([...this.own]));
    const match = this.#match(id);
    match.begin(wanted);
    match.element.scrollIntoView({ block: "nearest" });
  }

  async #cancel(id) {
    try {
      await this.client.request("match_cancel", { match_id: id });
    } catch (error) {
      showError(error.message);
    }
  }
}

/** A form that asks for the server's token; enter(token) tries it. */
function tokenForm(enter) {
  const token = h("input", { type: "password", autocomplete: "off", required: true });
  const form = h("form", { class: "card row", hidden: true },
    h("p", {}, "To start matches from another machine, enter the token of the server. Its operator sets it with --token-file."),
    h("label", {}, "Token", token),
    h("button", { class: "main" }, "Enter"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.hidden = true;
    enter(token.value);
  });
  return form;
}

// -- The form ----------------------------------------------------------------------------------------

/** The form of a match: the game, the players, the number of games and the stop rules. */
class MatchForm {
  /** begin(wanted) sends the request; an error that it throws is shown. */
  constructor(begin) {
    this.begin = begin;
    this.isFull = false; // whether the form offers players
    this.game = h("select", { onchange: () => this.#choose() });
    this.variant = h("select", {});
    this.players = h("fieldset", { class: "players" });
    this.games = numberInput(100, 1, 100_000);
    this.seats = numberInput(2, 2, 6);
    this.pairing = select(PAIRINGS);
    this.precision = select(PRECISIONS);
    this.minutes = numberInput("", 1, 1440);
    this.seed = numberInput("", 0, Number.MAX_SAFE_INTEGER);
    this.mirror = h("input", { type: "checkbox", checked: true });
    this.button = h("button", { class: "main" }, "Start the match");
    const row = (...labels) => h("div", { class: "row" }, labels);
    const label = (text, field) => h("label", {}, text, field);
    this.element = h("form", { class: "card begin", hidden: true, onsubmit: (event) => this.#send(event) },
      h("h2", {}, "New match"),
      row(label("Game", this.game), label("Rules", this.variant)),
      this.players,
      row(label("Games per pairing", this.games), label("Seats", this.seats)),
      h("label", { class: "tick" }, this.mirror, "play each deal in every seat order"),
      label("Pairing", this.pairing),
      label("Stop when", this.precision),
      h("details", {}, h("summary", {}, "More options"),
        row(label("Time limit in minutes", this.minutes), label("Seed (empty: random)", this.seed))),
      this.button);
  }

  /** Take the games and their variants; only directors may start a match. */
  open(games, isDirector) {
    this.variants = games;
    this.element.hidden = !isDirector;
  }

  /** Offer the players of each game; `players` are those that the lobby lists, the strongest that evolved first. */
  offer(agents, players) {
    this.agents = Object.fromEntries(Object.entries(agents).filter(([, names]) => names.length > 1));
    this.known = players;
    const wanted = sessionStorage.getItem(GAME);
    const games = Object.keys(this.agents).toSorted((one, other) => placeOf(one) - placeOf(other));
    show(this.game, games.map((game) => h("option", { value: game, selected: game === wanted }, titleOf(game))));
    this.isFull = true;
    this.#choose();
  }

  #choose() {
    const game = this.game.value;
    sessionStorage.setItem(GAME, game);
    const chosen = firstChoice(this.agents[game], this.known.filter((player) => player.game === game));
    show(this.variant, this.variants[game].map((name) => h("option", { selected: name === DRAWN }, name)));
    const ticks = this.agents[game].map((name) =>
      h("label", { class: "tick" },
        h("input", { type: "checkbox", name: "player", value: name, checked: chosen.includes(name) }), name));
    show(this.players, h("legend", {}, "Players"), ...ticks);
  }

  async #send(event) {
    event.preventDefault();
    this.button.disabled = true;
    try {
      await this.begin(this.#wanted());
    } catch (error) {
      showError(error.message);
    } finally {
      this.button.disabled = false;
    }
  }

  #wanted() {
    const players = [...this.players.querySelectorAll("input:checked")].map((tick) => tick.value);
    if (players.length < 2) throw new Error("Choose at least two players.");
    const number = (field) => (field.value ? Number(field.value) : undefined);
    // A name with a colon plays one side only; all players of one side play against all of the other side.
    const isOfSides = players.some((name) => name.includes(":"));
    return {
      game: this.game.value,
      variant: this.variant.value,
      players,
      games: number(this.games),
      seats: number(this.seats),
      pairing: isOfSides ? undefined : this.pairing.value,
      mirror: isOfSides ? undefined : this.mirror.checked,
      seed: number(this.seed),
      stop: { ci: number(this.precision), minutes: number(this.minutes) },
    };
  }
}

/** The players of a first match: the strongest that evolved, and one that was written by hand, or one of the other side. */
function firstChoice(names, players) {
  const strongest = players.find(({ name, is_evolved: isEvolved }) => isEvolved && names.includes(name))?.name ?? names[0];
  const sideOf = (name) => name.split(":").slice(0, -1).join(":"); // a name with a colon plays one side only
  const written = players.filter(({ is_evolved: isEvolved }) => !isEvolved).map(({ name }) => name);
  const others = names.filter((name) => name !== strongest && (sideOf(name) !== sideOf(strongest) || !sideOf(name)));
  const other = written.find((name) => others.includes(name) && name !== "random") ?? others[0];
  return [strongest, other];
}

function titleOf(game) {
  return GAMES.find(({ name }) => name === game)?.title ?? game;
}

/** The place of a game among those of the server. */
function placeOf(game) {
  return GAMES.findIndex(({ name }) => name === game);
}

function numberInput(value, min, max) {
  return h("input", { type: "number", value, min, max, step: 1, inputmode: "numeric", required: value !== "" });
}

// -- A match -----------------------------------------------------------------------------------------

/** A match: its progress, its table with intervals, and its cross table. */
class MatchView {
  /** cancel() stops the match; null if another client started it. */
  constructor(id, cancel) {
    this.title = h("a", { href: `#match-${id}`, title: "The address of this match, for others" }, "Match");
    this.state = h("p", { class: "quiet", role: "status" });
    this.progress = h("progress", { "aria-label": "Games played" });
    this.table = h("div", {});
    this.met = h("div", {});
    this.more = h("details", { hidden: true }, h("summary", {}, "Cross table"), this.met);
    this.cancel = cancel && h("button", { type: "button", onclick: cancel }, "Stop the match");
    this.element = h("section", { class: "card match", id: `match-${id}` },
      h("div", { class: "row head" }, h("h2", {}, this.title), this.cancel),
      this.state, this.progress, this.table, this.more);
    this.isOver = false;
  }

  /** Show that the match has been requested. */
  begin({ game, variant, players }) {
    this.game = game;
    show(this.title, `${titleOf(game)}: ${plural(players.length, "player")}, ${variant}`);
    show(this.state, "Starting …");
  }

  /** Show an entry of a listing. */
  list({ game, players, done, of }) {
    if (this.title.textContent === "Match") show(this.title, `${titleOf(game)}: ${players.join(", ")}`);
    if (!this.table.firstChild) this.#showState(done, of, done >= of);
  }

  /** Show a match_event or its match_end. */
  update(line) {
    const isOver = line.type === "match_end";
    if (this.isOver && !isOver) return;
    this.isOver = isOver;
    this.#showState(line.done ?? line.games, line.of ?? line.games, isOver);
    show(this.table, standings(line.table));
    show(this.met, crossTable(line.table), h("p", { class: "quiet" }, notes(line.table)));
    this.more.hidden = false;
    if (isOver) this.cancel?.remove();
  }

  #showState(done, of, isOver) {
    this.progress.max = of || 1;
    this.progress.value = done;
    this.progress.hidden = isOver;
    this.state.setAttribute("aria-live", isOver ? "polite" : "off"); // screen readers do not read a count that changes every second
    show(this.state, isOver ? `Ended after ${plural(done, "game")}` : `${formatNumber(done)} of ${plural(of, "game")}`);
  }
}

/** The table of a match, the best first. */
function standings(rows) {
  const columns = [["#", "number"], ["Player", "head"], ["Points (95 % interval)", "share"], ["Won – shared – lost", "number"],
    ["Rating", "number"], ["Result", "number"]];
  const cells = rows.toSorted((one, other) => other.share - one.share).map((row, index) => [
    index + 1,
    row.player,
    interval(row),
    `${formatNumber(row.wins)} – ${formatNumber(row.shared)} – ${formatNumber(row.losses)}`,
    row.games ? `${signed(Math.round(row.rating))} ± ${Math.round(row.rating_error)}` : "–",
    formatNumber(Math.round(row.mean_result)),
  ]);
  return scrollable("Table", table(columns, cells, { class: "ranks" }));
}

/** A share with its 95 % interval: a line from low to high, a dot where the share is. */
function interval({ share, low, high, games }) {
  const text = games ? `${percent(share)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]` : "no game yet";
  return h("span", { class: "interval", title: text },
    h("span", { class: "track", "aria-hidden": "true" }, games ? [
      h("span", { class: "range", style: { left: `${100 * low}%`, width: `${100 * (high - low)}%` } }),
      h("span", { class: "dot", style: { left: `${100 * share}%` } }),
    ] : null),
    h("span", { class: "text" }, text));
}

/** Points of each row's player against the column's, in percent. */
function crossTable(rows) {
  const columns = rows.map((row, index) => [h("span", { title: row.player }, index + 1), "number"]);
  const cells = rows.map((row, index) => [
    `${index + 1} ${row.player}`,
    ...row.against.map((met, other) => (other === index ? "·" : points(met))),
  ]);
  return scrollable("Cross table, percent of the points", table([[null, "head"], ...columns], cells, { class: "cross" }));
}

/** The share of the points, from the numbers of losses, shared games and wins. */
function points([losses, shared, wins]) {
  const games = losses + shared + wins;
  return games ? percent((wins + shared / 2) / games, 0) : "–";
}

/** The time per game of each player, and the number of decisions that failed. */
function notes(rows) {
  const times = rows.filter((row) => row.games).map((row) => `${row.player} ${formatNumber((1000 * row.seconds) / row.games)} ms`);
  const forced = rows.filter((row) => row.forced).map((row) => `${row.player} ${formatNumber(row.forced)}`);
  return [
    times.length ? `Time per game: ${times.join(", ")}.` : "",
    forced.length ? `Failed decisions, replaced by the default: ${forced.join(", ")}.` : "",
  ].join(" ");
}

// -- Games -------------------------------------------------------------------------------------------

/** The running games, with links to watch them. */
class GameList {
  constructor() {
    this.list = h("ul", { class: "games" });
    this.element = h("section", { class: "card" }, h("h2", {}, "Games to watch"), this.list);
  }

  show(games) {
    showData(this.list, games.filter((each) => playedAt(each.game, { watch: each.game_id })).map(({ seq, ...game }) => game), (wanted) =>
      wanted.length ? wanted.map(watchLine) : h("li", { class: "quiet" }, "No game is running. Running games appear here with a link to watch them."));
  }
}

function watchLine({ game_id: id, game, variant, seats, left }) {
  return h("li", {},
    h("a", { href: playedAt(game, { watch: id }) }, seats.map((name) => name || "a free seat").join(", ")),
    h("span", { class: "quiet" }, ` ${titleOf(game)}, ${variant}`, left && " (its players have left)"));
}

new App(initPage());
