// Individuals of a Core War run in the core: the champion in a fight, and others alone.

import { fetchJson } from "./client.js";
import { fight } from "./corewar_fight.js";
import { h, select, show } from "./dom.js";
import { showError } from "./page.js";
import { named } from "./run_individual.js";

/** A fight of the champion of a Core War run against a bundled warrior, or any individual alone. */
export class ChampionFilm {
  constructor(run) {
    this.run = run;
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.rules = "";
    this.champion = null;
    this.opponents = h("span", {});
    this.button = h("button", { onclick: () => this.#watch() });
    this.choice = h("p", { class: "row", hidden: true }, h("label", { class: "row" }, "Champion against", this.opponents), this.button);
    this.viewer = h("div", { class: "viewer", hidden: true });
    this.element = h("section", { hidden: true },
      h("h2", {}, "A fight to watch"),
      this.choice,
      this.viewer);
  }

  /** Offer a fight of a new champion; the first one is shown at once. `rules` are "" if no fight can be shown. */
  async offer(rules, champion) {
    if (!rules) return;
    this.champion = champion;
    this.button.textContent = `Watch champion ${champion}`;
    this.element.hidden = this.choice.hidden = false;
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

  /** Show what an individual does alone. */
  async watchAlone(rules, id) {
    this.element.hidden = false;
    await this.#play(rules, id, []);
    this.element.scrollIntoView({ block: "start" });
  }

  async #watch() {
    await this.#play(this.rules, this.champion, [{ ours: this.opponents.firstChild.value }]);
  }

  async #play(rules, id, opponents) {
    this.button.disabled = true;
    try {
      const { text } = await fetchJson(`${this.path}/individuals/${id}`);
      const warriors = [{ text: named(text, this.run, id) }, ...opponents];
      const seed = Math.floor(Math.random() * 1_000_000);
      const { answer, player } = await fight({ rules, warriors, seed });
      if (!player) return showError(answer.refused);
      this.viewer.hidden = false;
      show(this.viewer, player.element);
      player.begin();
    } catch (error) {
      showError(error.message);
    } finally {
      this.button.disabled = false;
    }
  }
}
