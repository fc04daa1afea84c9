// What an event of Acquire changes in the observation, so that each move can be shown without asking the server.

/** Change `game.seen`, an observation, by an event. A seat whose holdings are hidden keeps null. */
export function applyEvent(game, event) {
  APPLY[event.kind]?.(game, event);
}

const APPLY = {
  turn: (game, { seat }) => (game.seen.turn = seat),
  placed: (game, { seat, tile, effect }) => {
    put(game, tile, effect === "lone" ? "o" : "*");
    if (seat === game.seat && game.seen.hand) game.seen.hand = game.seen.hand.filter(([own]) => own !== tile);
  },
  dead_tile: (game, { tile }) => put(game, tile, "x"),
  drew: (game, { count }) => (game.seen.bag_left -= count),
  grew: (game, { chain }) => spread(game, game.chain(chain)),
  founded: (game, { seat, chain, share }) => {
    spread(game, game.chain(chain));
    if (share) give(game, seat, chain, 1);
  },
  merger: (game, { survivor, defunct }) => {
    game.takeover = { survivor, prices: new Map(defunct.map((name) => [name, game.seen.price[indexOf(game, name)]])) };
    spread(game, game.chain(survivor), defunct.map((name) => game.chain(name).letter));
  },
  bonus: (game, { seat, amount }) => pay(game, seat, amount),
  disposed: (game, { seat, chain, trade, sell }) => {
    give(game, seat, chain, -trade - sell);
    if (!game.takeover) return; // it happened before this page watched; the next observation has the rest
    give(game, seat, game.takeover.survivor, trade / 2);
    pay(game, seat, sell * game.takeover.prices.get(chain));
  },
  bought: (game, { seat, shares, cost }) => {
    for (const chain of shares) give(game, seat, chain, 1);
    pay(game, seat, -cost);
  },
  final_bonus: (game, { seat, amount }) => pay(game, seat, amount),
  final_sale: (game, { seat, chain, shares, amount }) => {
    give(game, seat, chain, -shares);
    pay(game, seat, amount);
  },
};

function indexOf(game, name) {
  return game.rules.chains.indexOf(game.chain(name));
}

function pay(game, seat, dollars) {
  const { cash } = game.seen;
  if (cash[seat] != null) cash[seat] += dollars;
}

/** Move shares of a chain from the bank to a seat. */
function give(game, seat, name, count) {
  const { shares, bank } = game.seen;
  const index = indexOf(game, name);
  if (shares[seat]) shares[seat][index] += count;
  bank[index] -= count;
}

function put(game, tile, sign) {
  const [row, column] = placeOf(tile);
  const { board } = game.seen;
  board[row] = board[row].slice(0, column) + sign + board[row].slice(column + 1);
  game.placedAt = [row, column];
}

/** Give the tile that was placed last, and all tiles that it joins, to a chain; `taken` are letters of chains that the chain takes over. */
function spread(game, chain, taken = []) {
  const grid = game.seen.board.map((cells) => [...cells]);
  const joined = ["o", "*", ...taken];
  const waiting = [game.placedAt];
  while (waiting.length) {
    const [row, column] = waiting.pop();
    if (!joined.includes(grid[row]?.[column])) continue;
    grid[row][column] = chain.letter;
    waiting.push(...neighbours(row, column));
  }
  game.seen.board = grid.map((cells) => cells.join(""));
  const { chains } = game.rules;
  game.seen.size = chains.map(({ letter }) => grid.flat().filter((cell) => cell === letter).length);
  game.seen.price = chains.map((each, index) => game.price(each, game.seen.size[index]));
}

/** [row, column], from 0, of a tile such as "12I". */
export function placeOf(tile) {
  return [tile.charCodeAt(tile.length - 1) - 65, Number.parseInt(tile, 10) - 1];
}

/** "12I" of a row and a column, both from 0. */
export function tileAt(row, column) {
  return `${column + 1}${String.fromCharCode(65 + row)}`;
}

/** The squares beside a square, some of which may be off the board. */
export function neighbours(y, x) {
  return [[y - 1, x], [y + 1, x], [y, x - 1], [y, x + 1]];
}
