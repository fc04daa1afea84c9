// The list of the runs: what each is about, how far it is, and whether it lives.

import { h, show } from "../shared/element.js";
import { ago, figure } from "../shared/words.js";

const LIVING = 60; // seconds since its last generation

/** Tells a run in a few words, and which class they have. */
export function state(run) {
  if (run.trouble) return ["bad", run.trouble];
  if (run.status === "waiting" && run.restarts) return ["bad", "it died and will be begun again"];
  if (run.status === "finished") return ["quiet", "finished"];
  if (run.status === "evolving" || Date.now() / 1000 - run.changed < LIVING) return ["good", "evolving"];
  return ["quiet", run.changed ? ago(run.changed) : ""];
}

export class List {
  constructor() {
    this.element = h("nav", { class: "runs", "aria-label": "Runs" });
    this.entries = new Map(); // they stay where they are, and so does the focus
    this.chosen = "";
  }

  show(runs, chosen) {
    const names = runs.map((run) => run.name);
    if (names.join("\n") !== [...this.entries.keys()].join("\n")) {
      this.entries = new Map(names.map((name) => [name, this.entries.get(name) ?? entry(name)]));
      show(this.element, ...this.entries.values());
    }
    for (const run of runs) tell(this.entries.get(run.name), run);
    if (chosen === this.chosen) return;
    this.chosen = chosen;
    for (const [name, link] of this.entries) {
      if (name !== chosen) link.removeAttribute("aria-current");
      else link.setAttribute("aria-current", "true");
    }
    const link = this.entries.get(chosen);
    if (link) this.element.scrollLeft = link.offsetLeft - this.element.offsetLeft;
  }
}

function entry(name) {
  return h("a", { href: `#${encodeURIComponent(name)}`, class: "run" }, h("strong", {}, name), h("span", {}), h("span", {}));
}

function tell(link, run) {
  const [kind, words] = state(run);
  const [, about, how] = link.children;
  about.className = "quiet";
  about.textContent = run.game + (run.generation < 0 ? "" : `, generation ${figure(run.generation)}`);
  how.className = `state ${kind}`;
  how.textContent = words;
}
