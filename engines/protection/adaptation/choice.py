"""Which string the next turn is played with: the one whose rating is nearest to what the user can take.

Who wins more than half of the games meets a string as far below 0 as that is above one half, in parts of
the best there is; all others one rated 0. Reference: "Advanced Protection, part Artificial Intelligence".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Where a game is led; a lead is the logarithm of the human's value over Chaos's."""

    is_due: bool  # the human, to win
    wanted: float  # the lead after the turn
    expected: float | None  # the lead in tests of the string; None where it was not tested in this game


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A string and why."""

    index: int  # of the ratings
    rating: int
    target: float | None  # the rating that was looked for; None where none was
    way: Way | None = None  # of a game that is piloted


def chosen(wins: int, losses: int, ratings: Sequence[int]) -> Choice:
    """By whole numbers alone, so that equal distances are equal; of these the first."""
    games, ahead = wins + losses, max(wins - losses, 0)
    best = min(ratings)
    scale = games if ahead else 1
    index = nearest([rating * scale for rating in ratings], best * ahead)
    target = Fraction(best * ahead, games) if ahead else Fraction(0)
    return Choice(index=index, rating=ratings[index], target=float(target))


def nearest(ratings: Sequence[float], target: float) -> int:
    """The first of those that are nearest to the target."""
    return min(range(len(ratings)), key=lambda index: abs(ratings[index] - target))
