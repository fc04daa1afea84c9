// Where a game of Acquire was won: the dollars that each chain brought to each player, the mergers, the worth over the turns.

import { chip } from "./acquire_chip.js";
import { seatColour, seatName } from "./acquire_seats.js";
import { h, scrollable, table } from "./dom.js";
import { capitalised, dollars, signedDollars } from "./format.js";
import { lineChart, lineKey } from "./line_chart.js";

/** The accounts of a game, kept event by event. */
export class Ledger {
  constructor() {
    this.turns = 0;
    this.worths = []; // of the seats, before each turn
    this.flows = new Map(); // by chain: the dollars that it has brought to each seat, less those that were paid for it
    this.mergers = []; // {turn, seat, survivor, defunct, bonuses: dollars by seat}
  }

  /** Add an event that the game's observation includes already. */
  add(game, event) {
    switch (event.kind) {
      case "turn":
        this.turns += 1;
        this.worths.push(game.players.map((_, seat) => game.worth(seat)));
        break;
      case "merger":
        this.mergers.push({ turn: this.turns, ...event, bonuses: game.players.map(() => 0) });
        break;
      case "bonus":
        this.mergers.at(-1).bonuses[event.seat] += event.amount;
        this.#flow(game, event.chain, event.seat, event.amount);
        break;
      case "disposed":
        this.#flow(game, event.chain, event.seat, event.sell * (game.takeover?.prices.get(event.chain) ?? 0));
        break;
      case "bought":
        for (const name of event.shares) this.#flow(game, name, event.seat, -game.seen.price[game.rules.chains.indexOf(game.chain(name))]);
        break;
      case "final_bonus":
      case "final_sale":
        this.#flow(game, event.chain, event.seat, event.amount);
    }
  }

  #flow(game, name, seat, amount) {
    const { letter } = game.chain(name);
    if (!this.flows.has(letter)) this.flows.set(letter, game.players.map(() => 0));
    this.flows.get(letter)[seat] += amount;
  }
}

/** The summary of a game that has ended. */
export function summary(game) {
  const { ledger } = game;
  if (!game.isWhole)
    return h("p", { class: "quiet" }, "There is no summary of this game, because its first turns are no longer on the server.");
  const seats = game.players.map((_, seat) => seat);
  return h("section", { class: "summary-card", "aria-label": "Where the game was won" },
    h("h3", {}, "Where the game was won"),
    h("p", {}, verdict(game)),
    worthChart(game, seats),
    h("h4", {}, "What each chain brought"),
    h("p", { class: "quiet small" }, "Bonuses and sold shares, less the money that was paid for shares."),
    scrollable("What each chain brought", flowTable(game, seats)),
    ledger.mergers.length > 0 && [
      h("h4", {}, "Mergers"),
      h("ol", { class: "mergers" }, ledger.mergers.map((merger) => mergerLine(game, merger))),
    ]);
}

/** A sentence on the two players at the top, or on the winner and the user. */
function verdict(game) {
  const { worth, rank } = game.end.result;
  const order = game.players.map((_, seat) => seat).sort((a, b) => rank[a] - rank[b] || worth[b] - worth[a]);
  const first = order[0];
  const other = game.seat == null || game.seat === first ? order[1] : game.seat;
  const lead = worth[first] - worth[other];
  const words = [`${capitalised(game.who(first))} finished ${lead ? `${dollars(lead)} ahead of` : "level with"} ${game.who(other)}. `];
  const chains = [...game.ledger.flows].map(([letter, flows]) => ({ letter, by: flows[first] - flows[other], flows }));
  const best = chains.sort((a, b) => b.by - a.by)[0];
  if (best?.by > 0)
    words.push("The largest difference came from ", chip(game.chain(best.letter), game.chain(best.letter).name),
      `: it brought ${game.who(first)} ${signedDollars(best.flows[first])} and ${game.who(other)} ${signedDollars(best.flows[other])}.`);
  return words;
}

function worthChart(game, seats) {
  const worths = [...game.ledger.worths, game.end.result.worth];
  const lines = seats.map((seat) => ({ colour: seatColour(seat), values: worths.map((each) => each[seat]) }));
  if (worths.length < 3) return null;
  const label = `Worth of each player over ${game.ledger.turns} turns: ${seats.map((seat) => `${game.name(seat)} ${dollars(worths.at(-1)[seat])}`).join(", ")}`;
  return h("figure", { class: "worths" },
    lineChart(lines, { label, hasDots: false }),
    h("figcaption", { class: "small" }, seats.map((seat) => lineKey(game.name(seat), { colour: seatColour(seat) })),
      h("span", { class: "quiet" }, "Cash and shares at the prices of each turn; bonuses are added when they are paid.")));
}

function flowTable(game, seats) {
  const { flows } = game.ledger;
  const { worth } = game.end.result;
  const chains = game.rules.chains.filter(({ letter }) => flows.has(letter));
  const known = seats.map((seat) => chains.reduce((sum, { letter }) => sum + flows.get(letter)[seat], game.rules.cash));
  const rest = seats.map((seat) => worth[seat] - known[seat]);
  const rows = [
    ["At the start", ...seats.map(() => dollars(game.rules.cash))],
    ...chains.map((chain) => [chip(chain, chain.name), ...flows.get(chain.letter).map(flowText)]),
    rest.some(Boolean) && ["Shares at the end", ...rest.map(flowText)],
    { class: "total", cells: ["In all", ...worth.map(dollars)] },
  ];
  return table([[null, "head"], ...seats.map((seat) => [seatName(game, seat), "number"])], rows.filter(Boolean), { class: "flows" });
}

function flowText(amount) {
  return amount ? signedDollars(amount) : "–";
}

function mergerLine(game, { turn, seat, survivor, defunct, bonuses }) {
  const paid = bonuses.flatMap((amount, each) => (amount ? [`${game.who(each)} ${dollars(amount)}`] : []));
  const chains = defunct.map((name) => [chip(game.chain(name), name), " "]);
  return h("li", {}, `Turn ${turn}: ${game.who(seat)} merged `, chains, "into ", chip(game.chain(survivor), survivor),
    paid.length ? `. Bonuses: ${paid.join(", ")}.` : ".");
}
