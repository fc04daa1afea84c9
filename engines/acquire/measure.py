"""How strong players are: many games with every player in every seat, and what came of them.

A group of games has one bag, in which each player sits in each seat once: what the tiles give to one, they
give to all. A game is a function of the seed, its bag's number and its players.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import sqrt
from pathlib import Path
from typing import Self

from core.acquire.playout import GameRunner
from core.acquire.rules import GameSpec, Rules
from engines.acquire.entrant import Entrant
from engines.acquire.record import recorded
from engines.statistics import Estimate, score

Worths = Sequence[int]  # at the end of a game, in dollars, in the order of the players


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one player made of its games. A game won together with others is a tie, and counts half."""

    losses: int = 0
    ties: int = 0
    wins: int = 0
    ranks: int = 0  # 1 is first; all games together
    dollars: int = 0  # final worths, all games together
    share: float = 0.0  # of the table's money, summed over the games
    share_squares: float = 0.0

    @classmethod
    def of(cls, worths: Worths, player: int) -> Self:
        """Of one game."""
        own, best = worths[player], max(worths)
        share = own / sum(worths) if any(worths) else 1 / len(worths)
        winners = worths.count(best) if own == best else 0
        return cls(
            losses=int(winners == 0),
            ties=int(winners > 1),
            wins=int(winners == 1),
            ranks=1 + sum(other > own for other in worths),
            dollars=own,
            share=share,
            share_squares=share**2,
        )

    def __add__(self, other: "Score") -> "Score":
        return Score(
            losses=self.losses + other.losses,
            ties=self.ties + other.ties,
            wins=self.wins + other.wins,
            ranks=self.ranks + other.ranks,
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
    """Games of the same players: `bags`, each played once for every way of taking turns to sit."""

    rules: Rules
    players: tuple[Entrant, ...]
    bags: int
    seed: int
    first: int = 0  # the number of the first bag
    records: Path | None = None  # a folder for them

    def __post_init__(self) -> None:
        if self.bags < 1:
            raise ValueError(f"a contest has one bag or more, not {self.bags}")

    @property
    def games(self) -> int:
        return self.bags * len(self.players)

    def batches(self, bags: int) -> list["Contest"]:
        """The same games in parts of so many bags."""
        end = self.first + self.bags
        return [
            replace(self, first=start, bags=min(bags, end - start)) for start in range(self.first, end, bags)
        ]


def play(contest: Contest) -> list[Worths]:
    """What every player has at the end of every game, bag by bag. OSError for records."""
    setting = GameSpec(contest.rules, len(contest.players))
    tables = GameRunner(setting)
    players = [entrant.player() for entrant in contest.players]
    names = [entrant.name for entrant in contest.players]
    games: list[Worths] = []
    for bag in range(contest.first, contest.first + contest.bags):
        seed = (contest.seed << 32) + bag
        for rotation in range(len(players)):
            games.append(tables.play(players, rotation, seed))
            if contest.records:
                lines = recorded(setting, players, rotation, seed, names)
                path = contest.records / f"{_title(names)}-{bag + 1:06}-{rotation + 1}.jsonl"
                path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return games


def scores(games: Iterable[Worths]) -> list[Score]:
    """The players' scores, in their order."""
    by_game = ([Score.of(worths, player) for player in range(len(worths))] for worths in games)
    return reduce(lambda one, other: [a + b for a, b in zip(one, other, strict=True)], by_game)


def _title(names: Sequence[str]) -> str:
    """Names, which may be those of files, as part of a file's name."""
    stems = [Path(name.split(",")[0]).stem for name in names]
    return "-".join("".join(letter if letter.isalnum() else "_" for letter in stem) for stem in stems)
