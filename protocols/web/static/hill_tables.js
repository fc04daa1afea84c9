// Results of warriors as bars and tables.

import { h, table } from "./dom.js";
import { formatNumber } from "./format.js";

/** What a warrior won, tied and lost, as a bar with a text for screen readers; `unit` follows the numbers. */
export function bar(wins, ties, losses, unit = "") {
  const total = wins + ties + losses || 1;
  const rounded = (value) => `${formatNumber(Number(value.toFixed(1)))}${unit}`;
  const text = `${rounded(wins)} won, ${rounded(ties)} tied, ${rounded(losses)} lost`;
  const part = (value, kind) => h("span", { class: kind, style: { width: `${(100 * value) / total}%` } });
  return h("span", { class: "bar", role: "img", "aria-label": text, title: text },
    part(wins, "won"), part(ties, "tied"), part(losses, "lost"));
}

/** The address of a hill, or of a warrior with a number there. */
export function addressOf(hill, id = "") {
  return `#${encodeURIComponent(hill.name)}${id && `/${id}`}`;
}

/**
 * A table of battles, the best first. watch(met), if given, is called to show the lost rounds of a battle; with a hill
 * the names of the opponents lead to their pages there.
 */
export function battleTable(battles, watch = null, hill = null) {
  const sorted = battles.toSorted((one, other) => other.wins - other.losses - (one.wins - one.losses));
  return table([["Opponent", "who"], [null, "tally"], ["Won, tied, lost", "number nowrap"]], sorted.map((met) => [
    [hill ? h("a", { href: addressOf(hill, met.id) }, met.opponent) : met.opponent, h("span", { class: "quiet" }, ` by ${met.author}`)],
    bar(met.wins, met.ties, met.losses),
    [`${met.wins} – ${met.ties} – `, watch && met.losses ? losses(met, watch) : `${met.losses}`],
  ]), { class: "battles" });
}

function losses(met, watch) {
  const title = `Watch the rounds lost to ${met.opponent}`;
  return h("button", { class: "link", type: "button", title, "aria-label": `${met.losses}: ${title}`, onclick: () => watch(met) },
    `${met.losses}`);
}
