"""Plans of farmers: the best squares first, with this or that unit on them."""

from collections.abc import Iterator
from itertools import cycle
from typing import Final

from core.protection.board import around
from core.protection.rules import DRONE, FARMER, INFANTRY, MINE, SETTLER
from core.random import Random
from engines.protection.game.setup import Placement
from engines.protection.users.seen import Seen
from engines.protection.users.sites import best_farms

MINED: Final = 0.15  # of a drone's neighbours
MIXTURE: Final = (DRONE, SETTLER, INFANTRY, MINE)


def nothing(seen: Seen, rng: Random) -> Iterator[Placement]:
    """No wish at all."""
    yield from ()


def drones(seen: Seen, rng: Random) -> Iterator[Placement]:
    return _all(DRONE, seen)


def farmers(seen: Seen, rng: Random) -> Iterator[Placement]:
    return _all(FARMER, seen)


def settlers(seen: Seen, rng: Random) -> Iterator[Placement]:
    return _all(SETTLER, seen)


def mines(seen: Seen, rng: Random) -> Iterator[Placement]:
    """Drones, with mines at some of the squares around each."""
    mined = set()
    for square in best_farms(seen):
        if square in mined:
            continue
        yield Placement(DRONE, square)
        for other in around(square, 1):
            if other != square and rng.chance(MINED):
                mined.add(other)
                yield Placement(MINE, other)


def mixed(seen: Seen, rng: Random) -> Iterator[Placement]:
    """Several kinds in turn; it goes on where the last setup ended."""
    kinds = cycle(MIXTURE[len(seen.units) % len(MIXTURE) :] + MIXTURE[: len(seen.units) % len(MIXTURE)])
    for square, kind in zip(best_farms(seen), kinds, strict=False):
        yield Placement(kind, square)


def _all(kind: int, seen: Seen) -> Iterator[Placement]:
    for square in best_farms(seen):
        yield Placement(kind, square)
