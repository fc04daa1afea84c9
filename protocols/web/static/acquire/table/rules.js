// The rules in short, with the numbers of the variant that is played.

import { h } from "../../shared/element.js";
import { chip, dollars } from "../chip.js";

export function rulesCard(rules) {
  const { steps, chains } = rules;
  const tiers = [...new Set(chains.map((chain) => chain.tier))].sort();
  return h(
    "details",
    { class: "card rules" },
    h("summary", {}, "The rules in short"),
    h(
      "ul",
      {},
      sentences(rules).map((sentence) => h("li", {}, sentence)),
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "Prices" },
      h(
        "table",
        {},
        h("caption", { class: "quiet" }, "A share, by the tiles of its chain"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Tiles"),
            steps.map((_, level) => h("th", { scope: "col", class: "number" }, span(steps, level))),
          ),
        ),
        h(
          "tbody",
          {},
          tiers.map((tier) =>
            prices(
              chains.filter((chain) => chain.tier === tier),
              steps,
            ),
          ),
        ),
      ),
    ),
  );
}

function sentences({ safe, shares, cash, end, max_buy: mostBought }) {
  return [
    "In your turn you place one tile, then you may buy shares, then you draw a tile.",
    "A tile beside a lone tile founds a chain; its founder gets a share of it.",
    "A tile beside a chain lets it grow. A tile between chains merges them: the larger survives.",
    "At a merger, whoever holds most shares of the other chain gets ten times its price, the second five times; ties share.",
    "Its shares are then traded two for one, sold or held.",
    `A chain of ${safe} tiles is safe: it cannot be taken over, and no tile may join two such chains.`,
    `Up to ${mostBought} shares a turn; there are ${shares} of each chain. Everybody begins with ${dollars(cash)}.`,
    `The game may be ended when a chain has ${end} tiles, or when all on the board are safe.`,
    "Then all bonuses are paid and all shares sold; most money wins.",
  ];
}

function prices(chains, steps) {
  const cells = steps.map((_, level) => h("td", { class: "number" }, dollars(100 * (level + 2 + chains[0].tier))));
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h(
        "span",
        { class: "signs" },
        chains.map((chain) => chip(chain)),
      ),
    ),
    cells,
  );
}

function span(steps, level) {
  if (level + 1 === steps.length) return `${steps[level]}+`;
  const last = steps[level + 1] - 1;
  return last === steps[level] ? `${last}` : `${steps[level]}–${last}`;
}
