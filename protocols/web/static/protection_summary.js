// The summary of a game of Advanced Protection: what each turn earned and lost, and what Chaos adapted to.

import { h, scrollable, table } from "./dom.js";
import { dollars, signedDollars } from "./format.js";
import { counted, countsOf } from "./protection_replay.js";

/** The summary; `strings` are the strings that Chaos has played, by turn. */
export function turnSummary(game, strings) {
  const turns = game.turns.filter((turn) => turn.end);
  if (!turns.length) return [];
  return [
    h("h3", {}, "Where the game was decided"),
    h("p", {}, verdict(turns, game)),
    scrollable("What each turn earned and lost", turnTable(turns, game)),
    h("h3", {}, "What Chaos adapted to"),
    h("p", { class: "quiet small" }, "Before each turn Chaos tests its strings on what stood on the map in the turn before, and chooses one of them."),
    h("dl", { class: "adapted" }, turns.map((turn, index) => [
      h("dt", {}, `Turn ${turn.turn}`),
      h("dd", {}, `${choice(turn, turns[index - 1], strings, game)} ${outcome(turn, game)}`),
    ])),
  ];
}

function verdict(turns, game) {
  const gain = ({ end }) => end.change[0] - end.change[1];
  const sorted = [...turns].sort((one, other) => gain(one) - gain(other));
  const [worst, best] = [sorted[0], sorted.at(-1)];
  const told = (turn) => `turn ${turn.turn}: ${game.human} ${signedDollars(turn.end.change[0])}, Chaos ${signedDollars(turn.end.change[1])}`;
  const of = game.isOwn ? "your" : `${game.human}'s`;
  const words = [`The best turn for ${game.human} was ${told(best)}.`];
  if (worst !== best) words.push(` The worst was ${told(worst)}.`);
  const plundered = turns.reduce((sum, { end }) => sum + end.human.plundered, 0);
  const produced = turns.reduce((sum, { end }) => sum + end.human.produced, 0);
  words.push(` In all, ${of} farms made ${dollars(produced)}, of which minions took ${dollars(plundered)}.`);
  return words;
}

function turnTable(turns, game) {
  const rows = turns.map(({ turn, end }) => [
    turn, dollars(end.human.produced), dollars(end.human.plundered), signedDollars(end.change[0]), signedDollars(end.change[1]),
  ]);
  const own = game.isOwn ? "You" : game.human;
  const sums = ["Farms made", "Plundered", own, "Chaos"].map((head) => [head, "number"]);
  return table([["Turn", "head"], ...sums], rows, { class: "summary", "aria-label": "Turns" });
}

/** The minions of a turn, and the units that were lost. */
function outcome({ start, end }, game) {
  return `It sent ${listed(start.bought)}; ${game.human} lost ${listed(countsOf(end.human.lost.map((each) => each.unit)))}.`;
}

/** What Chaos chose in a turn, and on which setup it had tested its strings. */
function choice({ turn }, before, strings, game) {
  const played = strings.find((each) => each.turn === turn);
  const string = `${played?.hybrid ? "hybrid" : "string"} ${played?.index ?? "of its own"}`;
  const same = strings.find((each) => each.turn === turn - 1)?.index === played?.index;
  if (!before) return `It began with ${string}, before it had seen anything of this game.`;
  const seen = listed(countsOf([...before.units.values()].map(({ unit }) => unit)));
  const whose = game.isOwn ? "your" : `${game.human}'s`;
  return `After ${whose} ${seen === "nothing" ? "empty map" : seen}, it ${same ? "kept" : "changed to"} ${string}.`;
}

/** Counts by name in words. */
function listed(counts) {
  return Object.entries(counts).map(([name, count]) => counted(name, count)).join(", ") || "nothing";
}
