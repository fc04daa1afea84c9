"""Tables of a league as tasks for workers: everybody who is measured plays the same ones, each from the same bag.

Luck is then common to all, and what is left of their difference is more of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.rules import GameSpec, Rules
from engines.acquire.brain import Brain
from engines.acquire.conduct import Conduct
from engines.acquire.panel import member

Other = Brain | str  # by its genome, or by its name on the panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Who is met there; `others` are places in the heat's list."""

    others: tuple[int, ...]
    rotation: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """Some genomes, each of which plays all the tables."""

    rules: Rules
    conduct: Conduct
    genomes: tuple[Brain, ...]
    others: tuple[Other, ...]
    tables: tuple[Table, ...]
    win_weight: float

    def play(self) -> list[list[float]]:
        """The points of each genome at each table."""

        @cache  # reading one takes as long as some games, and nobody sits in two seats
        def seated(other: Other, seat: int) -> Player:
            return member(other) if isinstance(other, str) else other.express(self.conduct)

        others = [
            [seated(self.others[place], seat) for seat, place in enumerate(table.others)]
            for table in self.tables
        ]
        return [self._points(genome, others) for genome in self.genomes]

    def _points(self, genome: Brain, others: Sequence[list[Player]]) -> list[float]:
        player = genome.express(self.conduct)
        room = _room(self.rules, 1 + len(self.tables[0].others))
        return [
            points(room.play([player, *seated], table.rotation, table.seed), self.win_weight)
            for table, seated in zip(self.tables, others, strict=True)
        ]


def points(worths: Sequence[int], win_weight: float) -> float:
    """Of the first of them: its part of what it and the best of the others have together, and whether that wins."""
    own, best = worths[0], max(worths[1:])
    share = own / (own + best) if own + best else 0.5
    win = 0.5 + 0.5 * ((own > best) - (own < best))
    return share + win_weight * (win - share)


@cache
def _room(rules: Rules, seats: int) -> GameRunner:
    return GameRunner(GameSpec(rules, seats))
