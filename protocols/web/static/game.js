// A plain page for every game without a page of its own: the position as text, the legal actions as buttons, the history.
// The address names the game, /game?game=NAME, and may name a running game: &watch=ID, &join=ID, or players: &play=NAME.

import { JsonClient, RequestError } from "./client.js";
import { h, select, show } from "./dom.js";
import { GAMES, initPage, showError, showTroubles } from "./page.js";

const LINES = ["start", "event", "decide", "end", "observation", "error"];
const OPEN = "open"; // a seat for another person

class App {
  constructor(main, query) {
    this.main = main;
    this.query = query;
    this.game = query.get("game") ?? "";
    this.title = GAMES.find((game) => game.name === this.game)?.title ?? this.game;
    this.seats = []; // the names of the players
    this.observation = h("pre", { class: "position", tabindex: 0, "aria-label": "Position" });
    this.actions = h("div", { class: "row", role: "group", "aria-label": "Your moves" });
    this.status = h("p", { role: "status" });
    this.history = h("ol", { "aria-label": "What happened" });
    this.again = h("div", { class: "row" });
    this.key = `galapagos-game-${this.game}`; // of the ID of the game that this tab plays
    this.client = new JsonClient(`game-${this.game}`, { name: "Visitor", say: true }, () => this.#positions());
    for (const type of LINES) this.client.addEventListener(type, ({ detail }) => this.#receive(detail));
    showTroubles(this.client);
    this.client.ready().then((games) => this.#enter(games));
  }

  /** Request our game from its start, so that its whole history is shown again when the page is reloaded. */
  #positions() {
    const id = sessionStorage.getItem(this.key);
    return id ? [{ game_id: id, from_seq: 0 }] : undefined;
  }

  async #enter(games) {
    document.title = `${this.title} · Galapagos`;
    if (!this.client.welcome.games[this.game])
      return show(this.main, h("h1", {}, this.game || "No game"),
        h("p", {}, "This server has no game of this name. ", h("a", { href: "/" }, "Back to the lobby")));
    show(this.main,
      h("h1", {}, this.title),
      h("div", { class: "stack" },
        h("section", { class: "card" }, this.status, this.observation, this.actions, this.again),
        h("section", { class: "card", "aria-labelledby": "history" }, h("h2", { id: "history" }, "What happened"), this.history)));
    const watched = this.query.get("watch");
    const joined = this.query.get("join");
    if (watched) return this.#ask("watch", { game_id: watched, from_seq: 0 });
    if (games.length) return; // the server sends the running game
    if (joined) return this.#sit("join", { game_id: joined });
    await this.#prepare();
    if (this.query.has("play")) this.#create(this.query.getAll("play"));
  }

  /** Offer a new game, with a choice of players for the other seats. */
  async #prepare() {
    const { agents } = await this.client.request("list", { what: "agents" });
    const { seats: [fewest], rules } = await this.client.request("describe", { game: this.game });
    const choices = [...agents[this.game], [OPEN, "another person"]];
    const others = Array.from({ length: fewest - 1 }, (_, index) => select(choices, { "aria-label": `Opponent ${index + 1}` }));
    const isSecond = h("input", { type: "checkbox" });
    const begin = () => this.#create(others.map((each) => each.value), isSecond.checked);
    if (rules?.about && !this.status.textContent) this.status.textContent = rules.about;
    show(this.again, "Against ", others, h("label", {}, isSecond, " the opponent starts"), h("button", { type: "button", onclick: begin }, "Play"));
  }

  #create(others, isLast = false) {
    const seats = isLast ? [...others, "me"] : ["me", ...others];
    this.#sit("create", { game: this.game, seats });
  }

  async #sit(type, fields) {
    show(this.again);
    const sat = await this.#ask(type, fields);
    if (!sat) return;
    sessionStorage.setItem(this.key, sat.game_id);
    if (!this.seats.length) this.status.textContent = "Waiting for another player …";
  }

  async #ask(type, fields) {
    try {
      return await this.client.request(type, fields);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showError(error.message);
      if (!this.seats.length) this.#prepare();
      return null;
    }
  }

  #receive(line) {
    if (line.seats) this.seats = line.seats.map((each) => (each.name === "me" ? "you" : each.name));
    if (line.observation) this.observation.textContent = shown(line.observation);
    if (line.type === "event") this.#tell(line.say ?? `${line.kind}`);
    if (line.type === "start") {
      show(this.history);
      this.status.textContent = `The game starts: ${this.seats.join(", ")}.`;
    }
    if (line.type === "error") showError(line.message);
    if (line.type === "decide") this.#decide(line);
    else if (line.type === "event" || line.type === "end") show(this.actions);
    if (line.type === "end") this.#end(line);
  }

  #tell(text) {
    this.history.append(h("li", {}, text));
  }

  #decide(line) {
    this.status.textContent = "It is your turn.";
    const { id: re, game_id, seq, legal } = line;
    const buttons = (legal?.actions ?? []).map((action) => {
      const send = () => {
        show(this.actions);
        this.status.textContent = "";
        this.client.send("action", { re, game_id, seq, action });
      };
      return h("button", { type: "button", onclick: send }, named(action));
    });
    const resign = () => this.#ask("resign", { game_id });
    show(this.actions, buttons, h("button", { type: "button", class: "quiet", onclick: resign }, "Resign"));
    buttons[0]?.focus({ preventScroll: true });
  }

  #end({ result }) {
    const points = result.score ?? result.worth ?? [];
    const best = Math.max(...points);
    const winners = this.seats.filter((_, seat) => points[seat] === best);
    const verdict = !points.length || winners.length === points.length ? "a draw" : `${winners.join(" and ")} won`;
    this.status.textContent = `The game has ended: ${verdict}.`;
    this.seats = [];
    sessionStorage.removeItem(this.key);
    this.query = new URLSearchParams({ game: this.game });
    history.replaceState(null, "", `?${this.query}`);
    this.#prepare();
  }
}

/** An observation as text: its `text`, or all of it. */
function shown(observation) {
  return observation.text ?? JSON.stringify(observation, null, 1);
}

/** An action in words: its only field, or all of them. */
function named({ kind, ...fields }) {
  const values = Object.values(fields);
  if (!values.length) return kind;
  return values.every((each) => typeof each !== "object") ? values.join(" ") : JSON.stringify(fields);
}

new App(initPage(), new URLSearchParams(location.search));
