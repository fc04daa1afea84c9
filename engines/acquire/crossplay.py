"""Crossplay: games of champions against each other, each pair in both seats, and the distances between champions.

"Evolving Board Evaluation Functions", section 4.2, measures the best of a generation against those of earlier ones;
all against all (D. Cliff, G. Miller, "Tracking the Red Queen", 1995) also shows which champions have forgotten how to
beat which.
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

STATES: Final = 1000  # states in which behaviours are compared, all decisions together


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossplay:
    """The results of a crossplay, by pairs of indices of champions; the earlier champion is first."""

    names: tuple[str, ...]
    scores: dict[tuple[int, int], Score]  # of the first champion
    tree_distances: dict[tuple[int, int], int]  # edits of all programs
    behaviour_distances: dict[tuple[int, int], float]  # the share of states with different choices

    @classmethod
    async def played(
        cls, rules: Rules, champions: Sequence[PlayerSpec], games: int, seed: int, pool: WorkerPool
    ) -> Self:
        """Play `games` games of each pair of champions and return the results.

        Raises ValueError if there is no decision for which all champions have a program.
        """
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
        """Return the share of games that the first of two champions wins; a tie counts half."""
        if one < other:
            return self.scores[one, other].win_rate
        return score(self.scores[other, one].tally[::-1])


def duel(rules: Rules, one: PlayerSpec, other: PlayerSpec, games: int, seed: int) -> MatchSpec:
    """Return a match of `games` games, rounded down to an even number but at least two: two with each bag."""
    return MatchSpec(rules=rules, players=(one, other), bags=max(games // 2, 1), seed=seed)


def play_duel(match: MatchSpec) -> Score:
    """Play the match and return the first player's score. Runs in a worker process."""
    return scores(play_match(match))[0]


def edit_distance(one: PlayerSpec, other: PlayerSpec) -> int:
    """Return the number of nodes to edit to turn all programs of one player into those of the other.

    A program that only one of the players has counts with all its nodes.
    """
    assert isinstance(one.genome, Genome) and isinstance(other.genome, Genome)
    first, second = dict(one.genome.programs()), dict(other.genome.programs())
    shared = first.keys() & second.keys()
    alone = sum(len((first | second)[name]) for name in first.keys() ^ second.keys())
    return alone + sum(distance(first[name], second[name]) for name in shared)


def different_choices(rules: Rules, one: PlayerSpec, other: PlayerSpec) -> float:
    """Return the share of fixed states in which two players choose differently.

    The states are those of decisions for which both have programs. Raises ValueError if there is no such decision.
    """
    return behaviour_distance(*_choices(rules, [one, other]))


def _choices(rules: Rules, players: Sequence[PlayerSpec]) -> list[list[int]]:
    """Return the choices of each player in the same STATES states, divided among the decisions.

    The decisions are those for which all genomes have a program. Raises ValueError if there is none.
    """
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
