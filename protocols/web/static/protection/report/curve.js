// The curve of both values over the turns, on a scale on which twice as much is always as far.

import { h, show, svg } from "../../shared/element.js";
import { dollars } from "./money.js";

const [WIDTH, HEIGHT, EDGE] = [640, 130, 8];

/** A figure whose turns can be chosen to be shown again. */
export class Curve {
  constructor(choose) {
    this.choose = choose;
    this.figure = h("div", {});
    this.turns = h("div", { class: "row turns" });
    this.element = h("section", { class: "card history", hidden: true, "aria-label": "History" },
      h("h2", {}, "The turns so far"), this.figure,
      h("p", { class: "quiet" },
        h("span", { class: "key human" }), " you  ", h("span", { class: "key chaos" }),
        " Chaos, in value after each turn. Choose a turn to see it again:"),
      this.turns);
  }

  show(game) {
    const finished = game.turns.filter((turn) => turn.end);
    this.element.hidden = !finished.length;
    if (!finished.length) return;
    const most = Math.log(Math.max(...game.values.flat(), 10));
    const least = Math.log(Math.max(Math.min(...game.values.flat()), 10)) - 0.2;
    const x = (index) => EDGE + (index / (game.values.length - 1)) * (WIDTH - 2 * EDGE);
    const height = (value) => (Math.log(Math.max(value, 10)) - least) / Math.max(most - least, 0.1);
    const y = (value) => HEIGHT - EDGE - height(value) * (HEIGHT - 2 * EDGE);
    const lines = ["human", "chaos"].map((side, index) => {
      const points = game.values.map((values, turn) => [x(turn), y(values[index])]);
      return [
        svg("polyline", { class: `line ${side}`, points: points.map((point) => point.join(",")).join(" ") }),
        points.map(([cx, cy]) => svg("circle", { class: `dot ${side}`, cx, cy, r: 4 })),
      ];
    });
    const last = game.values.at(-1);
    show(this.figure, svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": `After ${finished.length} turns you are worth ${dollars(last[0])}, Chaos ${dollars(last[1])}` }, lines));
    show(this.turns, finished.map(({ turn }) => h("button", {
      type: "button", class: "small", "aria-label": `Show turn ${turn} again`, onclick: () => this.choose(turn),
    }, turn)));
  }
}
