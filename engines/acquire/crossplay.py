"""Crossplay: champions against each other, each one against each in both seats, and how far they are apart.

The best of a generation against those of earlier ones is the measure of "Evolving Board Evaluation Functions", section
4.2; all against all (D. Cliff, G. Miller, "Tracking the Red Queen", 1995) shows also who has forgotten how to beat whom.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Self

from core.acquire.rules import Rules
from engines.acquire.behaviour import behaviour_distance, choices
from engines.acquire.genome import DECISIONS, Genome
from engines.acquire.gp.tree import distance
from engines.acquire.match import MatchSpec, Score, play_match, scores
from engines.acquire.registry import PlayerSpec, decisions
from engines.evolution.population import derive_seed
from engines.statistics import Estimate, score
from engines.worker_pool import WorkerPool

STATES: Final = 1000  # in which behaviours are compared, all decisions together


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossplay:
    """What came of it, by places of the champions, the first of two the earlier one."""

    names: tuple[str, ...]
    scores: dict[tuple[int, int], Score]  # of the first
    tree_distances: dict[tuple[int, int], int]  # edits of all programs
    behaviour_distances: dict[tuple[int, int], float]  # the share of states in which they choose differently

    @classmethod
    async def played(
        cls, rules: Rules, champions: Sequence[PlayerSpec], games: int, seed: int, pool: WorkerPool
    ) -> Self:
        """So many games of each two. ValueError where there is no decision that all have a program for."""
        pairs = list(combinations(range(len(champions)), 2))
        duels = [
            duel(rules, champions[one], champions[other], games, derive_seed(seed, one, other))
            for one, other in pairs
        ]
        tallies = await pool.map(play_duel, duels)
        chosen = _choices(rules, champions)
        return cls(
            names=tuple(champion.name for champion in champions),
            scores=dict(zip(pairs, tallies, strict=True)),
            tree_distances={
                (one, other): edit_distance(champions[one], champions[other]) for one, other in pairs
            },
            behaviour_distances={
                (one, other): behaviour_distance(chosen[one], chosen[other]) for one, other in pairs
            },
        )

    def rate(self, one: int, other: int) -> Estimate:
        """The first's share of the wins, a tie half."""
        if one < other:
            return self.scores[one, other].win_rate
        return score(self.scores[other, one].tally[::-1])


def duel(rules: Rules, one: PlayerSpec, other: PlayerSpec, games: int, seed: int) -> MatchSpec:
    """An even number of games, two with each bag; any seed will do."""
    return MatchSpec(rules=rules, players=(one, other), bags=max(games // 2, 1), seed=seed)


def play_duel(match: MatchSpec) -> Score:
    """What the first made of it: a task."""
    return scores(play_match(match))[0]


def edit_distance(one: PlayerSpec, other: PlayerSpec) -> int:
    """Nodes to be edited in all programs; all nodes of one that the other has not."""
    assert isinstance(one.genome, Genome) and isinstance(other.genome, Genome)
    first, second = dict(one.genome.programs()), dict(other.genome.programs())
    shared = first.keys() & second.keys()
    alone = sum(len((first | second)[name]) for name in first.keys() ^ second.keys())
    return alone + sum(distance(first[name], second[name]) for name in shared)


def different_choices(rules: Rules, one: PlayerSpec, other: PlayerSpec) -> float:
    """The share of fixed states, for the decisions of both, in which they choose differently. ValueError without any."""
    return behaviour_distance(*_choices(rules, [one, other]))


def _choices(rules: Rules, players: Sequence[PlayerSpec]) -> list[list[int]]:
    """Of each, in the same states of each decision that all have a program for."""
    known = [decisions(player.genome) for player in players if player.genome]
    shared = [name for name in DECISIONS if all(name in names for names in known)]
    if not shared:
        names = " and ".join(dict.fromkeys(player.name for player in players))
        raise ValueError(f"{names} have no programs for the same decision")
    share, rest = divmod(STATES, len(shared))
    counts = [(name, share + (place < rest)) for place, name in enumerate(shared)]
    return [
        [choice for name, count in counts for choice in choices(player.create(), rules, (name,), count)]
        for player in players
    ]
