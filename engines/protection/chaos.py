"""Chaos as a player: it chooses a string, learns how all strings do on each setup, and remembers in the user's profile.

The string of a turn is a function of the profile, the course of the game and streams of chance. What the human
sets up in that turn is not asked.
"""

from dataclasses import dataclass, replace
from typing import Self

from core.protection.policy import STRING_BYTES
from core.protection.rules import HUMAN, NOBODY
from core.protection.state import ProtectionState
from engines.protection.adaptation.choice import Choice
from engines.protection.adaptation.chooser import Chooser, Known
from engines.protection.adaptation.course import Course
from engines.protection.adaptation.rerating import hybrids, learned
from engines.protection.game.chance import Chance, breeding
from engines.protection.game.ratings import Ratings, Trial, trial
from engines.protection.genome import Genome
from engines.protection.profile.profile import STRINGS, Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Chaos:
    """Who plays a pool against one user, by a rule of choice."""

    pool: tuple[Genome, ...]
    chooser: Chooser
    profile: Profile
    tests: int = 4  # of each string, a turn
    real_money: bool = True  # in the tests; else as much as the human's units have cost
    latest: Ratings | None = (
        None  # in the game under way: the pool's, then perhaps those of the profile's hybrids
    )

    def __post_init__(self) -> None:
        if len(self.pool) != STRINGS:
            raise ValueError(f"a pool has {STRINGS} strings, not {len(self.pool)}")

    def choose(self, course: Course, chance: Chance) -> Choice:
        """For the turn whose setup is under way; from 250 on it is a hybrid of the profile."""
        return self.chooser.choose(Known(profile=self.profile, course=course, latest=self.latest), chance)

    def string(self, index: int) -> bytes:
        if index < STRINGS:
            return self.pool[index].code
        return self.profile.hybrids[index - STRINGS].genome.code

    def trial(self, state: ProtectionState, chance: Chance) -> Trial:
        """What is to be rated after a setup, for who learns: the pool, then hybrids if there are to be some."""
        strings = self.pool
        if self.chooser.breeds:
            strings += tuple(hybrids(self.profile, self.pool, chance.stream(breeding(state.turn))))
        code = b"".join(genome.code for genome in strings)
        return trial(state, code, chance, self.tests, self.real_money)

    def rated(self, trial: Trial, found: Ratings) -> Self:
        """After a trial, with what it has shown."""
        tested = self._tested(trial)
        profile = learned(self.profile, tested, found.ratings)
        place = {genome: row for row, genome in enumerate(tested, STRINGS)}
        order = [*range(STRINGS), *(place[each.genome] for each in profile.hybrids)]
        return replace(self, profile=profile, latest=found.of(order))

    def reminded(self, trial: Trial, found: Ratings) -> Self:
        """After a trial that the profile has learnt from already: only what it has shown is known again."""
        tested = self._tested(trial)
        known = [each.genome for each in self.profile.hybrids]
        rows = [tested.index(genome) + STRINGS for genome in known] if set(known) <= set(tested) else []
        return replace(self, latest=found.of([*range(STRINGS), *rows]))

    def knowing(self, profile: Profile) -> Self:
        """The same with the profile as other games of the user have left it; tests of other hybrids say nothing of it."""
        latest = self.latest
        mine, theirs = ([each.genome for each in one.hybrids] for one in (self.profile, profile))
        if latest is not None and mine != theirs:
            latest = latest.of(range(STRINGS))
        return replace(self, profile=profile, latest=latest)

    def finished(self, winner: int) -> Self:
        """After a game. A draw is counted neither way."""
        profile = self.profile if winner == NOBODY else self.profile.finished(winner == HUMAN)
        return replace(self, profile=profile, latest=None)

    def _tested(self, trial: Trial) -> list[Genome]:
        """The hybrids of a trial, behind the pool."""
        rows = range(STRINGS * STRING_BYTES, len(trial.strings), STRING_BYTES)
        return [Genome(code=trial.strings[start : start + STRING_BYTES]) for start in rows]
