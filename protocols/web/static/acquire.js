// The Acquire page: it starts, resumes, joins or watches a game, and passes lines between the server and the view.

import { Game } from "./acquire_game.js";
import { playerTitle, shortTitle } from "./acquire_seats.js";
import { GameView } from "./acquire_view.js";
import { JsonClient, RequestError, fetchJson } from "./client.js";
import { h, select, show } from "./dom.js";
import { capitalised } from "./format.js";
import { nameInput, recall, remember, storeName, visitorName } from "./memory.js";
import { addOwnGame, ownGamesCard } from "./own_games.js";
import { Pace } from "./pace.js";
import { initPage, showError, showTroubles } from "./page.js";

const LOOK_DELAY = 150; // milliseconds without a decision of ours before an observation is requested
const LINES = ["start", "event", "decide", "end", "observation", "error"];
const GAME = "galapagos-acquire-game"; // {id, promise} of this tab's game
const CHOICE = "acquire-setup"; // in the browser's memory: the rules and the opponents that were chosen last
const MOVES = { placed: 1, founded: 1, merger: 2, bonus: 1, bought: 0.6 }; // how long an event of another player is shown
const OPEN = "open"; // a seat for another person
const VARIANTS = {
  classic: "Classic: seven chains, the rules of 1999",
  tlstyer: "Public server: seven chains",
  "thesis-7": "Thesis, seven chains",
  "thesis-2002": "Thesis of 2002: three chains, shorter",
  mini: "Mini: a board of 4 × 3, for two",
};

class App {
  /** `query` is that of the address: watch=GAME, join=GAME, play=OPPONENT (several) and seed=N. */
  constructor(main, query) {
    this.main = main;
    this.query = query;
    this.watched = query.get("watch");
    this.name = visitorName();
    this.game = null;
    this.view = null;
    this.known = 0; // the number of the last event that happened before this page showed the game
    this.pace = new Pace("acquire", (line) => this.#process(line), (line) => this.#weigh(line));
    this.titles = this.#players().then((players) => new Map(players.map((player) => [player.name, player.title])));
    this.#connect().then((games) => this.#enter(games));
  }

  /** Connect under the current name; resolves to the games that are running there. */
  #connect() {
    const client = new JsonClient("acquire", { name: this.name, say: true }, () => this.#positions());
    for (const type of LINES) client.addEventListener(type, (event) => this.#receive(event.detail));
    showTroubles(client);
    client.addEventListener("open", ({ detail: games }) => {
      this.known = Math.max(this.known, ...games.map((each) => each.seq));
      if (this.watched) this.#watch();
    });
    this.client = client;
    return client.ready();
  }

  #enter(games) {
    if (this.watched) return;
    const stored = storedGame();
    if (stored && games.some((each) => each.game_id === stored.id)) {
      if (this.query.size) showError("Your game is still running. Resign it before you start another one.");
      this.#clearQuery();
      if (!this.game) this.#wait(stored.id);
    } else if (this.query.has("play")) {
      const [variant] = this.client.welcome.games.acquire;
      const seed = Number(this.query.get("seed")) || undefined;
      this.#create({ name: this.name, variant, seats: ["me", ...this.query.getAll("play")], seed });
    } else this.#prepare();
  }

  /** The position in the events of our game up to which we have them. */
  #positions() {
    if (this.watched) return [];
    if (this.game) return [{ game_id: this.game.id, from_seq: this.game.seq + 1 }];
    const stored = storedGame();
    return stored ? [{ game_id: stored.id, from_seq: 0 }] : [];
  }

  async #prepare() {
    const join = this.query.get("join");
    if (join) {
      const begin = (name) => this.#actAs(name, () => this.#sit("join", { game_id: join }));
      return show(this.main, joinForm({ name: this.name, game: join, begin }));
    }
    const players = await this.#players();
    const titles = await this.titles;
    const seats = async (variant) => (await this.#describe(variant)).seats;
    const variants = this.client.welcome.games.acquire;
    const form = new SetupForm({ name: this.name, variants, players, seats, begin: (wanted) => this.#create(wanted) });
    show(this.main, h("div", { class: "columns start" }, form.element, ownGamesCard("acquire", (name) => playerTitle(titles, name))));
  }

  async #players() {
    this.listed ??= fetchJson("/api/players");
    return (await this.listed).filter((player) => player.game === "acquire");
  }

  #create({ name, ...wanted }) {
    this.#actAs(name, () => this.#sit("create", { game: "acquire", ...wanted }));
  }

