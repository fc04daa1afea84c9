"""A match: many games between players of the house, and the table that follows from them.

Game k has the seed that the protocol gives it, whoever plays it and when; results are counted in the order
of the games, so the table does not depend on who computes them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any, Final, Literal

from msgspec import Struct

from engines.rating import bradley_terry, score
from protocols.jsonl.binding.binding import Binding, Move, Plan
from protocols.jsonl.table.seeds import Seed, game_seed

TOLD_SEEDS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """One game of a match; `players` by seat, as indices."""

    seed: int
    players: tuple[int, ...]


class Row(Struct, kw_only=True):
    """A player in the table; the interval is Wilson's, 95 %, of its share of the points."""

    player: str
    games: int
    wins: int
    shared: int
    losses: int
    share: float
    low: float
    high: float
    mean_rank: float
    mean_result: float
    rating: float
    rating_error: float
    against: list[list[int]]  # [losses, shared, wins] against each player


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is to be played."""

    players: tuple[str, ...]
    games: int  # of each group of players
    seats: int = 2
    pairing: Literal["round_robin", "all_pairs", "gauntlet"] = "round_robin"
    mirror: bool = False
    seed: int = 0

    def contest(self, number: int) -> Contest:
        """Game `number`, from 0. With `mirror` a seed is played once for each rotation of the seats."""
        groups = self._groups()
        lap, which = divmod(number, len(groups))
        bag, turn = divmod(lap, self.seats) if self.mirror else (lap, lap % self.seats)
        players = groups[which][turn:] + groups[which][:turn]
        return Contest(seed=game_seed(self.seed, bag * len(groups) + which), players=players)

    def total(self) -> int:
        """The number of games in all."""
        return self.games * len(self._groups())

    def _groups(self) -> list[tuple[int, ...]]:
        """Who meets whom."""
        return [
            group
            for group in combinations(range(len(self.players)), self.seats)
            if self.pairing != "gauntlet" or group[0] == 0
        ]


class Match:
    """A match under way."""

    def __init__(
        self,
        match_id: str,
        owner: str,
        binding: Binding,
        variant: str,
        options: Mapping[str, Any],
        setup: Setup,
    ) -> None:
        self.id = match_id
        self.owner = owner  # the session
        self.game = binding.name
        self.setup = setup
        self.done = 0
        self.is_over = False
        self.told_at = float("-inf")  # seconds
        self._binding = binding
        self._variant = variant
        self._options = options
        self.of = setup.total()
        count = len(setup.players)
        self._ranks: list[list[int]] = [[] for _ in range(count)]
        self._results: list[list[float]] = [[] for _ in range(count)]
        self._firsts = [[0, 0, 0] for _ in range(count)]  # losses, shared, wins
        self._against = [[[0, 0, 0] for _ in range(count)] for _ in range(count)]

    def step(self) -> None:
        """Play the next game."""
        contest = self.setup.contest(self.done)
        names = [self.setup.players[index] for index in contest.players]
        ranks, results = played(self._binding, self._variant, self._options, names, contest.seed)
        self.done += 1
        self.is_over = self.done >= self.of
        for seat, player in enumerate(contest.players):
            self._ranks[player].append(ranks[seat])
            self._results[player].append(results[seat])
            shares = ranks.count(1) > 1
            self._firsts[player][0 if ranks[seat] > 1 else 1 if shares else 2] += 1
            for other_seat, other in enumerate(contest.players):
                if other_seat != seat:
                    ahead = (ranks[other_seat] > ranks[seat]) - (ranks[other_seat] < ranks[seat])
                    self._against[player][other][1 + ahead] += 1

    def seeds(self) -> list[int]:
        """Of the first games, as many as a line can tell."""
        return [self.setup.contest(number).seed for number in range(min(self.done, TOLD_SEEDS))]

    def interval(self) -> float:
        """Half the width of the first player's interval; 1 before any game."""
        if not sum(self._firsts[0]):
            return 1.0
        estimate = score(self._firsts[0])
        return (estimate.high - estimate.low) / 2

    def table(self) -> list[Row]:
        """The players as they stand, in the order in which they were named."""
        return list(self._rows())

    def _rows(self) -> Iterator[Row]:
        count = len(self.setup.players)
        pairs = [
            (first, second, self._against[first][second])
            for first, second in combinations(range(count), 2)
            if sum(self._against[first][second])
        ]
        ratings = bradley_terry(count, pairs) if pairs else None
        for index, name in enumerate(self.setup.players):
            losses, shared, wins = self._firsts[index]
            games = losses + shared + wins
            share = score(self._firsts[index]) if games else None
            yield Row(
                player=name, games=games, wins=wins, shared=shared, losses=losses,
                share=share.value if share else 0.0,
                low=share.low if share else 0.0,
                high=share.high if share else 1.0,
                mean_rank=fmean(self._ranks[index]) if games else 0.0,
                mean_result=fmean(self._results[index]) if games else 0.0,
                rating=ratings[index].value if ratings else 0.0,
                rating_error=(ratings[index].high - ratings[index].low) / 2 if ratings else 0.0,
                against=self._against[index],
            )  # fmt: skip


def played(
    binding: Binding, variant: str, options: Mapping[str, Any], names: list[str], seed: int
) -> tuple[list[int], list[float]]:
    """(rank, result) of each name, which sit in this order, after a game of its own."""
    chance = Seed(seed)
    play = binding.open(Plan(variant=variant, seats=len(names), options=options, stream=chance.stream))
    seating = play.seating()
    agents = [binding.agent(names[entry], play, chance.stream, seat) for seat, entry in enumerate(seating)]
    play.begin()
    while (result := play.result()) is None:
        moves: dict[int, Move] = {seat: agents[seat].choose(play, seat) for seat in play.due()}
        play.play(moves)
    ranks, results = _standing(result)
    back = [list(seating).index(entry) for entry in range(len(names))]
    return [ranks[seat] for seat in back], [results[seat] for seat in back]


def _standing(result: Any) -> tuple[list[int], list[float]]:
    """(rank, result) of each seat."""
    points = [float(each) for each in getattr(result, "worth", None) or result.score]
    ranks = getattr(result, "rank", None) or [1 + sum(other > own for other in points) for own in points]
    return list(ranks), points
