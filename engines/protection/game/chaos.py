"""Chaos as a player: it chooses a string, sees how the turn went, and remembers in the user's profile.

The string of a turn is a function of the profile, the game so far and a stream of chance. What the human sets up
in that turn is not asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, Self

from core.protection.ending import HUMAN, NOBODY
from core.protection.state import ProtectionState
from core.random import Random
from engines.protection.adaptation.calibration import REPLICATES, standing
from engines.protection.adaptation.choice import Choice
from engines.protection.game.chance import Chance, choice
from engines.protection.game.game import Played
from engines.protection.game.ratings import Trial, trial
from engines.protection.profile.profile import STRINGS, Profile

OF_OLD: Final = "seed"


class Chooser(Protocol):
    """A rule of choice, by its name; the strings are those of the pool, then the profile's hybrids."""

    @property
    def name(self) -> str: ...

    def choose(self, profile: Profile, rng: Random, standings: Sequence[float] = ()) -> Choice: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Chaos:
    """Who plays a pool by a rule against one user; `standings` are those of the game under way, turn by turn."""

    pool: tuple[bytes, ...]
    chooser: Chooser
    profile: Profile
    standings: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.pool) != STRINGS:
            raise ValueError(f"a pool has {STRINGS} strings, not {len(self.pool)}")

    def choose(self, turn: int, chance: Chance) -> Choice:
        """For the turn whose setup is under way."""
        return self.chooser.choose(self.profile, chance.stream(choice(turn)), self.standings)

    def string(self, index: int) -> bytes:
        """A string of the pool, or behind them a hybrid."""
        if index < STRINGS:
            return self.pool[index]
        return self.profile.hybrids[index - STRINGS].genome.code

    def trial(self, state: ProtectionState, chance: Chance) -> Trial:
        """What is to be rated after a setup: the old rule takes one test and the money of the human's units."""
        is_old = self.chooser.name == OF_OLD
        return trial(state, b"".join(self.pool), chance, 1 if is_old else REPLICATES, not is_old)

    def rated(self, latest: Sequence[int]) -> Self:
        """With the ratings of a turn."""
        return replace(self, profile=self.profile.rated(latest))

    def turned(self, played: Played) -> Self:
        """After a turn."""
        return replace(self, standings=(*self.standings, standing(played.human_value, played.chaos_value)))

    def finished(self, winner: int) -> Self:
        """After a game, ready for the next one. A draw is counted neither way."""
        profile = self.profile if winner == NOBODY else self.profile.finished(winner == HUMAN)
        return replace(self, profile=profile, standings=())
