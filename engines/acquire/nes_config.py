"""The configuration of an evolution of nets: the net's shape, whom it is measured against, and the strategy.

Reference: "Evolving Board Evaluation Functions", section 5.3.6.
"""

from dataclasses import dataclass
from typing import Final, Literal

from core.acquire.rules import PRESETS, Rules
from engines.acquire.genome import PlayerOptions
from engines.acquire.league_config import Opponents
from engines.acquire.net_genome import MOST_UNITS, Shape
from engines.config import (
    Config,
    ConfigError,
    count,
    number,
    one_of,
    setting,
    share,
    word,
)

NET: Final = "net"


@dataclass(frozen=True, slots=True, kw_only=True)
class NesConfig(Config):
    """A run of nets."""

    seed: int = count(1, 0, 2**64 - 1)
    evolve: Literal["net"] = word(NET)
    rules: str = setting("thesis-7", one_of("thesis-2002", "thesis-7", "classic", "tlstyer"))
    players: int = count(2, 2, 6)

    # Of a point; the rest is the share of the money, beside the best of the others.
    win_weight: float = share(0.2)

    # The net.
    chain_units: int = count(8, 1, MOST_UNITS)
    table_units: int = count(6, 1, MOST_UNITS)

    # Who plays whom. A table is the same for all samples: the same others, the same bag.
    samples: int = count(40, 4, 10_000)  # a generation; half of them are the others' antithetic samples
    tables: int = count(40, 1, 10_000)  # a sample
    opponent: Opponents | None = setting(None, Opponents.loads, none="none")  # of the panel, by weights
    opponent_share: float = share(0.0)  # of the seats of others
    hall_of_fame_share: float = share(0.3, name="hall share")  # former means; the rest are the mean itself
    hall_of_fame_interval: int = count(10, name="hall interval")  # generations

    # The strategy.
    first_sigma: float = setting(0.1, number(1e-6, 10))  # of every weight
    mean_rate: float = setting(1.0, number(0.001, 10), name="centre rate")
    # Generations, at which the mean's rate is half of what it was; None: it stays.
    annealing: int | None = count(None, none="none")

    # How long, and what people see.
    generations: int | None = count(200, none="no end")
    examination_interval: int = count(10)  # generations
    panel_games: int = count(200, 0, 100_000)  # of the mean against each member

    def _check_together(self) -> None:
        if self.samples % 2:
            raise ConfigError(f"samples must be even, not {self.samples}", key="samples")
        if self.opponent_share and not self.opponent:
            raise ConfigError("opponent share needs an opponent", key="opponent share")
        if self.opponent_share + self.hall_of_fame_share > 1 + 1e-9:
            raise ConfigError("opponent share and hall share must not be above 1 together", key="hall share")

    @property
    def shape(self) -> Shape:
        return Shape(chain_units=self.chain_units, table_units=self.table_units)

    @property
    def options(self) -> PlayerOptions:
        return PlayerOptions()

    @property
    def game_rules(self) -> Rules:
        return PRESETS[self.rules]

    @property
    def bags(self) -> int:
        """Everybody plays each from every seat."""
        return max(self.tables // self.players, 1)

    def mean_rate_at(self, generation: int) -> float:
        """Smaller and smaller steps, since results are luck in part: H. Robbins, S. Monro (1951)."""
        return self.mean_rate / (1 + generation / self.annealing) if self.annealing else self.mean_rate
