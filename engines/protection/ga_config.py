"""The configuration of an evolution of strings: its keys, their defaults, and the target on which strings are tried.

A string is the genome of Chaos: 1056 bits that control its minions (core.protection.policy). A test plays a string
against the units of a user, an arrangement on a map; a trial rates a string by one or more tests.

The defaults are those of "Advanced Protection", Appendix C, with the settings of the genetic algorithm GENESIS 5.0
(engines.protection.ga), on a small arrangement of a scripted user.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, Self

from core.protection.board import Arrangement, Map, Scenario, generate_map
from core.protection.evaluate import Evaluator, rating
from core.protection.policy import STRING_BYTES
from core.protection.rules import RULES, Rules
from core.random import Random
from engines.config import (
    Config,
    ConfigError,
    count,
    number,
    one_of,
    setting,
    share,
    word,
    word_or_path,
)
from engines.evolution.population import derive_seed
from engines.protection import boardfiles
from engines.protection.bots import BUILDERS, first_setup
from engines.protection.genome import Genome
from engines.protection.pool import Pool, bundled_pool
from engines.storage import read_text

# The seeds that derive from the key `ground`, by their labels for derive_seed().
MAP: Final = 0  # of the generated map
UNITS: Final = 1  # of the scripted user
SEEDS: Final = 1 << 61  # the seed of a test is a random number below SEEDS
LINE: Final = re.compile(r"(.+\.jsonl):([0-9]{1,9})")  # names a line of a log of arrangements


@dataclass(frozen=True, slots=True, kw_only=True)
class GaConfig(Config):
    """The configuration of a run that evolves strings."""

    seed: int = count(1, 0, 2**64 - 1)  # The seed of everything random in the run.

    # The user that strings are tried against.
    # The rules of the game.
    rules: str = setting("seed", one_of(*RULES))
    # The map: a generated one, or a file.
    map: str = setting("generated", word_or_path("generated"))
    # The name of a scripted user, for its first setup; a file; or LOG.jsonl:LINE, with its map.
    arrangement: str = setting("drones", word_or_path(*BUILDERS))
    # The seed of the generated map and of the scripted user.
    ground: int = count(1, 0, 2**53 - 1)
    # The money of the scripted user, in dollars.
    money: int = count(2000, 0, 1_000_000)
    # Chaos's money in dollars; `units`: as much as the units have cost.
    budget: int | None = count(None, 1, 1_000_000, none="units")
    # The factor by which the human's change of value counts in a performance.
    human_weight: int = count(2, 1, 100)

    # GENESIS.
    # The first strings: random ones, or those of a pool (`pool` is the bundled one) and then random ones.
    founders: str = setting("random", word_or_path("random", "pool"))
    # The number of strings.
    population: int = count(10_000, 2, 100_000)
    # The number of trials after which the run ends.
    trials: int = count(2_000_000, 2)
    # The share of the new strings that are crossed.
    crossover: float = share(0.6)
    # The chance of a bit to be drawn anew; half of the mutated bits keep their value.
    mutation: float = setting(0.001, number(1e-6, 0.5))
    # The share of the population that a generation replaces by selection; the others are drawn at random.
    gap: float = setting(1.0, number(0.01, 1))
    # The number of generations whose worst performance is the baseline of proportional selection; 0: all.
    window: int = count(5, 0, 1000)
    # Whether the window starts without performances, or with performances of 0.
    window_start: Literal["empty", "zero"] = word("empty", "zero")
    # Whether the best string always survives.
    elitist: Literal["yes", "no"] = word("yes", "no")
    # The selection of the strings that breed.
    selection: Literal["proportional", "rank"] = word("proportional", "rank")
    # The expected number of children of the worst string, in selection by rank.
    least_share: float = share(0.75)
    # Whether unchanged strings are tried again.
    re_evaluate: Literal["yes", "no"] = setting("no", one_of("yes", "no"))
    # The number of tests of a trial.
    replicates: int = count(1, 1, 1000)
    # The number of tests of the last trials, up to which it grows evenly; `same`: it does not grow.
    last_replicates: int | None = count(None, 1, 1000, none="same")
    # The number of best strings that are saved.
    saved: int = count(50, 1, 1000)

    # The examinations in the report.
    # The number of generations between two examinations of the best strings.
    examination_interval: int = count(50, 1, 1_000_000)
    # The number of strings that an examination tests.
    candidates: int = count(10, 1, 100)
    # The number of tests of each of them.
    fresh_tests: int = count(200, 2, 100_000)

    @property
    def main_keys(self) -> Sequence[str]:
        return ("population", "trials", "mutation", "crossover", "replicates", "arrangement", "money",)  # fmt: skip

    @property
    def fork_keys(self) -> Sequence[str]:
        return (
            "trials",
            "mutation",
            "crossover",
        )

    def _check_together(self) -> None:
        if self.trials < self.population:
            raise ConfigError(
                f"trials must be at least the population, {self.population}, not {self.trials}", key="trials"
            )
        if self.candidates > self.saved:
            raise ConfigError(
                f"candidates must be at most saved, {self.saved}, not {self.candidates}", key="candidates"
            )

    @property
    def is_elitist(self) -> bool:
        return self.elitist == "yes"

    def tests_after(self, trials: int) -> int:
        """Return the number of tests of a trial that starts after `trials` trials of the run."""
        last = self.replicates if self.last_replicates is None else self.last_replicates
        return self.replicates + (last - self.replicates) * min(trials, self.trials) // self.trials

    def founder_genomes(self) -> tuple[Genome, ...]:
        """Return the strings with which the first generation starts; random strings fill the rest.

        Raises ConfigError or OSError if their file cannot be used.
        """
        if self.founders == "random":
            return ()
        try:
            pool = bundled_pool() if self.founders == "pool" else Pool.loads(read_text(Path(self.founders)))
        except ValueError as error:
            raise ConfigError(f"{self.founders}: {error}", key="founders") from None
        return tuple(entry.genome for entry in pool.entries[: self.population])

    @property
    def against(self) -> str:
        """A short description of the arrangement that strings are tried on."""
        return f"{self.arrangement} of ${self.money:,}" if self.arrangement in BUILDERS else self.arrangement

    @property
    def ground_name(self) -> str:
        """A short description of the map: a file, the seed of a generated map, or the words "of the log"."""
        if LINE.fullmatch(self.arrangement):
            return "of the log"
        return str(self.ground) if self.map == "generated" else self.map

    def target(self) -> "Target":
        """Return the target on which strings are tried. Raises ConfigError or OSError if a file cannot be used."""
        rules = RULES[self.rules]
        try:
            board, units = self._logged() or self._built(rules)
            return Target.of(rules, board, units, self.budget)
        except ConfigError:
            raise
        except ValueError as error:
            raise ConfigError(str(error), key="arrangement") from None

    def _logged(self) -> tuple[Map, Arrangement] | None:
        """Return the map and arrangement of a line of a log, or None if the configuration names no log."""
        found = LINE.fullmatch(self.arrangement)
        if not found:
            return None
        if self.map != "generated":
            raise ConfigError(
                "map must be generated, because an arrangement of a log has its own map", key="map"
            )
        log = boardfiles.read_arrangement_log(Path(found[1]))
        if not 0 < int(found[2]) <= len(log):
            raise ConfigError(
                f"{found[1]} has {len(log)} line{'s' * (len(log) != 1)}, and no line {found[2]}",
                key="arrangement",
            )
        logged = log[int(found[2]) - 1]
        return logged.board, logged.arrangement

    def _built(self, rules: Rules) -> tuple[Map, Arrangement]:
        board = self._board()
        if self.arrangement in BUILDERS:
            rng = Random(derive_seed(self.ground, UNITS))
            return board, first_setup(self.arrangement, rules, board, self.money, rng)
        try:
            return board, boardfiles.loads_arrangement(read_text(Path(self.arrangement)))
        except ValueError as error:
            raise ConfigError(f"{self.arrangement}: {error}", key="arrangement") from None

    def _board(self) -> Map:
        if self.map == "generated":
            return generate_map(Random(derive_seed(self.ground, MAP)))
        try:
            return boardfiles.loads_map(read_text(Path(self.map)))
        except ValueError as error:
            raise ConfigError(f"{self.map}: {error}", key="map") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An arrangement on its map, on which strings are tried, also in worker processes."""

    rules: Rules
    board: Map
    arrangement: Arrangement
    budget: int  # Chaos's money in a test, dollars

    @classmethod
    def of(cls, rules: Rules, board: Map, arrangement: Arrangement, budget: int | None) -> Self:
        """Return a target. Without a budget Chaos may spend as much as the units have cost.

        Raises ValueError if a unit cannot stand on its square, or if there are no units.
        """
        value = arrangement.value(rules)
        if not value:
            raise ValueError("an arrangement without units makes every rating 0")
        Evaluator(Scenario(rules, board), arrangement)  # raises ValueError for a unit in water
        return cls(rules=rules, board=board, arrangement=arrangement, budget=budget or value)

    def rated(self, strings: bytes, tests: int, seed: int, human_weight: int) -> list[int]:
        """Return the rating of each string, the mean of `tests` tests (core.protection.evaluate.rating).

        `strings` are STRING_BYTES each. The random numbers of all tests derive from the seed.
        """
        rng = Random(seed)
        seeds = [rng.below(SEEDS) for _ in range(len(strings) // STRING_BYTES * tests)]
        changes = _evaluator(self).evaluate(strings, self.budget, seeds)
        return [rating(change, tests, human_weight) for change in changes]


@cache
def _evaluator(target: Target) -> Evaluator:
    return Evaluator(Scenario(target.rules, target.board), target.arrangement)
