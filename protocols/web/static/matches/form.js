// The form that begins a match: who plays what, how often, and when it is enough.

import { h, show } from "../shared/element.js";
import { complain } from "../shared/page.js";

const CHOSEN = { acquire: ["heuristic", "evolved-three", "pair-1"] }; // to begin with
const PAIRINGS = [
  ["round_robin", "everybody meets everybody"],
  ["gauntlet", "the first meets all others"],
  ["swiss", "Swiss: equals meet"],
  ["ladder", "ladder: neighbours meet"],
];
const PRECISIONS = [
  ["", "all games are played"],
  ["0.05", "the first is known to ±5 %"],
  ["0.02", "the first is known to ±2 %"],
  ["0.01", "the first is known to ±1 %"],
];

export class Form {
  /** begin(wanted) sends the request; what it throws is told. */
  constructor(begin) {
    this.begin = begin;
    this.isFull = false; // whether it offers players
    this.game = h("select", { onchange: () => this.#choose() });
    this.variant = h("select", {});
    this.players = h("fieldset", { class: "players" });
    this.games = number(100, 1, 100_000);
    this.seats = number(2, 2, 6);
    this.pairing = select(PAIRINGS);
    this.precision = select(PRECISIONS);
    this.minutes = number("", 1, 1440);
    this.seed = number("", 0, Number.MAX_SAFE_INTEGER);
    this.mirror = h("input", { type: "checkbox", checked: true });
    this.button = h("button", { class: "main" }, "Begin the match");
    this.element = h(
      "form",
      { class: "card begin", hidden: true, onsubmit: (event) => this.#send(event) },
      h("h2", {}, "Begin a match"),
      h("div", { class: "row" }, h("label", {}, "Game", this.game), h("label", {}, "Rules", this.variant)),
      this.players,
      h(
        "div",
        { class: "row" },
        h("label", {}, "Games of a pairing", this.games),
        h("label", {}, "Seats", this.seats),
      ),
      h("label", { class: "tick" }, this.mirror, "every deal with all seatings"),
      h("label", {}, "Who meets whom", this.pairing),
      h("label", {}, "It ends when", this.precision),
      h(
        "details",
        {},
        h("summary", {}, "More"),
        h("div", { class: "row" }, h("label", {}, "at most, minutes", this.minutes), h("label", {}, "Seed (else drawn)", this.seed)),
      ),
      this.button,
    );
  }

  /** The games and their variants; only directors may begin a match. */
  open(games, isDirector) {
    this.variants = games;
    this.element.hidden = !isDirector;
  }

  /** The players of each game. A colon in a name says that it plays one side only, and so no matches. */
  offer(agents) {
    this.agents = Object.fromEntries(
      Object.entries(agents)
        .map(([game, names]) => [game, names.filter((name) => !name.includes(":"))])
        .filter(([, names]) => names.length > 1),
    );
    show(this.game, Object.keys(this.agents).map((game) => h("option", {}, game)));
    this.isFull = true;
    this.#choose();
  }

  #choose() {
    const game = this.game.value;
    show(this.variant, this.variants[game].map((name) => h("option", {}, name)));
    const chosen = CHOSEN[game] ?? this.agents[game].slice(0, 2);
    const ticks = this.agents[game].map((name) =>
      h("label", { class: "tick" }, h("input", { type: "checkbox", name: "player", value: name, checked: chosen.includes(name) }), name),
    );
    show(this.players, h("legend", {}, "Players"), ...ticks);
  }

  async #send(event) {
    event.preventDefault();
    this.button.disabled = true;
    try {
      await this.begin(this.#wanted());
    } catch (error) {
      complain(error.message);
    } finally {
      this.button.disabled = false;
    }
  }

  #wanted() {
    const players = [...this.players.querySelectorAll("input:checked")].map((tick) => tick.value);
    if (players.length < 2) throw new Error("Choose two players at least.");
    const stop = {};
    if (this.precision.value) stop.ci = Number(this.precision.value);
    if (this.minutes.value) stop.minutes = Number(this.minutes.value);
    const wanted = {
      game: this.game.value,
      variant: this.variant.value,
      players,
      games: Number(this.games.value),
      seats: Number(this.seats.value),
      pairing: this.pairing.value,
      mirror: this.mirror.checked,
      stop,
    };
    if (this.seed.value) wanted.seed = Number(this.seed.value);
    return wanted;
  }
}

function number(value, min, max) {
  return h("input", { type: "number", value, min, max, step: 1, inputmode: "numeric", required: value !== "" });
}

function select(choices) {
  return h("select", {}, ...choices.map(([value, text]) => h("option", { value }, text)));
}
