"""How strong players are: many games with every player in every seat, and what came of them.

A group of games has one bag, in which each player sits in each seat once. Batches of games go to workers;
the outcome is the same for any number of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from typing import Final

from core.acquire.players.play import Tables
from core.acquire.players.player import Player
from core.acquire.rules import Rules
from core.acquire.setting import Setting
from engines.acquire.panel import member
from engines.executor import Crew
from engines.rating import Estimate, score

BATCH_GROUPS: Final = 200  # bags in a task for a worker


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one player made of its games. A game won together with others is a tie, and counts half."""

    losses: int = 0
    ties: int = 0
    wins: int = 0
    dollars: int = 0  # final worths, all games together
    share: float = 0.0  # of the table's money, summed over the games
    share_squares: float = 0.0

    def __add__(self, other: "Score") -> "Score":
        return Score(
            losses=self.losses + other.losses,
            ties=self.ties + other.ties,
            wins=self.wins + other.wins,
            dollars=self.dollars + other.dollars,
            share=self.share + other.share,
            share_squares=self.share_squares + other.share_squares,
        )

    @property
    def games(self) -> int:
        return self.losses + self.ties + self.wins

    @property
    def win_rate(self) -> Estimate:
        """With Wilson's 95 % interval. ValueError before any game."""
        return score((self.losses, self.ties, self.wins))

    @property
    def mean_share(self) -> float:
        """Of the table's money in a game."""
        return self.share / self.games

    @property
    def share_deviation(self) -> float:
        """The standard deviation of the share in one game."""
        return sqrt(max(self.share_squares / self.games - self.mean_share**2, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Games of the same players: `groups` bags, each played once for every way of taking turns to sit."""

    rules: Rules
    players: tuple[str, ...]  # by their names
    groups: int
    seed: int
    first: int = 0  # the number of the first group

    def __post_init__(self) -> None:
        if self.groups < 1:
            raise ValueError(f"a contest has one bag or more, not {self.groups}")

    def batches(self) -> list["Contest"]:
        """The same games in parts that a worker can do in a second or so."""
        return [
            Contest(
                rules=self.rules,
                players=self.players,
                seed=self.seed,
                first=start,
                groups=min(BATCH_GROUPS, self.first + self.groups - start),
            )
            for start in range(self.first, self.first + self.groups, BATCH_GROUPS)
        ]


async def measured(contest: Contest, crew: Crew) -> list[Score]:
    """The players' scores, in their order."""
    parts = await crew.map(play, contest.batches())
    return reduce(lambda one, other: [a + b for a, b in zip(one, other, strict=True)], parts)


def play(contest: Contest, make: Callable[[str], Player] = member) -> list[Score]:
    """The same in this process; `make` says what a name stands for."""
    seats = len(contest.players)
    tables = Tables(Setting(contest.rules, seats))
    players = [make(name) for name in contest.players]
    scores = [Score()] * seats
    for group in range(contest.first, contest.first + contest.groups):
        for rotation in range(seats):
            worths = tables.play(players, rotation, (contest.seed << 32) + group)
            scores = [score + _of_game(worths, player) for player, score in enumerate(scores)]
    return scores


def _of_game(worths: Sequence[int], player: int) -> Score:
    own, best = worths[player], max(worths)
    share = own / sum(worths) if any(worths) else 1 / len(worths)
    winners = worths.count(best) if own == best else 0
    return Score(
        losses=int(winners == 0),
        ties=int(winners > 1),
        wins=int(winners == 1),
        dollars=own,
        share=share,
        share_squares=share**2,
    )
