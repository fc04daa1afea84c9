// How the game stands: the chains with sizes, prices and bank, and the players with their money and shares.

import { h, show } from "../../shared/element.js";
import { chip, dollars } from "../chip.js";

/** The table of the chains. */
export function showChains(element, game) {
  const { seen, rules, seat } = game;
  const own = seat == null ? null : seen.shares[seat];
  const rows = rules.chains.map((chain, index) => {
    const size = seen.size[index];
    return h(
      "tr",
      { class: size ? "" : "absent" },
      h("th", { scope: "row" }, chip(chain, chain.name)),
      h(
        "td",
        { class: "number" },
        size || "–",
        size >= rules.safe && h("span", { class: "safe", title: "safe: it cannot be taken over" }, " safe"),
      ),
      h("td", { class: "number" }, size ? dollars(seen.price[index]) : "–"),
      h("td", { class: "number" }, seen.bank[index]),
      own && h("td", { class: "number" }, own[index] || "–"),
    );
  });
  const heads = ["Tiles", "Price", "Bank", own && "You"].filter(Boolean);
  show(
    element,
    h("h2", {}, "Chains"),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Chain"),
          heads.map((head) => h("th", { class: "number", scope: "col" }, head)),
        ),
      ),
      h("tbody", {}, rows),
    ),
    h("p", { class: "quiet" }, `${seen.bag_left} tiles left in the bag.`),
  );
}

/** The table of the players. */
export function showPlayers(element, game) {
  const { seen, names } = game;
  const rows = names.map((_, seat) => {
    const isOpen = seen.cash[seat] != null;
    return h(
      "tr",
      { class: game.turn === seat && !game.end ? "moving" : "" },
      h("th", { scope: "row" }, game.name(seat)),
      h("td", { class: "number" }, isOpen ? dollars(seen.cash[seat]) : "hidden"),
      h("td", { class: "number" }, isOpen ? dollars(game.worth(seat)) : "hidden"),
      h("td", {}, h("span", { class: "shares" }, isOpen ? holdings(game, seat) : "hidden")),
    );
  });
  show(
    element,
    h("h2", {}, "Players"),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Player"),
          h("th", { class: "number", scope: "col" }, "Cash"),
          h("th", { class: "number", scope: "col" }, "Worth"),
          h("th", { scope: "col" }, "Shares"),
        ),
      ),
      h("tbody", {}, rows),
    ),
    h("p", { class: "quiet" }, "Worth: cash, and all shares at today's prices. ★ majority, ☆ minority."),
  );
}

function holdings(game, seat) {
  const held = game.rules.chains.map((chain, index) => {
    const count = game.seen.shares[seat][index];
    return count > 0 && h("span", { class: "held" }, chip(chain), ` ${count}${rank(game, seat, index)}`);
  });
  return held.some(Boolean) ? held : "none";
}

/** A star for whoever would get the majority bonus, alone or with others, another for the minority. */
function rank(game, seat, chain) {
  if (!game.seen.size[chain] || game.seen.cash.includes(null)) return "";
  const counts = game.seen.shares.map((shares) => shares[chain]);
  const above = counts.filter((count) => count > counts[seat]).length;
  if (!above) return "★";
  const isTied = counts.filter((count) => count === Math.max(...counts)).length > 1;
  const second = Math.max(...counts.filter((count) => count < Math.max(...counts)));
  return !isTied && counts[seat] === second ? "☆" : "";
}
