"""Bouts of the arms race: bots against strings on one map, for some turns or to the end; and the fixed yardsticks.

The yardsticks of defenders are strings that were bred or written without any defender, those of strings are bots that
were written without any string in mind. Neither changes during a run, so they tell progress from a cycle.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from core.protection.board import Scenario, generate_map
from core.protection.rules import CHAOS, HUMAN, NO_WINNER, RULES
from core.protection.turn import TurnLog
from core.random import Random
from engines.evolution.population import derive_seed
from engines.protection.bots import BUILDERS, Bot, choose_setup, create_bot, defender_bot, set_up
from engines.protection.defender import Defender
from engines.protection.game import MAP, ProtectionGame, Setup
from engines.protection.genome import Genome
from engines.protection.pool import bundled_pool, handwritten
from engines.seeds import SeededStreams

MAX_TURNS: Final = 60  # of a game; the rules `improved` have the same limit
WRITTEN_STRINGS: Final = ("caravan", "hunters", "militia", "wall")
RANDOM_STRINGS: Final = 2
BOT_YARDSTICKS: Final = (*BUILDERS, "reactive", "evolved")
FIRST_DOLLARS: Final = 2000  # of the runs of the pool whose strings are yardsticks

Tally = list[int]  # games that a side has lost, drawn and won


# -- Bouts -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BoutBatch:
    """A task: bouts of one defender against some strings, all on one map with the same dice."""

    defender: Defender
    strings: tuple[Genome, ...]
    rules: str
    turns: int  # of a bout
    seed: int  # of the map and the dice

    def play(self) -> list[float]:
        """Return the human's share of all value at the end of each bout, 0 to 1."""
        streams = SeededStreams(self.seed)
        scenario = Scenario(RULES[self.rules], generate_map(streams.stream(MAP)))
        bot = defender_bot(self.defender)
        first = choose_setup(ProtectionGame(scenario, streams), bot)
        shares = []
        for string in self.strings:
            game = ProtectionGame(scenario, streams)
            _play(game, bot, string.code, self.turns, first)
            shares.append(_share(game))
        return shares


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """A task: games of a bot, or of a defender, against one string, each on another map.

    A game that is open after `turns` turns is won by the side that is worth more.
    """

    user: str | Defender
    string: Genome
    rules: str
    games: int
    turns: int
    seed: int
    side: int  # HUMAN or CHAOS, whose tally it is

    def play(self) -> Tally:
        """Return the games that the side has lost, drawn and won."""
        bot = create_bot(self.user, 0) if isinstance(self.user, str) else defender_bot(self.user)
        tally = [0, 0, 0]
        for number in range(self.games):
            streams = SeededStreams(derive_seed(self.seed, number))
            game = ProtectionGame(Scenario(RULES[self.rules], generate_map(streams.stream(MAP))), streams)
            _play(game, bot, self.string.code, self.turns)
            winner = game.over[0] if game.over else _richer(game)
            tally[1 if winner == NO_WINNER else 2 * (winner == self.side)] += 1
        return tally


def total(tallies: Iterable[Sequence[int]]) -> Tally:
    """Return the sum of tallies: games lost, drawn and won."""
    return [sum(column) for column in zip(*tallies, strict=True)]


def is_beaten(tally: Sequence[int]) -> bool:
    """Return whether more games of a tally were won than lost."""
    return tally[-1] > tally[0]


def beaten(tallies: Mapping[str, Sequence[int]]) -> int:
    """Return the number of opponents against which a side has won more games than it has lost."""
    return sum(map(is_beaten, tallies.values()))


def _play(game: ProtectionGame, bot: Bot, string: bytes, turns: int, first: Setup | None = None) -> None:
    while game.over is None and len(game.turns) < turns:
        if first and not game.turns:
            game.set_up(first)
        else:
            set_up(game, bot)
        game.play(string, TurnLog() if bot.watches else None)


def _richer(game: ProtectionGame) -> int:
    last = game.turns[-1]
    if last.human_value == last.chaos_value:
        return NO_WINNER
    return HUMAN if last.human_value > last.chaos_value else CHAOS


def _share(game: ProtectionGame) -> float:
    last = game.turns[-1]
    total = last.human_value + last.chaos_value
    return last.human_value / total if total else 0.5


# -- Yardsticks ------------------------------------------------------------------------------------


@cache
def string_yardsticks() -> Mapping[str, Genome]:
    """Return the fixed opponents of defenders by name: strings of the bundled pool, and random ones.

    They are the string with the best rating in fresh tests among those bred against each scripted user, some that
    were written by hand, and some with random bits.
    """
    strings = {}
    for user in BUILDERS:
        bred = [
            entry
            for entry in bundled_pool().entries
            if entry.provenance.get("arrangement") == user and entry.provenance.get("money") == FIRST_DOLLARS
        ]
        best = min(bred, key=lambda entry: float(entry.provenance["fresh"]))
        strings[f"against {user}"] = best.genome
    strings |= {name: handwritten()[name] for name in WRITTEN_STRINGS}
    strings |= {f"random {seed}": Genome.random(Random(seed)) for seed in range(1, RANDOM_STRINGS + 1)}
    return MappingProxyType(strings)


def yardstick_tests(
    genome: Defender | Genome, rules: str, games: int, seed: int, turns: int = MAX_TURNS
) -> dict[str, Examination]:
    """Return the tasks that measure a defender or a string against its yardsticks, by the names of these."""
    common: dict[str, Any] = {"rules": rules, "games": games, "turns": turns, "seed": seed}
    if isinstance(genome, Defender):
        return {
            name: Examination(user=genome, string=string, side=HUMAN, **common)
            for name, string in string_yardsticks().items()
        }
    return {name: Examination(user=name, string=genome, side=CHAOS, **common) for name in BOT_YARDSTICKS}
