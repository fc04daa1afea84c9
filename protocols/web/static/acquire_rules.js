// The rules of Acquire in short, with the numbers of the game that is played, and a merger as an example.

import { chip } from "./acquire_chip.js";
import { h, scrollable, table } from "./dom.js";
import { dollars } from "./format.js";

export const [MAJORITY, MINORITY] = [10, 5]; // bonuses in prices of a share

/** Dollars for a share of a chain of this size; 0 for a chain that is not on the board. */
export function priceOf(rules, chain, size) {
  const level = rules.steps.filter((step) => size >= step).length;
  return level ? 100 * (level + 1 + chain.tier) : 0;
}

/** The rules in short; a card that is open at first if `isOpen`. */
export function rulesCard(rules, isOpen) {
  const { steps, chains } = rules;
  const tiers = [...new Set(chains.map((chain) => chain.tier))].sort();
  const rows = tiers.map((tier) => [
    h("span", { class: "signs" }, chains.filter((chain) => chain.tier === tier).map((chain) => chip(chain))),
    ...steps.map((_, level) => dollars(100 * (level + 2 + tier))),
  ]);
  const columns = [["Tiles", "head"], ...steps.map((_, level) => [sizes(steps, level), "number"])];
  return h("details", { class: "card rules", open: isOpen },
    h("summary", {}, "The rules in short"),
    h("ul", {}, sentences(rules).map((sentence) => h("li", {}, sentence))),
    h("p", { class: "quiet" }, "A share, by the tiles of its chain"),
    scrollable("Prices", table(columns, rows)),
    chains.length > 1 && example(rules));
}

function sentences({ safe, shares, cash, end, max_buy: mostBought }) {
  return [
    "In your turn you place one tile, then you may buy shares, then you draw a tile.",
    "A tile next to a lone tile founds a chain; its founder gets a share of it.",
    "A tile next to a chain lets it grow. A tile between chains merges them: the larger one survives.",
    "In a merger, the player with the most shares of the chain that is taken over gets ten times its price, the second five times. Ties share.",
    "Its shares are then traded two for one, sold or held.",
    `A chain of ${safe} tiles is safe: it cannot be taken over, and no tile may join two such chains.`,
    `Up to ${mostBought} shares a turn; there are ${shares} of each chain. Each player starts with ${dollars(cash)}.`,
    `A player may end the game when a chain has ${end} tiles, or when all chains on the board are safe.`,
    "Then all bonuses are paid and all shares are sold. The player with the most money wins.",
  ];
}

/** A merger with its bonuses and disposals, by the prices of these rules. */
function example(rules) {
  const [small, large] = rules.chains;
  const size = Math.min(4, rules.safe - 1);
  const price = priceOf(rules, small, size);
  const times = (count, each) => `${count} × ${dollars(each)}`;
  const sum = (bonus, sold) => dollars(bonus * price + sold * price);
  const rows = [
    ["Mia", 6, `most shares: ${times(MAJORITY, price)}`, `trades 4 for 2 ${large.name}, sells 2`, sum(MAJORITY, 2)],
    ["Leo", 3, `second: ${times(MINORITY, price)}`, "sells 3", sum(MINORITY, 3)],
    ["Zoe", 1, "none", `holds 1, in case ${small.name} is founded again`, dollars(0)],
  ];
  return h("section", { class: "example" },
    h("h3", {}, "Example: a merger"),
    h("p", {}, "A tile joins ", chip(small, small.name), ` with ${size} tiles and `, chip(large, large.name), ` with ${size + 2} tiles. `,
      `${large.name} is larger, so it takes ${small.name} over. A share of ${small.name} is worth ${dollars(price)} at this size.`),
    scrollable("A merger in figures",
      table([["Player", "head"], ["Shares", "number"], "Bonus", "Then", ["Receives", "number"]], rows)),
    h("p", {}, `${small.name} is gone. All its tiles now belong to ${large.name}, whose shares may be worth more. If two players had the most shares, `,
      `they would share both bonuses: ${dollars((MAJORITY + MINORITY) * price)}, rounded up to whole hundreds for each.`));
}

/** The sizes of chains that share a price: 2, 3–5 or 41+. */
function sizes(steps, level) {
  if (level + 1 === steps.length) return `${steps[level]}+`;
  const last = steps[level + 1] - 1;
  return last === steps[level] ? `${last}` : `${steps[level]}–${last}`;
}
