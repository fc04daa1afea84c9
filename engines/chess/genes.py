"""The ten genes of chess as a table: what each holds, where it begins, and the law by which it mutates.

Reference: Genetic Chess, section 4. Step widths and first values are those of the program that the
manual describes (June 2017); bounds that it has not, LIMIT above all, keep every file readable.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from core.random import Random

LIMIT: Final = 1e9
SWITCH_PROBABILITY: Final = 0.05  # of a gene's mutations, those that turn it on or off

Choice = Callable[[int, Random], Iterable[int]]  # which of so many properties a mutation changes


def every_one(count: int, rng: Random) -> Iterable[int]:
    return range(count)


def exactly_one(count: int, rng: Random) -> Iterable[int]:
    return (rng.below(count),)


def two_on_average(count: int, rng: Random) -> Iterable[int]:
    return [index for index in range(count) if rng.chance(2 / count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One number of a gene; a mutation adds normal(sigma) to it and stops at the bounds."""

    name: str
    blank: float = 0.0  # in a genome that has not mutated yet
    sigma: float
    least: float = -LIMIT
    most: float = LIMIT

    def stepped(self, value: float, rng: Random) -> float:
        return min(max(value + rng.normal(self.sigma), self.least), self.most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """What is common to a gene in every genome. Properties stand in the order of the file."""

    name: str
    properties: tuple[Property, ...]
    mutates: Choice


PRIORITY: Final = Property(name="Priority", sigma=10.0)

LAWS: Final = (
    # Regulatory genes, section 4.1: no priority of their own.
    Law(
        name="Piece Strength Gene",
        properties=tuple(Property(name=piece, sigma=1.0) for piece in "BNPQR"),
        mutates=two_on_average,
    ),
    Law(
        name="Look Ahead Gene",
        properties=(
            Property(name="Mean Game Length", blank=50.0, sigma=1.0, least=1.0, most=10_000.0),  # own moves
            Property(name="Minimum Moves Left", sigma=1.0, least=0.0),
            Property(name="Positions Per Second", blank=0.01, sigma=10.0, least=0.01),
            Property(name="Speculation Constant", sigma=0.01, least=0.0, most=1.0),
        ),
        mutates=exactly_one,
    ),
    # Board-scoring genes, section 4.2.
    Law(
        name="Total Force Gene",
        # Section 4.2.1: below 0 it would pull at the strengths against the gene of targeted pieces.
        properties=(Property(name="Priority", sigma=10.0, least=0.0),),
        mutates=every_one,
    ),
    Law(name="Freedom to Move Gene", properties=(PRIORITY,), mutates=every_one),
    Law(name="Pawn Advancement Gene", properties=(PRIORITY,), mutates=every_one),
    Law(name="Opponent Pieces Targeted Gene", properties=(PRIORITY,), mutates=every_one),
    Law(
        name="Sphere of Influence Gene",
        properties=(
            Property(name="King Target Factor", sigma=0.05),
            Property(name="Legal Bonus", blank=1.0, sigma=0.05),
            PRIORITY,
        ),
        mutates=every_one,
    ),
    Law(name="King Confinement Gene", properties=(PRIORITY,), mutates=every_one),
    Law(name="King Protection Gene", properties=(PRIORITY,), mutates=every_one),
    Law(
        name="Castling Possible Gene",
        properties=(
            Property(name="Kingside Preference", blank=0.5, sigma=0.01),
            PRIORITY,
        ),
        mutates=every_one,
    ),
)
LAW_OF: Final[Mapping[str, Law]] = MappingProxyType({law.name: law for law in LAWS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gene:
    """One gene of one genome: a value for each property of its law, in that order, and a switch."""

    name: str
    values: tuple[float, ...]
    active: bool = True

    @property
    def law(self) -> Law:
        return LAW_OF[self.name]

    def __getitem__(self, name: str) -> float:
        """The value of the property called `name`. KeyError if the gene has none."""
        for rule, value in zip(self.law.properties, self.values, strict=True):
            if rule.name == name:
                return value
        raise KeyError(name)

    def mutate(self, rng: Random) -> "Gene":
        """Switched on or off, or changed by its law; what is switched off changes like any other."""
        if rng.chance(SWITCH_PROBABILITY):
            return replace(self, active=not self.active)
        rules = self.law.properties
        values = list(self.values)
        for index in self.law.mutates(len(rules), rng):
            values[index] = rules[index].stepped(values[index], rng)
        return replace(self, values=tuple(values))


def blank(law: Law) -> Gene:
    """The gene before its first mutation."""
    return Gene(name=law.name, values=tuple(rule.blank for rule in law.properties))
