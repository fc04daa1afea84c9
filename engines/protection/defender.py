"""The genome of a defender: an arrangement policy, which decides what to buy for a map and where to put it.

A defender has twelve genes for each kind of unit, numbers of four bits. `want` is its share of the purchases: as Chaos
buys its minions, a defender buys the kind with the highest want for each unit of it that stands, or one more. The
unit goes to the free square that is worth most to its kind, the first of equal ones. The worth of a square is the
weight of its ground, plus that of gold if it has some, both times GROUND_SCALE, plus for each neighbour that stands
there already the weight of the neighbour's group. Neighbours are

    farms    drones, farmers and settlers, one square away
    guards   infantry and armor, at most two squares away
    guns     artillery, within its reach
    mines    one square away
    jammers  within their reach
    losses   squares at most two away where a unit was destroyed in the last turn

So farms that want farms make villages, guns that shun guns spread over the map, and a mine that wants farms hides next
to them. A defender never salvages, and spends all that it can.

A defender has two text forms, as a string of Chaos has (genome.py): 96 hex digits, a gene each, kind by kind, where
a weight is its number plus 8; or `.apd`, which people can read and edit. The latter has a line for each kind of
unit, in order: `UNIT want 0..15`, then each weight with its name. `#` starts a comment in both forms.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from core.protection import rules
from core.protection.board import around
from core.protection.rules import (
    ARMOR,
    ARTILLERY,
    BOMBING_RADIUS,
    DRONE,
    FARMER,
    INFANTRY,
    JAMMER,
    JAMMING_RADIUS,
    MINE,
    PEAKS,
    SETTLER,
    WETLANDS,
)
from core.random import Random
from engines.protection.bot_plans import UNITS, Observation, Plan
from engines.protection.game import Placement

KINDS: Final = tuple(rules.RULES["improved"].units[unit].name for unit in UNITS)
GROUNDS: Final = tuple(kind.name for kind in rules.TERRAINS[WETLANDS:PEAKS])
NEIGHBOURS: Final = ("farms", "guards", "guns", "mines", "jammers", "losses")
WEIGHTS: Final = (*GROUNDS, "gold", *NEIGHBOURS)
GENES: Final = 1 + len(WEIGHTS)  # of a kind of unit
DIGITS: Final = GENES * len(KINDS)
VALUES: Final = 16  # of a gene
ZERO: Final = 8  # the gene of a weight of 0
GROUND_SCALE: Final = 4  # neighbours by which a point of ground counts
SPELLED: Final = {str(value): value for value in range(-ZERO, VALUES)}  # numbers of the text form
HEX: Final = frozenset("0123456789abcdefABCDEF")
TAKEN: Final = -(10**6)  # less than any square is worth that a unit may be placed on

FARMS, GUARDS, GUNS, MINES, JAMMERS, LOSSES = range(len(NEIGHBOURS))
REACH: Final = (1, 2, BOMBING_RADIUS, 1, JAMMING_RADIUS, 2)  # [group], squares
GROUPS: Final = {
    DRONE: FARMS,
    FARMER: FARMS,
    SETTLER: FARMS,
    INFANTRY: GUARDS,
    ARMOR: GUARDS,
    ARTILLERY: GUNS,
    MINE: MINES,
    JAMMER: JAMMERS,
}


class DefenderError(ValueError):
    """An invalid text of a defender; the message names the line, counted from 1, and the text that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defender:
    """The genes of an arrangement policy, 0 to 15 each: GENES of each kind of unit, from drone to artillery."""

    genes: bytes

    def __post_init__(self) -> None:
        if len(self.genes) != DIGITS:
            raise ValueError(f"a defender has {DIGITS} genes, not {len(self.genes)}")
        if max(self.genes) >= VALUES:
            raise ValueError(f"a gene is 0 to {VALUES - 1}, not {max(self.genes)}")

    @classmethod
    def random(cls, rng: Random) -> Self:
        """Return a defender with each gene drawn at random."""
        return cls(genes=bytes(rng.below(VALUES) for _ in range(DIGITS)))

    @classmethod
    def loads(cls, text: str) -> Self:
        """Return the defender in either text form. Raises DefenderError, a ValueError, if the text is invalid."""
        return cls(genes=bytes(_parse(text)))

    def dumps(self) -> str:
        """Return the readable form, `.apd`."""
        return "".join(
            f"{kind} want {self.want(unit)} "
            + " ".join(f"{name} {weight}" for name, weight in zip(WEIGHTS, self.weights(unit), strict=True))
            + "\n"
            for unit, kind in zip(UNITS, KINDS, strict=True)
        )

    @property
    def hex(self) -> str:
        """The defender as 96 hex digits."""
        return "".join(f"{gene:x}" for gene in self.genes)

    def want(self, unit: int) -> int:
        """Return the want of a kind of unit, 0 to 15; a kind of want 0 is never bought."""
        return self.genes[(unit - DRONE) * GENES]

    def weights(self, unit: int) -> tuple[int, ...]:
        """Return the weights of a kind of unit, -8 to 7, in the order of WEIGHTS."""
        first = (unit - DRONE) * GENES + 1
        return tuple(gene - ZERO for gene in self.genes[first : first + len(WEIGHTS)])

    def express(self) -> Plan:
        """Return the policy as a plan of a bot."""
        return self.plan

    def mutate(self, rng: Random) -> Self:
        """Return a copy with one random gene moved by one, or drawn anew, each in half of the cases."""
        place = rng.below(DIGITS)
        genes = bytearray(self.genes)
        if rng.chance(0.5):
            step = 1 if rng.chance(0.5) else -1
            genes[place] = min(max(genes[place] + step, 0), VALUES - 1)
        else:
            genes[place] = rng.below(VALUES)
        return type(self)(genes=bytes(genes))

    def mate(self, other: Self, rng: Random) -> Self:
        """Return a child by uniform crossover of kinds: all genes of a kind come from the same parent."""
        genes = bytearray(self.genes)
        for first in range(0, DIGITS, GENES):
            if rng.chance(0.5):
                genes[first : first + GENES] = other.genes[first : first + GENES]
        return type(self)(genes=bytes(genes))

    # -- The policy --------------------------------------------------------------------------------

    def plan(self, observation: Observation, rng: Random) -> Iterator[Placement]:
        """Yield the purchases of a setup, which cost no more than the treasury; the random source is not used."""
        costs = [unit.cost for unit in observation.scenario.rules.units]
        standing = [unit.code for unit in observation.units]
        wanted = {unit: self.want(unit) for unit in UNITS if self.want(unit)}
        counts = {unit: standing.count(unit) for unit in wanted}
        worth = self._worth(observation, list(wanted))
        money = observation.treasury
        while affordable := [unit for unit in wanted if costs[unit] <= money]:
            # The highest wants[unit] / (counts[unit] + 1), compared exactly as fractions; ties to the lowest code.
            unit = affordable[0]
            for other in affordable[1:]:
                if wanted[other] * (counts[unit] + 1) > wanted[unit] * (counts[other] + 1):
                    unit = other
            best = max(worth[unit])
            if best <= TAKEN // 2:
                return
            square = worth[unit].index(best)
            yield Placement(unit, square)
            money -= costs[unit]
            counts[unit] += 1
            self._add_neighbour(worth, GROUPS[unit], square)
            for squares in worth.values():
                squares[square] = TAKEN

    def _worth(self, observation: Observation, wanted: Sequence[int]) -> dict[int, list[int]]:
        """Return the worth of all squares to each kind that is wanted, as the setup starts."""
        ground = observation.scenario.map
        worth = {}
        for unit in wanted:
            weights = self.weights(unit)
            table = [TAKEN] * len(rules.TERRAINS)
            for place in range(len(GROUNDS)):
                table[WETLANDS + place] = GROUND_SCALE * weights[place]
            worth[unit] = squares = [table[code] for code in ground.codes]
            for square in ground.gold:
                squares[square] += GROUND_SCALE * weights[len(GROUNDS)]
        for standing in observation.units:
            self._add_neighbour(worth, GROUPS[standing.code], standing.square)
        for loss in observation.losses:
            self._add_neighbour(worth, LOSSES, loss.square)
        for standing in observation.units:
            for squares in worth.values():
                squares[standing.square] = TAKEN
        return worth

    def _add_neighbour(self, worth: dict[int, list[int]], group: int, square: int) -> None:
        """Add the weight of a neighbour to the squares that it reaches."""
        for unit, squares in worth.items():
            gene = self.genes[(unit - DRONE) * GENES + 2 + len(GROUNDS) + group]
            if gene != ZERO:
                for other in _reached(square, REACH[group]):
                    squares[other] += gene - ZERO


