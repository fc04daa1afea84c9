"""The configuration of an evolution by genetic programming: its keys, their defaults, and which values go together.

Reference: "Evolving Board Evaluation Functions", Table 3.1 and section 3.2. With no key at all it is the experiment
of that text, with what it leaves open decided.
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
    """A run of programs for place, buy, or both as a pair."""

    seed: int = count(1, 0, 2**64 - 1)
    # Which decisions the programs make.
    evolve: Literal["place", "buy", "pair"] = setting("pair", one_of("place", "buy", "pair"))

    # The game.
    rules: str = word("thesis-2002", "thesis-7")

    # Players, beside their programs.
    tie: str = word(*TIES)
    purchases: str = word(*PURCHASES)
    outcomes: int | None = count(1, 1, 1000, none="all")  # sampled of a tile that needs another choice
    money: Literal["dollars", "hundreds"] = word("dollars", "hundreds")  # in programs
    disposing: str = word(*DISPOSING)
    ending: str = word(*ENDING)
    random_buy: str = word(*RANDOM_BUY)
    # Where only one decision evolves.
    other_decision: Literal["random", "same tree"] = word("random", "same tree")

    # Who plays whom.
    population: int = count(1000, 4, 100_000)
    games: int = count(10, 1, 1000)  # a generation and individual
    generations: int | None = count(50, none="no end")  # that play
    pairing: Literal["exact", "top up", "all more"] = word("exact", "top up", "all more")
    seats: Literal["alternate", "random"] = word("alternate", "random")
    fitness: Literal["share", "wins", "money"] = word("share", "wins", "money")
    money_won: Literal["final worth", "earned"] = word("final worth", "earned")

    # Breeding.
    new_levels: int = count(5, 2, 17)
    most_levels: int = count(5, 2, 17)  # after crossover
    # Shares of what is bred, in this order; the rest is mutated.
    crossover_at_functions: float = share(0.7)
    crossover_anywhere: float = share(0.2)
    reproduction: float = share(0.1)
    copy_mutation: float = share(0.0)  # of those reproduced
    mutation_depth: int = count(4, 1, 16)  # levels below the new root
    selection: Literal["tournament", "proportionate", "rank", "lexicase"] = word(
        "tournament", "proportionate", "rank", "lexicase"
    )
    tournament: int = count(2, 1, 1000)
    elitism: float = share(0.02)
    elite: Literal["replaces", "enlarges"] = word("replaces", "enlarges")

    # What people see.
    examination_interval: int = count(10)  # generations; then the best are tested anew
    candidates: int = count(10, 1, 1000)
    retest_games: int = count(200, 1, 100_000)  # of a candidate
    panel_games: int = count(200, 0, 100_000)  # of the best of them, against each member
    behaviour_states: int = count(32, 0, 1000)  # of each decision, on which players are compared

    @property
    def decisions(self) -> tuple[str, ...]:
        return ("place", "buy") if self.evolve == "pair" else (self.evolve,)

    @property
    def elite_count(self) -> int:
        return round(self.elitism * self.population)

    @property
    def options(self) -> PlayerOptions:
        """What players do beside their programs."""
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
