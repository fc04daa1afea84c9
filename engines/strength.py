"""How good an individual of a run is against the fixed reference of its game, which no run changes.

The reference of Acquire is the heuristic, of chess the genome `handset`, of Core War the bundled warriors, of Advanced Protection the
starter string of the bundled pool.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engines.evolution.run_history import GameStatistics
from engines.evolution.run_store import RunStore
from engines.statistics import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How good an individual is against the fixed reference of its game."""

    estimate: Estimate
    form: str  # of the estimate, such as ".1%"
    games: int  # games, rounds or tests that were played
    against: str  # what the games were and against whom, such as "points in games against heuristic"

    def __str__(self) -> str:
        return f"{self.estimate:{self.form}} {self.against} ({self.games:,})"


class GameReference(GameStatistics, Protocol):
    """What a game's evolution offers to say of a run's champion: how good it is, and the commands that show it."""

    def measure(self, config: str, genome: str, seed: int) -> Strength:
        """Measure a genome against the game's reference, which no run changes, in some seconds.

        Nothing of it is recorded: it is measured next to the run. Same arguments, same result.
        """
        ...

    def commands(self, store: RunStore, id: int) -> Sequence[str]:
        """Return the commands that show an individual of a run, or play it if it is the champion."""
        ...
