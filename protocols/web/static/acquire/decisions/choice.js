// Which chain: the one to found, the one that survives, the one that is dissolved first.

import { h } from "../../shared/element.js";
import { chip, dollars } from "../chip.js";
import { sizeOfNew } from "../tiles.js";

const QUESTIONS = {
  found: "Which chain do you found?",
  survivor: "They are equally large. Which chain survives?",
  order: "Which chain is dissolved first?",
};

/** A button for every chain that may be chosen; `act` is called with the action. */
export function choice(game, act) {
  const { phase, legal } = game.due;
  const size = phase === "found" ? sizeOfNew(game.seen.board) : 0;
  const buttons = legal.actions.map((action) => {
    const chain = game.chain(action.chain);
    const index = game.rules.chains.indexOf(chain);
    const tiles = size || game.seen.size[index];
    const held = game.seen.shares[game.seat][index];
    const facts = [`${tiles} tiles`, `${dollars(game.price(chain, tiles))} a share`, held && `you hold ${held}`]
      .filter(Boolean)
      .join(", ");
    return h(
      "button",
      { type: "button", class: "option", onclick: () => act(action) },
      chip(chain, chain.name),
      h("small", { class: "quiet" }, facts),
    );
  });
  return h("div", {}, h("h2", {}, QUESTIONS[phase]), h("div", { class: "row" }, buttons));
}
