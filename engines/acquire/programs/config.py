"""The configuration of an evolution of programs: what its keys are, what they are unless said, and which go together.

Reference: "Evolving Board Evaluation Functions", Table 3.1 and section 3.2. With no key at all it is the experiment
of that text, with what it leaves open decided. A field is named as its key.
"""

from dataclasses import dataclass
from typing import Final, Literal, Self

from core.acquire.rules import CHOICES, PRESETS, Rules, rules_from_text
from engines.acquire.conduct import DISPOSING, ENDING, PURCHASES, RANDOM_BUY, TIES, Conduct
from engines.config import ConfigError, Key, check_values, loaded, number, one_of, whole, write

EVER: Final = 1_000_000_000
OPEN_RULES: Final = ("position_tiles", "dead_replace", "hand_out_end", "stuck_round")  # that a run may change
THREE_CHAINS: Final = "thesis-2002"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramsConfig:
    """All that a run is told, checked: loads(x.dumps()) == x for every x that there is."""

    seed: int = 1
    evolve: Literal["place", "buy", "pair"] = "pair"  # which decisions the programs make

    # The game.
    rules: str = THREE_CHAINS
    position_tiles: str = "stay"
    dead_replace: str = "until_clean"
    hand_out_end: str = "all"
    stuck_round: str = "on"

    # Players, beside their programs.
    tie: str = "random"
    purchases: str = "all"
    outcomes: int | None = 1  # of a tile that needs another choice, drawn; None: all
    money: Literal["dollars", "hundreds"] = "dollars"  # in programs
    disposing: str = "trade then sell"
    ending: str = "coin"
    random_buy: str = "number first"
    other_decision: Literal["random", "same tree"] = "random"  # where only one decision evolves

    # Who plays whom.
    population: int = 1000
    games: int = 10  # a generation and individual
    generations: int | None = 50  # that play; None: until somebody ends it
    pairing: Literal["exact", "top up", "all more"] = "exact"
    seats: Literal["alternate", "random"] = "alternate"
    fitness: Literal["share", "wins", "money"] = "share"
    money_won: Literal["final worth", "earned"] = "final worth"

    # Breeding.
    new_levels: int = 5
    most_levels: int = 5  # after crossover
    crossover_at_functions: float = 0.7  # shares of what is bred, in this order
    crossover_anywhere: float = 0.2
    reproduction: float = 0.1  # the rest is mutated
    copy_mutation: float = 0.0  # of those reproduced
    mutation_depth: int = 4  # levels below the new root
    selection: Literal["tournament", "proportionate", "rank", "lexicase"] = "tournament"
    tournament: int = 2
    elitism: float = 0.02
    elite: Literal["replaces", "enlarges"] = "replaces"

    # What people see.
    examination_interval: int = 10  # generations; then the best are tested anew
    candidates: int = 10
    retest_games: int = 200  # of a candidate
    panel_games: int = 200  # of the best of them, against each member
    behaviour_states: int = 32  # of each decision, on which players are compared

    def __post_init__(self) -> None:
        """ConfigError for what no file can say, and for values that contradict each other."""
        check_values(self, KEYS)
        self._check_together()

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a configuration file. ConfigError names the line, the key, and what was read."""
        return loaded(cls, text, KEYS)

    def dumps(self) -> str:
        """The file that says the same, with every key."""
        return write(self, KEYS)

    @property
    def decisions(self) -> tuple[str, ...]:
        return ("place", "buy") if self.evolve == "pair" else (self.evolve,)

    @property
    def conduct(self) -> Conduct:
        return Conduct(
            tie=TIES.index(self.tie),
            purchases=PURCHASES.index(self.purchases),
            samples=self.outcomes or 0,
            dollar=1.0 if self.money == "dollars" else 0.01,
            disposing=DISPOSING.index(self.disposing),
            ending=ENDING.index(self.ending),
            buying=RANDOM_BUY.index(self.random_buy),
        )

    def played(self) -> Rules:
        """The rules by which games are played."""
        preset = PRESETS[self.rules]
        lines = dict(line.split(" ", 1) for line in preset.text().splitlines())
        lines |= {name: getattr(self, name) for name in OPEN_RULES}
        return rules_from_text(preset.name, "".join(f"{name} {value}\n" for name, value in lines.items()))

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

    @property
    def elite_count(self) -> int:
        return round(self.elitism * self.population)


def _share(name: str) -> Key:
    return Key(name=name, reader=number(0, 1))


def _count(name: str, least: int, most: int = EVER, nothing: str = "") -> Key:
    return Key(name=name, reader=whole(least, most), nothing=nothing)


KEYS: Final = (
    Key(name="seed", reader=whole(0, 2**64 - 1)),
    Key(name="evolve", reader=one_of("place", "buy", "pair")),
    Key(name="rules", reader=one_of(THREE_CHAINS, "thesis-7")),
    *(Key(name=name.replace("_", " "), reader=one_of(*CHOICES[name])) for name in OPEN_RULES),
    Key(name="tie", reader=one_of(*TIES)),
    Key(name="purchases", reader=one_of(*PURCHASES)),
    _count("outcomes", 1, 1000, nothing="all"),
    Key(name="money", reader=one_of("dollars", "hundreds")),
    Key(name="disposing", reader=one_of(*DISPOSING)),
    Key(name="ending", reader=one_of(*ENDING)),
    Key(name="random buy", reader=one_of(*RANDOM_BUY)),
    Key(name="other decision", reader=one_of("random", "same tree")),
    _count("population", 4, 100_000),
    _count("games", 1, 1000),
    _count("generations", 1, nothing="no end"),
    Key(name="pairing", reader=one_of("exact", "top up", "all more")),
    Key(name="seats", reader=one_of("alternate", "random")),
    Key(name="fitness", reader=one_of("share", "wins", "money")),
    Key(name="money won", reader=one_of("final worth", "earned")),
    _count("new levels", 2, 17),
    _count("most levels", 2, 17),
    _share("crossover at functions"),
    _share("crossover anywhere"),
    _share("reproduction"),
    _share("copy mutation"),
    _count("mutation depth", 1, 16),
    Key(name="selection", reader=one_of("tournament", "proportionate", "rank", "lexicase")),
    _count("tournament", 1, 1000),
    _share("elitism"),
    Key(name="elite", reader=one_of("replaces", "enlarges")),
    _count("examination interval", 1),
    _count("candidates", 1, 1000),
    _count("retest games", 1, 100_000),
    _count("panel games", 0, 100_000),
    _count("behaviour states", 0, 1000),
)
