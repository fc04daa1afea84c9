// The room of Advanced Protection: finds the game that goes on in this tab, or begins one.

import { h, show } from "../shared/element.js";
import { House, Refusal } from "../shared/house.js";
import { complain, furnish } from "../shared/page.js";
import { Game } from "./game.js";
import { newGame } from "./newgame.js";
import { legend, rulesDialog, shapes } from "./rules.js";
import { Sitting } from "./sitting.js";

const KEPT = "galapagos-protection-game"; // {id, name, before}: the game, and whom Chaos remembers with what it knew
const NEEDS_RESET = "needs_reset"; // the reason of a refusal: the ratings are those of other strings or rules

class Room {
  constructor() {
    this.house = new House("protection", { say: true });
    this.rules = {}; // by variant
    this.player = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    this.sitting = null;
    this.hearing = Promise.resolve();
    this.replayed = []; // events of a turn that was asked for
    this.house.addEventListener("open", () => this.#follow(() => this.#open()));
    this.house.addEventListener("lost", () => complain("The connection is lost; trying again."));
    this.house.addEventListener("error", ({ detail }) => {
      complain(detail.message);
      this.sitting?.desk.release();
    });
    for (const type of ["start", "event", "decide", "end"]) {
      this.house.addEventListener(type, ({ detail }) => this.#receive(detail));
    }
  }

  /** One thing after the other, in the order in which they came. */
  #follow(step) {
    this.hearing = this.hearing.then(() => this.#attempt(step));
  }

  /** Refusals of the house are told; what else goes wrong is a fault of ours. */
  async #attempt(step) {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      complain(error.message);
    }
  }

  #receive(line) {
    if (line.re) this.replayed.push(line);
    else this.#follow(() => this.#hear(line));
  }

  #hear(line) {
    if (line.game_id !== this.player?.id) return;
    if (line.type === "start") this.#sit(new Game(line, this.rules[line.variant] ?? this.rules.improved));
    else this.sitting?.hear(line); // else the whole of it is on its way
  }

  #sit(game) {
    this.sitting = new Sitting(game, this.player, {
      ask: (type, fields) => this.house.ask(type, { game_id: game.id, ...fields }),
      say: (type, fields) => this.house.say(type, { game_id: game.id, ...fields }),
      replay: (turn) => this.#replay(game, turn),
      attempt: (step) => this.#attempt(step),
      again: () => this.#again(),
    });
  }

  async #replay(game, turn) {
    this.replayed = [];
    await this.house.ask("replay", { game_id: game.id, turn });
    return this.replayed;
  }

  async #open() {
    for (const variant of ["improved", "seed"]) {
      this.rules[variant] ??= (await this.house.ask("describe", { game: "protection", variant })).rules;
    }
    const token = sessionStorage.getItem(this.house.key);
    try {
      if (this.player) await this.house.ask("resume", { token, games: [{ game_id: this.player.id, from_seq: 0 }] });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === "lost") throw error;
      complain("The game that you played here is over and forgotten.");
      this.player = null;
    }
    if (!this.player) await this.#welcome();
  }

  async #welcome(name = "") {
    const { agents } = await this.house.ask("list", { what: "agents", game: "protection" });
    const opponents = agents.protection.filter((name) => name.startsWith("chaos:"));
    const dialog = rulesDialog(this.rules.improved);
    show(document.getElementById("main"),
      h("h1", {}, "Advanced Protection"),
      h("div", { class: "columns" },
        h("section", { class: "card welcome" },
          h("p", {}, "Build farms and guard them. Every turn Chaos sends minions, bought and steered by a string of 1056 bits that evolved to beat arrangements like yours. It tries its 250 strings on what you built, and chooses the next."),
          h("p", {}, "You win when you are worth more than 20 times what Chaos is."),
          h("button", { type: "button", onclick: () => dialog.showModal() }, "The rules"),
          h("h2", {}, "Who is who"), shapes(this.rules.improved),
          h("h2", {}, "The land"), legend(this.rules.improved), dialog),
        newGame(opponents, name, (wish, chosen) => this.#attempt(() => this.#begin(wish, chosen)))));
  }

  async #begin(wish, name) {
    const before = name ? await this.#remembered(name) : null;
    const { game_id: id } = await this.#created(wish);
    this.player = { id, name, before };
    sessionStorage.setItem(KEPT, JSON.stringify(this.player));
  }

  async #created(wish) {
    try {
      return await this.house.ask("create", wish);
    } catch (error) {
      if (!(error instanceof Refusal) || error.data.reason !== NEEDS_RESET) throw error;
      if (!confirm(`${error.message.split("; ")[0]}. Forget them and play?`)) throw error;
      return this.house.ask("create", { ...wish, options: { ...wish.options, reset: true } });
    }
  }

  /** What Chaos knows of somebody, where the house tells; null for a stranger. */
  async #remembered(name) {
    try {
      return (await this.house.ask("list", { game: "protection", profile_show: name })).profiles[0];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return null;
    }
  }

  #again() {
    const { name } = this.player;
    this.player = this.sitting = null;
    sessionStorage.removeItem(KEPT);
    return this.#welcome(name);
  }
}

furnish();
new Room();
