"""Chaos as a player: it chooses a string, sees how the turn went, and remembers in the user's profile.

The string of a turn is a function of the profile, the course of the game and streams of chance. What the human
sets up in that turn is not asked.
"""

from dataclasses import dataclass, field, replace
from typing import Self

from core.protection.ending import HUMAN, NOBODY
from core.protection.state import ProtectionState
from engines.protection.adaptation.choice import Choice
from engines.protection.adaptation.modes import Mode
from engines.protection.game.chance import Chance, choice
from engines.protection.game.course import Course
from engines.protection.game.game import Played
from engines.protection.game.pilot import Pilot
from engines.protection.game.ratings import Ratings, Trial, trial
from engines.protection.profile.profile import STRINGS, Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Chaos:
    """Who plays a pool against one user, by a rule of choice."""

    pool: tuple[bytes, ...]
    chooser: Mode | Pilot
    profile: Profile
    replicates: int = 4  # tests of each string, a turn
    real_money: bool = True  # in the tests; else as much as the human's units have cost
    course: Course = field(default_factory=Course)
    latest: Ratings | None = None  # of the turn before, in the game under way

    def __post_init__(self) -> None:
        if len(self.pool) != STRINGS:
            raise ValueError(f"a pool has {STRINGS} strings, not {len(self.pool)}")

    def choose(self, chance: Chance) -> Choice:
        """For the turn whose setup is under way; from 250 on it is a hybrid of the profile."""
        if isinstance(self.chooser, Pilot):
            return self.chooser.choose(self.profile, self.course, self.latest, chance.stream(choice(1)))
        rng = chance.stream(choice(self.course.turn))
        return self.chooser.choose(self.profile, rng, self.course.standings)

    def string(self, index: int) -> bytes:
        if index < STRINGS:
            return self.pool[index]
        return self.profile.hybrids[index - STRINGS].genome.code

    def trial(self, state: ProtectionState, chance: Chance) -> Trial:
        """What is to be rated after a setup."""
        return trial(state, b"".join(self.pool), chance, self.replicates, self.real_money)

    def rated(self, latest: Ratings) -> Self:
        """With the ratings of a turn."""
        return replace(self, profile=self.profile.rated(latest.ratings), latest=latest)

    def turned(self, played: Played) -> Self:
        """After a turn."""
        return replace(self, course=self.course.turned(played))

    def begun(self, state: ProtectionState) -> Self:
        """Before the first turn of a game."""
        return replace(self, course=Course(human_value=state.human_value(), chaos_value=state.chaos_value()))

    def finished(self, winner: int) -> Self:
        """After a game. A draw is counted neither way."""
        if winner == NOBODY:
            return self
        return replace(self, profile=self.profile.finished(winner == HUMAN))
