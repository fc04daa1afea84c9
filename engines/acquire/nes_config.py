"""The configuration of an evolution of nets: the net's shape, its opponents, and the strategy.

Reference: "Evolving Board Evaluation Functions", section 5.3.6.
"""

from dataclasses import dataclass
from typing import Final, Literal

from core.acquire.rules import PRESETS, Rules
from engines.acquire.genome import PlayerOptions
from engines.acquire.league_config import Opponents
from engines.acquire.net_genome import MAX_UNITS, NetGenome, Shape
from engines.acquire.registry import bundled_genomes
from engines.config import (
    Config,
    ConfigError,
    count,
    folded,
    number,
    one_of,
    setting,
    share,
    word,
)

NET: Final = "net"


def nets() -> dict[str, NetGenome]:
    """Return the bundled nets by name."""
    return {name: genome for name, genome in bundled_genomes().items() if isinstance(genome, NetGenome)}


def founding_net(text: str) -> str:
    """Normalize the name of a bundled net. Raises ValueError with the names allowed."""
    name = folded(text)
    if name not in nets():
        raise ValueError(f"one of {', '.join(nets())}")
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class NesConfig(Config):
    """The configuration of a run that evolves nets."""

    seed: int = count(1, 0, 2**64 - 1)  # The seed of everything random in the run.
    # The kind of the run: nets.
    evolve: Literal["net"] = word(NET)
    # The rules of the game.
    rules: str = setting("thesis-7", one_of("thesis-2002", "thesis-7", "classic", "tlstyer"))
    # The number of players at a table.
    players: int = count(2, 2, 6)

    # Points.
    # The weight of a win in a point. The rest is the share of the money of the player and the best other
    # player.
    win_weight: float = share(0.2)

    # The net.
    # The bundled net with which the run begins.
    founder: str | None = setting(None, founding_net, none="random")
    # The number of units in the layer that is evaluated for each chain.
    chain_units: int = count(8, 1, MAX_UNITS)
    # The number of units in the layer for the whole table.
    table_units: int = count(6, 1, MAX_UNITS)

    # Games. A table has the same opponents and the same bag for all samples.
    # The number of samples of a generation, half of which are mirror images of the others.
    samples: int = count(40, 4, 10_000)
    # The number of tables of each sample.
    tables: int = count(40, 1, 10_000)
    # The fixed opponents: names of bundled players, with weights.
    opponent: Opponents | None = setting(None, Opponents.loads, none="none")
    # The share of the opponents' seats that the fixed opponents take.
    opponent_share: float = share(0.0)
    # The share of the opponents' seats that former means take. The mean itself takes the remaining seats.
    hall_of_fame_share: float = share(0.3, name="hall share")
    # The number of generations between two means that enter the hall of fame.
    hall_of_fame_interval: int = count(10, name="hall interval")

    # The strategy.
    # The first standard deviation of every weight.
    first_sigma: float = setting(0.1, number(1e-6, 10))
    # The learning rate of the mean.
    mean_rate: float = setting(1.0, number(0.001, 10), name="centre rate")
    # The generation at which the mean's rate is half of its first value; `none`: the rate is constant.
    annealing: int | None = count(None, none="none")

    # Length and examinations.
    # The number of generations.
    generations: int | None = count(200, none="no end")
    # The number of generations between two examinations of the mean.
    examination_interval: int = count(10)
    # The number of games of the mean against each member of the panel.
    panel_games: int = count(200, 0, 100_000)

    def _check_together(self) -> None:
        if self.samples % 2:
            raise ConfigError(f"samples must be even, not {self.samples}", key="samples")
        if self.founder and self.shape != nets()[self.founder].shape:
            raise ConfigError(f"chain units and table units must be those of {self.founder}", key="founder")
        if self.opponent_share and not self.opponent:
            raise ConfigError("opponent share needs an opponent", key="opponent share")
        if self.opponent_share + self.hall_of_fame_share > 1 + 1e-9:
            raise ConfigError(
                "opponent share and hall share must not add up to more than 1", key="hall share"
            )

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
