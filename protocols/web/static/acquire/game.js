// A game of Acquire as the house tells it: what is seen, what is due and what has happened.

/** Of one seat, whose `name` it is, or of somebody who watches (`seat` is null). `rules` are those of its description. */
export class Game {
  constructor(start, rules, name) {
    this.id = start.game_id;
    this.seat = start.seat ?? null;
    this.names = start.seats.map((each, seat) => (seat === this.seat ? name : each.name)); // the house calls us "me"
    this.variant = start.variant;
    this.rules = rules;
    this.seq = start.seq;
    this.seen = start.observation;
    this.seenAt = start.seq; // the last event in what is seen
    this.events = [];
    this.due = null; // the decision that is ours
    this.asked = null; // the one that was answered last
    this.last = new Map(); // the tile that each seat has placed last
    this.latest = null;
    this.turn = start.observation.turn;
    this.earned = this.names.map(() => ({ bonuses: 0, shares: 0 })); // at the end
    this.end = null;
  }

  /** Take in a line of this game. */
  hear(line) {
    if (line.type === "event") this.#happen(line);
    else if (line.type === "decide") {
      this.due = this.asked = line;
      this.#see(line);
    } else if (line.type === "observation") this.#see(line);
    else if (line.type === "end") {
      this.due = null;
      this.end = line;
      this.seq = line.seq;
    } else if (line.type === "error" && line.decide_again) this.due = this.asked;
  }

  /** Our decision is on its way. */
  answered() {
    this.due = null;
  }

  /** Whether something has happened that is not yet seen. */
  get isStale() {
    return this.seenAt < this.seq && !this.due;
  }

  /** What seats are called, for people. */
  name(seat) {
    return seat === this.seat ? `${this.names[seat]} (you)` : this.names[seat];
  }

  /** A chain by its name or letter. */
  chain(name) {
    return this.rules.chains.find((chain) => chain.name === name || chain.letter === name);
  }

  /** Dollars for a share of a chain of this size. */
  price(chain, size) {
    const level = this.rules.steps.filter((step) => size >= step).length;
    return level ? 100 * (level + 1 + chain.tier) : 0;
  }

  /** What a seat's money and shares are worth now; null while they are hidden. */
  worth(seat) {
    const { cash, shares, price } = this.seen;
    if (cash[seat] == null) return null;
    return shares[seat].reduce((sum, count, chain) => sum + count * price[chain], cash[seat]);
  }

  #see(line) {
    if (line.seq < this.seenAt) return;
    this.seen = line.observation;
    this.seenAt = line.seq;
    this.turn = line.observation.turn;
  }

  #happen(event) {
    if (event.seq <= this.seq) return; // told again
    this.seq = event.seq;
    this.events.push(event);
    if (event.kind === "turn") this.turn = event.seat;
    else if (event.kind === "placed") {
      this.last.set(event.seat, event.tile);
      this.latest = event.tile;
    } else if (event.kind === "final_bonus") this.earned[event.seat].bonuses += event.amount;
    else if (event.kind === "final_sale") this.earned[event.seat].shares += event.amount;
  }
}
