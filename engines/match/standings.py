"""The standings of a match: the results of all players against each other, with intervals and ratings.

Games of two that are played twice with the seats exchanged are counted as pairs in all intervals. An opening or a
deal that favours a side favours each player once, so pairs vary less than games. If an interrupt has split a pair,
single games are counted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engines.match.schedule import MatchGame
from engines.statistics import Estimate, bradley_terry, score

DEVIATIONS: Final = 2.0  # standard deviations to either side of a rating by Plackett and Luce


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOutcome:
    """The outcome of a game; lists have an entry for each player, in the order of the seats in `game`."""

    game: MatchGame
    ranks: Sequence[int]  # 1 is first; equal players share a rank
    results: Sequence[float]
    seconds: Sequence[float]  # time spent on decisions
    forced: Sequence[int]  # number of decisions that failed or were too late
    ending: str = ""  # the kind of ending, if games end in several ways
    remark: str = ""  # a description of the failure, for people
    game_id: str = ""
    record: Sequence[bytes] = ()  # lines of the record, if it is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """The results of one player; in games of more than two, a win is a first place, a draw a shared first place."""

    losses: int
    draws: int
    wins: int
    share: Estimate | None  # share of first places, a draw counting half; None before any game
    mean_rank: float
    mean_result: float
    forced: int
    seconds: float

    @property
    def games(self) -> int:
        return self.losses + self.draws + self.wins


def ranks_of(results: Sequence[float]) -> list[int]:
    """Return the rank of each result: 1 for the greatest; equal results share a rank.

    >>> ranks_of([5, 9, 5])
    [2, 1, 2]
    """
    return [1 + sum(other > own for other in results) for own in results]


class Standings:
    """The table of a match. Players are indices.

    >>> game = MatchGame(number=0, seed=1, players=(1, 0), group=0)
    >>> standings = Standings(["Ann", "Bob"])
    >>> standings.add(GameOutcome(game=game, ranks=[1, 2], results=[1, -1], seconds=[0, 0], forced=[0, 0]))
    >>> standings.player(1).wins, standings.against(0, 1)
    (1, (1, 0, 0))
    """

    def __init__(self, names: Sequence[str], *, has_pairs: bool = False, keeps_tables: bool = False) -> None:
        """Start an empty table.

        Set `has_pairs` for games of two in which each seed is played twice with the seats exchanged. Set
        `keeps_tables` to keep the ranks of every game of more than two, which table_ratings() needs.
        """
        self.names = names
        self.has_pairs = has_pairs
        self.endings: Counter[str] = Counter()
        players = range(len(names))
        self._ranks = [0 for _ in players]  # sums
        self._results = [0.0 for _ in players]  # sums
        self._seconds = [0.0 for _ in players]
        self._forced = [0 for _ in players]
        self._firsts = [[0, 0, 0] for _ in players]  # losses, shared, wins
        self._results_against = [[[0, 0, 0] for _ in players] for _ in players]
        self._halves: dict[
            tuple[int, int, int], int
        ] = {}  # half points of the first game of a pair, by player, other player, seed
        self._pairs: dict[tuple[int, int], Counter[int]] = {}  # by two players: pairs by half points
        self._keeps_tables = keeps_tables
        self._tables: list[
            Sequence[tuple[int, int]]
        ] = []  # for each game of more than two: players with their ranks

    def add(self, outcome: GameOutcome) -> None:
        """Count one more game."""
        ranks, players = outcome.ranks, outcome.game.players
        self.endings[outcome.ending] += 1
        if self._keeps_tables and len(players) > 2:
            self._tables.append(sorted(zip(players, ranks, strict=True)))
        for seat, player in enumerate(players):
            self._ranks[player] += ranks[seat]
            self._results[player] += outcome.results[seat]
            self._seconds[player] += outcome.seconds[seat]
            self._forced[player] += outcome.forced[seat]
            points = 0 if ranks[seat] > 1 else 1 if ranks.count(1) > 1 else 2
            self._firsts[player][points] += 1
            for other_seat, other in enumerate(players):
                if other_seat != seat:
                    difference = ranks[other_seat] - ranks[seat]
                    self._results_against[player][other][1 + (difference > 0) - (difference < 0)] += 1
                    if self.has_pairs:
                        self._pair(player, other, outcome.game.seed, points)

    def player(self, index: int) -> PlayerRow:
        """Return the results of a player against all opponents together."""
        losses, draws, wins = self._firsts[index]
        games = losses + draws + wins
        return PlayerRow(
            losses=losses,
            draws=draws,
            wins=wins,
            share=score(self._counts(index)) if games else None,
            mean_rank=self._ranks[index] / max(games, 1),
            mean_result=self._results[index] / max(games, 1),
            forced=self._forced[index],
            seconds=self._seconds[index],
        )

    def against(self, first: int, second: int) -> tuple[int, int, int]:
        """Return the losses, draws and wins of the first player against the second."""
        losses, draws, wins = self._results_against[first][second]
        return losses, draws, wins

    def met(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of players that have played each other."""
        for first, second in combinations(range(len(self.names)), 2):
            if sum(self._results_against[first][second]):
                yield first, second

    def pairs(self, first: int, second: int | None = None) -> list[int]:
        """Return the numbers of pairs with 0, 1/2, 1, 1 1/2 and 2 points of a player, against one opponent or all."""
        others = range(len(self.names)) if second is None else (second,)
        found = [self._pairs.get((first, other), Counter[int]()) for other in others]
        return [sum(counts[points] for counts in found) for points in range(5)]

    def counts(self, first: int, second: int) -> Sequence[int]:
        """Return the first player's results against the second for intervals, by pairs if all are complete."""
        return _pair_counts_if_complete(self.pairs(first, second), self._results_against[first][second])

    def test_counts(self, first: int, second: int) -> Sequence[int]:
        """Return the first player's results against the second for a sequential test, by pairs if has_pairs."""
        return self.pairs(first, second) if self.has_pairs else self._results_against[first][second]

    def ratings(self) -> list[Estimate]:
        """Return Elo ratings by Bradley and Terry around the mean of all players, from all results of two players."""
        met = [(first, second, self._results_against[first][second]) for first, second in self.met()]
        return bradley_terry(len(self.names), met)

    def table_ratings(self) -> list[Estimate]:
        """Return ratings from the complete rankings of games of more than two, updated game by game from 25.

        The method is that of R. Weng, C. Lin, JMLR 12 (2011), as implemented by the package openskill. The strength
        of a player does not change in a match, so nothing is added to the deviations between games (tau).
        """
        from openskill.models import PlackettLuce  # slow to load

        model = PlackettLuce(tau=0.0)
        ratings = [model.rating() for _ in self.names]
        for table in self._tables:
            teams = [[ratings[player]] for player, _ in table]
            rated = model.rate(teams, ranks=[float(rank) for _, rank in table])
            for (player, _), (rating,) in zip(table, rated, strict=True):
                ratings[player] = rating
        return [
            Estimate(
                value=rating.mu,
                low=rating.mu - DEVIATIONS * rating.sigma,
                high=rating.mu + DEVIATIONS * rating.sigma,
            )
            for rating in ratings
        ]

    def interval(self) -> float:
        """Return half the width of the interval of the first player's share; 1 before any game."""
        share = self.player(0).share
        return (share.high - share.low) / 2 if share else 1.0

    def _counts(self, player: int) -> Sequence[int]:
        return _pair_counts_if_complete(self.pairs(player), self._firsts[player])

    def _pair(self, player: int, other: int, seed: int, points: int) -> None:
        half = self._halves.pop((player, other, seed), None)
        if half is None:
            self._halves[player, other, seed] = points
        else:
            self._pairs.setdefault((player, other), Counter())[half + points] += 1


def _pair_counts_if_complete(pairs: Sequence[int], singles: Sequence[int]) -> Sequence[int]:
    return pairs if 2 * sum(pairs) == sum(singles) else singles
