// The end of a game: who has won and why, how Chaos played, and what it remembers.

import { h, show } from "../../shared/element.js";
import { dollars } from "./money.js";

const WINNERS = { human: "You win", chaos: "Chaos wins", none: "A draw" };
const REASONS = {
  surrender: "Chaos surrenders: you are worth more than twenty times as much",
  eliminated: "You have no unit, and no money for one",
  chaos_twenty: "Chaos is worth more than twenty times as much as you are",
  turn_cap: "The last turn is over",
  resign: "You resigned",
};
const FIGURES = {
  wins: "games you won",
  losses: "games you lost",
  best: "lowest rating of a string",
  mean: "mean rating",
  negative: "strings that do well against you",
};

/** Asks the house by ask(type, fields) for its story; attempt(step) tells what it refuses; again() leaves the game. */
export class Ending {
  constructor(game, player, { ask, again, attempt }) {
    Object.assign(this, { game, player, ask, attempt });
    const { winner, reason, turns, values } = game.end.result;
    const played = `After ${turns} ${turns === 1 ? "turn" : "turns"} you are worth ${dollars(values[0])}, Chaos ${dollars(values[1])}.`;
    this.story = h("div", {
      class: "story", "aria-live": "polite", tabindex: 0, role: "group", "aria-label": "The story",
    });
    this.profile = h("div", {});
    this.element = h("section", { class: "card ending", "aria-label": "The end", tabindex: -1 },
      h("h2", { class: winner === "human" ? "good" : winner === "chaos" ? "bad" : "" }, WINNERS[winner]),
      h("p", {}, `${REASONS[reason] ?? reason}. ${played}`),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => attempt(again) }, "Play again")),
      h("h3", {}, "How Chaos played you"), this.#strings(), this.story, this.profile);
  }

  /** Ask for the story of the whole game and for the profile. */
  async tell() {
    this.#say((await this.ask("explain")).text);
    const after = known(await this.#file());
    const before = this.player.before;
    show(this.profile,
      h("h3", {}, this.player.name ? `What Chaos remembers of ${this.player.name}` : "What Chaos learned"),
      h("p", { class: "quiet" }, this.player.name
        ? "After every setup it tries its strings on your arrangement. A string that does well against you has a rating below zero."
        : "Without a name it forgets this game. Give one, and it knows you the next time."),
      h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), before ? heading("before") : null, heading("now"))),
        h("tbody", {}, Object.entries(FIGURES).map(([name, words]) => h("tr", {}, h("th", { scope: "row" }, words),
          before ? h("td", { class: "number" }, before[name].toLocaleString("en")) : null,
          h("td", { class: "number" }, after[name].toLocaleString("en")))))));
  }

  #strings() {
    const { strings, mode, seed } = this.game.end.reveal;
    const { attempt } = this;
    const buttons = strings.map(({ turn, index, hybrid }) =>
      h("button", { type: "button", class: "small", onclick: () => attempt(() => this.#explain({ turn })) },
        `turn ${turn}: ${hybrid ? "hybrid" : "string"} ${index ?? "of its own"}`));
    return [
      h("p", { class: "quiet" }, `Mode ${mode}; the game was number ${seed}. The string of each turn in words:`),
      h("div", { class: "row" },
        h("button", { type: "button", class: "small", onclick: () => attempt(() => this.#explain({})) }, "the whole game"),
        buttons),
    ];
  }

  async #explain(which) {
    const told = await this.ask("explain", which);
    this.#say(told.text, told.string);
  }

  #say(lines, string) {
    show(this.story,
      lines.map((line) => h("p", { class: line.startsWith(" ") ? "inner" : "" }, line.trim())),
      string ? h("details", {}, h("summary", {}, "its 264 hex digits"), h("code", { class: "digits" }, string)) : null);
  }

  async #file() {
    return (await this.ask("record", { format: "apu" })).lines;
  }
}

/** What a profile's file says: wins, losses, and 250 ratings on its first line. */
function known([first]) {
  const [wins, losses, ...ratings] = first.split("\t").map(Number);
  const sum = ratings.reduce((total, each) => total + each, 0);
  return {
    wins,
    losses,
    best: Math.min(...ratings),
    mean: Math.trunc(sum / ratings.length),
    negative: ratings.filter((each) => each < 0).length,
  };
}

function heading(words) {
  return h("th", { scope: "col", class: "number" }, words);
}
