// The end of a game of Advanced Protection: the winner and the reason, the turns, how Chaos played, and the profile.

import { h, show, table } from "./dom.js";
import { dollars, formatNumber, plural } from "./format.js";
import { ownGamesCard } from "./own_games.js";
import { nameOf } from "./protection_board.js";
import { playerName } from "./protection_form.js";
import { profileOf, tokenOf } from "./protection_profile.js";
import { turnSummary } from "./protection_summary.js";

const REASONS = { // for the player, and for spectators
  surrender: ["Chaos surrenders: you are worth more than twenty times as much", "Chaos surrenders: it is worth less than a twentieth"],
  eliminated: ["You have no unit, and no money for one", "There is no unit left, and no money for one"],
  chaos_twenty: ["Chaos is worth more than twenty times as much as you are", "Chaos is worth more than twenty times as much"],
  turn_cap: ["The last turn has been played, and the side that is worth more wins", "The last turn has been played, and the side that is worth more wins"],
  resign: ["You resigned", "The player resigned"],
  forfeit: ["You were away for too long", "The player was away for too long"],
};
const PROFILE = {
  wins: "games you won",
  losses: "games you lost",
  best: "lowest rating of a string",
  mean: "mean rating",
  negative: "strings that do well against you",
};

function winnerText(winner, game) {
  if (winner === "none") return "A draw";
  if (winner === "chaos") return "Chaos wins";
  return game.isOwn ? "You win" : `${game.human} wins`;
}

/** The end: the winner and the reason, how Chaos played, and the profile. The parameters are those of GameView. */
export class Ending {
  constructor(game, player, { request, again, attempt }) {
    Object.assign(this, { game, player, request, attempt });
    const { winner, reason, turns, values } = game.end.result;
    const played = `Worth after ${plural(turns, "turn")}: ${game.human} ${dollars(values[0])}, Chaos ${dollars(values[1])}.`;
    this.story = h("div", {
      class: "story", "aria-live": "polite", tabindex: 0, role: "group", "aria-label": "The story",
    });
    this.profile = h("div", {});
    this.element = h("section", { class: "card ending", "aria-label": "The end", tabindex: -1 },
      h("h2", { class: winner === "human" ? "good" : winner === "chaos" ? "bad" : "" }, winnerText(winner, game)),
      h("p", {}, `${REASONS[reason]?.[game.isOwn ? 0 : 1] ?? reason}. ${played}`),
      h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => attempt(again) }, game.isOwn ? "Play again" : "Play a game")),
      turnSummary(game, game.end.reveal.strings),
      game.isOwn && [h("h3", {}, "How Chaos played"), this.#strings(), this.story, this.profile, ownGamesCard("protection", playerName)]);
  }

  /** Fetch the story of the whole game and the profile. */
  async load() {
    const owner = { profile_token: tokenOf(this.player.name) };
    this.#showStory((await this.request("explain", owner)).text);
    const now = profileOf((await this.request("record", { format: "apu", ...owner })).lines);
    const { before } = this.player;
    const profiles = before ? { before, now } : { now };
    show(this.profile,
      h("h3", {}, this.player.name ? `What Chaos knows about ${this.player.name}` : "What Chaos learned"),
      h("p", { class: "quiet" }, this.player.name
        ? "After each setup Chaos tests its strings on your arrangement. A string that does well against you has a rating below zero."
        : "Without a name, Chaos forgets this game. If you enter one, it knows you in the next game."),
      table([[null, "head"], ...Object.keys(profiles).map((head) => [head, "number"])],
        Object.entries(PROFILE).map(([name, words]) =>
          [words, ...Object.values(profiles).map((profile) => formatNumber(profile[name]))])));
  }

  #strings() {
    const { strings, mode, seed } = this.game.end.reveal;
    const { attempt } = this;
    const buttons = strings.map(({ turn, index, hybrid }) =>
      h("button", { type: "button", class: "small", onclick: () => attempt(() => this.#explain({ turn })) },
        `turn ${turn}: ${hybrid ? "hybrid" : "string"} ${index ?? "of its own"}`));
    return [
      h("p", { class: "quiet" }, `${playerName(`chaos:${mode}`)}, game number ${seed}. Choose a turn for a description of its string:`),
      h("div", { class: "row" },
        h("button", { type: "button", class: "small", onclick: () => attempt(() => this.#explain({})) }, "the whole game"),
        buttons),
    ];
  }

  async #explain(which) {
    const story = await this.request("explain", { ...which, profile_token: tokenOf(this.player.name) });
    this.#showStory(story.text, story.string);
  }

  #showStory(lines, string) {
    show(this.story,
      lines.map((line) => h("p", { class: line.startsWith(" ") ? "inner" : "" }, nameOf(line.trim()))),
      string ? h("details", {}, h("summary", {}, "the string as 264 hex digits"), h("code", { class: "digits" }, string)) : null);
  }
}
