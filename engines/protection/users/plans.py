"""Plans by which a user arranges units on an empty map, as long as the money lasts.

A plan is wishes in their order: a unit and its square. What cannot be paid any more is left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from types import MappingProxyType
from typing import Final

from core.protection.arrangement import Arrangement, arranged
from core.protection.rules import (
    ARTILLERY,
    DRONE,
    FARMER,
    INFANTRY,
    MINE,
    SETTLER,
    SQUARES,
    Rules,
)
from core.protection.setting import farming_bonus
from core.protection.terrain.map import Map
from core.protection.terrain.torus import around, distance
from core.random import Random
from engines.selection import picked, shuffled

CLUSTER: Final = 3  # squares around a centre whose ground counts
MINED: Final = 0.15  # of the neighbours of drones that are mined
BATTERY: Final = (ARTILLERY, *[DRONE] * 10, INFANTRY)

Wish = tuple[int, int]  # unit and square


@dataclass(frozen=True, kw_only=True)
class Site:
    """Where a plan is carried out."""

    rules: Rules
    board: Map
    money: int  # dollars
    rng: Random

    @cached_property
    def best(self) -> Sequence[int]:
        """Land by how well it is farmed, the best first."""
        land = [square for square in range(SQUARES) if self.board.is_land(square)]
        return sorted(land, key=lambda square: -farming_bonus(self.board, square))

    @cached_property
    def cluster(self) -> Sequence[int]:
        """Land around the best neighbourhood, the nearest first."""
        worth = {square: farming_bonus(self.board, square) for square in self.best}
        centre = max(
            self.best, key=lambda square: sum(worth.get(each, -1) for each in around(square, CLUSTER))
        )
        return sorted(self.best, key=lambda square: (distance(centre, square), -worth[square]))

    def cost(self, unit: int) -> int:
        return self.rules.units[unit].cost


def arrangement_by(plan: str, site: Site) -> Arrangement:
    """What a plan makes of a site. KeyError if there is no such plan."""
    money, units = site.money, dict[int, int]()
    for unit, square in PLANS[plan](site):
        if square not in units and site.cost(unit) <= money:
            units[square] = unit
            money -= site.cost(unit)
    return arranged(units)


# -- The plans -------------------------------------------------------------------------------------


def _farms(unit: int) -> Callable[[Site], Iterator[Wish]]:
    """One unit on the best squares."""
    return lambda site: ((unit, square) for square in site.best)


def _mixed(site: Site) -> Iterator[Wish]:
    return zip(cycle((DRONE, SETTLER, INFANTRY, MINE)), site.best, strict=False)


def _artillery(site: Site) -> Iterator[Wish]:
    return zip(cycle(BATTERY), site.cluster, strict=False)


def _mines(site: Site) -> Iterator[Wish]:
    """Drones, each with mines around it here and there."""
    for square in site.best:
        yield DRONE, square
        for neighbour in around(square, 1):
            if neighbour != square and site.board.is_land(neighbour) and site.rng.chance(MINED):
                yield MINE, neighbour


def _turtle(site: Site) -> Iterator[Wish]:
    """The largest block of settlers within a ring of infantry that can be paid."""
    settlers, ring = [site.cluster[0]], list[int]()
    for count in range(1, len(site.cluster) + 1):
        inside = site.cluster[:count]
        outside = sorted({each for square in inside for each in around(square, 1)} - set(inside))
        walls = [square for square in outside if site.board.is_land(square)]
        if count * site.cost(SETTLER) + len(walls) * site.cost(INFANTRY) > site.money:
            break
        settlers, ring = list(inside), walls
    yield from ((SETTLER, square) for square in settlers)
    yield from ((INFANTRY, square) for square in ring)
    yield from ((DRONE, square) for square in site.cluster)


def _random(site: Site) -> Iterator[Wish]:
    units = range(DRONE, ARTILLERY + 1)
    for square in shuffled(site.best, site.rng):
        yield picked(units, site.rng), square


PLANS: Final[Mapping[str, Callable[[Site], Iterator[Wish]]]] = MappingProxyType({
    "drones": _farms(DRONE),
    "farmers": _farms(FARMER),
    "settlers": _farms(SETTLER),
    "mixed": _mixed,
    "artillery": _artillery,
    "mines": _mines,
    "turtle": _turtle,
    "random": _random,
})  # fmt: skip
