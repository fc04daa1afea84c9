"""Matches: many games with every player in every seat, and what came of them as scores, pairs and ratings.

A group of games has one bag, in which each player sits in each seat once: what the tiles give to one, they give to all.
A game is a function of the seed, its bag's number and its players. Games come in one order, bag after bag, whoever
computed them: ratings too are the same for any number of workers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Final, Self

from core.acquire.playout import GameRunner
from core.acquire.rules import GameSpec, Rules
from engines.acquire.record import recorded
from engines.acquire.registry import PlayerSpec
from engines.evolution.population import derive_seed
from engines.statistics import Estimate, bradley_terry, score

SMALL_SEED: Final = 2**31
DEVIATIONS: Final = 2.0  # of a rating, to either side

Worths = Sequence[int]  # at the end of a game, in dollars, in the order of the players
Tally = tuple[int, int, int]  # losses, ties, wins


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """Games of the same players: `bags`, each played once for every rotation of the players."""

    rules: Rules
    players: tuple[PlayerSpec, ...]
    bags: int
    seed: int  # below 2**63
    first: int = 0  # the number of the first bag
    records: Path | None = None  # a folder for them

    def __post_init__(self) -> None:
        if self.bags < 1:
            raise ValueError(f"a match has one bag or more, not {self.bags}")

    @property
    def games(self) -> int:
        return self.bags * len(self.players)

    def seed_of(self, bag: int) -> int:
        """Of the games with a bag. Small seeds are shifted, as the published strengths were measured."""
        return (self.seed << 32) + bag if self.seed < SMALL_SEED else derive_seed(self.seed, bag)

    def batches(self, bags: int) -> list["MatchSpec"]:
        """The same games in parts of so many bags."""
        end = self.first + self.bags
        return [
            replace(self, first=start, bags=min(bags, end - start)) for start in range(self.first, end, bags)
        ]


def play_match(match: MatchSpec) -> list[Worths]:
    """What every player has at the end of every game, bag by bag. OSError for records."""
    spec = GameSpec(match.rules, len(match.players))
    runner = GameRunner(spec)
    players = [player.create() for player in match.players]
    names = [player.name for player in match.players]
    games: list[Worths] = []
    for bag in range(match.first, match.first + match.bags):
        seed = match.seed_of(bag)
        for rotation in range(len(players)):
            games.append(runner.play(players, rotation, seed))
            if match.records:
                lines = recorded(spec, players, rotation, seed, names)
                path = match.records / f"{_title(names)}-{bag + 1:06}-{rotation + 1}.jsonl"
                path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return games


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one player made of its games. A game won together with others is a tie, and counts half."""

    losses: int = 0
    ties: int = 0
    wins: int = 0
    ranks: int = 0  # 1 is first; all games together
    dollars: int = 0  # final worths, all games together
    share: float = 0.0  # of the table's money, summed over the games

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
        )

    def __add__(self, other: "Score") -> "Score":
        return Score(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})

    @property
    def tally(self) -> Tally:
        return self.losses, self.ties, self.wins

    @property
    def games(self) -> int:
        return sum(self.tally)

    @property
    def win_rate(self) -> Estimate:
        """With Wilson's 95 % interval. ValueError before any game."""
        return score(self.tally)

    @property
    def mean_share(self) -> float:
        """Of the table's money in a game."""
        return self.share / self.games


def scores(games: Iterable[Worths]) -> list[Score]:
    """The players' scores, in their order."""
    by_game = ([Score.of(worths, player) for player in range(len(worths))] for worths in games)
    return reduce(lambda one, other: [a + b for a, b in zip(one, other, strict=True)], by_game)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Games of one group, in their order; `players` are indices."""

    players: tuple[int, ...]
    games: Sequence[Worths]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """What came of games of several groups. Players are given by their index."""

    names: tuple[str, ...]
    seats: int
    scores: tuple[Score, ...]
    against: dict[tuple[int, int], Tally]  # of the first against the second: who had more
    ratings: tuple[Estimate, ...] | None  # None for two players, whose score says it all

    @classmethod
    def of(cls, names: Sequence[str], seats: int, played: Sequence[Played]) -> Self:
        scores = [Score()] * len(names)
        against: dict[tuple[int, int], Tally] = {}
        for batch in played:
            for worths in batch.games:
                for seat, player in enumerate(batch.players):
                    scores[player] += Score.of(worths, seat)
                for one, other in combinations(range(len(worths)), 2):
                    pair = batch.players[one], batch.players[other]
                    against[pair] = _counted(against.get(pair, (0, 0, 0)), worths[one] - worths[other])
        ratings: list[Estimate] | None = None
        if len(names) > 2:
            pairs = [(one, other, tally) for (one, other), tally in against.items()]
            ratings = bradley_terry(len(names), pairs) if seats == 2 else _plackett_luce(len(names), played)
        return cls(
            names=tuple(names),
            seats=seats,
            scores=tuple(scores),
            against=against,
            ratings=None if ratings is None else tuple(ratings),
        )

    @property
    def games(self) -> int:
        return sum(score.games for score in self.scores) // self.seats


def _counted(tally: Tally, difference: int) -> Tally:
    losses, ties, wins = tally
    return losses + (difference < 0), ties + (difference == 0), wins + (difference > 0)


def _plackett_luce(players: int, played: Sequence[Played]) -> list[Estimate]:
    """Ratings from whole rankings, game after game; all begin with 25.

    R. Weng, C. Lin, JMLR 12 (2011), as the openskill package has it. Nobody's strength changes here, so nothing is
    added to the deviations between games (tau).
    """
    from openskill.models import PlackettLuce  # takes its time to load

    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(players)]
    for batch in played:
        for worths in batch.games:
            teams = [[ratings[player]] for player in batch.players]
            rated = model.rate(teams, scores=list(map(float, worths)))
            for player, (rating,) in zip(batch.players, rated, strict=True):
                ratings[player] = rating
    return [
        Estimate(
            value=rating.mu,
            low=rating.mu - DEVIATIONS * rating.sigma,
            high=rating.mu + DEVIATIONS * rating.sigma,
        )
        for rating in ratings
    ]


def _title(names: Sequence[str]) -> str:
    """Names, which may be those of files, as part of a file's name."""
    stems = [Path(name.split(",")[0]).stem for name in names]
    return "-".join("".join(letter if letter.isalnum() else "_" for letter in stem) for stem in stems)
