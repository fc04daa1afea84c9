"""Champions against each other: each one against each, in both seats, and how unlike they are.

The best of a generation against those of earlier ones is the measure of "Evolving Board Evaluation Functions",
section 4.2; all against all (D. Cliff, G. Miller, "Tracking the Red Queen", 1995) shows also who has forgotten
how to beat whom.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Self

from core.acquire.rules import Rules
from engines.acquire.brain import decisions as decided
from engines.acquire.entrant import Entrant
from engines.acquire.genome import Genome
from engines.acquire.measure import Contest, Score, play, scores
from engines.acquire.programs.behaviour import PHASE_OF, choices
from engines.acquire.trees.distance import distance
from engines.evolution.population import derive_seed
from engines.statistics import Estimate, score
from engines.worker_pool import WorkerPool

STATES: Final = 1000  # in which behaviours are compared, all decisions together


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """What came of it, by places of the champions, the first of two the earlier one."""

    names: tuple[str, ...]
    scores: dict[tuple[int, int], Score]  # of the first
    tree_distances: dict[tuple[int, int], int]  # edits of all programs
    behaviour_distances: dict[tuple[int, int], float]  # the share of states in which they choose differently

    @classmethod
    async def played(
        cls, rules: Rules, champions: Sequence[Entrant], games: int, seed: int, crew: WorkerPool
    ) -> Self:
        """So many games of each two. All have programs for the same decisions."""
        pairs = list(combinations(range(len(champions)), 2))
        tallies = await crew.map(
            fought,
            [
                duel(rules, champions[one], champions[other], games, derive_seed(seed, one, other))
                for one, other in pairs
            ],
        )
        chosen = [_choices(rules, champion) for champion in champions]
        return cls(
            names=tuple(champion.name for champion in champions),
            scores=dict(zip(pairs, tallies, strict=True)),
            tree_distances={(one, other): apart(champions[one], champions[other]) for one, other in pairs},
            behaviour_distances={(one, other): _unlike(chosen[one], chosen[other]) for one, other in pairs},
        )

    def rate(self, one: int, other: int) -> Estimate:
        """The first's share of the wins, a tie half."""
        if one < other:
            return self.scores[one, other].win_rate
        found = self.scores[other, one]
        return score((found.wins, found.ties, found.losses))


def duel(rules: Rules, one: Entrant, other: Entrant, games: int, seed: int) -> Contest:
    """An even number of games, two with each bag; any seed will do."""
    return Contest(rules=rules, players=(one, other), bags=max(games // 2, 1), seed=seed >> 33)


def fought(contest: Contest) -> Score:
    """What the first made of it: a task."""
    return scores(play(contest))[0]


def apart(one: Entrant, other: Entrant) -> int:
    """Nodes to be edited in all programs; all nodes of one that the other has not."""
    assert isinstance(one.genome, Genome) and isinstance(other.genome, Genome)
    first, second = dict(one.genome.programs()), dict(other.genome.programs())
    shared = first.keys() & second.keys()
    alone = sum(len((first | second)[name]) for name in first.keys() ^ second.keys())
    return alone + sum(distance(first[name], second[name]) for name in shared)


def different(rules: Rules, one: Entrant, other: Entrant) -> float:
    """The share of fixed states, for the decisions of the first, in which they choose differently."""
    return _unlike(_choices(rules, one), _choices(rules, other))


def _choices(rules: Rules, champion: Entrant) -> list[int]:
    assert champion.genome
    decisions = [name for name in decided(champion.genome) if name in PHASE_OF]
    return choices(champion.player(), rules, decisions, STATES // len(decisions))


def _unlike(one: Sequence[int], other: Sequence[int]) -> float:
    return sum(a != b for a, b in zip(one, other, strict=True)) / len(one)
