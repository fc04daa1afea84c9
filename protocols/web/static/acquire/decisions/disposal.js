// What becomes of the shares of a chain that is taken over: trade two for one, sell, hold.

import { h, show } from "../../shared/element.js";
import { chip, dollars } from "../chip.js";
import { Amount } from "./amount.js";

/** `act` is called with the action. */
export function disposal(game, act) {
  const { legal } = game.due;
  const { held, price } = legal;
  const [defunct, survivor] = [game.chain(legal.defunct), game.chain(legal.survivor)];
  const mostTrade = Math.max(...legal.actions.map((action) => action.trade));
  const summary = h("p", { class: "summary", "aria-live": "polite" });
  const confirm = h(
    "button",
    { type: "button", class: "main", onclick: () => act({ kind: "dispose", trade: trade.value, sell: sell.value }) },
    "Do so",
  );

  const trade = new Amount(
    "Trade",
    2,
    () => Math.min(mostTrade, held - (held % 2)),
    () => {
      sell.value = Math.min(sell.value, held - trade.value);
      refresh();
    },
  );
  const sell = new Amount("Sell", 1, () => held - trade.value, refresh);

  function refresh() {
    trade.show();
    sell.show();
    const rest = held - trade.value - sell.value;
    const parts = [
      trade.value && `${trade.value} become ${trade.value / 2} ${survivor.name}`,
      sell.value && `${sell.value} are sold for ${dollars(sell.value * price)}`,
      rest && `${rest} ${rest === 1 ? "is" : "are"} held, in case ${defunct.name} is founded again`,
    ];
    show(summary, `${parts.filter(Boolean).join("; ")}.`);
  }

  function all(traded, sold) {
    trade.value = traded;
    sell.value = sold;
    refresh();
  }

  refresh();
  return h(
    "div",
    {},
    h("h2", {}, `${survivor.name} takes over ${defunct.name}`),
    h(
      "p",
      {},
      "You hold ",
      chip(defunct, `${held} ${defunct.name}`),
      `, worth ${dollars(price)} each today. Two may become one `,
      chip(survivor, survivor.name),
      ".",
    ),
    h(
      "div",
      { class: "row" },
      h("span", { class: "field" }, "Trade ", trade.element),
      h("span", { class: "field" }, "Sell ", sell.element),
      h("button", { type: "button", class: "quick", onclick: () => all(trade.most(), 0) }, "Trade all"),
      h("button", { type: "button", class: "quick", onclick: () => all(0, held) }, "Sell all"),
      h("button", { type: "button", class: "quick", onclick: () => all(0, 0) }, "Hold all"),
    ),
    summary,
    confirm,
  );
}
