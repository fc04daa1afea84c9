"""The conditions under which genomes meet: clock, search and openings, the same for all in a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from core.chess.fen import START, fen
from engines.chess.duel import Duel
from engines.chess.gene_pool.config import PoolConfig
from engines.chess.genome import Genome
from engines.chess.pgn import OPENINGS, read_openings
from engines.evolution.evolution import seed_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What a configuration says of the single game. Games of a pair share an opening."""

    config: PoolConfig
    openings: tuple[str, ...]  # FENs

    @classmethod
    def of(cls, config: PoolConfig) -> Self:
        """ValueError or OSError for openings that cannot be read."""
        if config.openings == "start":
            return cls(config=config, openings=(config.fen or START,))
        path = OPENINGS if config.openings == "standard" else Path(config.openings)
        return cls(config=config, openings=tuple(fen(opening) for opening in read_openings(path)))

    def duels(self, first: Genome, second: Genome, games: int, seconds: float, seed: int) -> list[Duel]:
        """`games` games in which the first has White in the first, third ...; all follow from `seed`."""
        beginning = seed_of(seed) % len(self.openings)
        return [
            self._duel(
                *((first, second) if number % 2 == 0 else (second, first)),
                start=self.openings[(beginning + number // 2) % len(self.openings)],
                seconds=seconds,
                seed=seed_of(seed, number),
            )
            for number in range(games)
        ]

    def _duel(self, white: Genome, black: Genome, *, start: str, seconds: float, seed: int) -> Duel:
        config = self.config
        has_clock = config.nodes_per_move is None
        return Duel(
            white=white,
            black=black,
            start=start,
            seed=seed,
            search=config.search,
            seconds=seconds if has_clock else None,
            increment=config.time_increment if has_clock else 0.0,
            nodes_per_second=config.nodes_per_second if has_clock else None,
            nodes=config.nodes_per_move,
            max_moves=config.maximum_moves,
            lines=config.output_volume == "verbose",
        )
