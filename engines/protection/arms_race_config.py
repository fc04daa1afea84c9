"""The configuration of an arms race: defenders are bred against strings of Chaos, and strings against defenders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from core.protection.rules import RULES
from engines.config import Config, ConfigError, count, one_of, setting, share, word

ARMS_RACE: Final = "arms race"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmsRaceConfig(Config):
    """The configuration of a run that breeds defenders and strings against each other."""

    seed: int = count(1, 0, 2**64 - 1)  # The seed of everything random in the run.
    # The kind of the run: defenders and strings.
    evolve: Literal["arms race"] = word(ARMS_RACE)
    # The rules of the game.
    rules: str = setting("improved", one_of(*RULES))

    # The two populations.
    # The number of defenders, and of strings.
    population: int = count(32, 4, 10_000)
    # The number of the best of each side that survive a generation.
    elite: int = count(8, 1, 5000)
    # The first strings: random ones, or those written by hand and then random ones. Defenders start at random.
    founders: Literal["random", "written"] = word("random", "written")
    # The number of individuals of which the best becomes a parent.
    tournament: int = count(3, 1, 100)
    # The share of the children that have two parents.
    crossover: float = share(0.6)
    # The maximum number of mutations of a new defender, from 1 on; each is a gene.
    defender_mutations: int = count(3, 1, 1000)
    # The maximum number of mutations of a new string, from 1 on; each is a bit.
    string_mutations: int = count(12, 1, 1000)

    # Bouts. All individuals of a side have the same opponents on the same maps.
    # The number of turns of a bout.
    turns: int = count(3, 1, 60)
    # The number of opponents of each individual in a generation.
    opponents: int = count(8, 1, 1000)
    # The share of these opponents that are drawn from the hall of fame; the others are living.
    past_share: float = share(0.5)
    # The number of maps on which a defender meets its opponents.
    maps: int = count(4, 1, 1000)
    # The number of champions of each side in the hall of fame.
    hall_of_fame_size: int = count(40, 1, 10_000, name="hall size")
    # The number of generations between two champions that enter the hall of fame.
    hall_of_fame_interval: int = count(3, name="hall interval")

    # Length and examinations.
    # The number of generations.
    generations: int | None = count(150, none="no end")
    # The number of generations between two examinations of both champions.
    examination_interval: int = count(15)
    # The number of games against each yardstick, and against each earlier champion.
    panel_games: int = count(10, 1, 100_000)
    # The number of turns after which such a game ends, and the side that is worth more wins.
    panel_turns: int = count(60, 1, 60)

    @property
    def main_keys(self) -> Sequence[str]:
        return ("population", "elite", "generations", "turns", "opponents", "defender mutations", "string mutations", "crossover",)  # fmt: skip

    @property
    def fork_keys(self) -> Sequence[str]:
        return (
            "generations",
            "defender mutations",
            "string mutations",
            "crossover",
        )

    def _check_together(self) -> None:
        if self.elite >= self.population:
            raise ConfigError(
                f"elite must be less than the population, {self.population}, not {self.elite}", key="elite"
            )
        if self.maps > self.opponents:
            raise ConfigError(
                f"maps must be at most the number of opponents, {self.opponents}, not {self.maps}", key="maps"
            )
