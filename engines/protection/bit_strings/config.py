"""The configuration of an evolution of strings: what its keys are, and what they are unless said.

With no key at all it is "Advanced Protection, part Appendix C" with the settings of GENESIS 5.0, on a small
arrangement of a scripted user. A field is named as its key.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Self

from core.protection.board import Arrangement, Map, generate_map
from core.protection.rules import RULES, Rules
from core.random import Random
from engines.config import ConfigError, Key, check_values, loaded, number, one_of, whole, word_or_path, write
from engines.evolution.population import derive_seed
from engines.protection.bit_strings.target import Target
from engines.protection.boards import arrangement_file, arrangement_log, map_file
from engines.protection.genome import Genome
from engines.protection.pool.pool import Pool
from engines.protection.pool.stock import bundled
from engines.protection.users.first import BUILDERS, first_setup

YES_NO: Final = ("yes", "no")
MAP: Final = 0  # streams of the ground's random numbers
UNITS: Final = 1
LINE: Final = re.compile(r"(.+\.jsonl):([0-9]{1,9})")  # of a log of arrangements


@dataclass(frozen=True, slots=True, kw_only=True)
class BitStringsConfig:
    """All that a run is told, checked: loads(x.dumps()) == x for every x that there is."""

    seed: int = 1

    # Against whom.
    rules: str = "seed"
    map: str = "generated"  # or a file
    arrangement: str = "drones"  # the first setup of a scripted user, a file, or LOG.jsonl:LINE with its map
    ground: int = 1  # the seed of the generated map and of the user
    money: int = 2000  # what the user has, dollars
    budget: int | None = None  # of Chaos, dollars; None: what the units have cost
    human_weight: int = 2  # how often the human's change counts

    # GENESIS.
    founders: str = "random"  # or a pool, whose strings come first: `pool` for the bundled one, or a file
    population: int = 10_000
    trials: int = 2_000_000
    crossover: float = 0.6
    mutation: float = 0.001  # of a bit; half of what is mutated stays as it was
    gap: float = 1.0
    window: int = 5  # generations; 0: all
    window_start: Literal["empty", "zero"] = "empty"
    elitist: str = "yes"
    selection: Literal["proportional", "rank"] = "proportional"
    least_share: float = 0.75  # children of the worst, by rank
    re_evaluate: str = "no"  # those that have not changed
    replicates: int = 1  # tests of a trial
    last_replicates: int | None = None  # of the last ones, evenly more from the first on; None: as many
    saved: int = 50

    # What people see.
    examination_interval: int = 50  # generations; then the best are tested anew
    candidates: int = 10
    fresh_tests: int = 200  # of a candidate

    def __post_init__(self) -> None:
        """ConfigError for what no file can say, and for values that contradict each other."""
        check_values(self, KEYS)
        if self.trials < self.population:
            raise ConfigError(
                f"trials must be enough for a population, {self.population}, not {self.trials}", key="trials"
            )
        if self.candidates > self.saved:
            raise ConfigError(
                f"candidates are of the {self.saved} saved, not {self.candidates}", key="candidates"
            )

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a configuration file. ConfigError names the line, the key, and what was read."""
        return loaded(cls, text, KEYS)

    def dumps(self) -> str:
        """The file that says the same, with every key."""
        return write(self, KEYS)

    @property
    def is_elitist(self) -> bool:
        return self.elitist == "yes"

    def tests_after(self, trials: int) -> int:
        """How many a trial has when so many are over."""
        last = self.replicates if self.last_replicates is None else self.last_replicates
        return self.replicates + (last - self.replicates) * min(trials, self.trials) // self.trials

    def founding(self) -> tuple[Genome, ...]:
        """Those who come first in the first generation. ConfigError or OSError if their file cannot be used."""
        if self.founders == "random":
            return ()
        try:
            pool = (
                bundled()
                if self.founders == "pool"
                else Pool.loads(Path(self.founders).read_text(encoding="utf-8"))
            )
        except ValueError as error:
            raise ConfigError(f"{self.founders}: {error}", key="founders") from None
        return tuple(entry.genome for entry in pool.entries[: self.population])

    @property
    def against(self) -> str:
        """Whom, in a few words."""
        return f"{self.arrangement} of ${self.money:,}" if self.arrangement in BUILDERS else self.arrangement

    @property
    def ground_name(self) -> str:
        """Which map: a file, the seed of a generated one, or that of a log."""
        if LINE.fullmatch(self.arrangement):
            return "of the log"
        return str(self.ground) if self.map == "generated" else self.map

    def target(self) -> Target:
        """What the strings are tried on. ConfigError or OSError if a file cannot be used."""
        rules = RULES[self.rules]
        try:
            board, units = self._logged() or self._built(rules)
            return Target.of(rules, board, units, self.budget)
        except ConfigError:
            raise
        except ValueError as error:
            raise ConfigError(str(error), key="arrangement") from None

    def _logged(self) -> tuple[Map, Arrangement] | None:
        """One of a log, if that is what the configuration names."""
        found = LINE.fullmatch(self.arrangement)
        if not found:
            return None
        if self.map != "generated":
            raise ConfigError("an arrangement of a log has its own map", key="map")
        log = arrangement_log.read(Path(found[1]))
        if not 0 < int(found[2]) <= len(log):
            raise ConfigError(f"{found[1]} has {len(log)} lines, and no line {found[2]}", key="arrangement")
        logged = log[int(found[2]) - 1]
        return logged.board, logged.arrangement

    def _built(self, rules: Rules) -> tuple[Map, Arrangement]:
        board = self._board()
        if self.arrangement in BUILDERS:
            rng = Random(derive_seed(self.ground, UNITS))
            return board, first_setup(self.arrangement, rules, board, self.money, rng)
        try:
            return board, arrangement_file.loads(Path(self.arrangement).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigError(f"{self.arrangement}: {error}", key="arrangement") from None

    def _board(self) -> Map:
        if self.map == "generated":
            return generate_map(Random(derive_seed(self.ground, MAP)))
        try:
            return map_file.loads(Path(self.map).read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigError(f"{self.map}: {error}", key="map") from None


def _count(name: str, least: int, most: int, nothing: str = "") -> Key:
    return Key(name=name, reader=whole(least, most), nothing=nothing)


KEYS: Final = (
    _count("seed", 0, 2**64 - 1),
    Key(name="rules", reader=one_of(*RULES)),
    Key(name="map", reader=word_or_path("generated")),
    Key(name="arrangement", reader=word_or_path(*BUILDERS)),
    _count("ground", 0, 2**53 - 1),
    _count("money", 0, 1_000_000),
    _count("budget", 1, 1_000_000, nothing="units"),
    _count("human weight", 1, 100),
    Key(name="founders", reader=word_or_path("random", "pool")),
    _count("population", 2, 100_000),
    _count("trials", 2, 1_000_000_000),
    Key(name="crossover", reader=number(0, 1)),
    Key(name="mutation", reader=number(1e-6, 0.5)),
    Key(name="gap", reader=number(0.01, 1)),
    _count("window", 0, 1000),
    Key(name="window start", reader=one_of("empty", "zero")),
    Key(name="elitist", reader=one_of(*YES_NO)),
    Key(name="selection", reader=one_of("proportional", "rank")),
    Key(name="least share", reader=number(0, 1)),
    Key(name="re evaluate", reader=one_of(*YES_NO)),
    _count("replicates", 1, 1000),
    _count("last replicates", 1, 1000, nothing="same"),
    _count("saved", 1, 1000),
    _count("examination interval", 1, 1_000_000),
    _count("candidates", 1, 100),
    _count("fresh tests", 2, 100_000),
)
