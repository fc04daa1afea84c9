"""What Chaos remembers of a user: games won and lost, and how well each string of a pool does against them.

A rating is the change of the human's value less that of Chaos's over a turn: below 0 is good for Chaos.
Reference: "Advanced Protection, part Appendix B".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from engines.protection.genome import Genome

STRINGS: Final = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Hybrid:
    """A child of two strings of the pool, kept for this user."""

    rating: int
    genome: Genome


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A user's record. What is "" was not said: a profile of old has numbers alone."""

    wins: int = 0
    losses: int = 0
    ratings: tuple[int, ...] = (0,) * STRINGS
    pool: str = ""  # its hash
    rules: tuple[str, str] = ("", "")  # name and hash
    mode: str = ""
    aim: str = ""  # the share of games that the user is to win, as a decimal number
    hybrids: tuple[Hybrid, ...] = ()
    learnt: tuple[str, ...] = ()  # marks of the last arrangements of games under way, not to be learnt twice

    def __post_init__(self) -> None:
        if len(self.ratings) != STRINGS:
            raise ValueError(f"a profile has {STRINGS} ratings, not {len(self.ratings)}")
        if min(self.wins, self.losses) < 0:
            raise ValueError(f"games are counted from 0: {self.wins} won, {self.losses} lost")
        for word in (self.pool, *self.rules, self.mode, self.aim, *self.learnt):
            if not word.isprintable():  # a TAB or the end of a line would be something else in the file
                raise ValueError(f"no hash, name or mode is {word!r}")

    @property
    def games(self) -> int:
        return self.wins + self.losses

    @property
    def is_new(self) -> bool:
        """Whether there is nothing to choose by: neither games nor ratings."""
        return not self.games and not any(self.ratings)

    def finished(self, won: bool) -> Self:
        """After a game that somebody has won; a draw is counted neither way."""
        return replace(self, wins=self.wins + won, losses=self.losses + (not won))

    def rated(self, latest: Sequence[int]) -> Self:
        """After a turn, on whose arrangement every string was rated."""
        pairs = zip(self.ratings, latest, strict=True)
        return replace(self, ratings=tuple(halfway(old, new) for old, new in pairs))

    def forgotten(self) -> Self:
        """With all ratings 0 and no hybrids: what another pool or other rules have taught says nothing."""
        return replace(self, ratings=(0,) * STRINGS, hybrids=(), learnt=())


def halfway(old: int, latest: int) -> int:
    """A rating after another test, toward zero as C++ divides."""
    return toward_zero(old + latest, 2)


def toward_zero(dividend: int, divisor: int) -> int:
    """The quotient without its fraction; the divisor is above 0."""
    quotient = abs(dividend) // divisor
    return quotient if dividend >= 0 else -quotient
