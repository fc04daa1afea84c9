"""Where to build: the best squares for farms, and places for settlements."""

from collections.abc import Iterator
from typing import Final

from core.protection.board import around, distance
from core.protection.rules import DRONE
from engines.protection.users.seen import Seen

LAND: Final = 20  # squares of a settlement's 25 that can be built on, at least


def best_farms(seen: Seen) -> list[int]:
    """The free squares, those that yield most first."""
    return sorted(seen.free(), key=lambda square: -seen.yields(DRONE, square))


def settlements(seen: Seen, apart: int) -> Iterator[list[int]]:
    """The land around one good centre after another, nearest squares first; centres are `apart` from each other.

    The same for a map at every turn, so that a plan finds again what it has begun.
    """
    ground = seen.scenario.map
    worth = {}
    for square in range(len(ground.codes)):
        near = [other for other in around(square, 2) if ground.is_land(other)]
        if ground.is_land(square) and len(near) >= LAND:
            worth[square] = sum(seen.yields(DRONE, other) for other in near)
    centres: list[int] = []
    for centre in sorted(worth, key=lambda square: -worth[square]):
        if all(distance(centre, other) >= apart for other in centres):
            centres.append(centre)
            reach = [square for square in around(centre, apart // 2) if ground.is_land(square)]
            yield sorted(reach, key=lambda square: distance(centre, square))
