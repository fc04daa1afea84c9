"""A choice that pilots each game: it settles who is due to win, and picks the string that keeps to the way there.

Shares of wins and losses alone are a slow guide: after 30 games one more win moves a share by 3 %, so a choice in
proportion to the share (mode `seed` or `calibrated`) hardly corrects. Here the *number* of games that the user is
ahead of the aimed share decides, which never fades. And within a game the tests of the strings say what each would
do to the lead, the logarithm of the human's value over Chaos's, by which games end; dollars do not, where one side is
rich. Only the string is chosen: no rule, price or die changes. "Advanced Protection, part Future Work" asks for a
finer measure than wins and losses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from core.random import Random
from engines.protection.adaptation.calibration import CERTAIN, Calibration
from engines.protection.adaptation.choice import Choice, Way, nearest
from engines.protection.adaptation.chooser import Known
from engines.protection.adaptation.course import Course
from engines.protection.adaptation.hybrids import ADVANCED
from engines.protection.game.chance import Chance, choice
from engines.protection.game.ratings import Ratings
from engines.protection.profile.profile import Profile

PILOT: Final = "pilot"
BEYOND: Final = 1.3  # of the lead that ends a game, to aim at: the way there shall not flatten out
FAR_AHEAD: Final = 1.5  # games: so strong a user needs no grace, and has used every grace to win
LAST_TURNS: Final = 2  # how fast a game goes where it shall, at most, while it is not late
SWING: Final = (
    1.25  # of both values together: how far apart the best and the worst rating of a turn are at most
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """What it aims at, and how."""

    starter: int  # the string for a user of whom nothing is known
    aim: float = 0.5  # the share of games that the user is to win
    gain: float = 0.35  # how much surer a game is settled for each game that the user is ahead or behind
    turns: int = 9  # of a game, to aim at
    grace: int = 5  # turns in which a game that most users are not due to win is kept even

    def __post_init__(self) -> None:
        if not (0 < self.aim < 1 and self.gain > 0 and self.turns > LAST_TURNS):
            raise ValueError(f"no game is piloted to {self.aim} with {self.gain} in {self.turns} turns")

    @property
    def name(self) -> str:
        return PILOT

    @property
    def learns(self) -> bool:
        return True

    @property
    def breeds(self) -> bool:
        return True

    def choose(self, known: Known, chance: Chance) -> Choice:
        """One stream settles who is due, the same at all turns of the game.

        Before the first ratings of the game those of the profile have to do.
        """
        profile, course, latest = known.profile, known.course, known.latest
        if profile.is_new:
            return Choice(index=self.starter, rating=profile.ratings[self.starter], target=None)
        is_due = self.due(profile, chance.stream(choice(1)))
        wanted = self.wanted(profile, course, is_due)
        target = _rating(wanted, course)
        share = Calibration(aim=self.aim).share(profile.wins, profile.losses)
        hybrids = profile.hybrids if share > ADVANCED else ()
        ratings = (*profile.ratings, *(each.rating for each in hybrids))
        if latest is None:
            target *= _scale(course, profile.ratings)
            index, expected = nearest(ratings, target), None
        else:
            leads = _leads(course, latest)[: len(ratings)]
            index = nearest(leads, wanted)
            expected = leads[index]
        way = Way(is_due=is_due, wanted=wanted, expected=expected)
        return Choice(index=index, rating=ratings[index], target=target, way=way)

    def due(self, profile: Profile, game: Random) -> bool:
        """Whether the human is due to win: the likelier, the further they are behind."""
        return game.uniform() < self.aim - self.gain * self._ahead(profile)

    def wanted(self, profile: Profile, course: Course, is_due: bool) -> float:
        """The lead after this turn: a step of what is left of the way.

        All of it where the game is late, and against who is far ahead.
        """
        is_strong = self._ahead(profile) >= FAR_AHEAD
        if not is_due and course.turn <= self.grace and not is_strong:
            return course.lead * (1 - 1 / LAST_TURNS)
        goal = BEYOND * log(CERTAIN) * (1 if is_due else -1)
        if course.turn > self.turns or (is_strong and not is_due):
            return goal
        return course.lead + (goal - course.lead) / max(LAST_TURNS, self.turns + 1 - course.turn)

    def _ahead(self, profile: Profile) -> float:
        """Games won beyond the aimed share."""
        return profile.wins - self.aim * profile.games


def _leads(course: Course, latest: Ratings) -> list[float]:
    """Where each string would take the lead, if the turn went as in its tests."""
    leads = []
    for rating, human in zip(latest.ratings, latest.human, strict=True):
        ours, theirs = course.human_value + human, course.chaos_value + human - rating
        leads.append(log(max(ours, 1) / max(theirs, 1)))
    return leads


def _rating(wanted: float, course: Course) -> float:
    """The rating that would bring about a lead, if half of it were the human's change and half Chaos's."""
    ratio = exp(wanted)
    return 2 * (ratio * course.chaos_value - course.human_value) / (1 + ratio)


def _scale(course: Course, ratings: Sequence[int]) -> float:
    """How much greater the ratings of another, perhaps far richer game are than this one's can be."""
    return max(1.0, (max(ratings) - min(ratings)) / (SWING * (course.human_value + course.chaos_value)))