  /** Call `act` under a name; show a refusal of the server. */
  async #actAs(wanted, act) {
    try {
      const name = storeName(wanted);
      if (name !== this.name) {
        this.name = name;
        this.client.close();
        await this.#connect();
      }
      await act();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showError(error.message);
      if (!this.game) this.#prepare();
    }
  }

  async #sit(type, fields) {
    const { game_id: id, seed_commit: promise } = await this.client.request(type, fields);
    sessionStorage.setItem(GAME, JSON.stringify({ id, promise }));
    this.#clearQuery();
    if (this.game) this.game.commitment = promise;
    else this.#wait(id);
  }

  #wait(id) {
    const leave = async () => {
      await this.client.request("leave", { game_id: id });
      this.#finish();
    };
    show(this.main, waiting({ game: id, leave }));
  }

  async #watch() {
    try {
      const { seq } = await this.client.request("watch", { game_id: this.watched, from_seq: this.game ? this.game.seq + 1 : 0 });
      this.known = Math.max(this.known, seq);
      if (!this.game) show(this.main, h("p", { role: "status" }, "Waiting for the game to start."));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.code !== "lost") show(this.main, notice(`${error.message}.`));
    }
  }

  /** Clear the query, so that a reload of the page continues the game instead of starting another one. */
  #clearQuery() {
    history.replaceState(null, "", location.pathname);
    this.query = new URLSearchParams();
  }

  #receive(line) {
    if (line.type === "error") showError(line.message);
    this.pace.add(line);
  }

  /** Process a line when its turn has come. */
  #process(line) {
    if (line.type === "start" && line.game === "acquire" && this.game?.id !== line.game_id) this.#start(line);
    else if (this.game?.id === line.game_id) this.game.receive(line);
    if (line.type === "end" && this.game?.id === line.game_id) this.#keepResult(line);
    this.#refresh();
  }

  /** How many moves a line shows: none of our own, and none that happened before this page showed the game. */
  #weigh(line) {
    const isNews = line.type === "event" && line.seq > this.known && line.seat !== this.game?.seat;
    return isNews ? (MOVES[line.kind] ?? 0) : 0;
  }

  /** Add an own game to the statistics. Games that were given up or without another player count, too. */
  #keepResult({ result }) {
    const { id, seat, players } = this.game;
    if (seat == null) return;
    const isFirst = result.rank[seat] === 1;
    const winners = result.rank.filter((rank) => rank === 1).length;
    const opponents = players.flatMap(({ program, name }, other) => (other === seat ? [] : [program || name]));
    addOwnGame("acquire", { id, opponents: [...new Set(opponents)], score: isFirst ? 1 / winners : 0 });
  }

  /** Show a game. A game with rules of its own includes them; the rules of a variant are requested. */
  async #start(line) {
    const game = new Game(line, this.name);
    game.commitment = storedGame()?.promise;
    this.game = game;
    this.view = null;
    const titles = this.titles.catch(() => new Map());
    game.begin(line.rules ?? (await this.#describe(line.variant)).rules);
    this.shownTitles = await titles;
    this.#refresh();
  }

  #describe(variant) {
    return this.client.request("describe", { game: "acquire", variant });
  }

  /** Show the game, and request an observation if events have changed it since the last one. */
  #refresh() {
    if (!this.game?.rules || !this.shownTitles) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.#show());
    clearTimeout(this.timer);
    if (this.game.isStale && !this.pace.isBusy) this.timer = setTimeout(() => this.#look(), LOOK_DELAY);
  }

  #show() {
    if (!this.game) return;
    if (!this.view) {
      this.view = new GameView(this.game, {
        act: (action) => this.#act(action),
        resign: () => this.client.send("resign", { game_id: this.game.id }),
        leave: () => this.#finish(),
        pace: this.pace,
        titles: this.shownTitles,
      });
      show(this.main, this.view.element);
    }
    this.view.show(this.game);
  }

  async #look() {
    if (!this.game) return; // it has been left
    try {
      this.pace.add(await this.client.request("state", { game_id: this.game.id }));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error; // a RequestError means that the connection is lost; the server sends everything again
    }
  }

  #act(action) {
    const { id, seq } = this.game.due;
    this.game.answered();
    this.client.send("action", { re: id, game_id: this.game.id, seq, action });
    this.#refresh();
  }

  /** Leave this game and offer another one. */
  #finish() {
    sessionStorage.removeItem(GAME);
    if (this.watched) return location.assign("/acquire");
    this.game = this.view = null;
    this.known = 0;
    this.pace.clear();
    this.#prepare();
  }
}

/** {id, promise} of the game of this tab, or null. */
function storedGame() {
  return JSON.parse(sessionStorage.getItem(GAME) ?? "null");
}

// -- Before the game ---------------------------------------------------------------------------------

