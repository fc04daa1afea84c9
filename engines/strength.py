"""The strength of an individual of a run against the fixed reference of its game, which no run changes.

The reference of Acquire is the heuristic, of chess the genome `handset`, of Core War the bundled warriors, of
Advanced Protection the starter string of the bundled pool.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from engines.evolution.run_history import GameStatistics
from engines.evolution.run_store import RunStore
from engines.statistics import Estimate

MEASURING: Final = 0x57A7  # a stream of random numbers that no evolution uses, for measuring champions


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The measured strength of an individual against the fixed reference of its game."""

    estimate: Estimate
    form: str  # the format of the estimate, such as ".1%"
    games: int  # number of games, rounds or tests
    unit: str = "games"  # their name in the plural
    against: str  # the kind of score and the opponent, such as "of the points against heuristic"

    def __str__(self) -> str:
        return f"{self.estimate:{self.form}} {self.against}, {self.games:,} {self.unit}"


class GameReference(GameStatistics, Protocol):
    """The part of a game's evolution that measures champions of runs, and names the commands that show them."""

    def measure(self, config: str, genome: str, seed: int) -> Strength:
        """Measure a genome against the reference of the game, in some seconds.

        The result is not recorded in the run. The same arguments give the same result.
        """
        ...

    def commands(self, store: RunStore, id: int) -> Sequence[str]:
        """Return the commands that show an individual of a run, or play it if it is the champion."""
        ...
