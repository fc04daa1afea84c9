"""The role of who chooses Chaos's strings: what it may know, and what it says."""

from dataclasses import dataclass
from typing import Protocol

from engines.protection.adaptation.choice import Choice
from engines.protection.adaptation.course import Course
from engines.protection.game.chance import Chance
from engines.protection.game.ratings import Ratings
from engines.protection.profile.profile import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All that a choice is made by; the board of the turn is not in it."""

    profile: Profile
    course: Course
    latest: Ratings | None = (
        None  # of the last arrangement that was rated: the pool's, then perhaps the hybrids'
    )


class Chooser(Protocol):
    """A rule of choice: the string for a turn is a function of what is known and of the game's chance."""

    @property
    def name(self) -> str: ...

    @property
    def learns(self) -> bool:
        """Whether it asks for ratings."""
        ...

    @property
    def breeds(self) -> bool:
        """Whether it plays hybrids against the most advanced."""
        ...

    def choose(self, known: Known, chance: Chance) -> Choice:
        """The string for the next turn; from 250 on it is a hybrid of the profile."""
        ...