@cache
def _reached(square: int, radius: int) -> tuple[int, ...]:
    return tuple(around(square, radius))


# -- English ---------------------------------------------------------------------------------------


def explain_defender(defender: Defender) -> str:
    """Return what a defender buys and where it puts it, in English, the kind that it wants most first."""
    wants = {unit: defender.want(unit) for unit in UNITS}
    every = sum(wants.values())
    lines = []
    for unit in sorted(UNITS, key=lambda each: -wants[each]):
        if not wants[unit]:
            continue
        weights = dict(zip(WEIGHTS, defender.weights(unit), strict=True))
        ground = max(GROUNDS, key=weights.__getitem__)
        places = [f"best on {ground}"]
        places += ["on gold"] if weights["gold"] > 0 else []
        for words, chosen in (
            ("near", [name for name in NEIGHBOURS if weights[name] > 0]),
            ("away from", [name for name in NEIGHBOURS if weights[name] < 0]),
        ):
            if chosen:
                places.append(f"{words} {', '.join(chosen)}")
        lines.append(f"{KINDS[unit - DRONE]}, {wants[unit] / every:.0%} of the units: {'; '.join(places)}")
    return "\n".join(lines) or "It buys nothing."


# -- The text forms --------------------------------------------------------------------------------


def _parse(text: str) -> list[int]:
    """Return the genes in either text form."""
    lines = [
        (number, words)
        for number, line in enumerate(text.splitlines(), 1)
        if (words := line.partition("#")[0].split())
    ]
    if not lines:
        raise DefenderError(f"an empty text: {DIGITS} hex digits or `{KINDS[0]} want 0..15 ...` is expected")
    if lines[0][1][0] not in KINDS:
        return _parse_digits(lines)
    genes: list[int] = []
    for (number, words), kind in zip(lines, KINDS, strict=False):
        genes += _parse_kind(number, words, kind)
    if len(lines) != len(KINDS):
        raise DefenderError(
            f"line {lines[-1][0]}: a defender has a line for each of {len(KINDS)} kinds of unit, not {len(lines)}"
        )
    return genes


