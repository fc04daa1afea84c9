"""The configuration of a league: typed programs for all decisions, their opponents, and how they are bred.

Reference: "Evolving Board Evaluation Functions", section 5.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

from core.acquire.rules import PRESETS, Rules
from core.random import Random
from engines.acquire.genome import REMEMBERING, PlayerOptions
from engines.acquire.gp.primitives import ADF_NAMES
from engines.acquire.gp.tree import MAX_WORK
from engines.acquire.registry import PLAYERS, typed_players
from engines.config import (
    Config,
    ConfigError,
    count,
    folded,
    number,
    one_of,
    plain,
    setting,
    share,
    word,
)
from engines.evolution.selection import weighted_index

WEIGHT: Final = number(0.001, 1000)
LEAGUE: Final = "all decisions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponents:
    """Players of the registry that a population plays against: their names, all different, and their weights.

    Written `heuristic 4, pair-1, pair-2 0.5`; a weight that is left out is 1.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read opponents. Raises ValueError with a message that completes `opponent must be ...`."""
        parts = [each.split() for each in folded(text).split(",")]
        names = tuple(part[0] for part in parts if part)
        if len(set(names)) < len(parts) or not PLAYERS.keys() >= set(names) or max(map(len, parts)) > 2:
            raise ValueError(
                f"different names, each with a weight after it or without, of {', '.join(PLAYERS)}"
            )
        return cls(names=names, weights=tuple(_weight(part[1:]) for part in parts))

    def __str__(self) -> str:
        """Return the text that loads() reads."""
        pairs = zip(self.names, self.weights, strict=True)
        return ", ".join(name if weight == 1 else f"{name} {plain(weight)}" for name, weight in pairs)

    def draw(self, rng: Random) -> str:
        """Draw the name of an opponent by weight. A single opponent takes no random number."""
        return self.names[0] if len(self.names) == 1 else self.names[weighted_index(self.weights, rng)]


def _weight(words: list[str]) -> float:
    try:
        return float(str(WEIGHT(words[0]))) if words else 1.0
    except ValueError as error:
        raise ValueError(f"names with weights that are {error}") from None


def founder_list(text: str) -> str:
    """Normalize a list of names of bundled players. Raises ValueError with a list of the names allowed."""
    names = [folded(name) for name in text.split(",")]
    if len(set(names)) < len(names) or not typed_players().keys() >= set(names):
        raise ValueError(f"different names of {', '.join(typed_players())}")
    return ", ".join(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueConfig(Config):
    """The configuration of a run that evolves typed programs for all decisions."""

    seed: int = count(1, 0, 2**64 - 1)  # The seed of everything random in the run.
    # The kind of the run: a league of typed programs.
    evolve: Literal["all decisions"] = word(LEAGUE)
    # The rules of the game.
    rules: str = setting("thesis-7", one_of("thesis-2002", "thesis-7", "classic", "tlstyer"))
    # The number of players at a table.
    players: int = count(2, 2, 6)

    # Points.
    # The weight of a win in a point. The rest is the share of the money of the player and the best other
    # player.
    win_weight: float = share(0.3)

    # Games. A table has the same opponents and the same bag for all individuals.
    # The number of individuals.
    population: int = count(200, 4, 100_000)
    # The number of individuals that stay, and keep their results.
    elite: int = count(30, 1, 100_000)
    # The number of tables of each individual in generation 0.
    first_tables: int = count(8, 1, 10_000)
    # The number of tables of each individual from generation `annealing` on; it increases up to there.
    tables: int = count(16, 1, 10_000)
    # The number of generations in which the tables increase.
    annealing: int = count(50)
    # The fixed opponents: names of bundled players, with weights.
    opponent: Opponents | None = setting(None, Opponents.loads, none="none")
    # The share of the opponents' seats that the fixed opponents take.
    opponent_share: float = share(0.0)
    # The share of the opponents' seats that former champions take. The elite takes the remaining seats.
    hall_of_fame_share: float = share(0.3, name="hall share")
    # The share of the opponents' seats that the champion of the generation before takes.
    champion_share: float = share(0.0)
    # The number of generations between two champions that may enter the hall of fame.
    hall_of_fame_interval: int = count(5, name="hall interval")
    # The number of tables that a champion must have played to enter the hall of fame.
    hall_of_fame_tables: int = count(40, name="hall tables")
    # The number of games against former champions, of which a new champion must win more than it loses; 0: no
    # such test.
    acceptance_games: int = count(0, 0, 100_000)
    # The weight of an earlier mean, in tables, when new results are added to it, at most.
    window: int = count(200, name="memory")
    # The number of tables with the mean result of all individuals that are added to each individual's own,
    # against luck.
    shrinkage: int = count(0, 0, name="doubt")

    # Breeding.
    # Bundled players in the first generation; the other founders are random.
    founders: str | None = setting(None, founder_list, none="random")
    # The number of ADFs that each genome defines, in addition to its programs for decisions.
    functions: int = count(0, 0, len(ADF_NAMES))
    # The number of registers for numbers that a player remembers from turn to turn.
    registers: int = count(0, 0, len(REMEMBERING))
    # The levels of a founder's program, at most.
    new_levels: int = count(4, 2, 6)
    # The levels of a program, at most.
    most_levels: int = count(9, 2, 17)
    # The nodes of a program, at most.
    most_nodes: int = count(60, 3, 4096)
    # The nodes that a program evaluates, at most; nodes in forms that range over chains count for each of
    # seven chains.
    most_work: int = count(MAX_WORK, 3, MAX_WORK)
    # The share of changes that are crossovers. This share and the next three apply in this order; the rest
    # are shrink mutations.
    crossover: float = share(0.35)
    # The share of changes that replace a whole program by that of another parent.
    exchange: float = share(0.15)
    # The share of changes that replace a subtree by a new one.
    subtree_mutation: float = share(0.2)
    # The share of changes that replace a primitive or change a number.
    point_mutation: float = share(0.2)
    # The probability of another change after each change.
    more_changes: float = share(0.3)
    # The number of individuals in a tournament, which selects a parent.
    tournament: int = count(4, 1, 1000)
    # The amount of fitness that each node of the programs costs.
    node_cost: float = share(0.00005)

    # Against convergence.
    # The number of leagues that breed apart.
    islands: int = count(1, 1, 1000)
    # The number of generations between two migrations.
    migration_interval: int = count(10)
    # The number of an island's elite that are copied to the next island.
    migrants: int = count(2, 0, 100_000)
    # The number of states of each decision in which players' choices are compared; 0: no comparison.
    behaviour_states: int = count(0, 0, 10_000)
    # The distance of behaviours up to which players share fitness; 0: fitness is not shared.
    sharing: float = share(0.0)

    # Length and examinations.
    # The number of generations.
    generations: int | None = count(200, none="no end")
    # The number of generations between two examinations of the champion.
    examination_interval: int = count(10)
    # The number of games of the champion against each member of the panel.
    panel_games: int = count(200, 0, 100_000)

    def _check_together(self) -> None:
        if self.opponent_share and not self.opponent:
            raise ConfigError("opponent share needs an opponent", key="opponent share")
        if len(self.founder_names) > self.population:
            raise ConfigError(
                "there must not be more founders than the population has individuals", key="founders"
            )
        if self.opponent_share + self.hall_of_fame_share + self.champion_share > 1 + 1e-9:
            raise ConfigError(
                "opponent share, hall share and champion share must not add up to more than 1",
                key="hall share",
            )
        if self.elite >= self.population:
            raise ConfigError(f"elite must be less than the population, {self.population}", key="elite")
        if self.crossover + self.exchange + self.subtree_mutation + self.point_mutation > 1 + 1e-9:
            raise ConfigError(
                "crossover, exchange, subtree mutation and point mutation must not add up to more than 1",
                key="point mutation",
            )
        if self.sharing and not self.behaviour_states:
            raise ConfigError("sharing needs behaviour states", key="sharing")
        if self.islands > 1:
            self._check_islands()

    @property
    def main_keys(self) -> Sequence[str]:
        return ("population", "elite", "tables", "generations", "opponent share", "crossover", "subtree mutation", "point mutation",)  # fmt: skip

    @property
    def fork_keys(self) -> Sequence[str]:
        return (
            "tables",
            "generations",
            "crossover",
            "subtree mutation",
            "point mutation",
        )

    @property
    def founder_names(self) -> list[str]:
        return self.founders.split(", ") if self.founders else []

    @property
    def options(self) -> PlayerOptions:
        return PlayerOptions()

    @property
    def game_rules(self) -> Rules:
        return PRESETS[self.rules]

    def bags_at(self, generation: int) -> int:
        """Return the number of bags in a generation; each is played from every seat, one table a seat."""
        grown = (self.tables - self.first_tables) * min(generation, self.annealing) // self.annealing
        return max((self.first_tables + grown) // self.players, 1)

    def _check_islands(self) -> None:
        if self.population % self.islands or self.elite % self.islands:
            raise ConfigError(
                "population and elite must be multiples of the number of islands", key="islands"
            )
        if self.population // self.islands < max(4, len(self.founder_names)):
            raise ConfigError(
                "each island must have at least 4 individuals, and at least as many as there are founders",
                key="islands",
            )
        if self.migrants > self.elite // self.islands:
            raise ConfigError("migrants must not be more than an island's elite", key="migrants")
