"""The configuration of an evolution by genetic programming: its keys, their defaults and the combinations allowed.

Reference: "Evolving Board Evaluation Functions", Table 3.1 and section 3.2. Without any key it describes the
experiment of that text; the defaults settle what the text leaves open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.acquire.rules import PRESETS, Rules
from engines.acquire.genome import DISPOSING, ENDING, PURCHASES, RANDOM_BUY, TIES, PlayerOptions
from engines.config import (
    Config,
    ConfigError,
    count,
    folded,
    setting,
    share,
    word,
)


def evolved_decisions(text: str) -> str:
    """Return the decisions that a text names; the words of the other kinds of runs are named in the error."""
    words = ("place", "buy", "pair")
    if folded(text) in words:
        return folded(text)
    raise ValueError(f"{' or '.join(words)} (or, with other keys, all decisions or net or rules)")


@dataclass(frozen=True, slots=True, kw_only=True)
class GpConfig(Config):
    """The configuration of a run that evolves programs for place, for buy, or for both as a pair."""

    seed: int = count(1, 0, 2**64 - 1)  # The seed of everything random in the run.
    # The decisions that the programs make.
    evolve: Literal["place", "buy", "pair"] = setting("pair", evolved_decisions)

    # The game.
    # The rules of the game.
    rules: str = word("thesis-2002", "thesis-7")

    # Players, apart from their programs.
    # The option that a player takes of several that are equally good.
    tie: str = word(*TIES)
    # The purchases that a program compares: all, those with most shares, or single shares.
    purchases: str = word(*PURCHASES)
    # The number of outcomes sampled for a tile that requires a further choice; `all` is the exact
    # expectation.
    outcomes: int | None = count(1, 1, 1000, none="all")
    # The unit of money in programs.
    money: Literal["dollars", "hundreds"] = word("dollars", "hundreds")
    # The disposal of shares after a merger.
    disposing: str = word(*DISPOSING)
    # Whether the end of the game is announced where it is allowed.
    ending: str = word(*ENDING)
    # The purchase if it is left to chance: first a number of shares, or any of all sets with equal
    # probability.
    random_buy: str = word(*RANDOM_BUY)
    # The other decision if only one evolves: at random, or by the same program.
    other_decision: Literal["random", "same tree"] = word("random", "same tree")

    # Games.
    # The number of individuals.
    population: int = count(1000, 4, 100_000)
    # The number of games of each individual in a generation.
    games: int = count(10, 1, 1000)
    # The number of generations that play games.
    generations: int | None = count(50, none="no end")
    # The pairing of opponents. `exact`: each individual plays exactly `games` games. `top up`: each plays
    # until it has `games` games, and may get more as an opponent. `all more`: each that has fewer than
    # `games` games plays `games` more.
    pairing: Literal["exact", "top up", "all more"] = word("exact", "top up", "all more")
    # The player that joins first: the one that has done so less often, or a random one.
    seats: Literal["alternate", "random"] = word("alternate", "random")
    # The measure of fitness: the mean share of the money, the share of games won, or the mean money.
    fitness: Literal["share", "wins", "money"] = word("share", "wins", "money")
    # The money that counts: the final worth, or only what exceeds the initial cash.
    money_won: Literal["final worth", "earned"] = word("final worth", "earned")

    # Breeding.
    # The levels of a founder's program, at most.
    new_levels: int = count(5, 2, 17)
    # The levels of a program after crossover, at most.
    most_levels: int = count(5, 2, 17)
    # The share of children by crossover at functions and terminals with a name. This share and the next two
    # apply in this order; the rest are mutants.
    crossover_at_functions: float = share(0.7)
    # The share of children by crossover at any nodes.
    crossover_anywhere: float = share(0.2)
    # The share of children that are copies of a parent.
    reproduction: float = share(0.1)
    # The share of these copies that are mutated.
    copy_mutation: float = share(0.0)
    # The levels of a mutation's new subtree below its root, at most.
    mutation_depth: int = count(4, 1, 16)
    # The selection of parents.
    selection: Literal["tournament", "proportionate", "rank", "lexicase"] = word(
        "tournament", "proportionate", "rank", "lexicase"
    )
    # The number of individuals in a tournament.
    tournament: int = count(2, 1, 1000)
    # The share of the population that lives on: the elite.
    elitism: float = share(0.02)
    # Whether the elite replaces children or enlarges the population.
    elite: Literal["replaces", "enlarges"] = word("replaces", "enlarges")

    # Examinations.
    # The number of generations between two examinations, in which the best are tested again.
    examination_interval: int = count(10)
    # The number of individuals tested in an examination: the best of the generation.
    candidates: int = count(10, 1, 1000)
    # The number of games of each candidate.
    retest_games: int = count(200, 1, 100_000)
    # The number of games of the best candidate against each member of the panel.
    panel_games: int = count(200, 0, 100_000)
    # The number of states of each decision in which players' choices are compared.
    behaviour_states: int = count(32, 0, 1000)

    @property
    def main_keys(self) -> Sequence[str]:
        return ("population", "games", "generations", "new levels", "crossover at functions", "crossover anywhere", "elitism",)  # fmt: skip

    @property
    def fork_keys(self) -> Sequence[str]:
        return (
            "games",
            "generations",
            "crossover at functions",
            "crossover anywhere",
        )

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
                "selection = lexicase needs pairing = exact, by which all play equally many games",
                key="selection",
            )
        if self.games >= self.population:
            raise ConfigError(f"games must be fewer than the population, {self.population}", key="games")
        if self.crossover_at_functions + self.crossover_anywhere + self.reproduction > 1 + 1e-9:
            raise ConfigError(
                "crossover at functions, crossover anywhere and reproduction must not add up to more than 1",
                key="reproduction",
            )
