// The sign of a chain of Acquire.

import { h } from "./dom.js";

/** The letter of a chain on its colour, so that a reader needs to know only one of them; with words next to it, if any. */
export function chip(chain, ...words) {
  const sign = h("b", { class: "sign chain", "data-chain": chain.letter, title: chain.name }, chain.letter);
  return words.length ? h("span", { class: "chip" }, sign, " ", words) : sign;
}
