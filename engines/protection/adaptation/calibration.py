"""The choice that aims at a share of games for every user: fair to few games, to the game under way, and to the weak.

Reference: "Advanced Protection, part Future Work", where it is asked for: a smoother choice for users with
few games, a finer measure than wins and losses, and settings for novices and experts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, tanh
from types import MappingProxyType
from typing import Final

from engines.protection.adaptation.choice import Choice, nearest

IMAGINED: Final = 4  # games at the aimed share, that every user begins with
CERTAIN: Final = 20  # times the other's value, at which a game is as good as over
AIMS: Final = MappingProxyType({"novice": 0.6, "intermediate": 0.5, "expert": 0.4})
MERCY: Final = 0.5
REPLICATES: Final = 4  # tests of a string a turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What the choice aims at."""

    aim: float = 0.5  # the share of games that the user is to win
    mercy: float = MERCY  # how far the worst string comes to the help of who wins less, 0..1

    def __post_init__(self) -> None:
        if not (0 < self.aim < 1 and 0 <= self.mercy <= 1):
            raise ValueError(f"an aim is between 0 and 1, mercy 0 to 1, not {self.aim} and {self.mercy}")

    def share(self, wins: int, losses: int, standings: Sequence[float] = ()) -> float:
        """The user's share of games, with the standing() after each turn of the game under way."""
        won, games = wins + IMAGINED * self.aim, wins + losses + IMAGINED
        if standings:
            return (won + sum(standings) / len(standings)) / (games + 1)
        return won / games

    def target(self, share: float, ratings: Sequence[int]) -> float:
        """The rating to look for."""
        if share >= self.aim:
            return (share - self.aim) / (1 - self.aim) * min(ratings)
        return (self.aim - share) / self.aim * max(0, *ratings) * self.mercy

    def chosen(self, share: float, ratings: Sequence[int]) -> Choice:
        target = self.target(share, ratings)
        index = nearest(ratings, target)
        return Choice(index=index, rating=ratings[index], target=target)


def standing(human_value: int, chaos_value: int) -> float:
    """How a game stands after a turn: near 0 lost for the human, 1/2 even, near 1 won."""
    return 0.5 + 0.5 * tanh(log(max(human_value, 1) / max(chaos_value, 1)) / log(CERTAIN))
