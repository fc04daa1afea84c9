"""The configuration of an evolution of nets or of rules of thumb: their opponents, and the strategy.

Reference: "Evolving Board Evaluation Functions", section 5.3.6.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from core.acquire.rules import PRESETS, Rules
from core.random import Random
from engines.acquire.genome import PlayerOptions
from engines.acquire.league_config import Opponents
from engines.acquire.net_genome import MAX_UNITS, NetGenome, Shape
from engines.acquire.registry import AnyGenome, bundled_genomes
from engines.acquire.rules_genome import GENES, RulesGenome
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
RULES: Final = "rules"
WeightedGenome = NetGenome | RulesGenome
KINDS: Final[dict[str, type[WeightedGenome]]] = {NET: NetGenome, RULES: RulesGenome}


def founding_player(text: str) -> str:
    """Normalize the name of a bundled net or of bundled rules. Raises ValueError with the names allowed."""
    name = folded(text)
    names = [name for name, genome in bundled_genomes().items() if isinstance(genome, WeightedGenome)]
    if name not in names:
        raise ValueError(f"one of {', '.join(names)}")
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class NesConfig(Config):
    """The configuration of a run that evolves nets, or rules of thumb."""

    seed: int = count(1, 0, 2**64 - 1)  # The seed of everything random in the run.
    # The kind of the run: `net`, a net for all decisions, or `rules`, the weights of rules of thumb.
    evolve: Literal["net", "rules"] = word(NET, RULES)
    # The rules of the game.
    rules: str = setting("thesis-7", one_of("thesis-2002", "thesis-7", "classic", "tlstyer"))
    # The number of players at a table.
    players: int = count(2, 2, 6)

    # Points.
    # The weight of a win in a point. The rest is the share of the money of the player and the best other
    # player.
    win_weight: float = share(0.2)

    # The first individual. The units are those of nets.
    # The bundled player with which the run begins. `none`: a net with random weights, or rules that are nearly
    # those of the heuristic.
    founder: str | None = setting(None, founding_player, none="none")
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

    @property
    def main_keys(self) -> Sequence[str]:
        return ("samples", "tables", "generations", "first sigma", "centre rate", "opponent share",)  # fmt: skip

    @property
    def fork_keys(self) -> Sequence[str]:
        return (
            "tables",
            "generations",
            "centre rate",
        )

    def _check_together(self) -> None:
        if self.samples % 2:
            raise ConfigError(f"samples must be even, not {self.samples}", key="samples")
        if self.founder:
            self._check_founder(bundled_genomes()[self.founder])
        if self.opponent_share and not self.opponent:
            raise ConfigError("opponent share needs an opponent", key="opponent share")
        if self.opponent_share + self.hall_of_fame_share > 1 + 1e-9:
            raise ConfigError(
                "opponent share and hall share must not add up to more than 1", key="hall share"
            )

    def _check_founder(self, founder: AnyGenome) -> None:
        if not isinstance(founder, KINDS[self.evolve]):
            raise ConfigError(f"the founder must be of the kind that evolves, {self.evolve}", key="founder")
        if isinstance(founder, NetGenome) and founder.shape != self.shape:
            raise ConfigError(f"chain units and table units must be those of {self.founder}", key="founder")

    def first_genome(self, rng: Random) -> WeightedGenome:
        """Return the genome with which a run begins."""
        if self.founder:
            founder = bundled_genomes()[self.founder]
            assert isinstance(founder, WeightedGenome)
            return founder
        return RulesGenome.founder() if self.evolve == RULES else NetGenome.random(rng, self.shape)

    @property
    def title(self) -> str:
        return "Rules of thumb" if self.evolve == RULES else "A net"

    @property
    def size(self) -> int:
        """The number of weights."""
        return len(GENES) if self.evolve == RULES else self.shape.size

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
