"""The configuration of a league: typed programs for all decisions, and whom they are measured against.

Reference: "Evolving Board Evaluation Functions", section 5.3.
"""

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
    """Members of the panel that are met beside a population's own: their names, all different, and their weights.

    Written `heuristic 4, pair-1, pair-2 0.5`; a weight that is left out is 1.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def loads(cls, text: str) -> Self:
        """ValueError completes the sentence `opponent must be ...`."""
        parts = [each.split() for each in folded(text).split(",")]
        names = tuple(part[0] for part in parts if part)
        if len(set(names)) < len(parts) or not PLAYERS.keys() >= set(names) or max(map(len, parts)) > 2:
            raise ValueError(f"different names, with a weight behind each or none, of {', '.join(PLAYERS)}")
        return cls(names=names, weights=tuple(_weight(part[1:]) for part in parts))

    def __str__(self) -> str:
        """As loads() reads it."""
        pairs = zip(self.names, self.weights, strict=True)
        return ", ".join(name if weight == 1 else f"{name} {plain(weight)}" for name, weight in pairs)

    def draw(self, rng: Random) -> str:
        """One of them; nothing is drawn for a single one."""
        return self.names[0] if len(self.names) == 1 else self.names[weighted_index(self.weights, rng)]


def _weight(words: list[str]) -> float:
    try:
        return float(str(WEIGHT(words[0]))) if words else 1.0
    except ValueError as error:
        raise ValueError(f"names with weights of {error}") from None


def founder_list(text: str) -> str:
    """Names of bundled players. ValueError says what they must be."""
    names = [folded(name) for name in text.split(",")]
    if len(set(names)) < len(names) or not typed_players().keys() >= set(names):
        raise ValueError(f"different names of {', '.join(typed_players())}")
    return ", ".join(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueConfig(Config):
    """A run of typed programs for all decisions."""

    seed: int = count(1, 0, 2**64 - 1)
    evolve: Literal["all decisions"] = word(LEAGUE)
    rules: str = setting("thesis-7", one_of("thesis-2002", "thesis-7", "classic", "tlstyer"))
    players: int = count(2, 2, 6)

    # Of a point; the rest is the share of the money, beside the best of the others.
    win_weight: float = share(0.3)

    # Who plays whom. A table is the same for everybody: the same others, the same bag.
    population: int = count(200, 4, 100_000)
    elite: int = count(30, 1, 100_000)  # who stay, with the results that they have
    first_tables: int = count(8, 1, 10_000)  # of generation 0
    tables: int = count(16, 1, 10_000)  # a generation, from `annealing` on; up to there more and more
    annealing: int = count(50)  # generations
    opponent: Opponents | None = setting(None, Opponents.loads, none="none")  # of the panel, by weights
    opponent_share: float = share(0.0)  # of the seats of others
    # Former champions; the rest are of the elite.
    hall_of_fame_share: float = share(0.3, name="hall share")
    champion_share: float = share(0.0)  # the champion of the generation before
    hall_of_fame_interval: int = count(5, name="hall interval")  # generations
    # That a champion has played before the hall of fame takes it.
    hall_of_fame_tables: int = count(40, name="hall tables")
    # With former champions, of which it must win more than it loses; 0: it need not.
    acceptance_games: int = count(0, 0, 100_000)
    # Tables at most that a mean counts for when new results come in.
    window: int = count(200, name="memory")
    # Tables with everybody's mean result that count beside one's own, against luck.
    shrinkage: int = count(0, 0, name="doubt")

    # Breeding. Founders live from the beginning; None: all are random.
    founders: str | None = setting(None, founder_list, none="random")
    functions: int = count(
        0, 0, len(ADF_NAMES)
    )  # that each genome defines, beside its programs for decisions
    registers: int = count(0, 0, len(REMEMBERING))  # for numbers that it remembers from turn to turn
    new_levels: int = count(4, 2, 6)
    most_levels: int = count(9, 2, 17)
    most_nodes: int = count(60, 3, 4096)  # of a program
    # Nodes valued, those that range over chains for each of seven.
    most_work: int = count(MAX_WORK, 3, MAX_WORK)
    # Shares of what is bred, in this order; the rest shrinks.
    crossover: float = share(0.35)
    exchange: float = share(0.15)  # of a whole program
    subtree_mutation: float = share(0.2)
    point_mutation: float = share(0.2)  # of a primitive or a number
    more_changes: float = share(0.3)  # the chance of one more change
    tournament: int = count(4, 1, 1000)
    node_cost: float = share(0.00005)  # of fitness

    # Against convergence.
    islands: int = count(1, 1, 1000)  # that breed apart
    migration_interval: int = count(10)  # generations
    migrants: int = count(2, 0, 100_000)  # of an island's elite, to the next island
    # Of a decision, on which players are compared; 0: they are not.
    behaviour_states: int = count(0, 0, 10_000)
    # A distance of behaviours, up to which players share fitness; 0: nobody does.
    sharing: float = share(0.0)

    # How long, and what people see.
    generations: int | None = count(200, none="no end")
    examination_interval: int = count(10)  # generations
    panel_games: int = count(200, 0, 100_000)  # of the champion against each member

    def _check_together(self) -> None:
        if self.opponent_share and not self.opponent:
            raise ConfigError("opponent share needs an opponent", key="opponent share")
        if len(self.founder_names) > self.population:
            raise ConfigError("there are more founders than the population has room for", key="founders")
        if self.opponent_share + self.hall_of_fame_share + self.champion_share > 1 + 1e-9:
            raise ConfigError(
                "opponent share, hall share and champion share must not be above 1 together", key="hall share"
            )
        if self.elite >= self.population:
            raise ConfigError(f"elite must be less than the population, {self.population}", key="elite")
        if self.crossover + self.exchange + self.subtree_mutation + self.point_mutation > 1 + 1e-9:
            raise ConfigError("the shares of what is bred must not be above 1 together", key="point mutation")
        if self.sharing and not self.behaviour_states:
            raise ConfigError("sharing needs behaviour states", key="sharing")
        if self.islands > 1:
            self._check_islands()

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
        """Everybody plays each from every seat, so many tables in all as there are then."""
        grown = (self.tables - self.first_tables) * min(generation, self.annealing) // self.annealing
        return max((self.first_tables + grown) // self.players, 1)

    def _check_islands(self) -> None:
        if self.population % self.islands or self.elite % self.islands:
            raise ConfigError("population and elite must be the same for all islands", key="islands")
        if self.population // self.islands < max(4, len(self.founder_names)):
            raise ConfigError(
                "an island has a population of 4 or more, and room for the founders", key="islands"
            )
        if self.migrants > self.elite // self.islands:
            raise ConfigError("migrants must not be more than an island's elite", key="migrants")
