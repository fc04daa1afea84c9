// Somebody of a run: who descends from whom, and the text of a genome, of the champion to begin with.

import { h, show } from "../shared/element.js";
import { complain, fetched } from "../shared/page.js";
import { figure } from "../shared/words.js";
import { family } from "./family.js";

export class Individual {
  constructor(run) {
    this.path = `/api/runs/${encodeURIComponent(run)}`;
    this.id = null;
    this.isChosen = false; // by somebody who looks
    this.family = h("div", {});
    this.head = h("h3", {});
    this.birth = h("p", { class: "quiet small" });
    this.text = h("pre", { class: "genome", tabindex: 0, "aria-label": "The genome" });
    this.other = h("input", { type: "number", min: 0, step: 1, inputmode: "numeric", required: true });
    const form = h(
      "form",
      { class: "row", onsubmit: (event) => this.#ask(event) },
      h("label", {}, "Another one, by number", this.other),
      h("button", {}, "Show"),
    );
    this.element = h(
      "div",
      { class: "pair" },
      h("section", { class: "card" }, h("h3", {}, "Ancestors"), this.family),
      h("section", { class: "card", "aria-live": "polite" }, this.head, this.birth, this.text, form),
    );
  }

  /** Show somebody with the family. `role` is said of it. */
  async show(id, role = "") {
    if (id === this.id) return;
    this.id = id;
    try {
      const { relatives, is_whole: isWhole } = await fetched(`${this.path}/lineage/${id}`);
      if (id !== this.id) return; // somebody else was wanted meanwhile
      show(this.family, family(relatives, isWhole, (relative) => this.#choose(relative.id)));
      await this.#read(id, role);
    } catch (error) {
      this.id = null;
      complain(error.message);
    }
  }

  async #read(id, role) {
    try {
      const born = await fetched(`${this.path}/individuals/${id}`);
      show(this.head, `${role || "Individual"} ${id}`);
      const parents = born.parents.length ? ` of ${born.parents.join(" and ")}` : "";
      show(this.birth, `born in generation ${figure(born.generation)}, ${born.origin}${parents}`);
      this.text.textContent = born.text;
    } catch (error) {
      complain(error.message);
    }
  }

  #choose(id) {
    this.isChosen = true;
    this.#read(id, "");
  }

  #ask(event) {
    event.preventDefault();
    this.isChosen = true;
    this.show(Number(this.other.value));
  }
}
