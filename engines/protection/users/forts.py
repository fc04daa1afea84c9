"""Plans of those who settle close together and guard what they have."""

from collections.abc import Iterator
from itertools import chain, repeat
from typing import Final

from core.protection.board import around, distance
from core.protection.rules import (
    ARMOR,
    ARTILLERY,
    DRONE,
    HILLS,
    INFANTRY,
    JAMMER,
    JAMMING_RADIUS,
    MOUNTAINS,
    SETTLER,
)
from core.random import Random
from engines.protection.game.setup import Placement
from engines.protection.users.seen import Seen
from engines.protection.users.sites import settlements

BLOCK: Final = 9  # settlers of a turtle, inside 16 infantry
BATTERY: Final = (ARTILLERY, INFANTRY, *repeat(DRONE, 10))
VILLAGE: Final = (JAMMER, INFANTRY, INFANTRY, *repeat(DRONE, 8), SETTLER, SETTLER)
GUARDS: Final = 2  # armor around a gold square


def turtle(seen: Seen, rng: Random) -> Iterator[Placement]:
    """A compact block of settlers inside a ring of infantry, then another."""
    for squares in settlements(seen, 5):
        yield from _placed(chain(repeat(SETTLER, BLOCK), repeat(INFANTRY)), squares)


def artillery(seen: Seen, rng: Random) -> Iterator[Placement]:
    """Clusters within the reach of a piece of artillery."""
    for squares in settlements(seen, 5):
        yield from _placed(iter(BATTERY), squares)


def jammers(seen: Seen, rng: Random) -> Iterator[Placement]:
    """Villages around a jammer."""
    for squares in settlements(seen, JAMMING_RADIUS):
        yield from _placed(iter(VILLAGE), squares)


def fortress(seen: Seen, rng: Random) -> Iterator[Placement]:
    """Settlers and drones at the gold, armor on the nearest mountains."""
    ground = seen.scenario.map
    free = set(seen.free())
    for gold in ground.gold:
        near = sorted(
            (square for square in around(gold, 3) if ground.is_land(square) and square != gold),
            key=lambda square: (-_height(seen, square), distance(gold, square)),
        )
        wanted = [Placement(SETTLER, gold), *[Placement(ARMOR, square) for square in near[:GUARDS]]]
        wanted += [Placement(DRONE, square) for square in near if distance(gold, square) == 1]
        yield from [wish for wish in wanted if wish.square in free]


def _placed(kinds: Iterator[int], squares: list[int]) -> Iterator[Placement]:
    for kind, square in zip(kinds, squares, strict=False):
        yield Placement(kind, square)


def _height(seen: Seen, square: int) -> int:
    code = seen.scenario.map.codes[square]
    return {MOUNTAINS: 2, HILLS: 1}.get(code, 0)
