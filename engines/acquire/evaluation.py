"""Fitness tasks for worker processes, shared by the evolutions of Acquire: games of two, tables, tests, behaviour.

A task is a frozen value that can be pickled; its play() is a pure function of it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Self, TypeVar

from core.acquire.players import Player
from core.acquire.playout import GameRunner
from core.acquire.rules import GameSpec, Rules
from core.random import Random
from engines.acquire.behaviour import choices
from engines.acquire.genome import Genome, PlayerOptions
from engines.acquire.gp_config import GpConfig
from engines.acquire.league_config import LeagueConfig
from engines.acquire.match import Tally, Worths
from engines.acquire.nes_config import NesConfig
from engines.acquire.registry import AnyGenome, create_player
from engines.evolution.population import Individual, derive_seed
from engines.evolution.selection import choice
from engines.statistics import score

T = TypeVar("T")

BATCH: Final = 250  # games of a task: a tenth of a second or more
PANEL: Final = ("random", "heuristic")  # the opponents that test a champion, for any number of players
PANEL_OF_TWO: Final = (*PANEL, "best-of-run", "pair-1", "pair-2", "pair-3", "pair-4")

TablesConfig = LeagueConfig | NesConfig
Pairing = tuple[int, int, int]  # indices of the player that joins first and of the other; seed
Other = AnyGenome | str  # an opponent at a table: a genome, or a name in the registry
Choices = tuple[int, ...]  # actions in fixed states, which are the same for all players


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """The conditions under which genomes play: rules, player options and the number of players."""

    rules: Rules
    options: PlayerOptions
    players: int = 2
    same_tree: bool = False  # a program for one of place and buy also decides the other

    @classmethod
    def of(cls, config: GpConfig | LeagueConfig | NesConfig) -> Self:
        if not isinstance(config, GpConfig):
            return cls(rules=config.game_rules, options=config.options, players=config.players)
        same_tree = config.other_decision == "same tree"
        return cls(rules=config.game_rules, options=config.options, same_tree=same_tree)

    def express(self, genome: AnyGenome) -> Player:
        if self.same_tree and isinstance(genome, Genome):
            genome = Genome(place=genome.place or genome.buy, buy=genome.buy or genome.place)
        return genome.express(self.options)

    def play(self, players: list[Player], rotation: int, seed: int) -> Worths:
        """Play one game and return the final worths, in the order of `players`.

        The players join in their order, starting with the player at index `rotation`.
        """
        return _tables(self.rules, len(players)).play(players, rotation, seed)


@cache
def _tables(rules: Rules, seats: int) -> GameRunner:
    return GameRunner(GameSpec(rules, seats))


def tally(games: Iterable[Worths]) -> Tally:
    """Count the losses, ties and wins of the first player.

    A game is a win if the first player ends with more money than every other player, a tie if it shares the most.
    """
    differences = [worths[0] - max(worths[1:]) for worths in games]
    signs = Counter((difference > 0) - (difference < 0) for difference in differences)
    return signs[-1], signs[0], signs[1]


# -- Games of two -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A task: games of two between some genomes."""

    arena: Arena
    genomes: tuple[Genome, ...]
    games: tuple[Pairing, ...]

    def play(self) -> list[Worths]:
        """Play the games and return their final worths, in the order of the games."""
        players = [self.arena.express(genome) for genome in self.genomes]
        return [self.arena.play([players[one], players[other]], 0, seed) for one, other, seed in self.games]


def batches(arena: Arena, genomes: Sequence[Genome], games: Sequence[Pairing]) -> Iterator[Batch]:
    """Yield tasks for all games, in their order; each batch holds only the genomes that play in it."""
    for some in parts(games, BATCH):
        places = sorted({place for one, other, _ in some for place in (one, other)})
        at = {place: index for index, place in enumerate(places)}
        yield Batch(
            arena=arena,
            genomes=tuple(genomes[place] for place in places),
            games=tuple((at[one], at[other], seed) for one, other, seed in some),
        )


def parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield the items in their order, in parts of `size`; the last part may be smaller."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


