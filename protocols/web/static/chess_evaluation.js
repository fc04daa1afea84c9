// What the engine thinks of a position: the evaluation bar, its score and lines, and the course of the score through the game.

import { h, show, svg } from "./dom.js";
import { formatNumber } from "./format.js";
import { SHARES, shareOf, wordsOf } from "./chess_score.js";

const [CURVE_WIDTH, CURVE_HEIGHT] = [300, 80];
const SHORTEST = 20; // plies for which the curve has room in any game

/** The bar beside the board, whose light part is White's. */
export class EvaluationBar {
  constructor() {
    this.light = h("i", {});
    this.text = h("span", {});
    this.element = h("div", { class: "evaluation", role: "img" }, this.light, this.text);
    this.show(null, null, "w");
  }

  /** Show a note, or the result of a game that has ended, with the colour at the bottom of the board. */
  show(note, end, below) {
    const share = end ? SHARES[end.result] : note ? shareOf(note.pawns) : 0.5;
    this.light.style.setProperty("height", `${(100 * share).toFixed(1)}%`);
    this.element.classList.toggle("turned", below === "b");
    this.element.classList.toggle("behind", share < 0.5);
    const score = end ? end.result.replaceAll("1/2", "½") : note ? note.score.replace(/(\.\d)\d$/, "$1") : "";
    show(this.text, score.replace(/^[+−]/, ""));
    const words = end ? `The game has ended ${end.result}` : note ? `${wordsOf(note.pawns)}, ${note.score}` : "no evaluation yet";
    this.element.setAttribute("aria-label", `Evaluation: ${words}`);
  }
}

/** What the engine has looked at: `depth 9, 12,000 positions`. */
function factsOf({ depth, nodes }) {
  return [depth ? `depth ${depth}` : "", nodes ? `${formatNumber(nodes)} positions` : ""].filter(Boolean).join(", ");
}

/** Engine analysis: the score, the expected lines, and the course of the score through the game. */
export class Thinking {
  /** `choose(index)` is called for a move whose position should be shown, `play(move)` for the first move of a line. */
  constructor({ choose, play }) {
    this.choose = choose;
    this.play = play;
    this.score = h("strong", { class: "score" });
    this.words = h("span", {});
    this.facts = h("span", { class: "quiet number" });
    this.line = h("p", { class: "line" });
    this.lines = h("ol", { class: "lines", "aria-label": "Best lines" });
    this.curve = svg("svg", { viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`, class: "curve", role: "img", preserveAspectRatio: "none",
      onclick: (event) => this.#chooseAt(event) });
    this.tools = h("div", { class: "row" });
    this.element = h("section", { class: "card", "aria-label": "Engine analysis" },
      h("h2", {}, "Engine analysis"), h("p", { class: "row" }, this.score, this.words, this.facts), this.line, this.lines,
      this.curve, this.tools);
    this.show(null);
  }

  /** Show the evaluation of the position on the board; null if there is none. */
  show(note) {
    show(this.score, note?.score ?? "–");
    show(this.words, note ? wordsOf(note.pawns) : "");
    show(this.facts, note ? factsOf(note) : "");
    show(this.line, note ? note.line ?? "" : h("span", { class: "quiet" },
      "When the engine thinks, its score from White’s view, in pawns, and the moves that it expects appear here."));
  }

  /** Show the best lines of an analysis: [{note, move}, ...], best first; null for a game without analysis. */
  showLines(lines) {
    this.lines.hidden = !lines;
    this.line.hidden = Boolean(lines);
    this.best = (lines ?? []).filter(Boolean);
    while (this.lines.children.length < this.best.length) this.lines.append(this.#row(this.lines.children.length));
    [...this.lines.children].forEach((row, place) => {
      const { note } = this.best[place] ?? {};
      row.hidden = !note;
      if (note) show(row.firstChild, h("strong", {}, note.score), h("span", {}, note.line));
    });
  }

  /** Draw the scores of a game so far, and where `at` is in it; `notes` may have gaps. */
  draw(notes, at) {
    this.count = Math.max(notes.length, SHORTEST);
    this.last = notes.length - 1;
    const points = notes.flatMap((note, index) => (note ? [[index, note.pawns, note.score]] : []));
    const x = (index) => ((index + 0.5) / this.count) * CURVE_WIDTH;
    const y = (pawns) => CURVE_HEIGHT * (1 - shareOf(pawns));
    const line = points.map(([index, pawns]) => `${x(index).toFixed(1)},${y(pawns).toFixed(1)}`).join(" ");
    const last = points.at(-1);
    const parts = [svg("line", { x1: 0, x2: CURVE_WIDTH, y1: CURVE_HEIGHT / 2, y2: CURVE_HEIGHT / 2, class: "middle" })];
    if (last) {
      const area = `${x(points[0][0]).toFixed(1)},${CURVE_HEIGHT / 2} ${line} ${x(last[0]).toFixed(1)},${CURVE_HEIGHT / 2}`;
      parts.unshift(svg("polygon", { points: area, class: "area" }));
      parts.push(svg("polyline", { points: line, class: "way" }));
    }
    if (at >= 0 && at < this.last) parts.push(svg("line", { x1: x(at), x2: x(at), y1: 0, y2: CURVE_HEIGHT, class: "here" }));
    this.curve.setAttribute("aria-label", last ? `The score through the game, at last ${last[2]}` : "The score through the game");
    show(this.curve, parts);
  }

  /** A line, which stays while its text changes, so that it can be clicked. */
  #row(place) {
    return h("li", {}, h("button", { title: "Play the first move of this line", onclick: () => this.play(this.best[place].move) }));
  }

  #chooseAt(event) {
    const { left, width } = this.curve.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * this.count);
    if (index >= 0 && index <= this.last) this.choose(index);
  }
}
