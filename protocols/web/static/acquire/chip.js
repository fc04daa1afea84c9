// A chain's sign: its letter on its colour, so that neither has to be known alone.

import { h } from "../shared/element.js";

/** The sign alone, or with words beside it. */
export function chip(chain, ...words) {
  const sign = h("b", { class: "sign chain", "data-chain": chain.letter, title: chain.name }, chain.letter);
  return words.length ? h("span", { class: "chip" }, sign, " ", words) : sign;
}

/** $1,200 */
export function dollars(amount) {
  return `$${amount.toLocaleString("en-US")}`;
}
