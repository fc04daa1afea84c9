// The runs that wait until the run before them is paused or finished.

import { postJson } from "./client.js";
import { h, show } from "./dom.js";
import { showError } from "./page.js";

/** The queue of runs, in their order; hidden while no run waits. */
export class RunQueue {
  /** `changed()` is called when the queue has been changed here. */
  constructor(changed) {
    this.changed = changed;
    this.list = h("ol", {});
    this.element = h("section", { class: "card queue", "aria-label": "Waiting runs", hidden: true }, h("h2", {}, "Waiting"), this.list);
  }

  /** Show the names of the runs that wait. */
  show(names) {
    this.element.hidden = !names.length;
    if (this.names === names.join("\n")) return; // a button that has the focus keeps it
    this.names = names.join("\n");
    show(this.list, names.map((name, place) => h("li", {}, h("div", { class: "row" },
      h("a", { href: `#${encodeURIComponent(name)}` }, name),
      place > 0 && this.#button("Run next", name, "first"),
      this.#button("Remove", name, "stop", "from the queue")))));
  }

  #button(text, name, action, rest = "") {
    const label = `${text}: ${name} ${rest}`.trim();
    return h("button", { type: "button", "aria-label": label, onclick: () => this.#act(name, action) }, text);
  }

  async #act(name, action) {
    try {
      await postJson(`/api/runs/${encodeURIComponent(name)}/${action}`);
    } catch (error) {
      showError(error.message);
    }
    this.changed();
  }
}
