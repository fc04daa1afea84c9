"""The panel: fixed opponents whom an evolution's best meets now and then, so that progress can be seen.

Relative fitness cannot tell whether everybody gets better or worse; points against the same opponents can.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.chess.duel import Duel, Outcome
from engines.chess.gene_pool.conditions import Conditions
from engines.chess.genome import Genome, load_bundled
from engines.evolution.evolution import seed_of

OPPONENTS: Final = ("unevolved", "handset")  # bundled genomes
STREAM: Final = 3  # of a generation's random numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Every `interval` generations the best plays `games` games with each of OPPONENTS; 0: never."""

    conditions: Conditions
    games: int
    interval: int
    seed: int

    def duels(self, generation: int, best: Genome, seconds: float) -> list[Duel]:
        """The games of this generation."""
        if not self._meets(generation):
            return []
        return [
            duel
            for index, name in enumerate(OPPONENTS)
            for duel in self.conditions.duels(
                best,
                load_bundled(name),
                self.games,
                seconds,
                seed_of(self.seed, generation, STREAM, index),
            )
        ]

    def scores(self, generation: int, outcomes: Sequence[Outcome]) -> dict[str, list[int]]:
        """Losses, draws and wins of the best against each, from the outcomes of duels(); or nothing."""
        if not self._meets(generation):
            return {}
        scores = {}
        for index, name in enumerate(OPPONENTS):
            tally = [0, 0, 0]
            games = outcomes[index * self.games : (index + 1) * self.games]
            for number, outcome in enumerate(games):
                tally[1 + int(outcome.returns[number % 2])] += 1
            scores[name] = tally
        return scores

    def _meets(self, generation: int) -> bool:
        return self.games > 0 and self.interval > 0 and generation % self.interval == 0
