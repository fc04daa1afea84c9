// The current decision in Acquire: a tile, a chain, the disposal of shares, or a purchase; or the end of the game.

import { chip } from "./acquire_chip.js";
import { seatName } from "./acquire_seats.js";
import { summary as summaryOf } from "./acquire_summary.js";
import { sha256 } from "./client.js";
import { h, scrollable, show, table } from "./dom.js";
import { dollars } from "./format.js";
import { recall, remember } from "./memory.js";

const STATUS = {
  place: "Your turn: place a tile.",
  found: "Your turn: found a chain.",
  survivor: "Your turn: which chain survives?",
  order: "Your turn: which chain is dissolved first?",
  dispose: "Your turn: trade, sell or hold your shares.",
  buy: "Your turn: buy shares.",
};
const QUESTIONS = {
  found: "Which chain do you found?",
  survivor: "The chains are equally large. Which one survives?",
  order: "Which chain is dissolved first?",
};
const REASONS = {
  declared: "A player ended the game.",
  all_tiles_played: "All tiles have been played.",
  stuck_round: "No player could place a tile for a whole round.",
  resign: "A player resigned.",
  forfeit: "A player forfeited the game.",
};
const CHOSEN = { found: ["You found", "Found it"], survivor: ["The survivor is", "Let it survive"], order: ["The first to be dissolved is", "Dissolve it first"] };
const ASKS = "acquire-confirms"; // in the browser's memory
const PANELS = { found: chainChoice, survivor: chainChoice, order: chainChoice, dispose: disposal, buy: purchase };

/**
 * The panel of the current decision. `act(action)` is called with the player's action, and `changed()` when a tile is
 * proposed or taken back. A tile or a chain is only proposed at first: it can be undone until it is confirmed, unless
 * the player has switched that off. Purchases and disposals have a button to confirm anyway.
 */
