// The story of a run: what its first generation does and why it fails, and what has appeared since.

import { fetchJson } from "./client.js";
import { h, show, showData } from "./dom.js";
import { formatNumber } from "./format.js";
import { showError } from "./page.js";
import { named } from "./run_individual.js";

const EXCERPT = 12; // lines of a genome

export class StoryView {
  /** `watch(id)` shows what an individual of the run does; null if that cannot be shown. */
  constructor(run, watch = null) {
    this.run = run;
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.watch = watch;
    this.known = null; // the number of milestones that have been shown
    this.beginning = h("div", {});
    this.list = h("ol", { class: "milestones", tabindex: 0, "aria-label": "Milestones" });
    this.news = h("p", { class: "unseen", role: "status" });
    this.empty = h("p", { class: "quiet" }, "Nothing new has appeared yet.");
    this.element = h("section", { class: "pair story", hidden: true },
      h("section", { class: "card" }, h("h3", {}, "How it began"), this.beginning),
      h("section", { class: "card" }, h("h3", {}, "What has appeared since"), this.empty, this.list, this.news));
  }

  /** Fetch the story as it is now; return when the first champion is expected, in a sentence. */
  async load() {
    try {
      const story = await fetchJson(`${this.path}/story`);
      if (!story?.beginning) return "";
      this.element.hidden = false;
      showData(this.beginning, [story.beginning, story.example], ([text, example]) => [
        h("p", {}, text), example != null && this.#example(example),
      ]);
      this.#showMilestones(story.milestones);
      return story.expected;
    } catch (error) {
      showError(error.message);
      return "";
    }
  }

  #showMilestones(milestones) {
    this.empty.hidden = milestones.length > 0;
    showData(this.list, milestones, () => milestones.map(({ generation, text }) =>
      h("li", {}, h("span", { class: "when" }, `Generation ${formatNumber(generation)}`), " ", h("span", {}, text))));
    const latest = milestones.at(-1);
    if (this.known != null && milestones.length > this.known) show(this.news, `Generation ${latest.generation}: ${latest.text}`);
    this.known = milestones.length;
  }

  /** One of the first generation: its genome, and on request what it does. */
  #example(id) {
    const text = h("pre", { class: "genome", tabindex: 0, "aria-label": `The genome of individual ${id}` });
    const details = h("details", { ontoggle: () => details.open && !text.textContent && this.#fill(id, text) },
      h("summary", {}, `One of them: individual ${id}`), text);
    return [details, this.watch && h("p", {}, h("button", { onclick: () => this.watch(id) }, "Watch it run alone"))];
  }

  async #fill(id, place) {
    try {
      const { text } = await fetchJson(`${this.path}/individuals/${id}`);
      const lines = named(text, this.run, id).trimEnd().split("\n");
      const rest = lines.length - EXCERPT;
      place.textContent = [...lines.slice(0, EXCERPT), ...(rest > 0 ? [`… and ${formatNumber(rest)} more lines`] : [])].join("\n");
    } catch (error) {
      showError(error.message);
    }
  }
}
