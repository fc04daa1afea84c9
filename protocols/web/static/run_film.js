// The champion of a Core War run in a fight.

import { fetchJson } from "./client.js";
import { fight } from "./corewar_fight.js";
import { h, select, show } from "./dom.js";
import { showError } from "./page.js";

/** A fight of the champion of a Core War run against a bundled warrior. */
export class ChampionFilm {
  constructor(run) {
    this.run = run;
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.rules = "";
    this.champion = null;
    this.opponents = h("span", {});
    this.button = h("button", { onclick: () => this.#watch() });
    this.viewer = h("div", { class: "viewer" });
    this.element = h("section", { hidden: true },
      h("h2", {}, "The champion in a fight"),
      h("p", { class: "row" }, h("label", { class: "row" }, "Against", this.opponents), this.button),
      this.viewer);
  }

  /** Offer a fight of a new champion; the first one is shown at once. `rules` are "" if no fight can be shown. */
  async offer(rules, champion) {
    if (!rules) return;
    this.champion = champion;
    this.button.textContent = `Watch champion ${champion}`;
    this.element.hidden = false;
    if (this.rules) return;
    this.rules = rules;
    try {
      const { warriors } = await fetchJson(`/api/warriors?rules=${encodeURIComponent(rules)}`);
      const easiest = warriors.toReversed(); // the oldest ones, which have only a few lines
      show(this.opponents, select(easiest.map(({ ours, name }) => [ours, name]), { "aria-label": "Opponent" }));
      await this.#watch();
    } catch (error) {
      showError(error.message);
    }
  }

  async #watch() {
    this.button.disabled = true;
    try {
      const { text } = await fetchJson(`${this.path}/individuals/${this.champion}`);
      const named = text.replace(/^;name Unknown$/m, () => `;name ${this.run} ${this.champion}`); // as `genome show`
      const warriors = [{ text: named }, { ours: this.opponents.firstChild.value }];
      const seed = Math.floor(Math.random() * 1_000_000);
      const { answer, player } = await fight({ rules: this.rules, warriors, seed });
      if (!player) return showError(answer.refused);
      show(this.viewer, player.element);
      player.begin();
    } catch (error) {
      showError(error.message);
    } finally {
      this.button.disabled = false;
    }
  }
}
