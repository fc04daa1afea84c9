// The purchase: a basket of up to three shares, of which anything can be put back until it is paid.

import { h, show } from "../../shared/element.js";
import { chip, dollars } from "../chip.js";
import { Amount } from "./amount.js";

/** `act` is called with the action. */
export function purchase(game, act) {
  const { due, seen, rules, seat } = game;
  const basket = []; // names of chains, in the order in which they were put in
  const cash = seen.cash[seat];
  const lines = rules.chains.flatMap((chain, index) =>
    seen.price[index] && seen.bank[index] ? [line(chain, index)] : [],
  );
  const summary = h("p", { class: "summary", "aria-live": "polite" });
  const undo = h("button", { type: "button", onclick: () => take(basket.at(-1)) }, "Undo");
  const end = h("input", { type: "checkbox", onchange: refresh });
  const confirm = h("button", { type: "button", class: "main", onclick: pay }, "Buy nothing");

  function line(chain, index) {
    const price = seen.price[index];
    const room = () =>
      Math.min(
        seen.bank[index],
        count(chain) + Math.min(rules.max_buy - basket.length, Math.floor((cash - cost()) / price)),
      );
    const amount = new Amount(`Buy ${chain.name}`, 1, room, () => change(chain, amount.value));
    return {
      chain,
      price,
      amount,
      row: h(
        "li",
        {},
        chip(chain, chain.name),
        h("span", { class: "quiet" }, `${dollars(price)}, ${seen.bank[index]} left`),
        amount.element,
      ),
    };
  }

  function count(chain) {
    return basket.filter((name) => name === chain.name).length;
  }

  function cost() {
    return lines.reduce((sum, { chain, price }) => sum + count(chain) * price, 0);
  }

  function change(chain, wanted) {
    while (count(chain) < wanted) basket.push(chain.name);
    while (count(chain) > wanted) basket.splice(basket.lastIndexOf(chain.name), 1);
    refresh();
  }

  function take(name) {
    if (name) change(game.chain(name), count(game.chain(name)) - 1);
  }

  function refresh() {
    for (const { chain, amount } of lines) amount.value = count(chain);
    for (const { amount } of lines) amount.show();
    undo.disabled = !basket.length;
    const paid = basket.length ? `Buy ${basket.length} for ${dollars(cost())}` : "Buy nothing";
    confirm.textContent = end.checked ? `${paid} and end the game` : paid;
    show(summary, `${basket.length} of ${rules.max_buy} shares; ${dollars(cash - cost())} of ${dollars(cash)} left.`);
  }

  function pay() {
    const action = { kind: "buy", shares: basket };
    act(end.checked ? { ...action, end: true } : action);
  }

  /** A chain's letter puts a share in, Backspace takes the last one out. */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = lines.find(({ chain }) => chain.letter === event.key.toUpperCase());
    if (wanted) wanted.amount.set(wanted.amount.value + 1);
    else if (event.key === "Backspace") take(basket.at(-1));
    else return;
    event.preventDefault();
  }

  refresh();
  return h(
    "div",
    { onkeydown: press },
    h("h2", {}, due.ending ? "The end is announced: what do you still buy?" : "What do you buy?"),
    lines.length
      ? h(
          "ul",
          { class: "shop" },
          lines.map(({ row }) => row),
        )
      : h("p", {}, "There is nothing to buy."),
    summary,
    due.legal.may_end && h("label", { class: "check" }, h("span", {}, end, " End the game with this turn")),
    h(
      "div",
      { class: "row" },
      confirm,
      undo,
      h("span", { class: "quiet keys" }, "Keys: a chain's letter adds a share, Backspace takes it back."),
    ),
  );
}
