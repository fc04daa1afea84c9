"""The configuration of an evolution of nets: the net's shape, its opponents, and the strategy.

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
    """The configuration of a run that evolves nets."""

    seed: int = count(1, 0, 2**64 - 1)
    evolve: Literal["net"] = word(NET)
    rules: str = setting("thesis-7", one_of("thesis-2002", "thesis-7", "classic", "tlstyer"))
    players: int = count(2, 2, 6)

    # Points.
    # The weight of a win in a point; the rest is the share of the money of the player and the best other player.
    win_weight: float = share(0.2)

    # The net.
    chain_units: int = count(8, 1, MOST_UNITS)
    table_units: int = count(6, 1, MOST_UNITS)

    # Games. A table has the same opponents and the same bag for all samples.
    samples: int = count(40, 4, 10_000)  # of a generation; each has a mirror image among them
    tables: int = count(40, 1, 10_000)  # of each sample
    opponent: Opponents | None = setting(None, Opponents.loads, none="none")  # bundled players, with weights
    opponent_share: float = share(0.0)  # of the opponents' seats
    hall_of_fame_share: float = share(0.3, name="hall share")  # for former means; the rest: the mean
    hall_of_fame_interval: int = count(10, name="hall interval")  # generations between two new members

    # The strategy.
    first_sigma: float = setting(0.1, number(1e-6, 10))  # of every weight
    mean_rate: float = setting(1.0, number(0.001, 10), name="centre rate")
    # The generation at which the mean's rate is half of its first value; none: the rate is constant.
    annealing: int | None = count(None, none="none")

    # Length and examinations.
    generations: int | None = count(200, none="no end")
    examination_interval: int = count(10)  # generations between examinations
    panel_games: int = count(200, 0, 100_000)  # of the mean against each member of the panel

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
        """The number of bags; each sample plays each bag from every seat, one table a seat."""
        return max(self.tables // self.players, 1)

    def mean_rate_at(self, generation: int) -> float:
        """Return the rate of the mean in a generation.

        Steps become smaller and smaller, because results are luck in part: H. Robbins, S. Monro (1951).
        """
        return self.mean_rate / (1 + generation / self.annealing) if self.annealing else self.mean_rate
