"""The configuration of an evolution of nets: the net's shape, whom it is measured against, and its strategy.

Reference: "Evolving Board Evaluation Functions", section 5.3.6. A field is named as its key.
"""

from dataclasses import dataclass
from typing import Final, Literal, Self

from core.acquire.rules import PRESETS, Rules
from engines.acquire.conduct import Conduct
from engines.acquire.league.config import EVER
from engines.acquire.league.opponents import Opponents
from engines.acquire.nets.inputs import CHAIN_SLOTS, TABLE_SLOTS
from engines.acquire.nets.shape import MOST_UNITS, Shape
from engines.config import ConfigError, Key, check_values, folded, loaded, number, one_of, whole, write

NET: Final = "net"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetConfig:
    """All that a run is told, checked: loads(x.dumps()) == x for every x that there is."""

    seed: int = 1
    evolve: Literal["net"] = "net"
    rules: str = "thesis-7"
    players: int = 2

    win_weight: float = 0.2  # of a point; the rest is the share of the money, beside the best of the others

    # The net.
    chain_units: int = 8
    table_units: int = 6
    left_out: str | None = None  # inputs that it is not told

    # Who plays whom. A table is the same for all samples: the same others, the same bag.
    samples: int = 40  # a generation; half of them are mirror images of the others
    tables: int = 40  # a sample
    opponent: Opponents | None = None  # of the panel, by weights
    opponent_share: float = 0.0  # of the seats of others
    hall_share: float = 0.3  # former centres; the rest are the centre itself
    hall_interval: int = 10  # generations

    # The strategy.
    first_sigma: float = 0.1  # of every weight
    centre_rate: float = 1.0
    annealing: int | None = (
        None  # generations, at which the centre's rate is half of what it was; None: it stays
    )
    sigma_rate: float | None = None  # None: by the number of weights

    # How long, and what people see.
    generations: int | None = 200  # None: until somebody ends it
    examination_interval: int = 10  # generations
    panel_games: int = 200  # of the centre against each member

    def __post_init__(self) -> None:
        """ConfigError for what no file can say, and for values that contradict each other."""
        check_values(self, KEYS)
        if self.samples % 2:
            raise ConfigError(f"samples must be even, not {self.samples}", key="samples")
        if self.opponent_share and not self.opponent:
            raise ConfigError("opponent share needs an opponent", key="opponent share")
        if self.opponent_share + self.hall_share > 1 + 1e-9:
            raise ConfigError("opponent share and hall share must not be above 1 together", key="hall share")

    @classmethod
    def loads(cls, text: str) -> Self:
        """Read a configuration file. ConfigError names the line, the key, and what was read."""
        return loaded(cls, text, KEYS)

    def dumps(self) -> str:
        """The file that says the same, with every key."""
        return write(self, KEYS)

    @property
    def shape(self) -> Shape:
        left_out = self.left_out.split(", ") if self.left_out else []
        return Shape(
            chain_units=self.chain_units,
            table_units=self.table_units,
            chain_inputs=tuple(name for name in CHAIN_SLOTS if name not in left_out),
            facts=tuple(name for name in TABLE_SLOTS if name not in left_out),
        )

    @property
    def conduct(self) -> Conduct:
        return Conduct()

    @property
    def bags(self) -> int:
        """Everybody plays each from every seat."""
        return max(self.tables // self.players, 1)

    def centre_rate_at(self, generation: int) -> float:
        """Smaller and smaller steps, since results are luck in part: H. Robbins, S. Monro (1951)."""
        return self.centre_rate / (1 + generation / self.annealing) if self.annealing else self.centre_rate

    def played(self) -> Rules:
        """The rules by which games are played."""
        return PRESETS[self.rules]


def _left_out(text: str) -> str:
    names = [folded(name) for name in text.split(",")]
    if len(set(names)) < len(names) or not CHAIN_SLOTS.keys() | TABLE_SLOTS.keys() >= set(names):
        raise ValueError(f"different names of {', '.join([*CHAIN_SLOTS, *TABLE_SLOTS])}")
    return ", ".join(names)


def _count(name: str, least: int, most: int = EVER) -> Key:
    return Key(name=name, reader=whole(least, most))


KEYS: Final = (
    _count("seed", 0, 2**64 - 1),
    Key(name="evolve", reader=one_of(NET)),
    Key(name="rules", reader=one_of("thesis-2002", "thesis-7", "classic", "tlstyer")),
    _count("players", 2, 6),
    Key(name="win weight", reader=number(0, 1)),
    _count("chain units", 1, MOST_UNITS),
    _count("table units", 1, MOST_UNITS),
    Key(name="left out", reader=_left_out, nothing="none"),
    _count("samples", 4, 10_000),
    _count("tables", 1, 10_000),
    Key(name="opponent", reader=Opponents.loads, nothing="none"),
    Key(name="opponent share", reader=number(0, 1)),
    Key(name="hall share", reader=number(0, 1)),
    _count("hall interval", 1),
    Key(name="first sigma", reader=number(1e-6, 10)),
    Key(name="centre rate", reader=number(0.001, 10)),
    Key(name="annealing", reader=whole(1, EVER), nothing="none"),
    Key(name="sigma rate", reader=number(0, 1), nothing="usual"),
    Key(name="generations", reader=whole(1, EVER), nothing="no end"),
    _count("examination interval", 1),
    _count("panel games", 0, 100_000),
)
