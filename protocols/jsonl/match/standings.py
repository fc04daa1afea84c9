"""The table of a match: what every player made of the games so far, with intervals and ratings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean

from engines.statistics import bradley_terry, score
from protocols.jsonl.match.game import Outcome
from protocols.jsonl.messages.news import Row


class Standings:
    """Counts games in the order in which it hears of them. Players are indices."""

    def __init__(self, names: Sequence[str], *, has_pairs: bool) -> None:
        """`has_pairs` for mirrored games of two."""
        self._names = names
        self._has_pairs = has_pairs
        players = range(len(names))
        self._ranks: list[list[int]] = [[] for _ in players]
        self._results: list[list[float]] = [[] for _ in players]
        self._seconds = [0.0 for _ in players]
        self._forced = [0 for _ in players]
        self._firsts = [[0, 0, 0] for _ in players]  # losses, shared, wins
        self._against = [[[0, 0, 0] for _ in players] for _ in players]
        self._halves: dict[
            tuple[int, int], int
        ] = {}  # half points from the first of two games, by player, seed
        self._pairs: list[Counter[int]] = [Counter() for _ in players]

    def add(self, outcome: Outcome) -> None:
        """One more game."""
        ranks, players = outcome.ranks, outcome.contest.players
        for seat, player in enumerate(players):
            self._ranks[player].append(ranks[seat])
            self._results[player].append(outcome.results[seat])
            self._seconds[player] += outcome.seconds[seat]
            self._forced[player] += outcome.forced[seat]
            points = 0 if ranks[seat] > 1 else 1 if ranks.count(1) > 1 else 2
            self._firsts[player][points] += 1
            if self._has_pairs:
                self._pair(player, outcome.contest.seed, points)
            for other_seat, other in enumerate(players):
                if other_seat != seat:
                    self._against[player][other][1 + _sign(ranks[other_seat] - ranks[seat])] += 1

    def interval(self) -> float:
        """Half the width of the first player's interval; 1 before any game."""
        if not sum(self._firsts[0]):
            return 1.0
        estimate = score(self._firsts[0])
        return (estimate.high - estimate.low) / 2

    def rows(self) -> list[Row]:
        """The players in the order in which they were named."""
        return list(self._rows())

    def _pair(self, player: int, seed: int, points: int) -> None:
        other = self._halves.pop((player, seed), None)
        if other is None:
            self._halves[player, seed] = points
        else:
            self._pairs[player][other + points] += 1

    def _rows(self) -> Iterator[Row]:
        players = range(len(self._names))
        met = [
            (first, second, self._against[first][second])
            for first, second in combinations(players, 2)
            if sum(self._against[first][second])
        ]
        ratings = bradley_terry(len(self._names), met) if met else None
        for index, name in enumerate(self._names):
            losses, shared, wins = self._firsts[index]
            games = losses + shared + wins
            share = score(self._firsts[index]) if games else None
            yield Row(
                player=name,
                games=games,
                wins=wins,
                shared=shared,
                losses=losses,
                share=share.value if share else 0.0,
                low=share.low if share else 0.0,
                high=share.high if share else 1.0,
                mean_rank=fmean(self._ranks[index]) if games else 0.0,
                mean_result=fmean(self._results[index]) if games else 0.0,
                rating=ratings[index].value if ratings else 0.0,
                rating_error=(ratings[index].high - ratings[index].low) / 2 if ratings else 0.0,
                forced=self._forced[index],
                seconds=round(self._seconds[index], 3),
                against=self._against[index],
                pairs=[self._pairs[index][points] for points in range(5)] if self._has_pairs else None,
            )


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
