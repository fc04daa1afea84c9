"""The configuration of a league: typed programs for all decisions, and whom they are measured against.

Reference: "Evolving Board Evaluation Functions", section 5.3. A field is named as its key.
"""

from dataclasses import dataclass
from typing import Final, Literal, Self

from core.acquire.rules import PRESETS, Rules
from engines.acquire.conduct import Conduct
from engines.acquire.genome import REMEMBERING, typed_players
from engines.acquire.league.opponents import Opponents
from engines.acquire.trees.tree import MOST_WORK
from engines.acquire.trees.words.functions import FUNCTIONS
from engines.config import ConfigError, Key, check_values, folded, loaded, number, one_of, whole, write

EVER: Final = 1_000_000_000
LEAGUE: Final = "all decisions"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueConfig:
    """All that a run is told, checked: loads(x.dumps()) == x for every x that there is."""

    seed: int = 1
    evolve: Literal["all decisions"] = LEAGUE
    rules: str = "thesis-7"
    players: int = 2

    win_weight: float = 0.3  # of a point; the rest is the share of the money, beside the best of the others

    # Who plays whom. A table is the same for everybody: the same others, the same bag.
    population: int = 200
    elite: int = 30  # who stay, with the results that they have
    first_tables: int = 8  # of generation 0
    tables: int = 16  # a generation, from `annealing` on; up to there more and more
    annealing: int = 50  # generations
    opponent: Opponents | None = None  # of the panel, by weights
    opponent_share: float = 0.0  # of the seats of others
    hall_share: float = 0.3  # former champions; the rest are of the elite
    champion_share: float = 0.0  # the champion of the generation before
    hall_interval: int = 5  # generations
    hall_tables: int = 40  # that a champion has played before the hall takes it
    acceptance_games: int = (
        0  # with former champions, of which it must win more than it loses; 0: it need not
    )
    memory: int = 200  # tables at most that a mean counts for when new results come in
    doubt: int = 0  # tables with everybody's mean result that count beside one's own, against luck

    # Breeding.
    founders: str | None = None  # players that live from the beginning; None: all are random
    functions: int = 0  # that each genome defines, beside its programs for decisions
    registers: int = 0  # that it remembers numbers in from turn to turn
    new_levels: int = 4
    most_levels: int = 9
    most_nodes: int = 60  # of a program
    most_work: int = MOST_WORK  # nodes valued, those that range over chains for each of seven
    crossover: float = 0.35  # shares of what is bred, in this order
    exchange: float = 0.15  # of a whole program
    subtree_mutation: float = 0.2
    point_mutation: float = 0.2  # a word or a number; the rest shrinks
    more_changes: float = 0.3  # the chance of one more change
    tournament: int = 4
    node_cost: float = 0.00005  # of fitness

    # Against convergence.
    islands: int = 1  # that breed apart
    migration_interval: int = 10  # generations
    migrants: int = 2  # of an island's elite, to the next island
    behaviour_states: int = 0  # of a decision, on which players are compared; 0: they are not
    sharing: float = 0.0  # a distance of behaviours, up to which players share fitness; 0: nobody does

    # How long, and what people see.
    generations: int | None = 200  # None: until somebody ends it
    examination_interval: int = 10  # generations
    panel_games: int = 200  # of the champion against each member

    def __post_init__(self) -> None:
        """ConfigError for what no file can say, and for values that contradict each other."""
        check_values(self, KEYS)
        if self.opponent_share and not self.opponent:
            raise ConfigError("opponent share needs an opponent", key="opponent share")
        if len(self.founder_names) > self.population:
            raise ConfigError("there are more founders than the population has room for", key="founders")
        if self.opponent_share + self.hall_share + self.champion_share > 1 + 1e-9:
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

    def _check_islands(self) -> None:
        if self.population % self.islands or self.elite % self.islands:
            raise ConfigError("population and elite must be the same for all islands", key="islands")
        if self.population // self.islands < max(4, len(self.founder_names)):
            raise ConfigError(
                "an island has a population of 4 or more, and room for the founders", key="islands"
            )
        if self.migrants > self.elite // self.islands:
            raise ConfigError("migrants must not be more than an island's elite", key="migrants")

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a configuration file. ConfigError names the line, the key, and what was read."""
        return loaded(cls, text, KEYS)

    def dumps(self) -> str:
        """The file that says the same, with every key."""
        return write(self, KEYS)

    @property
    def founder_names(self) -> list[str]:
        return self.founders.split(", ") if self.founders else []

    @property
    def conduct(self) -> Conduct:
        return Conduct()

    def bags_at(self, generation: int) -> int:
        """Everybody plays each from every seat, so many tables in all as there are then."""
        grown = (self.tables - self.first_tables) * min(generation, self.annealing) // self.annealing
        return max((self.first_tables + grown) // self.players, 1)

    def played(self) -> Rules:
        """The rules by which games are played."""
        return PRESETS[self.rules]


def _share(name: str) -> Key:
    return Key(name=name, reader=number(0, 1))


def _count(name: str, least: int, most: int = EVER) -> Key:
    return Key(name=name, reader=whole(least, most))


def _founders(text: str) -> str:
    names = [folded(name) for name in text.split(",")]
    if len(set(names)) < len(names) or not typed_players().keys() >= set(names):
        raise ValueError(f"different names of {', '.join(typed_players())}")
    return ", ".join(names)


KEYS: Final = (
    Key(name="seed", reader=whole(0, 2**64 - 1)),
    Key(name="evolve", reader=one_of(LEAGUE)),
    Key(name="rules", reader=one_of("thesis-2002", "thesis-7", "classic", "tlstyer")),
    _count("players", 2, 6),
    _share("win weight"),
    _count("population", 4, 100_000),
    _count("elite", 1, 100_000),
    _count("first tables", 1, 10_000),
    _count("tables", 1, 10_000),
    _count("annealing", 1),
    Key(name="opponent", reader=Opponents.loads, nothing="none"),
    _share("opponent share"),
    _share("hall share"),
    _share("champion share"),
    _count("hall interval", 1),
    _count("hall tables", 1),
    _count("acceptance games", 0, 100_000),
    _count("memory", 1),
    _count("doubt", 0),
    Key(name="founders", reader=_founders, nothing="random"),
    _count("functions", 0, len(FUNCTIONS)),
    _count("registers", 0, len(REMEMBERING)),
    _count("new levels", 2, 6),
    _count("most levels", 2, 17),
    _count("most nodes", 3, 4096),
    _count("most work", 3, MOST_WORK),
    _share("crossover"),
    _share("exchange"),
    _share("subtree mutation"),
    _share("point mutation"),
    _share("more changes"),
    _count("tournament", 1, 1000),
    _share("node cost"),
    _count("islands", 1, 1000),
    _count("migration interval", 1),
    _count("migrants", 0, 100_000),
    _count("behaviour states", 0, 10_000),
    _share("sharing"),
    Key(name="generations", reader=whole(1, EVER), nothing="no end"),
    _count("examination interval", 1),
    _count("panel games", 0, 100_000),
)
