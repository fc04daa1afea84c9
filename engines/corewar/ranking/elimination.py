"""An elimination tournament: all are paired, the winners are paired again, until one is left.

Reference: Evolving Warriors, section Results and Discussion, where it was conducted by hand. Entrants are numbered
from the best to the worst by what is known of them: of equal points the better one goes on.
"""

from collections.abc import Sequence

from core.random import Random
from engines.corewar.battles import Tally
from engines.corewar.ranking.standing import swapped
from engines.evolution.selection import shuffled


def draw(entrants: int, rng: Random) -> list[int]:
    """The order in which they are paired, by lot. ValueError without entrants."""
    if entrants < 1:
        raise ValueError("a tournament needs an entrant")
    return shuffled(range(entrants), rng)


def pairs(left: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbours; of an odd number the last waits."""
    return list(zip(left[::2], left[1::2], strict=False))


def winner(pair: tuple[int, int], tally: Tally) -> int:
    """Of a pair, given its tally as the first one sees it."""
    ours, theirs = tally.points, swapped(tally).points
    return min(pair) if ours == theirs else pair[ours < theirs]


def following(left: Sequence[int], tallies: Sequence[Tally]) -> list[int]:
    """Who is left after these fights of pairs(left). Who has waited is paired first."""
    winners = [winner(pair, tally) for pair, tally in zip(pairs(left), tallies, strict=True)]
    return [left[-1], *winners] if len(left) % 2 else winners