def _parse_digits(lines: Sequence[tuple[int, Sequence[str]]]) -> list[int]:
    digits = [(number, digit) for number, words in lines for word in words for digit in word]
    for number, digit in digits:
        if digit not in HEX:
            raise DefenderError(
                f"line {number}: {digit!r} is neither a hex digit nor the start of `{KINDS[0]} want 0..15 ...`"
            )
    if len(digits) != DIGITS:
        raise DefenderError(f"line {lines[-1][0]}: a defender has {DIGITS} hex digits, not {len(digits)}")
    return [int(digit, 16) for _, digit in digits]


def _parse_kind(number: int, words: Sequence[str], kind: str) -> Iterator[int]:
    if len(words) != 1 + 2 * GENES or words[0] != kind:
        expected = " ".join([kind, *(f"{name} N" for name in ("want", *WEIGHTS))])
        raise DefenderError(f"line {number}: `{expected}` is expected, not {' '.join(words)[:60]!r}")
    for name, given, value in zip(("want", *WEIGHTS), words[1::2], words[2::2], strict=True):
        if given != name:
            raise DefenderError(f"line {number}: `{name}` of {kind} is expected, not {given[:40]!r}")
        least = 0 if name == "want" else -ZERO
        gene = SPELLED.get(value, VALUES) - least
        if not 0 <= gene < VALUES:
            raise DefenderError(
                f"line {number}: {name} of {kind} must be {least} to {least + VALUES - 1}, not {value[:40]!r}"
            )
        yield gene
