"""The rules of Acquire as data: board, chains, money, and the points on which editions differ.

A preset is a named set of rules. Sources: the 1999 rulebook (`classic`), the public server tlstyer/acquire
(`tlstyer`), "Evolving Board Evaluation Functions", sections 3.1.1 and 3.2.1 (`thesis-2002`, `thesis-7`).
A GameSpec has rules made ready for a number of players.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from core.acquire.actions import BUY, DECLARE_END, DISPOSE, PHASES, PLACE, shares_in, sold, traded
from core.acquire.board import EMPTY, HIDDEN, OFF_BOARD

MAX_CHAINS: Final = 7
MAX_SEATS: Final = 6
MAX_TILES: Final = 8  # in a hand
MAX_SQUARES: Final = 180  # with the edge around the board, so that a tile fits into eight bits

# The values of each point on which editions differ; the first is the official one.
CHOICES: Final = {
    "start_order": ("row_first", "column_first_reseat"),
    "merge_pay": ("chain_by_chain", "all_bonuses_first"),
    "end_check": ("any_time", "after_place"),
    "dead_replace": ("once", "until_clean"),
    "holdings": ("open", "hidden"),
}
# The fields in the order of a text, in which the points follow them.
FIELDS: Final = (
    "columns", "rows", "chains", "seats", "shares", "cash", "hand", "max_buy", "safe", "end", "steps"
)  # fmt: skip
# Points that once had other values. They stay in the text, so that rules keep the hash that records have.
SETTLED: Final = {"position_tiles": "stay", "hand_out_end": "all", "stuck_round": "on"}
POINTS: Final = (
    "start_order", "position_tiles", "merge_pay", "end_check", "dead_replace", "hand_out_end", "stuck_round", "holdings"
)  # fmt: skip

MAX_NAME: Final = 20  # letters of a chain's name, which every event about the chain repeats


@final
class Chain:
    """A hotel chain; a share costs `tier` times $100 more than one of a cheap chain of the same size."""

    def __init__(self, name: str, letter: str, tier: int) -> None:
        if len(letter) != 1 or not letter.isascii() or not letter.isupper():
            raise ValueError(f"a chain's letter is one of A to Z, not {letter[:20]!r}")
        if not 0 <= tier <= 9:
            raise ValueError(f"a tier is 0 to 9, not {tier}")
        if not name.isalnum() or len(name) > MAX_NAME:
            raise ValueError(f"a chain's name is one word of at most {MAX_NAME} letters, not {name[:40]!r}")
        self.name: Final = name
        self.letter: Final = letter
        self.tier: Final = tier


CHAINS: Final = (
    Chain("Luxor", "L", 0),
    Chain("Tower", "T", 0),
    Chain("American", "A", 1),
    Chain("Festival", "F", 1),
    Chain("Worldwide", "W", 1),
    Chain("Continental", "C", 2),
    Chain("Imperial", "I", 2),
)
STEPS: Final = (2, 3, 4, 5, 6, 11, 21, 31, 41)


@final
class Rules:
    """A set of rules; ValueError is raised if no game can be played by them.

    `steps` are the sizes at which the price of a share rises, from $200 in steps of $100. Position tiles stay on the
    board. A game ends when the bag and all hands are empty, and when no seat could place a tile for a whole round.
    """

    def __init__(
        self,
        name: str,
        columns: int = 12,
        rows: int = 9,
        chains: tuple[Chain, ...] = CHAINS,
        seats: tuple[int, int] = (2, MAX_SEATS),
        shares: int = 25,
        cash: int = 6000,
        hand: int = 6,
        max_buy: int = 3,
        safe: int = 11,
        end: int = 41,
        steps: tuple[int, ...] = STEPS,
        start_order: str = "row_first",
        merge_pay: str = "chain_by_chain",
        end_check: str = "any_time",
        dead_replace: str = "once",
        holdings: str = "open",
    ) -> None:
        self.name: Final = name
        self.columns: Final = columns
        self.rows: Final = rows
        self.chains: Final = chains
        self.seats: Final = seats
        self.shares: Final = shares
        self.cash: Final = cash
        self.hand: Final = hand
        self.max_buy: Final = max_buy
        self.safe: Final = safe
        self.end: Final = end
        self.steps: Final = steps
        self.start_order: Final = start_order
        self.merge_pay: Final = merge_pay
        self.end_check: Final = end_check
        self.dead_replace: Final = dead_replace
        self.holdings: Final = holdings
        self._check()

    @property
    def squares(self) -> int:
        return self.columns * self.rows

    def price(self, chain: int, size: int) -> int:
        """Return the price of a share of a chain, in dollars; 0 for a chain that is not on the board."""
        if size < self.steps[0]:
            return 0
        level = sum(1 for step in self.steps if size >= step)
        return 100 * (level + 1 + self.chains[chain].tier)

    def text(self) -> str:
        """Return all but the name, one `name value` per line in a fixed order; equal rules have equal texts."""
        lists = {
            "chains": [f"{chain.name}:{chain.letter}:{chain.tier}" for chain in self.chains],
            "seats": [str(seats) for seats in self.seats],
            "steps": [str(step) for step in self.steps],
        }
        lines = [
            f"{name} {' '.join(lists[name]) if name in lists else getattr(self, name)}" for name in FIELDS
        ]
        options = SETTLED | self.options()
        lines += [f"{name} {options[name]}" for name in POINTS]
        return "".join(line + "\n" for line in lines)

    def options(self) -> dict[str, str]:
        """Return the points on which editions differ, as values by name."""
        return {name: getattr(self, name) for name in CHOICES}

    def __eq__(self, other: object) -> bool:
        """Return whether both rules make the same game; names are ignored."""
        return isinstance(other, Rules) and self.text() == other.text()

    def __hash__(self) -> int:
        return hash(self.text())

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return rules_from_text, (self.name, self.text())

    def _check(self) -> None:
        fewest, most = self.seats
        letters = {chain.letter for chain in self.chains}
        if self.columns < 1 or not 1 <= self.rows <= 26:
            raise ValueError(f"a board has columns, and 1 to 26 rows, not {self.columns} x {self.rows}")
        if (self.columns + 2) * (self.rows + 1) > MAX_SQUARES:
            raise ValueError(f"a board of {self.columns} x {self.rows} is too large")
        if not 1 <= len(self.chains) <= MAX_CHAINS or len(letters) < len(self.chains):
            raise ValueError(
                f"1 to {MAX_CHAINS} chains with different letters are allowed, "
                f"not {len(self.chains)} with {len(letters)} letters"
            )
        if not 2 <= fewest <= most <= MAX_SEATS:
            raise ValueError(f"a game has 2 to {MAX_SEATS} players, not {fewest} to {most}")
        if not 1 <= self.hand <= MAX_TILES or most * (self.hand + 1) > self.squares:
            raise ValueError(
                f"a hand has 1 to {MAX_TILES} tiles, and the board enough for all; not {self.hand}"
            )
        if not 0 <= self.max_buy <= 3 or not 1 <= self.shares <= 100:
            raise ValueError(
                f"a player buys 0 to 3 shares a turn, and a chain has 1 to 100, not {self.max_buy} and {self.shares}"
            )
        if not 0 <= self.cash <= 1_000_000 or self.cash % 100:
            raise ValueError(f"cash is a multiple of $100 up to $1,000,000, not {self.cash}")
        if self.safe < 2 or self.end < 2:
            raise ValueError(f"safe and end are at least 2 tiles, not {self.safe} and {self.end}")
        if not self.steps or self.steps[0] != 2 or list(self.steps) != sorted(set(self.steps)):
            raise ValueError(f"the sizes at which prices rise start with 2 and increase, not {self.steps}")
        for name, value in self.options().items():
            if value not in CHOICES[name]:
                raise ValueError(f"{name} is one of {', '.join(CHOICES[name])}, not {value[:40]!r}")


def rules_from_text(name: str, text: str) -> Rules:
    """Return the rules of a text that Rules.text() wrote. Raises ValueError, with the reason, if that fails."""
    fields: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        key, _, value = line.partition(" ")
        if key in fields or not value:
            raise ValueError(
                f"line {number}: a name and its value are expected, each name once, not {line[:60]!r}"
            )
        fields[key] = value
    values: dict[str, object] = {}
    try:
        chains = [word.split(":") for word in fields.pop("chains").split()]
        values["chains"] = tuple([Chain(called, letter, int(tier)) for called, letter, tier in chains])
        fewest, most = fields.pop("seats").split()
        values["seats"] = int(fewest), int(most)
        values["steps"] = tuple([int(word) for word in fields.pop("steps").split()])
        for key in FIELDS:
            if key not in values:
                values[key] = int(fields.pop(key))
        for key in CHOICES:
            values[key] = fields.pop(key)
        for key, only in SETTLED.items():
            if (value := fields.pop(key)) != only:
                raise ValueError(f"{key} is {only}, not {value[:40]!r}")
    except KeyError as missing:
        raise ValueError(f"the line {missing} is missing") from None
    rules = Rules(name, **values)  # type: ignore[arg-type]  # each was read as what it is
    if fields:
        raise ValueError(f"no rule is named {sorted(fields)[0][:40]!r}")
    return rules


def _presets() -> dict[str, Rules]:
    public = Rules(
        "tlstyer",
        start_order="column_first_reseat",
        merge_pay="all_bonuses_first",
        end_check="after_place",
        dead_replace="until_clean",
    )
    thesis = [
        Rules(
            name,
            chains=chains,
            merge_pay="all_bonuses_first",
            end_check="after_place",
            dead_replace="until_clean",
        )
        for name, chains in (("thesis-2002", (CHAINS[0], CHAINS[2], CHAINS[5])), ("thesis-7", CHAINS))
    ]
    mini = Rules(
        "mini",
        columns=4,
        rows=3,
        chains=(CHAINS[0], CHAINS[6]),
        seats=(2, 2),
        shares=6,
        cash=2000,
        hand=2,
        safe=4,
        end=6,
        start_order="column_first_reseat",
        merge_pay="all_bonuses_first",
        end_check="after_place",
        dead_replace="until_clean",
    )
    presets = [Rules("classic"), public, *thesis, mini]
    return {rules.name: rules for rules in presets}


PRESETS: Final = _presets()


# -- Rules made ready for play ----------------------------------------------------------------------


@final
class GameSpec:
    """The rules and their tables for a number of players, shared by all games of both."""

    def __init__(self, rules: Rules, seats: int) -> None:
        """Compute the tables. Raises ValueError if the rules do not allow this number of players."""
        fewest, most = rules.seats
        if not fewest <= seats <= most:
            raise ValueError(f"{rules.name} is for {fewest} to {most} players, not {seats}")
        self.rules: Final = rules
        self.seats: Final[i64] = seats
        self.chains: Final[i64] = len(rules.chains)
        self.all_chains: Final[i64] = 2 ** len(rules.chains) - 1
        self.stride: Final[i64] = stride(rules)
        self.hand: Final[i64] = rules.hand
        self.max_buy: Final[i64] = rules.max_buy
        self.safe: Final[i64] = rules.safe
        self.end: Final[i64] = rules.end
        self.squares: Final[i64] = rules.squares
        self.empty_board: Final = empty_board(rules)
        self.tiles: Final = vec[i64](tiles(rules))
        self.hidden_bag: Final = vec[i64]([HIDDEN] * rules.squares)
        self.prices: Final = vec[i64](
            [
                rules.price(chain, size)
                for chain in range(len(rules.chains))
                for size in range(rules.squares + 1)
            ]
        )
        self.reseats: Final = rules.start_order == "column_first_reseat"
        self.pays_all_first: Final = rules.merge_pay == "all_bonuses_first"
        self.ends_any_time: Final = rules.end_check == "any_time"
        self.replaces_until_clean: Final = rules.dead_replace == "until_clean"
        self.hides_holdings: Final = rules.holdings == "hidden"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameSpec) and self.seats == other.seats and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.rules, int(self.seats)))

    def __reduce__(self) -> tuple[object, tuple[Rules, int]]:
        return GameSpec, (self.rules, int(self.seats))


# -- Squares and actions by name ---------------------------------------------------------------------
#
# Cells are numbered column by column, the order in which tiles are listed: 1A 1B ... 2A. Two columns share the cell
# of edge between them.


def stride(rules: Rules) -> int:
    """Return the number of cells from a tile to its neighbour in the next column."""
    return rules.rows + 1


def empty_board(rules: Rules) -> vec[i64]:
    cells = vec[i64]([OFF_BOARD] * ((rules.columns + 2) * stride(rules)))
    for tile in tiles(rules):
        cells[tile] = EMPTY
    return cells


def tiles(rules: Rules) -> list[int]:
    """Return all tiles, column by column."""
    step = stride(rules)
    return [step * column + row for column in range(1, rules.columns + 1) for row in range(rules.rows)]


def tile_name(rules: Rules, tile: int) -> str:
    """Return the name of a tile, such as 12D."""
    column, row = divmod(tile, stride(rules))
    return f"{column}{chr(ord('A') + row)}"


def parse_tile(rules: Rules, text: str) -> int:
    """Return the tile of a name such as 12D. Raises ValueError if the board has no such tile."""
    number, letter = text[:-1], text[-1:]
    row = ord(letter) - ord("A") if letter else -1
    if number.isascii() and number.isdigit() and len(number) < 3 and number[0] != "0":
        if 0 <= row < rules.rows and 1 <= int(number) <= rules.columns:
            return int(number) * stride(rules) + row
    raise ValueError(f"a board of {rules.columns} x {rules.rows} has no tile {text[:20]!r}")


def row_first(rules: Rules, tile: int) -> int:
    """Return the position of a tile, from 0, in the order 1A 2A 3A ... 1B."""
    column, row = divmod(tile, stride(rules))
    return row * rules.columns + column


def action_text(rules: Rules, phase: int, action: int) -> str:
    """Return the text of an action, which no other action of the same state has.

    Examples: `6B`, `6B end`, `Luxor`, `trade 2 sell 1`, `buy Luxor Luxor end`.
    """
    ending = " end" if action & DECLARE_END and phase != DISPOSE else ""
    if phase == PLACE:
        return f"{tile_name(rules, action & ~DECLARE_END)}{ending}"
    if phase == DISPOSE:
        return f"trade {traded(action)} sell {sold(action)}"
    if phase == BUY:
        names = [
            chain.name for index, chain in enumerate(rules.chains) for _ in range(shares_in(action, index))
        ]
        return f"buy {' '.join(names) or 'nothing'}{ending}"
    if phase < len(PHASES) - 1 and 0 <= action < len(rules.chains):
        return rules.chains[action].name
    return f"{PHASES[phase]} {action}"
