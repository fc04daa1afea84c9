// The visitor's own games of a game, as this browser has seen them: how many were won, against whom, and of late.

import { h, show, table } from "./dom.js";
import { percent, plural } from "./format.js";
import { lineChart } from "./line_chart.js";
import { recall, remember } from "./memory.js";

const MOST = 500; // games that are stored of each game; the oldest are dropped
const WINDOW = 10; // games over which the curve averages
const LEAST = 3; // games for which there is a curve

/**
 * Add a game that has ended, once: {id, opponents, score}. The opponents are names, and the score is 1 for a win, 0 for
 * a loss, and between them where the win is shared.
 */
export function addOwnGame(game, ended) {
  const games = ownGames(game);
  if (games.some(({ id }) => id === ended.id)) return;
  remember(keyOf(game), [...games, ended].slice(-MOST));
}

/** A card with the statistics of a game; `named` turns the name of an opponent into words. */
export function ownGamesCard(game, named = (name) => name) {
  const card = h("section", { class: "card own-games", "aria-label": "Your games" });
  const draw = () => show(card, h("h2", {}, "Your games"), content(ownGames(game), named, forget));

  function forget() {
    remember(keyOf(game), []);
    draw();
  }

  draw();
  return card;
}

function content(games, named, forget) {
  if (!games.length)
    return h("p", { class: "quiet" },
      "You have not finished a game in this browser. Your results against each opponent will be shown here. They stay in this browser.");
  const opponents = [...new Set(games.flatMap((each) => each.opponents))];
  const rows = opponents.map((name) => {
    const met = games.filter((each) => each.opponents.includes(name));
    return [named(name), met.length, winsOf(met), percent(winsOf(met) / met.length, 0)];
  }).sort((one, other) => other[1] - one[1]);
  const ask = h("button", { type: "button", class: "small", onclick: () => show(place, sure) }, "Delete these results");
  const sure = [
    h("button", { type: "button", class: "small bad", onclick: forget }, "Yes, delete them"),
    h("button", { type: "button", class: "small", onclick: () => show(place, ask) }, "Keep them"),
  ];
  const place = h("div", { class: "row" }, ask);
  return [
    h("p", {}, `You have won ${winsOf(games)} of ${plural(games.length, "game")}.`),
    curve(games),
    table([["Against", "head"], ["Games", "number"], ["Won", "number"], ["Share", "number"]], rows),
    place,
  ];
}

/** The share of games that were won, averaged over the last ones before each game. */
function curve(games) {
  if (games.length < LEAST) return null;
  const values = games.map((_, index) => {
    const recent = games.slice(Math.max(index + 1 - WINDOW, 0), index + 1);
    return winsOf(recent) / recent.length;
  });
  const label = `Share of games won, over the last ${Math.min(WINDOW, games.length)} games: now ${percent(values.at(-1), 0)}`;
  return h("figure", {},
    lineChart([{ colour: "var(--accent)", values }], { label, range: [0, 1], hasDots: false }),
    h("figcaption", { class: "quiet small" }, `${label}. Rising means that you win more often.`));
}

function winsOf(games) {
  return games.reduce((sum, { score }) => sum + score, 0);
}

function ownGames(game) {
  return recall(keyOf(game), []);
}

function keyOf(game) {
  return `games-${game}`;
}
