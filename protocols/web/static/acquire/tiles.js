// Tiles: their names, what lies beside them, and what it would do to place one.

/** "12I" of a row and a column, both from 0. */
export function tileAt(row, column) {
  return `${column + 1}${String.fromCharCode(65 + row)}`;
}

/** What a tile of the hand would do, in a few words. */
export function meaning(game, tile, kind) {
  const chains = chainsBeside(game, tile);
  switch (kind) {
    case "lone":
      return "lies alone";
    case "found":
      return "founds a chain";
    case "grow":
      return `grows ${chains[0].name}`;
    case "merge":
      return merging(game, chains);
    case "blocked":
      return "blocked: every chain is on the board";
    default:
      return "dead: it would join two safe chains";
  }
}

/** The tiles that would make a chain together with the one that is just placed (`*`). */
export function sizeOfNew(board) {
  const row = board.findIndex((cells) => cells.includes("*"));
  const waiting = [[row, board[row].indexOf("*")]];
  const found = new Set([waiting[0].join()]);
  while (waiting.length) {
    for (const [y, x] of beside(...waiting.pop())) {
      if (board[y]?.[x] === "o" && !found.has(`${y},${x}`)) {
        found.add(`${y},${x}`);
        waiting.push([y, x]);
      }
    }
  }
  return found.size;
}

function merging(game, chains) {
  const { chains: all } = game.rules;
  const size = (chain) => game.seen.size[all.indexOf(chain)];
  const [first, ...rest] = [...chains].sort((a, b) => size(b) - size(a));
  if (rest.some((chain) => size(chain) === size(first)))
    return `merges ${chains.map((chain) => chain.name).join(" and ")}`;
  return `merges ${rest.map((chain) => chain.name).join(" and ")} into ${first.name}`;
}

function chainsBeside(game, tile) {
  const { board } = game.seen;
  const letters = beside(tile.charCodeAt(tile.length - 1) - 65, Number.parseInt(tile, 10) - 1).map(
    ([y, x]) => board[y]?.[x],
  );
  return game.rules.chains.filter((chain) => letters.includes(chain.letter));
}

function beside(y, x) {
  return [
    [y - 1, x],
    [y + 1, x],
    [y, x - 1],
    [y, x + 1],
  ];
}
