"""A choice that pilots each game: it settles who is due to win, and picks the string that keeps to the way there.

Win and loss shares alone are a slow guide: after 30 games one more win moves a share by 3 %, so a choice in
proportion to the share (mode `seed` or `calibrated`) hardly corrects, and one rated 0 corrects nothing. Here the
*number* of games that the user is ahead of the aimed share decides, which never fades; and within a game a rating,
the expected change of the human's value less Chaos's, says where each string leads from where the game stands.
Only the string is chosen: no rule, price or die changes. "Advanced Protection, part Future Work" asks for a finer
measure than wins and losses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from core.random import Random
from engines.protection.adaptation.calibration import CERTAIN
from engines.protection.adaptation.choice import Choice, nearest
from engines.protection.game.course import Course
from engines.protection.profile.profile import Profile

BEYOND: Final = 1.3  # of the lead that ends a game, to aim at: the way there shall not flatten out
LAST_TURNS: Final = 2  # how fast a game goes where it shall, at most
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
    grace: int = 5  # turns in which a game that the human is not due to win is kept even
    name: str = "pilot"

    def __post_init__(self) -> None:
        if not (0 < self.aim < 1 and self.gain > 0 and self.turns > LAST_TURNS):
            raise ValueError(f"no game is piloted to {self.aim} with {self.gain} in {self.turns} turns")

    def choose(self, profile: Profile, course: Course, game: Random) -> Choice:
        """`game` is a stream that is the same at all turns of the game: it settles who is due."""
        ratings = profile.ratings
        if profile.is_new:
            return Choice(index=self.starter, rating=ratings[self.starter], target=None)
        target = self.target(self.due(profile, game), course, ratings)
        index = nearest(ratings, target)
        return Choice(index=index, rating=ratings[index], target=target)

    def due(self, profile: Profile, game: Random) -> bool:
        """Whether the human is due to win: the likelier, the further they are behind."""
        ahead = profile.wins - self.aim * profile.games
        return game.uniform() < self.aim - self.gain * ahead

    def target(self, is_due: bool, course: Course, ratings: Sequence[int]) -> float:
        """The rating that moves the lead by one step of what is left of the way.

        Half of a rating is thought to be the human's change, half Chaos's. That is too cautious for a rich human,
        whose income says little of what Chaos loses: a game that lasts longer than `turns` is ended by the strings
        with the highest or the lowest rating. Before the first turn the ratings are those of another, perhaps far
        richer game: they are then read on the scale of this one.
        """
        if course.turn > self.turns:
            return max(ratings) if is_due else min(ratings)
        if not is_due and course.turn <= self.grace:
            goal, left = 0.0, LAST_TURNS
        else:
            goal = BEYOND * log(CERTAIN) * (1 if is_due else -1)
            left = max(LAST_TURNS, self.turns + 1 - course.turn)
        ratio = exp(course.lead + (goal - course.lead) / left)
        human, chaos = course.human_value, course.chaos_value
        change = 2 * (ratio * chaos - human) / (1 + ratio)
        if course.turn == 1:
            change *= max(1.0, (max(ratings) - min(ratings)) / (SWING * (human + chaos)))
        return change
