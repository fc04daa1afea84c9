// The room of Acquire: begins, resumes, joins or watches a game, and passes lines between the house and the table.

import { h, show } from "../shared/element.js";
import { House, Refusal } from "../shared/house.js";
import { complain, fetched, furnish } from "../shared/page.js";
import { Game } from "./game.js";
import { forgetGame, keepGame, keepName, keptGame, keptName } from "./kept.js";
import { joining, notice, setup, waiting } from "./setup.js";
import { Table } from "./table/table.js";

const REFRESH = 150; // milliseconds without a decision of ours, before we ask what there is to see
const LINES = ["start", "event", "decide", "end", "observation", "error"];

class Room {
  /** `wishes` are those of the address: watch=GAME, join=GAME, play=OPPONENT (several) and seed=N. */
  constructor(main, wishes) {
    this.main = main;
    this.wishes = wishes;
    this.watched = wishes.get("watch");
    this.name = keptName();
    this.game = null;
    this.table = null;
    this.#open().then((games) => this.#enter(games));
  }

  // -- Coming in ----------------------------------------------------------------------------------

  /** Be heard by the house under our present name; the games that go on there. */
  #open() {
    const house = new House("acquire", { name: this.name, say: true }, () => this.#positions());
    for (const type of LINES) house.addEventListener(type, (event) => this.#hear(event.detail));
    house.addEventListener("lost", () => complain("The connection is lost; trying again …"));
    house.addEventListener("bye", (event) => {
      if (event.detail.reason === "taken_over") complain("This game goes on in another tab.");
    });
    if (this.watched) house.addEventListener("open", () => this.#watch());
    this.house = house;
    return house.ready();
  }

  #enter(games) {
    if (this.watched) return;
    const kept = keptGame();
    if (kept && games.some((each) => each.game_id === kept.id)) {
      if (this.wishes.size) complain("Your game goes on; give it up to begin another.");
      this.#plainAddress();
      if (!this.game) this.#wait(kept.id);
    } else if (this.wishes.has("play")) {
      const [variant] = this.house.welcome.games.acquire;
      const seed = Number(this.wishes.get("seed")) || undefined;
      this.#begin({ name: this.name, variant, seats: ["me", ...this.wishes.getAll("play")], seed });
    } else this.#prepare();
  }

  /** How far we have followed our game. */
  #positions() {
    if (this.watched) return [];
    if (this.game) return [{ game_id: this.game.id, from_seq: this.game.seq + 1 }];
    const kept = keptGame();
    return kept ? [{ game_id: kept.id, from_seq: 0 }] : [];
  }

  async #prepare() {
    const join = this.wishes.get("join");
    if (join) {
      const begin = (name) => this.#enterAs(name, () => this.#sit("join", { game_id: join }));
      show(this.main, joining({ name: this.name, game: join, begin }));
      return;
    }
    const players = (await fetched("/api/players")).filter((player) => player.game === "acquire");
    const seats = async (variant) => (await this.#describe(variant)).seats;
    const variants = this.house.welcome.games.acquire;
    show(this.main, setup({ name: this.name, variants, players, seats, begin: (terms) => this.#begin(terms) }));
  }

  #begin({ name, ...terms }) {
    this.#enterAs(name, () => this.#sit("create", { game: "acquire", ...terms }));
  }

  /** Do something under a name; what the house refuses is told. */
  async #enterAs(wanted, act) {
    try {
      const name = keepName(wanted);
      if (name !== this.name) {
        this.name = name;
        this.house.close();
        await this.#open();
      }
      await act();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      complain(refusal.message);
      if (!this.game) this.#prepare();
    }
  }

  async #sit(type, fields) {
    const answer = await this.house.ask(type, fields);
    keepGame(answer.game_id, answer.seed_commit);
    this.#plainAddress();
    if (this.game) this.game.promise = answer.seed_commit;
    else this.#wait(answer.game_id);
  }

  #wait(id) {
    const leave = async () => {
      await this.house.ask("leave", { game_id: id });
      this.#finish();
    };
    show(this.main, waiting({ game: id, leave }));
  }

  async #watch() {
    try {
      await this.house.ask("watch", { game_id: this.watched, from_seq: this.game ? this.game.seq + 1 : 0 });
      if (!this.game) show(this.main, h("p", { role: "status" }, "Waiting for the game to begin."));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      if (refusal.code !== "lost") show(this.main, notice(`${refusal.message}.`));
    }
  }

  /** So that the page, loaded again, goes on with the game instead of fulfilling a wish once more. */
  #plainAddress() {
    history.replaceState(null, "", location.pathname);
    this.wishes = new URLSearchParams();
  }

  // -- The game -----------------------------------------------------------------------------------

  #hear(line) {
    if (line.type === "error") complain(line.message);
    if (line.type === "start" && line.game === "acquire" && this.game?.id !== line.game_id) this.#seat(line);
    else if (this.game?.id === line.game_id) this.game.hear(line);
    this.#refresh();
  }

  async #seat(start) {
    const game = new Game(start, null, this.name);
    game.promise = keptGame()?.promise;
    this.game = game;
    this.table = null;
    game.rules = await this.#rulesOf(start);
    if (game.rules) this.#refresh();
    else show(this.main, notice("This game has rules of its own, which cannot be shown here."));
  }

  /** Of its variant; of rules with an option, those of a variant with the same board and as many chains. */
  async #rulesOf({ variant, observation: { board, size } }) {
    const { acquire } = this.house.welcome.games;
    for (const each of acquire.includes(variant) ? [variant] : acquire) {
      const { rules } = await this.#describe(each);
      const isOfThisSize = rules.rows === board.length && rules.columns === board[0].length;
      if (isOfThisSize && rules.chains.length === size.length) return rules;
    }
    return null;
  }

  #describe(variant) {
    return this.house.ask("describe", { game: "acquire", variant });
  }

  /** Show what is known, and ask for what is not. */
  #refresh() {
    if (!this.game?.rules) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.#show());
    clearTimeout(this.timer);
    if (this.game.isStale) this.timer = setTimeout(() => this.#look(), REFRESH);
  }

  #show() {
    if (!this.game) return;
    if (!this.table) {
      this.table = new Table(this.game, {
        act: (action) => this.#act(action),
        resign: () => this.house.say("resign", { game_id: this.game.id }),
        leave: () => this.#finish(),
      });
      show(this.main, this.table.element);
    }
    this.table.show(this.game);
  }

  async #look() {
    try {
      this.game?.hear(await this.house.ask("state", { game_id: this.game.id }));
      this.#refresh();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal; // else the connection is lost, and all is told again
    }
  }

  #act(action) {
    const { id, seq } = this.game.due;
    this.game.answered();
    this.house.say("action", { re: id, game_id: this.game.id, seq, action });
    this.#refresh();
  }

  /** Make room for another game. */
  #finish() {
    forgetGame();
    if (this.watched) {
      location.assign("/acquire");
      return;
    }
    this.game = this.table = null;
    this.#prepare();
  }
}

furnish();
new Room(document.getElementById("main"), new URLSearchParams(location.search));
