"""The configuration of an evolution of strings: its keys, their defaults, and the target on which strings are tried.

The defaults are those of "Advanced Protection, part Appendix C" with the settings of GENESIS 5.0, on a small
arrangement of a scripted user.
"""

import re
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

MAP: Final = 0  # MAP and UNITS: streams of the random numbers that derive from `ground`
UNITS: Final = 1
SEEDS: Final = 1 << 61  # seeds of tests are below
LINE: Final = re.compile(r"(.+\.jsonl):([0-9]{1,9})")  # of a log of arrangements


@dataclass(frozen=True, slots=True, kw_only=True)
class GaConfig(Config):
    """The configuration of a run that evolves strings."""

    seed: int = count(1, 0, 2**64 - 1)

    # The user that strings are tried against.
    rules: str = setting("seed", one_of(*RULES))
    map: str = setting("generated", word_or_path("generated"))  # or a file
    # The name of a scripted user, for its first setup; a file; or LOG.jsonl:LINE, with its map.
    arrangement: str = setting("drones", word_or_path(*BUILDERS))
    ground: int = count(1, 0, 2**53 - 1)  # the seed of the generated map and of the user
    money: int = count(2000, 0, 1_000_000)  # the user's, in dollars
    # Chaos's money in dollars; None: as much as the units have cost.
    budget: int | None = count(None, 1, 1_000_000, none="units")
    human_weight: int = count(2, 1, 100)  # how often the human's change counts

    # GENESIS. Founders are random, or the first ones are the strings of a pool: `pool` (the bundled one) or a file.
    founders: str = setting("random", word_or_path("random", "pool"))
    population: int = count(10_000, 2, 100_000)
    trials: int = count(2_000_000, 2)
    crossover: float = share(0.6)
    # The chance of a bit to be drawn anew; half of the mutated bits keep their value.
    mutation: float = setting(0.001, number(1e-6, 0.5))
    gap: float = setting(1.0, number(0.01, 1))
    window: int = count(5, 0, 1000)  # generations; 0: all
    window_start: Literal["empty", "zero"] = word("empty", "zero")
    elitist: Literal["yes", "no"] = word("yes", "no")
    selection: Literal["proportional", "rank"] = word("proportional", "rank")
    least_share: float = share(0.75)  # expected children of the worst string, in selection by rank
    re_evaluate: Literal["yes", "no"] = setting("no", one_of("yes", "no"))  # try unchanged strings again
    replicates: int = count(1, 1, 1000)  # tests of a trial
    # Tests of the last trials; the number grows evenly during the run. None: it stays the same.
    last_replicates: int | None = count(None, 1, 1000, none="same")
    saved: int = count(50, 1, 1000)

    # The examinations in the report.
    examination_interval: int = count(50, 1, 1_000_000)  # generations between tests of the best strings
    candidates: int = count(10, 1, 100)  # the number of these strings
    fresh_tests: int = count(200, 2, 100_000)  # of each candidate

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
        """Return the number of tests of a trial after `trials` trials of the run."""
        last = self.replicates if self.last_replicates is None else self.last_replicates
        return self.replicates + (last - self.replicates) * min(trials, self.trials) // self.trials

    def founder_genomes(self) -> tuple[Genome, ...]:
        """Return the strings that come first in the first generation.

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
        """Return a target; without a budget Chaos may spend as much as the units have cost.

        Raises ValueError if a unit cannot stand on its square, or if there are no units.
        """
        value = arrangement.value(rules)
        if not value:
            raise ValueError("an arrangement without units makes every rating 0")
        Evaluator(Scenario(rules, board), arrangement)  # raises ValueError for a unit in water
        return cls(rules=rules, board=board, arrangement=arrangement, budget=budget or value)

    def rated(self, strings: bytes, tests: int, seed: int, human_weight: int) -> list[int]:
        """Return the mean of `tests` tests for each string; all dice derive from the seed."""
        rng = Random(seed)
        seeds = [rng.below(SEEDS) for _ in range(len(strings) // STRING_BYTES * tests)]
        changes = _evaluator(self).evaluate(strings, self.budget, seeds)
        return [rating(change, tests, human_weight) for change in changes]


@cache
def _evaluator(target: Target) -> Evaluator:
    return Evaluator(Scenario(target.rules, target.board), target.arrangement)
