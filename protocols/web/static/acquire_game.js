// The state of a game of Acquire from the server's lines: the observation, the current decision, the events and the tiles.

import { applyEvent, neighbours, placeOf } from "./acquire_events.js";
import { priceOf } from "./acquire_rules.js";
import { playersOf } from "./acquire_seats.js";
import { Ledger } from "./acquire_summary.js";

/** A game as seen by the player `name`, or by a spectator (`seat` is null). `rules` are those of its description. */
export class Game {
  constructor(start, name) {
    this.id = start.game_id;
    this.seat = start.seat ?? null;
    this.players = playersOf(start.seats, this.seat, name);
    this.variant = start.variant;
    this.chosenBy = start.seed?.chosen_by ?? "";
    this.rules = null;
    this.early = []; // lines that came before the rules
    this.seq = start.seq;
    this.seen = start.observation;
    this.seenAt = start.seq; // the last event that the observation includes
    this.events = [];
    this.due = null; // our current decision
    this.last = null; // the decision that was answered last
    this.placed = new Map(); // the tile that each seat has placed last
    this.latest = null;
    this.turn = start.observation.turn;
    this.ledger = new Ledger();
    this.isWhole = start.seq === 0; // whether we have all events
    this.earned = this.players.map(() => ({ bonuses: 0, shares: 0 })); // at the end
    this.end = null;
  }

  /** Take the rules, without which no line is processed. */
  begin(rules) {
    this.rules = rules;
    for (const line of this.early.splice(0)) this.receive(line);
  }

  /** Process a line of this game. */
  receive(line) {
    if (!this.rules) return this.early.push(line);
    if (line.type === "event") this.#add(line);
    else if (line.type === "decide") {
      this.due = this.last = line;
      this.#observe(line);
    } else if (line.type === "observation") this.#observe(line);
    else if (line.type === "end") {
      this.due = null;
      this.end = line;
      this.seq = line.seq;
    } else if (line.type === "error" && line.decide_again) this.due = this.last;
  }

  /** Our decision has been sent. */
  answered() {
    this.due = null;
  }

  /** Whether there are events that the observation does not include. */
  get isStale() {
    return this.seenAt < this.seq && !this.due;
  }

  /** The name of a seat, for display. */
  name(seat) {
    const { name } = this.players[seat];
    return seat === this.seat ? `${name} (you)` : name;
  }

  /** The name of a seat within a sentence. */
  who(seat) {
    return seat === this.seat ? "you" : this.players[seat].name;
  }

  /** A chain by its name or letter. */
  chain(name) {
    return this.rules.chains.find((chain) => chain.name === name || chain.letter === name);
  }

  /** Dollars for a share of a chain of this size. */
  price(chain, size) {
    return priceOf(this.rules, chain, size);
  }

  /** The current value of a seat's money and shares; null while they are hidden. */
  worth(seat) {
    const { cash, shares, price } = this.seen;
    if (cash[seat] == null) return null;
    return shares[seat].reduce((sum, count, chain) => sum + count * price[chain], cash[seat]);
  }

  /** The tiles that may be placed now. */
  get playable() {
    return new Set(this.due?.phase === "place" ? this.due.legal.actions.map((action) => action.tile) : []);
  }

  /** The effect of placing a tile of the hand, in a few words. */
  meaning(tile, kind) {
    const chains = this.#chainsBeside(tile);
    switch (kind) {
      case "lone":
        return "lies alone";
      case "found":
        return "founds a chain";
      case "grow":
        return `grows ${chains[0].name}`;
      case "merge":
        return this.#merger(chains);
      case "blocked":
        return "blocked: every chain is on the board";
      default:
        return "dead: it would join two safe chains";
    }
  }

  /** The size of a chain that would be founded with the tile that has just been placed (`*`). */
  get sizeOfNew() {
    const { board } = this.seen;
    const row = board.findIndex((cells) => cells.includes("*"));
    const waiting = [[row, board[row].indexOf("*")]];
    const found = new Set([waiting[0].join()]);
    while (waiting.length) {
      for (const [y, x] of neighbours(...waiting.pop())) {
        if (board[y]?.[x] !== "o" || found.has(`${y},${x}`)) continue;
        found.add(`${y},${x}`);
        waiting.push([y, x]);
      }
    }
    return found.size;
  }

  #observe(line) {
    if (line.seq < this.seenAt) return;
    this.seen = line.observation;
    this.seenAt = line.seq;
    this.turn = line.observation.turn;
  }

  #add(event) {
    if (event.seq <= this.seq) return; // a repeated event
    this.seq = event.seq;
    this.events.push(event);
    if (event.seq > this.seenAt) applyEvent(this, event);
    this.ledger.add(this, event);
    if (event.kind === "turn") this.turn = event.seat;
    else if (event.kind === "placed") {
      this.placed.set(event.seat, event.tile);
      this.latest = event.tile;
    } else if (event.kind === "final_bonus") this.earned[event.seat].bonuses += event.amount;
    else if (event.kind === "final_sale") this.earned[event.seat].shares += event.amount;
  }

  #merger(chains) {
    const size = (chain) => this.seen.size[this.rules.chains.indexOf(chain)];
    const names = (some) => some.map((chain) => chain.name).join(" and ");
    const [first, ...rest] = [...chains].sort((a, b) => size(b) - size(a));
    if (rest.some((chain) => size(chain) === size(first))) return `merges ${names(chains)}`;
    return `merges ${names(rest)} into ${first.name}`;
  }

  #chainsBeside(tile) {
    const [row, column] = placeOf(tile);
    const letters = neighbours(row, column).map(([y, x]) => this.seen.board[y]?.[x]);
    return this.rules.chains.filter((chain) => letters.includes(chain.letter));
  }
}
