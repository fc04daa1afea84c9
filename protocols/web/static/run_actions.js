// What can be done with a run: it is paused, resumed, forked and deleted.

import { postJson } from "./client.js";
import { h } from "./dom.js";
import { formatNumber } from "./format.js";
import { showError } from "./page.js";
import { ForkDialog } from "./run_fork.js";

/** The buttons of a run. `changed()` is called when one has been used, and `deleting()` before the run is deleted. */
export class RunActions {
  constructor(name, { changed, deleting }) {
    this.name = name;
    this.path = `/api/runs/${encodeURIComponent(name)}`;
    Object.assign(this, { changed, beforeDeletion: deleting });
    this.fork = new ForkDialog(name, (run) => (location.hash = `#${encodeURIComponent(run)}`));
    this.question = h("p", {});
    this.deletion = h("dialog", { "aria-label": `Delete ${name}` },
      h("h2", {}, `Delete ${name}?`), this.question,
      h("div", { class: "row" },
        h("button", { type: "button", onclick: () => this.deletion.close() }, "Keep it"),
        h("button", { type: "button", class: "danger", onclick: () => this.#delete() }, "Delete it for good")));
    // The buttons stay the same elements, so that no click and no focus is lost when the run changes.
    this.main = button("", () => this.#post(this.run.action));
    this.next = button("Run next", () => this.#post("first"));
    this.forking = button("Fork …", () => this.fork.open());
    this.deleting = button("Delete …", () => this.#ask());
    this.buttons = [this.main, this.next, this.forking, this.deleting];
    this.element = h("div", { class: "actions" }, h("div", { class: "row" }, this.buttons), this.deletion, this.fork.element);
  }

  /** Show the buttons that fit the state of the run. */
  show(run) {
    this.run = run;
    const { action = "", actions = [], status } = run;
    const stop = status === "queued" ? "Remove from the queue" : "Pause the run";
    this.main.textContent = action === "stop" ? stop : "Resume the run";
    this.main.hidden = !action;
    this.next.hidden = !actions.includes("first");
    this.forking.hidden = !actions.includes("fork");
    this.deleting.hidden = !actions.includes("delete");
    for (const each of this.buttons) each.disabled = false;
  }

  #ask() {
    const { generation, action, status } = this.run;
    const first = action === "stop" && status !== "queued" ? "It is evolving, and is stopped first. " : "";
    const past = generation < 0 ? "It has no generation yet." : `All that it has found up to generation ${formatNumber(generation)} is lost.`;
    this.question.textContent = `${first}${past} This cannot be undone.`;
    this.deletion.showModal();
  }

  async #delete() {
    this.deletion.close();
    this.beforeDeletion();
    await this.#post("delete");
  }

  async #post(action) {
    for (const each of this.buttons) each.disabled = true; // until the server reports the new state
    try {
      await postJson(`${this.path}/${action}`);
    } catch (error) {
      showError(error.message);
    }
    this.changed();
  }
}

function button(text, act) {
  return h("button", { type: "button", hidden: true, onclick: act }, text);
}
