"""The configuration of an evolution by genetic programming: its keys, their defaults and the combinations allowed.

Reference: "Evolving Board Evaluation Functions", Table 3.1 and section 3.2. Without any key it describes the
experiment of that text; the defaults settle what the text leaves open.
"""

from dataclasses import dataclass
from typing import Literal

from core.acquire.rules import PRESETS, Rules
from engines.acquire.genome import DISPOSING, ENDING, PURCHASES, RANDOM_BUY, TIES, PlayerOptions
from engines.config import (
    Config,
    ConfigError,
    count,
    one_of,
    setting,
    share,
    word,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GpConfig(Config):
    """The configuration of a run that evolves programs for place, for buy, or for both as a pair."""

    seed: int = count(1, 0, 2**64 - 1)
    # Which decisions the programs make.
    evolve: Literal["place", "buy", "pair"] = setting("pair", one_of("place", "buy", "pair"))

    # The game.
    rules: str = word("thesis-2002", "thesis-7")

    # Players, apart from their programs.
    tie: str = word(*TIES)
    purchases: str = word(*PURCHASES)
    outcomes: int | None = count(1, 1, 1000, none="all")  # sampled for a tile that requires a further choice
    money: Literal["dollars", "hundreds"] = word("dollars", "hundreds")  # the unit of money in programs
    disposing: str = word(*DISPOSING)
    ending: str = word(*ENDING)
    random_buy: str = word(*RANDOM_BUY)
    # How a player takes the other decision if only one evolves.
    other_decision: Literal["random", "same tree"] = word("random", "same tree")

    # Games.
    population: int = count(1000, 4, 100_000)
    games: int = count(10, 1, 1000)  # of each individual in a generation
    generations: int | None = count(50, none="no end")  # that play games
    pairing: Literal["exact", "top up", "all more"] = word("exact", "top up", "all more")
    seats: Literal["alternate", "random"] = word("alternate", "random")
    fitness: Literal["share", "wins", "money"] = word("share", "wins", "money")
    money_won: Literal["final worth", "earned"] = word("final worth", "earned")

    # Breeding.
    new_levels: int = count(5, 2, 17)  # of a founder's program, at most
    most_levels: int = count(5, 2, 17)  # of a program after crossover
    # Crossover at functions, crossover anywhere and reproduction are shares of the children, in this order; the rest
    # are mutants.
    crossover_at_functions: float = share(0.7)
    crossover_anywhere: float = share(0.2)
    reproduction: float = share(0.1)
    copy_mutation: float = share(0.0)  # share of the reproduced children that are mutated
    mutation_depth: int = count(4, 1, 16)  # levels of the new subtree below its root, at most
    selection: Literal["tournament", "proportionate", "rank", "lexicase"] = word(
        "tournament", "proportionate", "rank", "lexicase"
    )
    tournament: int = count(2, 1, 1000)
    elitism: float = share(0.02)
    elite: Literal["replaces", "enlarges"] = word("replaces", "enlarges")

    # Examinations.
    examination_interval: int = count(10)  # generations between two new tests of the best
    candidates: int = count(10, 1, 1000)  # tested in an examination: the best of the generation
    retest_games: int = count(200, 1, 100_000)  # of each candidate
    panel_games: int = count(200, 0, 100_000)  # of the best candidate against each member of the panel
    behaviour_states: int = count(32, 0, 1000)  # of each decision, to compare players by choices

    @property
    def decisions(self) -> tuple[str, ...]:
        return ("place", "buy") if self.evolve == "pair" else (self.evolve,)

    @property
    def elite_count(self) -> int:
        return round(self.elitism * self.population)

    @property
    def options(self) -> PlayerOptions:
        """The options of the players, apart from their programs."""
        return PlayerOptions(
            tie=TIES.index(self.tie),
            purchases=PURCHASES.index(self.purchases),
            samples=self.outcomes or 0,
            dollar=1.0 if self.money == "dollars" else 0.01,
            disposing=DISPOSING.index(self.disposing),
            ending=ENDING.index(self.ending),
            buying=RANDOM_BUY.index(self.random_buy),
        )

    @property
    def game_rules(self) -> Rules:
        return PRESETS[self.rules]

    def _check_together(self) -> None:
        if self.pairing == "exact" and (self.population % 2 or self.population < 2 * self.games):
            raise ConfigError(
                f"pairing = exact needs an even population of twice the games or more, not {self.population}",
                key="population",
            )
        if self.elite == "enlarges" and self.elite_count % 2 and self.pairing == "exact":
            raise ConfigError(
                f"pairing = exact needs an even number of elite individuals, not {self.elite_count}",
                key="elitism",
            )
        if self.selection == "lexicase" and self.pairing != "exact":
            raise ConfigError(
                "selection = lexicase needs as many games of everybody: pairing = exact", key="selection"
            )
        if self.games >= self.population:
            raise ConfigError(f"games must be fewer than the population, {self.population}", key="games")
        if self.crossover_at_functions + self.crossover_anywhere + self.reproduction > 1 + 1e-9:
            raise ConfigError(
                "crossover at functions, crossover anywhere and reproduction must not be above 1 together",
                key="reproduction",
            )
