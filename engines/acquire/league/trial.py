"""Trials in fresh games: the champion meets the panel, which plays no part in choosing it, or former champions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.rules import GameSpec, Rules
from engines.acquire.brain import Brain
from engines.acquire.conduct import Conduct
from engines.acquire.genome import thesis_players
from engines.acquire.panel import member
from engines.evolution.population import derive_seed

Tally = tuple[int, int, int]  # losses, ties, wins
OF_PANEL: Final = ("random", "heuristic")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One genome, at tables where all others are the same member of the panel."""

    rules: Rules
    conduct: Conduct
    players: int
    genome: Brain
    games: int
    seed: int

    def play(self) -> dict[str, Tally]:
        printed = {name: genome.express for name, genome in thesis_players().items()}
        tallies = {name: self._tally([member(name) for _ in range(self.players - 1)]) for name in OF_PANEL}
        if self.players == 2:
            tallies |= {name: self._tally([express()]) for name, express in printed.items()}
        return tallies

    def _tally(self, others: list[Player]) -> Tally:
        return _tally(self, [others])


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """One genome against former champions, each at as many tables as the others, or nearly so."""

    rules: Rules
    conduct: Conduct
    players: int
    genome: Brain
    former: tuple[Brain, ...]
    games: int
    seed: int

    def play(self) -> Tally:
        seats = range(self.players - 1)
        return _tally(self, [[each.express(self.conduct) for _ in seats] for each in self.former])


def _tally(trial: Trial | Acceptance, others: Sequence[list[Player]]) -> Tally:
    """The others take turns, bag by bag; everybody sits in every seat."""
    room = GameRunner(GameSpec(trial.rules, trial.players))
    player = trial.genome.express(trial.conduct)
    tally = [0, 0, 0]
    for game in range(trial.games):
        bag, rotation = divmod(game, trial.players)
        worths = room.play([player, *others[bag % len(others)]], rotation, derive_seed(trial.seed, bag))
        best = max(worths[1:])
        tally[1 + (worths[0] > best) - (worths[0] < best)] += 1
    return tally[0], tally[1], tally[2]
