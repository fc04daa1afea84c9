// An individual of a run: its genome and its ancestors.

import { fetchJson } from "./client.js";
import { h, show } from "./dom.js";
import { familyTree } from "./family_tree.js";
import { formatNumber } from "./format.js";
import { showError } from "./page.js";
import { birthOf } from "./run_birth.js";

export const CHAMPION = "Champion"; // the title of an individual

/** The text of a genome that has room for a name but none of its own, with the name of its run and its number. */
export function named(text, run, id) {
  return text.replace(/^;name Unknown$/m, () => `;name ${run} ${id}`); // as `genome show`
}

/** An individual, at first the champion: its ancestors and the text of its genome. */
export class IndividualView {
  constructor(run) {
    this.run = run;
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.id = null;
    this.isChosen = false; // by the user
    this.ancestors = h("div", {});
    this.head = h("h3", { "aria-live": "polite" });
    this.birth = h("p", { class: "quiet small" });
    this.text = h("pre", { class: "genome", tabindex: 0, "aria-label": "The genome" });
    this.other = h("input", { type: "number", min: 0, step: 1, inputmode: "numeric", required: true });
    const form = h("form", { class: "row", onsubmit: (event) => this.#request(event) },
      h("label", {}, "Number of another individual", this.other),
      h("button", {}, "Show"));
    this.element = h("div", { class: "pair" },
      h("section", { class: "card" }, h("h3", {}, "Ancestors"), this.ancestors),
      h("section", { class: "card" }, this.head, this.birth, this.text, form));
  }

  /** Show an individual with its ancestors under a title. */
  async show(id, title = "Individual") {
    if (id === this.id) return;
    this.id = id;
    try {
      const { relatives, is_whole: isWhole } = await fetchJson(`${this.path}/lineage/${id}`);
      if (id !== this.id) return; // another one was requested meanwhile
      show(this.ancestors, familyTree(relatives, isWhole, (relative) => {
        this.isChosen = true;
        this.#load(relative.id);
      }));
      await this.#load(id, title);
    } catch (error) {
      this.id = null;
      showError(error.message);
    }
  }

  /** Show an individual that the user has chosen elsewhere on the page, and go to it. */
  async open(id) {
    this.isChosen = true;
    this.id = null; // a relative may be shown at present
    this.element.hidden = false;
    await this.show(id);
    this.element.scrollIntoView({ block: "start" });
    this.text.focus({ preventScroll: true });
  }

  async #load(id, title = "Individual") {
    try {
      this.wanted = id;
      const born = await fetchJson(`${this.path}/individuals/${id}`);
      if (id !== this.wanted) return; // another one was chosen meanwhile
      show(this.head, title === CHAMPION ? `${title}: ${this.run} ${id}` : `${title} ${id}`);
      const parents = born.parents.length ? `; ${born.parents.length > 1 ? "parents" : "parent"}: ${born.parents.map(formatNumber).join(" and ")}` : "";
      const stays = title === CHAMPION ? " It stays the champion until a better one is found, so it can be older than the last generation." : "";
      show(this.birth, `Born in generation ${formatNumber(born.generation)}: ${birthOf(born.origin)}${parents}.${stays}`);
      this.text.textContent = named(born.text, this.run, id);
    } catch (error) {
      showError(error.message);
    }
  }

  #request(event) {
    event.preventDefault();
    this.isChosen = true;
    this.show(Number(this.other.value));
  }
}
