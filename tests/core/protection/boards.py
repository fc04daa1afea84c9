"""Small boards and strings for the tests of Advanced Protection."""

from collections.abc import Sequence
from functools import lru_cache

from librt.vecs import vec
from mypy_extensions import i64

from core.protection.board import Arrangement, Map, Scenario, arrangement_of
from core.protection.policy import Policy
from core.protection.rules import MINIONS, RULES, SIDE, SQUARES, TERRAINS
from core.protection.turn import FIGHTS, Dice, Turn, TurnLog
from core.random import Random

LETTERS = "".join(terrain.letter for terrain in TERRAINS)
UNIT_NAMES = [unit.name for unit in RULES["seed"].units]
MINION_NAMES = [minion.name for minion in MINIONS]
FACINGS = "NESW"


def at(x: int, y: int) -> int:
    return y % SIDE * SIDE + x % SIDE


def plain_map(letter: str = "t", others: dict[int, str] | None = None, gold: Sequence[int] = ()) -> Map:
    codes = bytearray([LETTERS.index(letter)]) * SQUARES
    for square, other in (others or {}).items():
        codes[square] = LETTERS.index(other)
    return Map(bytes(codes), tuple(gold))


def units(**squares: int | list[int]) -> Arrangement:
    """For example units(drone=at(1, 2), mine=[3, 4])."""
    placed = {}
    for name, where in squares.items():
        for square in [where] if isinstance(where, int) else where:
            placed[square] = UNIT_NAMES.index(name)
    return arrangement_of(placed)


def always(**actions: str) -> bytes:
    """A string whose automata do the same in any case, F, R, L or S; those not named attack."""
    nibbles = []
    for name in MINION_NAMES:
        nibbles += ["FRLS".index(actions.get(name, "S"))] * 32
    return packed(nibbles + [0] * 8)


def reacting(name: str, replies: dict[int, str], otherwise: str = "S", preference: int = 1) -> bytes:
    """A string whose `name` does replies[input] in any state."""
    nibbles = [0] * 264
    first = MINION_NAMES.index(name) * 32
    for place in range(32):
        nibbles[first + place] = "FRLS".index(replies.get(place % 8, otherwise))
    nibbles[256 + MINION_NAMES.index(name)] = preference
    return packed(nibbles)


def packed(nibbles: list[int]) -> bytes:
    return bytes(high << 4 | low for high, low in zip(nibbles[::2], nibbles[1::2], strict=True))


@lru_cache(maxsize=64)
def setting_of(rules: str, ground: Map) -> Scenario:
    return Scenario(RULES[rules], ground)


def turn_of(
    men: Sequence[tuple[str, int, str]],
    arrangement: Arrangement,
    string: bytes,
    ground: Map | None = None,
    rules: str = "seed",
) -> Turn:
    """A turn with these minions (kind, square, facing), which come in the order of kinds, ready to be played."""
    turn = Turn(setting_of(rules, ground or plain_map()))
    turn.arrange(arrangement)
    counts = [sum(kind == name for kind, _, _ in men) for name in MINION_NAMES]
    turn.spawn(Policy(string), vec[i64](counts), 0)
    for number, (_, square, facing) in enumerate(men):
        turn.place_minion(number, square * 4 + FACINGS.index(facing))
    return turn


def played(turn: Turn, forced: Sequence[int] = (), phases: int = 1) -> TurnLog:
    """The log of the next phases; all forced rolls are used."""
    log, dice = TurnLog(), Forced(Random(1), forced)
    turn.play(dice, log, phases)
    assert not dice.left
    return log


class Forced(Dice):
    """Shows these rolls first, then those of its source."""

    def __init__(self, rng: Random, forced: Sequence[int]) -> None:
        super().__init__(rng)
        self.left = list(forced)

    def roll(self, sides: int) -> int:
        if not self.left:
            return int(super().roll(sides))
        assert 1 <= self.left[0] <= sides, f"a die of {sides} sides cannot show {self.left[0]}"
        return self.left.pop(0)


def survivors(turn: Turn) -> Arrangement:
    """The units on the field."""
    return Arrangement(bytes(int(unit) for unit in turn.field.units))


def fights_of(log: TurnLog) -> list[str]:
    """For example "attack 3/7 won"; the roll of a fight without one is left out."""
    return [
        FIGHTS[kind] + (f" {rolled}/{sides}" if sides else "") + (" won" if won else "")
        for _, kind, _, _, rolled, sides, won, _ in log.fights
    ]


def where(turn: Turn, number: int = 0) -> tuple[int, str] | None:
    """(Square, facing) of a minion; None if it is not on the board."""
    word = int(turn.minions[number])
    return None if word < 0 else (word >> 4, FACINGS[word >> 2 & 3])


# A minion that turns right on inputs 0 to 3, else left, into the state that the input's low bits name.
PROBE = packed(
    [(sensed & 3) << 2 | (1 if sensed < 4 else 2) for _ in range(32) for sensed in range(8)] + [0] * 8
)


def sensed(turn: Turn, number: int) -> int:
    """What a minion with one action a phase has sensed: it is a PROBE, and this is read before and after."""
    before = int(turn.minions[number])
    played(turn)
    after = int(turn.minions[number])
    return (after & 3) + (0 if (after >> 2) - (before >> 2) & 3 == 1 else 4)
