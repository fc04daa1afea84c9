"""What the table looks like, on 80 columns: board, chains, players, own tiles. Colours are for terminals alone."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from rich.text import Text

Facts = dict[str, Any]  # as they come in JSON

COLOURS: Final = {
    "L": "bold white on red",
    "T": "bold black on yellow",
    "A": "bold white on blue",
    "F": "bold white on green",
    "W": "bold white on rgb(120,80,40)",
    "C": "bold black on cyan",
    "I": "bold white on magenta",
    "o": "bold",
    "x": "dim",
    ".": "dim",
    "*": "bold reverse",
    "+": "bold reverse",
}
CLASSES: Final = {
    "lone": "lies alone",
    "found": "founds a chain",
    "grow": "grows",
    "merge": "merges",
    "blocked": "blocked: no chain is left",
    "dead": "dead: two safe chains meet there",
}
HALF: Final = 38  # columns


def picture(rules: Facts, seen: Facts, names: Sequence[str], seat: int) -> Text:
    """The whole table as `seat` sees it."""
    parts = [
        *_board_and_chains(rules, seen),
        Text(),
        *_players(rules, seen, names, seat),
        Text(),
        *_hand(rules, seen),
    ]
    return Text("\n").join(parts)


def shop(rules: Facts, seen: Facts, seat: int) -> str:
    """What can be bought, in a line."""
    offers = [
        f"{chain['name']} ${price:,} ({bank})"
        for chain, price, bank in zip(rules["chains"], seen["price"], seen["bank"], strict=True)
        if price and bank
    ]
    return f"You have ${seen['cash'][seat]:,}. For sale: {', '.join(offers) or 'nothing'}."


def chart(rules: Facts) -> Iterator[str]:
    """The rules that numbers tell."""
    steps = rules["steps"]
    tiers: dict[int, list[str]] = {}
    for chain in rules["chains"]:
        tiers.setdefault(chain["tier"], []).append(chain["letter"])
    yield "Dollars for a share, by the tiles of its chain:"
    yield " " * 6 + "".join(f"{_span(steps, index):>7}" for index in range(len(steps)))
    for tier, letters in tiers.items():
        prices = "".join(f"{100 * (index + 2 + tier):7}" for index in range(len(steps)))
        yield f"{' '.join(letters):6}{prices}"
    yield "The majority bonus is ten times as much, the minority bonus five times."
    yield f"A chain of {rules['safe']} is safe. The end: one has {rules['end']}, or all on the board are safe."
    yield f"At most {rules['max_buy']} shares a turn; there are {rules['shares']} of each chain."


# -- Helpers ---------------------------------------------------------------------------------------


def _board_and_chains(rules: Facts, seen: Facts) -> Iterator[Text]:
    own = {tile for tile, _ in seen.get("hand") or ()}
    left = [Text("   " + "".join(f"{column + 1:^3}" for column in range(rules["columns"])))]
    for row, cells in enumerate(seen["board"]):
        letter = chr(ord("A") + row)
        line = Text(f" {letter} ")
        for column, cell in enumerate(cells):
            shown = "+" if f"{column + 1}{letter}" in own else cell
            line.append(f" {shown} ", COLOURS.get(shown, ""))
        left.append(line)
    right = [Text("  chain        tiles  price  bank", "dim"), *_chains(rules, seen)]
    right += [Text()] * (len(left) - len(right) - 1)
    right.append(Text(f"  {seen['bag_left']} tiles in the bag"))
    for board, chains in zip_longest(left, right, fillvalue=Text()):
        line = board.copy()
        line.pad_right(max(6 + 3 * rules["columns"] - line.cell_len, 0))
        line.append_text(chains)
        line.rstrip()
        yield line


def _chains(rules: Facts, seen: Facts) -> Iterator[Text]:
    for chain, size, price, bank in zip(
        rules["chains"], seen["size"], seen["price"], seen["bank"], strict=True
    ):
        line = Text()
        line.append(chain["letter"], COLOURS.get(chain["letter"], ""))
        tiles = f"{size}{'!' if size >= rules['safe'] else ' '}" if size else "- "
        line.append(f" {chain['name']:12} {tiles:>5} {f'${price:,}' if price else '-':>6} {bank:5}")
        yield line


def _players(rules: Facts, seen: Facts, names: Sequence[str], seat: int) -> Iterator[Text]:
    head = Text(f"   {'':24}{'cash':>9} ")
    for chain in rules["chains"]:
        head.append("   ")
        head.append(chain["letter"], COLOURS.get(chain["letter"], ""))
    yield head
    for index, name in enumerate(names):
        cash, shares = seen["cash"][index], seen["shares"][index]
        held = (
            [f"{count or '.':>4}" for count in shares]
            if shares is not None
            else ["   ?"] * len(rules["chains"])
        )
        money = "?" if cash is None else f"${cash:,}"
        mark = ">" if index == seen["turn"] else " "
        yield Text(f" {mark} {name[:24]:24}{money:>9} {''.join(held)}", "bold" if index == seat else "")


def _hand(rules: Facts, seen: Facts) -> Iterator[Text]:
    """Two tiles a line where they fit, each with what it would do."""
    tiles = [
        f"{tile:>4}  {_meaning(rules, seen['board'], tile, kind)}" for tile, kind in seen.get("hand") or ()
    ]
    if not tiles:
        yield Text(" You have no tiles.")
    rows = (len(tiles) + 1) // 2 if max(map(len, tiles), default=0) <= HALF else len(tiles)
    for left, right in zip_longest(tiles[:rows], tiles[rows:], fillvalue=""):
        yield Text(f"{left:{HALF}} {right}".rstrip())


def _meaning(rules: Facts, board: Sequence[str], tile: str, kind: str) -> str:
    if kind not in ("grow", "merge"):
        return CLASSES[kind]
    letters = _beside(board, int(tile[:-1]) - 1, ord(tile[-1]) - ord("A"))
    names = [chain["name"] for chain in rules["chains"] if chain["letter"] in letters]
    return f"{CLASSES[kind]} {', '.join(names)}"


def _beside(board: Sequence[str], column: int, row: int) -> set[str]:
    places = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return {board[y][x] for x, y in places if 0 <= y < len(board) and 0 <= x < len(board[y])}


def _span(steps: Sequence[int], index: int) -> str:
    """The sizes for one price: 6-10, or 41+."""
    if index + 1 == len(steps):
        return f"{steps[index]}+"
    last = steps[index + 1] - 1
    return str(last) if last == steps[index] else f"{steps[index]}-{last}"
