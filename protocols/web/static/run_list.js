// The list of runs, and the state of a run in words.

import { h, show } from "./dom.js";
import { ago, formatNumber } from "./format.js";

/** The state of a run in a few words: [class, words]. */
export function stateOf(run) {
  if (run.trouble) return ["bad", run.trouble];
  if (run.status === "waiting" && run.restarts) return ["bad", "crashed; the server will restart it"];
  if (run.status === "finished") return ["quiet", "finished"];
  if (run.status === "queued") return ["quiet", "waits in the queue"];
  if (run.status === "stopped") return ["quiet", run.changed ? `paused, changed ${ago(run.changed)}` : "paused"];
  if (run.status === "evolving") return ["good", "evolving"];
  if (run.is_bundled) return ["quiet", "comes with the program"];
  return ["quiet", run.changed ? ago(run.changed) : ""];
}

/** The list of runs: name, game, generation and state of each. */
export class RunList {
  constructor() {
    this.element = h("nav", { class: "runs", "aria-label": "Runs" });
    this.links = new Map(); // by name; they stay where they are, and so does the focus
    this.chosen = "";
  }

  show(runs, chosen) {
    const names = runs.map((run) => run.name);
    if (names.join("\n") !== [...this.links.keys()].join("\n")) {
      this.links = new Map(runs.map((run) => [run.name, this.links.get(run.name) ?? runLink(run)]));
      const linksOf = (isBundled) => runs.filter((run) => run.is_bundled === isBundled).map((run) => this.links.get(run.name));
      const bundled = linksOf(true);
      show(this.element, linksOf(false), bundled.length > 0 && h("h2", {}, "Runs of the bundled players"), bundled);
    }
    for (const run of runs) updateLink(this.links.get(run.name), run);
    if (chosen === this.chosen) return;
    this.chosen = chosen;
    for (const [name, link] of this.links) {
      if (name !== chosen) link.removeAttribute("aria-current");
      else link.setAttribute("aria-current", "true");
    }
    const link = this.links.get(chosen);
    if (link) this.element.scrollLeft = link.offsetLeft - this.element.offsetLeft;
  }
}

function runLink({ name, is_bundled: isBundled }) {
  const kind = isBundled ? "run bundled" : "run";
  return h("a", { href: `#${encodeURIComponent(name)}`, class: kind }, h("strong", {}, name), h("span", {}), h("span", {}));
}

function updateLink(link, run) {
  const [kind, words] = stateOf(run);
  const [, about, state] = link.children;
  about.className = "quiet";
  about.textContent = run.game + (run.generation < 0 ? "" : `, generation ${formatNumber(run.generation)}`);
  state.className = `state ${kind}`;
  state.textContent = words;
}
