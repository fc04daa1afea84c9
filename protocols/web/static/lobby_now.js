// What happens on the server now: games that are open, played or have just ended, matches, and evolutions.

import { EventSocket, JsonClient, RequestError, fetchJson } from "./client.js";
import { h, show, showData } from "./dom.js";
import { formatNumber } from "./format.js";
import { playedAt } from "./page.js";

const ORDER = ["open", "running", "left", "over"]; // of games
const MOST = 12; // games in the list
const STATES = { open: "waits for players", running: "is being played", left: "left by its players", over: "has ended" };

/** A list that is kept up to date; each entry has a link by which others can watch, too. */
export function nowSection(cards) {
  const now = new Now(cards);
  return h("section", { class: "card now", "aria-labelledby": "now" }, h("h2", { id: "now" }, "Now on this server"), now.element);
}

class Now {
  constructor(cards) {
    this.cards = cards;
    this.games = [];
    this.matches = new Map(); // lines by ID
    this.runs = new Map(); // by name
    this.element = h("div", { "aria-live": "polite" }, h("p", { class: "quiet" }, "Loading …"));
    this.client = new JsonClient("lobby", { role: "watcher", name: "lobby" });
    const events = new EventSocket("listing", "match", "run");
    const refresh = events.refreshOn([], () => this.#loadGames());
    this.client.addEventListener("open", refresh);
    events.addEventListener("line", ({ detail: { line } }) => (line.match_id ? this.#addMatch(line) : refresh()));
    events.addEventListener("generation", ({ detail }) => this.#addGeneration(detail));
    events.refreshOn(["progress"], () => this.#loadRuns());
  }

  async #loadGames() {
    try {
      ({ games: this.games } = await this.client.request("list", { what: "games", limit: 100 }));
      this.#show();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error; // else the connection is lost, and comes back
    }
  }

  async #loadRuns() {
    try {
      const { runs } = await fetchJson("/api/runs");
      this.runs = new Map(runs.filter(({ status }) => status === "evolving").map((run) => [run.name, run]));
      this.#show();
    } catch {
      // the list is loaded again after the next event
    }
  }

  #addMatch(line) {
    if (line.type === "match_event") this.matches.set(line.match_id, line);
    else this.matches.delete(line.match_id);
    this.#show();
  }

  #addGeneration({ run, generation }) {
    if (!this.runs.has(run)) return;
    this.runs.get(run).generation = generation;
    this.#show();
  }

  #show() {
    const entries = [
      ...[...this.runs.values()].map((run) => this.#runEntry(run)),
      ...[...this.matches.values()].map(matchEntry),
      ...this.#gameEntries(),
    ];
    showData(this.element, entries, (all) => (all.length
      ? h("ul", { class: "entries" }, all.map(entryLine))
      : h("p", { class: "quiet" }, "Nothing is being played at this moment. Start a game above: it appears here, and others can watch it.")));
  }

  #runEntry({ name, game, generation }) {
    const title = this.cards.get(game)?.title ?? game;
    const words = generation < 0 ? "starts" : `is at generation ${formatNumber(generation)}`;
    return { kind: `Evolution, ${title}`, text: `${name} ${words}`, link: "Follow", href: `/runs#${encodeURIComponent(name)}` };
  }

  /** The games that can be shown on a page, open ones first. */
  #gameEntries() {
    const kindOf = ({ state, left }) => (left && state !== "over" ? "left" : state);
    const entries = this.games
      .filter((game) => playedAt(game.game, { watch: game.game_id }))
      .map((game) => [ORDER.indexOf(kindOf(game)), game])
      .toSorted(([one], [other]) => one - other)
      .map(([order, { game_id: id, game, seats, state, seed_chosen_by: chooser }]) => ({
        kind: this.cards.get(game)?.title ?? game,
        text: seats.map((name) => name || "a free seat").join(", "),
        isLeft: ORDER[order] === "left",
        state: [STATES[ORDER[order]], chooser && `seed chosen by ${chooser}`].filter(Boolean).join("; "),
        link: { open: "Join", over: "Replay" }[state] ?? "Watch",
        href: playedAt(game, { [state === "open" ? "join" : "watch"]: id }),
      }));
    return once(entries).slice(0, MOST);
  }
}

/** The entries, with one entry for all games of the same players that were left, since nothing tells those apart. */
function once(entries) {
  const keyOf = (entry) => (entry.isLeft ? JSON.stringify([entry.kind, entry.text, entry.state]) : entry.href);
  return [...Map.groupBy(entries, keyOf).values()].map(([first, ...rest]) =>
    (rest.length ? { ...first, state: `${first.state}; ${formatNumber(rest.length + 1)} such games` } : first));
}

function matchEntry({ match_id: id, table, done, of }) {
  return { kind: "Match", text: `${table.map(({ player }) => player).join(", ")}: ${formatNumber(done)} of ${formatNumber(of)} games`, link: "Follow", href: `/matches#match-${id}` };
}

function entryLine({ kind, text, state, link, href }) {
  return h("li", {},
    h("span", { class: "names" }, h("b", {}, `${kind}: `), text, state && h("span", { class: "quiet" }, ` (${state})`)),
    h("a", { href, "aria-label": `${link}: ${kind}, ${text}` }, link));
}
