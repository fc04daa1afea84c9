"""Acquire in numbers: every action of a set of rules has one, and what a seat sees is a row of figures.

Learning programs want spaces of a fixed size. Both follow from the rules as `describe` tells them; `kinds` and
`layout` say which numbers stand for what. Nothing is in them that the JSON lines do not show to that seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Final

from protocols.jsonl.local import Message

PHASES: Final = ("place", "found", "survivor", "order", "dispose", "buy")
THOUSAND: Final = 1000  # dollars: the unit of money here
MOST: Final = 1000.0  # no figure is above it
HIDDEN: Final = -1.0

Key = tuple[object, ...]


class AcquireSpace:
    """The numbers of one set of rules at one table.

    Actions, in this order: place a tile (by rows), found, survivor, order (a chain), dispose (trade, sell; the rest
    is held), buy (chains of the shares). Where a tile or a purchase may announce the end of the game, the same
    once more with the announcement stands behind all of its kind.
    """

    def __init__(self, rules: Mapping[str, Any], seats: int) -> None:
        """`rules` are the record that `describe` answers."""
        self._columns, self._rows = int(rules["columns"]), int(rules["rows"])
        self._chains = [str(chain["name"]) for chain in rules["chains"]]
        self._signs = "o*" + "".join(chain["letter"] for chain in rules["chains"])
        self._seats = seats
        self.actions: Final[tuple[Message, ...]] = tuple(_actions(rules))
        self.kinds: Final = {kind: _span(self.actions, kind) for kind in PHASES}
        self.layout: Final = _layout(self._rows * self._columns, self._signs, len(self._chains), seats)
        self.figures: Final = max(part.stop for part in self.layout.values())
        self._numbers = {_key(action): number for number, action in enumerate(self.actions)}

    def number(self, action: Message) -> int:
        """The number of an action as the JSON lines write it. KeyError if there is none."""
        return self._numbers[_key(action)]

    def legal(self, decide: Message) -> Iterator[int]:
        """The numbers of what is legal where a decision is due."""
        for action in decide["legal"]["actions"]:
            yield self.number(action)
            if decide["legal"].get("may_end"):
                yield self.number({**action, "end": True})

    def figures_of(self, seen: Message, seat: int, decide: Message | None) -> list[float]:
        """What a seat sees; of a decision that it owes, also what that is about."""
        figures = [0.0] * self.figures

        def put(part: str, values: Sequence[float]) -> None:
            start = self.layout[part].start
            figures[start : start + len(values)] = [min(float(value), MOST) for value in values]

        order = [(seat + step) % self._seats for step in range(self._seats)]
        squares = "".join(seen["board"])
        put("board", [square == sign for sign in self._signs for square in squares])
        hand = {tile for tile, _ in seen["hand"] or ()}
        put("hand", [name in hand for name in _tiles(self._columns, self._rows)])
        put("size", seen["size"])
        put("price", [price / THOUSAND for price in seen["price"]])
        put("bank", seen["bank"])
        cash = [seen["cash"][each] for each in order]
        put("cash", [HIDDEN if dollars is None else dollars / THOUSAND for dollars in cash])
        shares = [seen["shares"][each] or [HIDDEN] * len(self._chains) for each in order]
        put("shares", [count for row in shares for count in row])
        put("bag", [seen["bag_left"]])
        put("idle", [seen["idle"]])
        put("turn", [each == seen["turn"] for each in order])
        if decide is not None:
            legal = decide["legal"]
            put("phase", [phase == decide["phase"] for phase in PHASES])
            put("may_end", [bool(legal.get("may_end"))])
            put("defunct", [name == legal.get("defunct") for name in self._chains])
            put("into", [name == legal.get("survivor") for name in self._chains])
            put("held", [legal.get("held") or 0])
        return figures


# -- Helpers ---------------------------------------------------------------------------------------


def _actions(rules: Mapping[str, Any]) -> Iterator[Message]:
    chains = [chain["name"] for chain in rules["chains"]]
    places = [{"kind": "place", "tile": tile} for tile in _tiles(rules["columns"], rules["rows"])]
    yield from places
    if rules["end_check"] == "any_time":
        yield from ({**action, "end": True} for action in places)
    for kind in ("found", "survivor", "order"):
        yield from ({"kind": kind, "chain": chain} for chain in chains)
    for trade in range(0, rules["shares"] + 1, 2):
        for sell in range(rules["shares"] - trade + 1):
            yield {"kind": "dispose", "trade": trade, "sell": sell}
    purchases = [
        {"kind": "buy", "shares": list(shares)}
        for count in range(rules["max_buy"] + 1)
        for shares in combinations_with_replacement(chains, count)
    ]
    yield from purchases
    yield from ({**action, "end": True} for action in purchases)


def _tiles(columns: int, rows: int) -> list[str]:
    """Row by row, as the board is shown."""
    return [f"{column + 1}{chr(ord('A') + row)}" for row in range(rows) for column in range(columns)]


def _key(action: Message) -> Key:
    shares = tuple(sorted(action.get("shares", ())))
    words = (action.get(name) for name in ("tile", "chain", "trade", "sell"))
    return (action["kind"], *words, shares, bool(action.get("end")))


def _span(actions: Sequence[Message], kind: str) -> range:
    numbers = [number for number, action in enumerate(actions) if action["kind"] == kind]
    return range(numbers[0], numbers[-1] + 1)


def _layout(squares: int, signs: str, chains: int, seats: int) -> dict[str, range]:
    """Which figures stand for what; seats are counted from the one that sees, chains as the rules name them."""
    sizes = {
        "board": len(signs)
        * squares,  # lone tiles, the tile that is being placed, each chain: 0 or 1 a square
        "hand": squares,  # own tiles
        "size": chains,  # tiles
        "price": chains,  # thousands of dollars a share
        "bank": chains,  # shares
        "cash": seats,  # thousands of dollars; -1: hidden
        "shares": seats * chains,  # -1: hidden
        "bag": 1,  # tiles
        "idle": 1,  # turns in a row without a playable tile
        "turn": seats,  # whose it is
        "phase": len(PHASES),  # of the decision that the own seat owes; so are those below
        "may_end": 1,
        "defunct": chains,  # whose shares are disposed of
        "into": chains,  # the chain that they may be traded for
        "held": 1,
    }
    layout, start = {}, 0
    for part, size in sizes.items():
        layout[part] = range(start, start + size)
        start += size
    return layout
