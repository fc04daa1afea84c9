"""Games of Acquire inside the core, each bag played once for every rotation of the players, and the players' scores.

Each player sits in each seat once with each bag, so the luck of its tiles is the same for all players. A game is a
function of the seed, the number of its bag and its players, so its result does not depend on the process that plays
it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, Self

from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.rules import GameSpec, Rules
from engines.acquire.registry import PlayerSpec
from engines.evolution.population import derive_seed
from engines.match.match import Batch
from engines.match.pairing import Group
from engines.match.schedule import Deal, MatchGame
from engines.match.standings import GameOutcome, ranks_of
from engines.statistics import Estimate, score

SMALL_SEED: Final = 2**31

Worths = Sequence[int]  # final worths of the players, in their order, in dollars
Tally = tuple[int, int, int]  # losses, ties, wins


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """A match of the same players: `bags` bags, each played once for every rotation of the players."""

    rules: Rules
    players: tuple[PlayerSpec, ...]
    bags: int
    seed: int  # below 2**63

    def __post_init__(self) -> None:
        if self.bags < 1:
            raise ValueError(f"a match has one bag or more, not {self.bags}")


def bag_seed(seed: int, bag: int) -> int:
    """Return the seed of the games with a bag.

    Seeds below SMALL_SEED are shifted, as when the published strengths were measured.
    """
    return (seed << 32) + bag if seed < SMALL_SEED else derive_seed(seed, bag)


def play_match(match: MatchSpec) -> list[Worths]:
    """Return the final worths of every player in every game, bag by bag."""
    runner = GameRunner(GameSpec(match.rules, len(match.players)))
    players = [player.create() for player in match.players]
    return [
        runner.play(players, rotation, bag_seed(match.seed, bag))
        for bag in range(match.bags)
        for rotation in range(len(players))
    ]


# -- Matches ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """The configuration that all games of a match at tables share."""

    rules: Rules
    players: tuple[PlayerSpec, ...]
    seats: int


def deal_seed(seed: int, deal: Deal) -> int:
    """Return the seed of a bag, which is the same for all groups of a round (a Seeds of engines.match.schedule)."""
    return bag_seed(seed, deal.round * deal.of + deal.number)


def play_tables(batch: Batch) -> list[GameOutcome]:
    """Play the games of a batch, whose config is a TableConfig."""
    config: TableConfig = batch.config
    runner = GameRunner(GameSpec(config.rules, config.seats))
    created: dict[Group, list[Player]] = {}
    return [_play_table(config, game, runner, created) for game in batch.games]


def _play_table(
    config: TableConfig, game: MatchGame, runner: GameRunner, created: dict[Group, list[Player]]
) -> GameOutcome:
    group = game.players[-game.turn :] + game.players[: -game.turn]  # the group before its rotation
    if group not in created:
        created[group] = [config.players[player].create() for player in group]
    worths = runner.play(created[group], game.turn, game.seed)
    results = worths[game.turn :] + worths[: game.turn]
    return GameOutcome(
        game=game,
        ranks=ranks_of(results),
        results=results,
        seconds=[0.0] * len(group),
        forced=[0] * len(group),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The sum of the results of one player. A game won together with other players is a tie, and counts half."""

    losses: int = 0
    ties: int = 0
    wins: int = 0
    ranks: int = 0  # 1 is first; all games together
    dollars: int = 0  # final worths, all games together
    share: float = 0.0  # of the table's money, summed over the games

    @classmethod
    def of(cls, worths: Worths, player: int) -> Self:
        """Return the result of a player in one game."""
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
        """The share of games won, with Wilson's 95 % interval. Raises ValueError before any game."""
        return score(self.tally)

    @property
    def mean_share(self) -> float:
        """The mean share of a table's money at the end of a game."""
        return self.share / self.games


def scores(games: Iterable[Worths]) -> list[Score]:
    """Return the summed scores of the players, in their order. Raises TypeError if there are no games."""
    by_game = ([Score.of(worths, player) for player in range(len(worths))] for worths in games)
    return reduce(lambda one, other: [a + b for a, b in zip(one, other, strict=True)], by_game)