# -- Tables: all measured genomes play the same tables with the same bags ---------------------------------
# Luck is then common to all genomes, so more of the difference between them is due to their play.


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that every measured genome plays: the other players, the rotation and the seed of the bag."""

    others: tuple[int, ...]  # indices into the task's `others`
    rotation: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTask:
    """A task: some genomes, each of which plays all the tables."""

    arena: Arena
    genomes: tuple[AnyGenome, ...]
    others: tuple[Other, ...]
    tables: tuple[Table, ...]
    win_weight: float

    def play(self) -> list[list[float]]:
        """Return the points of each genome at each table."""

        @cache  # expressing a genome takes as long as some games; a player sits in one seat only
        def seated(other: Other, seat: int) -> Player:
            return create_player(other) if isinstance(other, str) else self.arena.express(other)

        others = [
            [seated(self.others[place], seat) for seat, place in enumerate(table.others)]
            for table in self.tables
        ]
        return [
            [
                points(self.arena.play([player, *met], table.rotation, table.seed), self.win_weight)
                for table, met in zip(self.tables, others, strict=True)
            ]
            for player in map(self.arena.express, self.genomes)
        ]


def evaluation_tasks(
    config: TablesConfig,
    genomes: Sequence[AnyGenome],
    size: int,
    bags: int,
    draw_other: Callable[[Random], Other],
    rng: Random,
) -> Iterator[EvaluationTask]:
    """Yield tasks in which all genomes play the same tables, `size` genomes a task.

    There are `bags` bags; with each of them every genome plays from each seat against the same drawn opponents.
    """
    others: list[Other] = []
    tables = []
    for _ in range(bags):
        places = tuple(range(len(others), len(others) + config.players - 1))
        others += [draw_other(rng) for _ in places]
        seed = int(rng.below(2**61))
        tables += [Table(others=places, rotation=seat, seed=seed) for seat in range(config.players)]
    for some in parts(genomes, size):
        yield EvaluationTask(
            arena=Arena.of(config),
            genomes=tuple(some),
            others=tuple(others),
            tables=tuple(tables),
            win_weight=config.win_weight,
        )


def draw_outsider(
    config: TablesConfig, hall_of_fame: Sequence[Individual[Any]], drawn: float, rng: Random
) -> Other | None:
    """Draw a configured opponent or a hall of fame member if `drawn` is within their shares; else return None.

    `drawn` is a number from 0 to 1. The share of the opponents comes first, then that of the hall of fame.
    """
    if config.opponent and drawn < config.opponent_share:
        return config.opponent.draw(rng)
    if hall_of_fame and drawn < config.opponent_share + config.hall_of_fame_share:
        genome: AnyGenome = choice(hall_of_fame, rng).genome
        return genome
    return None


def points(worths: Worths, win_weight: float) -> float:
    """Return the points of the first player: its share of the money mixed with its win, by `win_weight`.

    The share is the player's part of the money that it and the best other player have together. A win counts 1, a tie
    half.
    """
    own, best = worths[0], max(worths[1:])
    share = own / (own + best) if own + best else 0.5
    win = 0.5 + 0.5 * ((own > best) - (own < best))
    return share + win_weight * (win - share)


# -- Tests of a champion in fresh games -----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelTest:
    """A task: one genome against each member of the panel, which has no part in the selection of genomes.

    All other players at a table are the same member.
    """

    arena: Arena
    genome: AnyGenome
    games: int
    seed: int

    def play(self) -> dict[str, Tally]:
        """Return the losses, ties and wins of the genome against each member, by its name."""
        names = PANEL_OF_TWO if self.arena.players == 2 else PANEL
        seats = range(self.arena.players - 1)
        return {name: tally(_games(self, [[create_player(name) for _ in seats]])) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class HallOfFameTest:
    """A task: one genome against former champions, all of which get the same number of tables, or one fewer."""

    arena: Arena
    genome: AnyGenome
    former: tuple[AnyGenome, ...]
    games: int
    seed: int

    def play(self) -> Tally:
        seats = range(self.arena.players - 1)
        return tally(_games(self, [[self.arena.express(each) for _ in seats] for each in self.former]))


def panel_tests(config: TablesConfig, genome: AnyGenome, generation: int, seed: int) -> list[PanelTest]:
    """Return the panel test of a generation, or no test if the generation has no examination."""
    if not generation or generation % config.examination_interval or not config.panel_games:
        return []
    return [PanelTest(arena=Arena.of(config), genome=genome, games=config.panel_games, seed=seed)]


def panel_lines(panel: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """Yield a line for display for each member of the panel: the results of the games against it."""
    for name, (losses, ties, wins) in panel.items():
        estimate = score((losses, ties, wins))
        yield f"  against {name:12} {wins:5} won {losses:5} lost {ties:4} tied, with ties as halves: {estimate:.1%}"


def champion_lines(examined: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines for display of the last panel test; there are none before the first test."""
    if examined:
        yield ""
        yield f"Champion {examined['champion']} after {examined['tables']} tables"
        yield from panel_lines(examined["panel"])


def _games(test: PanelTest | HallOfFameTest, others: Sequence[list[Player]]) -> Iterator[Worths]:
    """Yield the results of a test: opponents alternate from bag to bag, and each bag is played from every seat."""
    player = test.arena.express(test.genome)
    for game in range(test.games):
        bag, rotation = divmod(game, test.arena.players)
        players = [player, *others[bag % len(others)]]
        yield test.arena.play(players, rotation, derive_seed(test.seed, bag))


# -- Behaviour ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourTask:
    """A task: the choices of some players in fixed states, which are the same for all players."""

    arena: Arena
    genomes: tuple[AnyGenome, ...]
    decisions: tuple[str, ...]
    states: int  # of each decision

    def play(self) -> list[Choices]:
        """Return the choices of each genome's player."""
        return [
            tuple(choices(self.arena.express(genome), self.arena.rules, self.decisions, self.states))
            for genome in self.genomes
        ]


def behaviour_tasks(
    arena: Arena, genomes: Sequence[AnyGenome], decisions: Sequence[str], states: int, size: int
) -> Iterator[BehaviourTask]:
    """Yield tasks that measure the behaviour of all genomes, `size` genomes a task."""
    for some in parts(genomes, size):
        yield BehaviourTask(arena=arena, genomes=tuple(some), decisions=tuple(decisions), states=states)
