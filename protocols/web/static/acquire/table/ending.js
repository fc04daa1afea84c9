// The end of a game: what everybody is worth and where it comes from, and what was hidden.

import { h } from "../../shared/element.js";
import { dollars } from "../chip.js";

const REASONS = {
  declared: "The end was announced.",
  all_tiles_played: "All tiles are played.",
  stuck_round: "Nobody could place a tile for a whole round.",
  resign: "It was given up.",
  forfeit: "It was forfeited.",
};

export function ending(game) {
  const { result, reveal } = game.end;
  const best = game.names.flatMap((_, seat) => (result.rank[seat] === 1 ? [game.name(seat)] : []));
  const seats = game.names.map((_, seat) => seat).sort((a, b) => result.rank[a] - result.rank[b]);
  return h(
    "div",
    {},
    h(
      "h2",
      {},
      best.length > 1
        ? `${best.join(" and ")} share the win`
        : `${best[0]}: first with ${dollars(Math.max(...result.worth))}`,
    ),
    h("p", {}, REASONS[result.reason] ?? result.reason),
    h("div", { class: "scroll" }, finalTable(game, seats)),
    h(
      "details",
      {},
      h("summary", {}, "What was hidden"),
      h("p", {}, `Seed ${reveal.seed}, salt ${reveal.salt || "none"}. `, promise(game, reveal)),
      h("p", {}, "The bag, in the order of drawing:"),
      h("p", { class: "bag" }, reveal.bag.join(" ")),
    ),
  );
}

function finalTable(game, seats) {
  const heads = ["", "Player", "Cash", "Bonuses", "Shares", "Worth"].map((head, column) =>
    h("th", { scope: "col", class: column > 1 ? "number" : "" }, head),
  );
  const rows = seats.map((seat) => row(game, seat));
  return h(
    "table",
    { class: "final", "aria-label": "Final table" },
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, rows),
  );
}

function row(game, seat) {
  const { worth, rank } = game.end.result;
  const { bonuses, shares } = game.earned[seat];
  const isAdded = bonuses || shares || worth[seat] === game.seen.cash[seat];
  const sums = isAdded ? [worth[seat] - bonuses - shares, bonuses, shares] : [null, null, null];
  return h(
    "tr",
    { class: rank[seat] === 1 ? "winner" : "" },
    h("td", {}, `${rank[seat]}.`),
    h("th", { scope: "row" }, game.name(seat)),
    sums.map((sum) => h("td", { class: "number" }, sum == null ? "–" : dollars(sum))),
    h("td", { class: "number" }, h("b", {}, dollars(worth[seat]))),
  );
}

/** Whether seed and salt are those that the house had promised before the start, where that can be told. */
function promise(game, { seed, salt }) {
  const told = h("span", {});
  if (game.promise && crypto.subtle) {
    const text = new TextEncoder().encode(`galapagos/1|${game.id}|${seed}|${salt}`);
    crypto.subtle.digest("SHA-256", text).then((digest) => {
      const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      told.textContent =
        `sha256:${hex}` === game.promise
          ? "They are those that were promised before the start."
          : "They are NOT those that were promised before the start.";
    });
  }
  return told;
}