export class DecisionPanel {
  constructor({ act, changed }) {
    this.act = act;
    this.changed = changed;
    this.proposed = null; // the action that has not been confirmed yet
    this.status = h("p", { role: "status", class: "status" });
    this.panel = h("div", { class: "panel" });
    this.proposal = h("div", { "aria-live": "polite", onkeydown: (event) => event.key === "Escape" && this.#takeBack() });
    this.element = h("section", { class: "due", "aria-label": "Your decision" }, this.status, this.panel, this.proposal);
    this.asks = h("input", { type: "checkbox", checked: recall(ASKS, true), onchange: () => this.#setAsking() });
    this.setting = h("label", { class: "check" }, h("span", {}, this.asks, " Confirm tiles and chains"));
  }

  /** Show the current decision or the end; return whether it is a new decision. */
  show(game) {
    const { due, end } = game;
    const shown = end ?? due;
    this.status.textContent = statusOf(game);
    if (shown === this.shown) return false;
    this.shown = shown;
    this.game = game;
    this.element.dataset.decision = due?.id ?? "";
    this.element.dataset.phase = end ? "over" : (due?.phase ?? "wait");
    this.end = h("input", { type: "checkbox" });
    this.#withdraw();
    if (end) show(this.panel, ending(game));
    else if (!due) show(this.panel);
    else if (due.phase === "place") show(this.panel, due.legal.may_end && endCheck(this.end));
    else show(this.panel, PANELS[due.phase](game, this.act, (...choice) => this.#propose(...choice)));
    return Boolean(due);
  }

  /** The tile that is proposed, or null. */
  get tile() {
    return this.proposed?.tile ?? null;
  }

  /** Propose a tile of the hand; the same tile once more confirms it. */
  place(tile) {
    const [, kind] = this.game.seen.hand.find(([own]) => own === tile);
    this.#propose({ kind: "place", tile }, `${tile} ${this.game.meaning(tile, kind)}.`, "Place it");
  }

  focus(options) {
    this.panel.querySelector("button.main, button.option")?.focus(options);
  }

  /** Show a choice in words with a button to confirm it and one to undo it. */
  #propose(action, words, verb) {
    if (!this.asks.checked || sameAction(action, this.proposed)) {
      this.proposed = action;
      return this.#confirm();
    }
    this.proposed = action;
    this.chosenAt = document.activeElement;
    const confirm = h("button", { type: "button", class: "main", onclick: () => this.#confirm() }, verb);
    show(this.proposal, h("div", { class: "proposal row" }, h("span", {}, words), confirm,
      h("button", { type: "button", onclick: () => this.#takeBack() }, "Undo")));
    this.#mark();
    confirm.focus({ preventScroll: true });
  }

  #confirm() {
    const { proposed } = this;
    this.#withdraw();
    this.act(proposed.kind === "place" && this.end.checked ? { ...proposed, end: true } : proposed);
  }

  #takeBack() {
    const { tile, kind } = this.proposed;
    this.#withdraw();
    this.#mark();
    if (kind === "place") this.changed(tile);
    else this.chosenAt?.focus();
  }

  #withdraw() {
    this.proposed = null;
    show(this.proposal);
  }

  /** Mark the chain that is proposed, and have the tile marked. */
  #mark() {
    for (const option of this.panel.querySelectorAll(".option")) option.setAttribute("aria-pressed", option.dataset.chain === this.proposed?.chain);
    this.changed();
  }

  #setAsking() {
    remember(ASKS, this.asks.checked);
    if (!this.asks.checked && this.proposed) this.#takeBack();
  }
}

function sameAction(one, other) {
  return other !== null && one.kind === other.kind && one.tile === other.tile && one.chain === other.chain;
}

function statusOf(game) {
  if (game.end) return "The game has ended.";
  if (game.due) return STATUS[game.due.phase];
  const name = game.name(game.turn);
  if (!game.due && game.turn === game.seat) return "Your turn goes on …";
  return game.seat == null ? `You are watching. It is the turn of ${name}.` : `Waiting for ${name} …`;
}

function endCheck(input) {
  return h("label", { class: "check" }, h("span", {}, input, " End the game with this turn"));
}

/** The choice of a chain: to found, to survive, or to be dissolved first. */
function chainChoice(game, act, propose) {
  const { phase, legal } = game.due;
  const newSize = phase === "found" ? game.sizeOfNew : 0;
  const buttons = legal.actions.map((action) => {
    const chain = game.chain(action.chain);
    const index = game.rules.chains.indexOf(chain);
    const tiles = newSize || game.seen.size[index];
    const held = game.seen.shares[game.seat][index];
    const facts = [`${tiles} tiles`, `${dollars(game.price(chain, tiles))} a share`, held && `you hold ${held}`];
    const [words, verb] = CHOSEN[phase];
    const choose = () => propose(action, `${words} ${chain.name}.`, verb);
    return h("button", { type: "button", class: "option", "data-chain": action.chain, "aria-pressed": "false", onclick: choose },
      chip(chain, chain.name), h("small", { class: "quiet" }, facts.filter(Boolean).join(", ")));
  });
  return h("div", {}, h("h2", {}, QUESTIONS[phase]), h("div", { class: "row" }, buttons));
}

/** A count with buttons for less and more; most() returns its maximum, changed() is called after a change. */
class Counter {
  constructor(label, step, most, changed) {
    Object.assign(this, { value: 0, step, most, changed });
    const button = (name, text, by) =>
      h("button", { type: "button", "aria-label": `${label}: ${name}`, onclick: () => this.set(this.value + by) }, text);
    this.less = button("less", "−", -step);
    this.more = button("more", "+", step);
    this.shown = h("output", { "aria-label": label }, "0");
    this.element = h("span", { class: "amount" }, this.less, this.shown, this.more);
  }

  set(value) {
    this.value = Math.max(0, Math.min(value, this.most()));
    this.changed();
  }

  show() {
    this.shown.textContent = this.value;
    this.less.disabled = this.value === 0;
    this.more.disabled = this.value + this.step > this.most();
  }
}

/** The disposal of the shares of a chain that is taken over: trade two for one, sell, hold. */
function disposal(game, act) {
  const { held, price, actions, ...names } = game.due.legal;
  const [defunct, survivor] = [game.chain(names.defunct), game.chain(names.survivor)];
  const mostTrade = Math.max(...actions.map((action) => action.trade));
  const summary = h("p", { class: "summary", "aria-live": "polite" });
  const send = () => act({ kind: "dispose", trade: trade.value, sell: sell.value });
  const confirm = h("button", { type: "button", class: "main", onclick: send }, "Confirm");
  const trade = new Counter("Trade", 2, () => mostTrade, () => set(trade.value, Math.min(sell.value, held - trade.value)));
  const sell = new Counter("Sell", 1, () => held - trade.value, () => set(trade.value, sell.value));
  const quick = (text, traded, sold) =>
    h("button", { type: "button", class: "quick", onclick: () => set(traded, sold) }, text);

  function set(traded, sold) {
    trade.value = traded;
    sell.value = sold;
    trade.show();
    sell.show();
    const rest = held - traded - sold;
    const parts = [
      traded && `${traded} become ${traded / 2} ${survivor.name}`,
      sold && `${sold} are sold for ${dollars(sold * price)}`,
      rest && `${rest} ${rest === 1 ? "is" : "are"} held, in case ${defunct.name} is founded again`,
    ];
    show(summary, `${parts.filter(Boolean).join("; ")}.`);
  }

  set(0, 0);
  return h("div", {},
    h("h2", {}, `${survivor.name} takes over ${defunct.name}`),
    h("p", {}, "You hold ", chip(defunct, `${held} ${defunct.name}`), `, worth ${dollars(price)} each today. Two of them can be traded for one `,
      chip(survivor, survivor.name), "."),
    h("div", { class: "row" },
      h("span", { class: "field" }, "Trade ", trade.element),
      h("span", { class: "field" }, "Sell ", sell.element),
      quick("Trade all", mostTrade, 0), quick("Sell all", 0, held), quick("Hold all", 0, 0)),
    summary, confirm);
}

/** A basket of shares; each share can be removed until the purchase is confirmed. */
function purchase(game, act) {
  const { due, seen, rules, seat } = game;
  const basket = []; // names of chains, in the order in which the shares were added
  const cash = seen.cash[seat];
  const count = (chain) => basket.filter((name) => name === chain.name).length;
  const cost = () => lines.reduce((sum, { chain, price }) => sum + count(chain) * price, 0);
  const lines = rules.chains.flatMap((chain, index) => (seen.price[index] && seen.bank[index] ? [line(chain, index)] : []));
  const summary = h("p", { class: "summary", "aria-live": "polite" });
  const undo = h("button", { type: "button", onclick: () => takeBack() }, "Undo");
  const end = h("input", { type: "checkbox", onchange: refresh });
  const confirm = h("button", { type: "button", class: "main", onclick: pay }, "Buy nothing");

  function line(chain, index) {
    const [price, bank] = [seen.price[index], seen.bank[index]];
    const affordable = () => Math.min(rules.max_buy - basket.length, Math.floor((cash - cost()) / price));
    const counter = new Counter(`Buy ${chain.name}`, 1, () => Math.min(bank, count(chain) + affordable()),
      () => change(chain, counter.value));
    const facts = h("span", { class: "quiet" }, `${dollars(price)}, ${bank} left`);
    const row = h("li", {}, chip(chain, chain.name), facts, counter.element);
    return { chain, price, counter, row };
  }

  function change(chain, wanted) {
    while (count(chain) < wanted) basket.push(chain.name);
    while (count(chain) > wanted) basket.splice(basket.lastIndexOf(chain.name), 1);
    refresh();
  }

  function takeBack() {
    basket.pop();
    refresh();
  }

  function refresh() {
    for (const { chain, counter } of lines) counter.value = count(chain);
    for (const { counter } of lines) counter.show();
    undo.disabled = !basket.length;
    const paid = basket.length ? `Buy ${basket.length} for ${dollars(cost())}` : "Buy nothing";
    confirm.textContent = end.checked ? `${paid} and end the game` : paid;
    show(summary, `${basket.length} of ${rules.max_buy} shares; ${dollars(cash - cost())} of ${dollars(cash)} left.`);
  }

  function pay() {
    const action = { kind: "buy", shares: basket };
    act(end.checked ? { ...action, end: true } : action);
  }

  /** The letter of a chain adds a share, Backspace removes the last one. */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = lines.find(({ chain }) => chain.letter === event.key.toUpperCase());
    if (wanted) wanted.counter.set(wanted.counter.value + 1);
    else if (event.key === "Backspace") takeBack();
    else return;
    event.preventDefault();
  }

  refresh();
  return h("div", { onkeydown: press },
    h("h2", {}, due.ending ? "The game ends after this turn. Which shares do you buy?" : "Which shares do you buy?"),
    lines.length ? h("ul", { class: "shop" }, lines.map(({ row }) => row)) : h("p", {}, "There are no shares to buy."),
    summary,
    due.legal.may_end && endCheck(end),
    h("div", { class: "row" }, confirm, undo,
      h("span", { class: "quiet keys" }, "Keys: the letter of a chain adds a share, Backspace removes the last one.")));
}

// -- The end -----------------------------------------------------------------------------------------

/** The final table, and what was hidden during the game. */
function ending(game) {
  const { result, reveal } = game.end;
  const best = game.players.flatMap((_, seat) => (result.rank[seat] === 1 ? [game.name(seat)] : []));
  const title = best.length > 1
    ? `${best.join(" and ")} share the win` : `The winner is ${best[0]} with ${dollars(Math.max(...result.worth))}`;
  return h("div", {},
    h("h2", {}, title),
    h("p", {}, REASONS[result.reason] ?? result.reason),
    scrollable("Final table", finalTable(game)),
    summaryOf(game),
    h("details", {},
      h("summary", {}, "Seed and order of the tiles"),
      h("p", {}, `Seed ${reveal.seed}, salt ${reveal.salt || "none"}. `, commitmentCheck(game, reveal)),
      h("p", {}, "The tiles, in the order of drawing:"),
      h("p", { class: "bag" }, reveal.bag.join(" "))));
}

function finalTable(game) {
  const { worth, rank } = game.end.result;
  const rows = game.players.map((_, seat) => seat).sort((a, b) => rank[a] - rank[b]).map((seat) => {
    const { bonuses, shares } = game.earned[seat];
    const isComplete = bonuses || shares || worth[seat] === game.seen.cash[seat];
    const sums = isComplete ? [worth[seat] - bonuses - shares, bonuses, shares].map(dollars) : ["–", "–", "–"];
    const cells = [`${rank[seat]}.`, seatName(game, seat), ...sums, h("b", {}, dollars(worth[seat]))];
    return { class: rank[seat] === 1 ? "winner" : null, cells };
  });
  const sums = ["Cash", "Bonuses", "Shares", "Worth"].map((head) => [head, "number"]);
  return table([[null], ["Player", "head"], ...sums], rows, { class: "final", "aria-label": "Final table" });
}

/** A text on whether seed and salt match the server's commitment from before the start; empty if that cannot be checked. */
function commitmentCheck(game, { seed, salt }) {
  const verdict = h("span", {});
  if (game.commitment) {
    sha256(`galapagos/1|${game.id}|${seed}|${salt}`).then((hash) => {
      const match = hash === game.commitment ? "match" : "do NOT match";
      if (hash) verdict.textContent = `They ${match} the commitment that the server sent before the start.`;
    });
  }
  return verdict;
}
