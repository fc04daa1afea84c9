// A game of Acquire between two players of a run, as protocols/web/acquire_contest.py returns it.

import { Game } from "./acquire_game.js";
import { GameView } from "./acquire_view.js";
import { h, show } from "./dom.js";
import { MovePlayer } from "./move_player.js";

export const styles = ["acquire", "move_player", "acquire_contest"];

const PACE = 700; // milliseconds of a decision
const PACE_OF_ALL = { element: null, isBusy: false, hurry: () => {} }; // the controls of the game set the pace
const NOTHING = { act: () => {}, resign: () => {}, leave: () => {}, pace: PACE_OF_ALL, titles: new Map() }; // nobody acts

/** The board, the chains, the players and the history, with controls. */
export function present({ start, rules, steps }) {
  const place = h("div", {});
  let game = null;
  let view = null;
  let shown = -1;
  const player = new MovePlayer(steps.length - 1, {
    milliseconds: PACE,
    name: (step) => `decision ${step} of ${steps.length - 1}`,
    show: (step) => {
      if (!view || step < shown) {
        game = new Game(start, "");
        game.begin(rules);
        view = new GameView(game, NOTHING);
        show(place, view.element);
        shown = -1;
      }
      for (; shown < step; shown++) {
        const { events, observation } = steps[shown + 1];
        for (const event of events) game.receive(event);
        game.receive({ type: "observation", seq: game.seq, observation });
      }
      view.show(game);
    },
  });
  return { element: h("div", { class: "acquire-contest" }, player.element, place), begin: () => player.begin() };
}
