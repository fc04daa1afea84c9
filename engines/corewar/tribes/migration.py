"""Migration: now and then two tribes exchange a warrior each.

Reference: Evolving Warriors, section Recipe for primordial soup. Who moves is drawn from the run's seed
and the sweep alone, so it is known beforehand for how long the tribes are on their own.
"""

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from core.random import Random
from engines.corewar.tribes.config import TribesConfig
from engines.evolution.evolution import seed_of

STREAM: Final = 2  # of a sweep's random numbers

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Two warriors that change places: (tribe, seat) each."""

    one: tuple[int, int]
    other: tuple[int, int]


def moves_after(sweep: int, config: TribesConfig, seed: int) -> list[Move]:
    """In the order in which they happen."""
    if config.tribes < 2 or not config.migration:
        return []
    rng = Random(seed_of(seed, sweep, STREAM))
    moves = []
    for tribe in range(config.tribes):
        if rng.chance(config.migration):
            other = (tribe + 1 + rng.below(config.tribes - 1)) % config.tribes
            seats = [int(rng.below(config.tribe_size)) for _ in range(2)]
            moves.append(Move(one=(tribe, seats[0]), other=(int(other), seats[1])))
    return moves


def sweeps_until_migration(first: int, config: TribesConfig, seed: int) -> int:
    """Sweeps from `first` to the next after which somebody moves, or as many as a generation may have."""
    for count in range(1, config.sweeps_a_generation):
        if moves_after(first + count - 1, config, seed):
            return count
    return config.sweeps_a_generation


def move(moves: Sequence[Move], tribes: Sequence[MutableSequence[T]]) -> None:
    """Let the members of the tribes change places."""
    for each in moves:
        (tribe, seat), (other, place) = each.one, each.other
        tribes[tribe][seat], tribes[other][place] = tribes[other][place], tribes[tribe][seat]