/** The form of a new game: the user's name, the rules and the opponents. */
class SetupForm {
  /**
   * `players` are those of /api/players; seats(variant) resolves to the minimum and maximum of players; begin(wanted) is called
   * with {name, variant, seats, seed, options}.
   */
  constructor({ name, variants, players, seats, begin }) {
    Object.assign(this, { players, seats, opponents: [], least: 2, most: 6 });
    const last = recall(CHOICE, {});
    this.name = nameInput(name, { required: true });
    this.variant = select(variants.map((each) => [each, VARIANTS[each] ?? each]), { onchange: () => this.#fit() }, last.variant);
    this.seed = h("input", { inputmode: "numeric", pattern: "[0-9]{1,15}", placeholder: "random", title: "Up to 15 digits; empty for a random seed" });
    this.hidden = h("input", { type: "checkbox" });
    this.list = h("div", { class: "opponents" });
    this.more = h("button", { type: "button", onclick: () => this.#add() }, "Add a player");
    this.element = h("form", { class: "card setup", onsubmit: (event) => (event.preventDefault(), begin(this.#wanted())) },
      h("h1", {}, "Acquire"),
      h("p", {}, "Found hotel chains, merge them, and finish with the most money. Some opponents are evolved, others are written by hand. ",
        "In your first game each decision is explained."),
      h("label", {}, "Your name", this.name),
      h("label", {}, "Rules", this.variant),
      h("fieldset", {}, h("legend", {}, "Against"), this.list, this.more),
      h("details", {},
        h("summary", {}, "More options"),
        h("label", {}, "Seed; the same seed deals the same tiles", this.seed),
        h("label", { class: "check" }, h("span", {}, this.hidden, " Hide the cash and shares of the other players"))),
      h("button", { class: "main" }, "Play"));
    const known = new Set([OPEN, ...players.map((player) => player.name)]);
    for (const opponent of (last.opponents ?? [players[0]?.name]).filter((each) => known.has(each))) this.#add(opponent);
    this.#fit();
  }

  #wanted() {
    remember(CHOICE, { variant: this.variant.value, opponents: this.opponents.map((each) => each.select.value) });
    return {
      name: this.name.value,
      variant: this.variant.value,
      seats: ["me", ...this.opponents.map((each) => each.select.value)],
      seed: this.seed.value ? Number(this.seed.value) : undefined,
      options: this.hidden.checked ? { holdings: "hidden" } : undefined,
    };
  }

  #add(chosen = this.players[0]?.name) {
    const about = h("small", { class: "quiet" });
    const label = { "aria-label": `Opponent ${this.opponents.length + 1}`, onchange: describe };
    const choice = h("select", label, opponentGroups(this.players, chosen));
    const remove = () => {
      this.opponents.splice(this.opponents.indexOf(entry), 1);
      this.#refresh();
    };
    const less = h("button", { type: "button", class: "quick", "aria-label": "Remove this opponent", onclick: remove }, "×");
    const entry = { select: choice, less, element: h("div", { class: "opponent" }, choice, less, about) };
    const { players } = this;

    function describe() {
      const player = players.find(({ name }) => name === choice.value);
      about.textContent = player
        ? [capitalised(player.title), player.strength && `Measured: ${player.strength}`].filter(Boolean).join(". ")
        : "A seat for another person: you get a link to send.";
    }

    describe();
    this.opponents.push(entry);
    this.#refresh();
  }

  #refresh() {
    const { opponents } = this;
    show(this.list, opponents.map((entry) => entry.element));
    for (const { less } of opponents) less.hidden = opponents.length < this.least;
    this.more.hidden = opponents.length + 1 >= this.most;
  }

  /** Adapt the number of opponents to the seats of the variant. */
  async #fit() {
    [this.least, this.most] = await this.seats(this.variant.value);
    this.opponents.splice(this.most - 1);
    while (this.opponents.length + 1 < this.least) this.#add();
    this.#refresh();
  }
}

/** Evolved players, the others, and people, as groups of options. */
function opponentGroups(players, chosen) {
  const group = (label, some) => h("optgroup", { label },
    some.map(({ name, title }) => h("option", { value: name, selected: name === chosen, title }, `${shortTitle(title)} (${name})`)));
  return [
    group("Evolved", players.filter((player) => player.is_evolved)),
    group("Others", players.filter((player) => !player.is_evolved)),
    h("optgroup", { label: "People" }, h("option", { value: OPEN, selected: OPEN === chosen }, "another person (open seat)")),
  ];
}

/** The form to join a game with an open seat. */
function joinForm({ name, game, begin }) {
  const own = nameInput(name, { required: true });
  return h("form", { class: "card setup", onsubmit: (event) => (event.preventDefault(), begin(own.value)) },
    h("h1", {}, "Acquire"),
    h("p", {}, "This game has an open seat."),
    h("label", {}, "Your name", own),
    h("button", { class: "main" }, "Take the seat"));
}

/** The page that is shown until all seats of a game are taken. */
function waiting({ game, leave }) {
  const link = `${location.origin}/acquire?join=${encodeURIComponent(game)}`;
  return h("section", { class: "card setup" },
    h("h1", {}, "Acquire"),
    h("p", { role: "status" }, "Waiting for other players. The game starts when all seats are taken."),
    h("p", {}, "Send this link to a player who should take an open seat: ", h("a", { href: link }, link)),
    h("button", { type: "button", onclick: leave }, "Leave the seat"));
}

/** A message instead of a game that cannot be shown. */
function notice(text) {
  return h("section", { class: "card setup" },
    h("h1", {}, "Acquire"), h("p", {}, text), h("a", { href: "/" }, "Back to the lobby"));
}

new App(initPage(), new URLSearchParams(location.search));
