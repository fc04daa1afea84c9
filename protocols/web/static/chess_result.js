// The dialogue at the end of a game: who has won and how, and what to do next.

import { h, show } from "./dom.js";
import { plural } from "./format.js";

export class ResultDialogue {
  /** `actions` has rematch(), another() for a new game, and analyse(). */
  constructor(actions) {
    this.title = h("h2", { id: "result" });
    this.facts = h("p", {});
    const button = (text, action, kind = null) => h("button", { class: kind, onclick: () => {
      this.element.close();
      action();
    } }, text);
    this.element = h("dialog", { class: "result", "aria-labelledby": "result" }, this.title, this.facts,
      h("div", { class: "row" }, button("Rematch", actions.rematch, "main"), button("New game", actions.another),
        button("Analyse the game", actions.analyse), button("Close", () => {})));
  }

  /** Show the end of a game {result, why}; `side` is the user's, and `facts` are sentences about the game. */
  open({ result, why }, side, facts) {
    show(this.title, headline(result, side));
    show(this.facts, `${why[0].toUpperCase()}${why.slice(1)}. ${facts}`);
    this.element.showModal();
  }

  close() {
    this.element.close();
  }
}

/** The end of a game for a side, or for a spectator ("none"). */
export function headline(result, side) {
  if (result === "1/2-1/2") return "A draw";
  const winner = result === "1-0" ? "w" : "b";
  if (side !== "w" && side !== "b") return winner === "w" ? "White wins" : "Black wins";
  return side === winner ? "You have won" : "You have lost";
}

/** `32 moves, Sicilian Defence`. */
export function factsOf(game, opening) {
  const moves = plural(Math.ceil(game.history.length / 2), "move");
  return opening ? `${moves}, ${opening}.` : `${moves}.`;
}
