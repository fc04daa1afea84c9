// The page of a warrior on a hill: its place, its results by opponent with films of lost rounds, and its history.

import { fetchJson } from "./client.js";
import { copyLink } from "./copy_link.js";
import { lostRoundOnHill } from "./corewar_fight.js";
import { h, show, showData, svg, table } from "./dom.js";
import { ago, formatNumber, plural } from "./format.js";
import { LostRounds } from "./hill_films.js";
import { addressOf, bar, battleTable } from "./hill_tables.js";
import { showError } from "./page.js";

const [WIDTH, HEIGHT, LEFT] = [600, 130, 76]; // of the curve, in its own units

export class WarriorView {
  constructor(hill, id) {
    this.hill = hill;
    this.id = id;
    this.path = `/api/hills/${encodeURIComponent(hill.tag)}/warriors/${encodeURIComponent(id)}`;
    this.heading = h("h2", { tabindex: -1 }, "Warrior");
    this.lost = new LostRounds();
    this.body = h("div", {});
    this.element = h("article", { class: "stack warrior-page" },
      h("div", { class: "row" }, h("a", { href: addressOf(this.hill) }, `← The ${hill.title} hill`), copyLink()),
      h("div", {}, this.heading, this.body), this.lost.element);
  }

  focus() {
    this.heading.focus();
  }

  /** Fetch the warrior as it is now. */
  async refresh() {
    try {
      this.#show(await fetchJson(this.path));
    } catch (error) {
      showError(error.message);
      if (!this.body.children.length) show(this.body, h("p", {}, "This warrior cannot be shown. ", h("a", { href: addressOf(this.hill) }, "Back to the hill")));
    }
  }

  #show(warrior) {
    const { name, author, battles, meetings, history } = warrior;
    document.title = `${name} · ${this.hill.title} hill · Galapagos`;
    const isPaired = battles.length > 0;
    showData(this.body, warrior, () => {
      show(this.heading, name, h("span", { class: "quiet" }, ` by ${author}`));
      return [
        h("section", { class: "card" }, this.#standing(warrior)),
        h("section", { class: "card" },
          h("h3", {}, isPaired ? "Against the warriors on the hill" : "In its challenge"),
          isPaired ? battleTable(battles, (met) => this.#watch(met), this.hill)
            : meetings.length ? battleTable(meetings)
            : h("p", { class: "quiet" }, this.hill.is_melee ? "On this hill all warriors fight at once, so there are no results by opponent." : "It has not met another warrior yet."),
          battles.some((met) => met.losses) ? h("p", { class: "quiet small" }, "Choose a number of lost rounds to watch those rounds.") : null),
        h("section", { class: "card" }, h("h3", {}, "History"), historyView(history)),
      ];
    });
  }

  /** Where it stands, how it came, and what it is. */
  #standing({ number, place, score, seconds, pushed_off: pushed, row, place_now: now, source }) {
    const came = place ? `took place ${place}` : "did not get on the hill";
    const rows = row && now ? [
      h("p", { class: "standing" }, h("strong", {}, `Place ${now} of ${this.hill.places}`), `, score ${formatNumber(Number(row.score.toFixed(2)))}`),
      bar(row.wins, row.ties, row.losses, " %"),
      h("p", {}, `Of its rounds it has won ${row.wins.toFixed(1)} %, tied ${row.ties.toFixed(1)} % and lost ${row.losses.toFixed(1)} %. It has survived ${plural(row.age, "successful challenge")}, its own included.`),
    ] : [h("p", { class: "standing" }, h("strong", {}, "Not on the hill"))];
    const code = source
      ? h("p", {}, "It comes with Galapagos: ", h("a", { href: `/corewar?rules=${encodeURIComponent(this.hill.name)}&warrior=${encodeURIComponent(source)}` }, "watch it and read its Redcode"), ".")
      : h("p", { class: "quiet" }, "Its Redcode belongs to its author, and is not shown.");
    return [...rows,
      h("p", { class: "quiet" }, `Challenge ${number}, ${ago(seconds)}: it ${came} with a score of ${formatNumber(score)}`,
        pushed.length ? `, and pushed off ${pushed.join(", ")}.` : "."),
      code];
  }

  #watch(met) {
    this.lost.show(met.opponent, (place) => lostRoundOnHill(this.path, met.id, place));
  }
}

/** The scores of a warrior over the challenges, as a sentence, a curve and a table. */
function historyView(history) {
  const scored = history.filter(({ score }) => score !== null);
  const left = history.find(({ fate }) => fate !== "on the hill");
  const end = left ? ` It was ${left.fate} in challenge ${left.number}.` : "";
  if (scored.length < 2) return h("p", { class: "quiet" }, `There is a curve when it has survived the challenge of another warrior.${end}`);
  const scores = scored.map(({ score }) => score);
  const [first, last] = [scored[0], scored.at(-1)];
  const best = Math.min(...scored.map(({ place }) => place ?? Infinity));
  const text = `Its score was ${points(first.score)} after challenge ${first.number} and is ${points(last.score)} after challenge ${last.number}; `
    + `the highest is ${points(Math.max(...scores))}, the best place ${formatNumber(best)}.${end}`;
  const rows = history.toReversed().map(({ number, challenger, place, score, fate }) =>
    [number, challenger, place ?? fate, score === null ? "–" : points(score)]);
  return [
    h("p", {}, text),
    curve(scored, text),
    h("p", { class: "quiet small" }, "The score over the challenges, from left to right; higher is better. 300 would be every round won, 100 every round tied."),
    h("details", {}, h("summary", {}, "All figures"),
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "History" },
        table([["Challenge", "number"], "Challenger", ["Place", "number"], ["Score", "number"]], rows))),
  ];
}

function curve(scored, text) {
  const scores = scored.map(({ score }) => score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const numbers = scored.map(({ number }) => number);
  const x = (number) => LEFT + ((WIDTH - LEFT - 6) * (number - numbers[0])) / (numbers.at(-1) - numbers[0]);
  const y = (score) => HEIGHT - 34 - ((HEIGHT - 48) * (score - low)) / (high - low || 1);
  const label = (attributes, content) => svg("text", attributes, `${content}`);
  return svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text },
    svg("line", { x1: LEFT, x2: WIDTH - 6, y1: HEIGHT - 26, y2: HEIGHT - 26 }),
    svg("polyline", { points: scored.map(({ number, score }) => `${x(number)},${y(score)}`).join(" ") }),
    scored.length < 40 ? scored.map(({ number, score }) => svg("circle", { cx: x(number), cy: y(score), r: 3 })) : [],
    label({ x: LEFT - 8, y: y(high) + 5, "text-anchor": "end" }, points(high)),
    high > low ? label({ x: LEFT - 8, y: y(low) + 5, "text-anchor": "end" }, points(low)) : null,
    label({ x: LEFT, y: HEIGHT - 5 }, `challenge ${numbers[0]}`),
    label({ x: WIDTH - 6, y: HEIGHT - 5, "text-anchor": "end" }, `challenge ${numbers.at(-1)}`));
}

function points(score) {
  return score.toFixed(1);
}
