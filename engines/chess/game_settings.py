"""How genomes play each other in a run: clock, search and openings; and the panel, by which progress is measured."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from core.chess.notation import START, fen, position_from_fen
from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.chess.pgn import OPENINGS, read_openings
from engines.chess.self_play import GameResult, SelfPlayGame
from engines.evolution.population import derive_seed
from engines.evolution.selection import choice

PANEL: Final = ("unevolved", "handset")  # bundled genomes
PANEL_STREAM: Final = 3  # of a generation's random numbers
OPENING_STREAM: Final = 5  # of those of games that are played together


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
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

    def games(
        self, first: Genome, second: Genome, count: int, seconds: float, seed: int
    ) -> list[SelfPlayGame]:
        """So many games in which the first has White in the first, third ...; all follow from `seed`."""
        return [
            self._game(
                *((first, second) if number % 2 == 0 else (second, first)),
                start=self._start(seed, number // 2),
                seconds=seconds,
                seed=derive_seed(seed, number),
            )
            for number in range(count)
        ]

    def _start(self, seed: int, pair: int) -> str:
        """The position that a pair of games begins from: an opening, and the random moves after it."""
        opening = self.openings[(derive_seed(seed) + pair) % len(self.openings)]
        plies = self.config.random_plies
        if not plies:
            return opening
        rng = Random(derive_seed(seed, pair, OPENING_STREAM))
        while True:
            position = position_from_fen(opening)
            for _ in range(plies):
                if position.is_terminal():
                    break
                position.make(choice(position.legal_moves(), rng))
            if not position.is_terminal():
                return fen(position)

    def _game(self, white: Genome, black: Genome, *, start: str, seconds: float, seed: int) -> SelfPlayGame:
        config = self.config
        has_clock = config.nodes_per_move is None
        return SelfPlayGame(
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Fixed opponents: every `interval` generations the best plays `games` games with each of them; 0: never.

    Relative fitness cannot tell whether everybody gets better or worse; points against the same opponents can.
    """

    settings: GameSettings
    games: int
    interval: int
    seed: int

    def games_of(self, generation: int, best: Genome, seconds: float) -> list[SelfPlayGame]:
        """The games of this generation."""
        if not self._is_due(generation):
            return []
        return [
            game
            for index, name in enumerate(PANEL)
            for game in self.settings.games(
                best,
                load_bundled(name),
                self.games,
                seconds,
                derive_seed(self.seed, generation, PANEL_STREAM, index),
            )
        ]

    def scores(self, generation: int, outcomes: Sequence[GameResult]) -> dict[str, list[int]]:
        """Losses, draws and wins of the best against each, from the outcomes of games_of(); or nothing."""
        if not self._is_due(generation):
            return {}
        scores = {}
        for index, name in enumerate(PANEL):
            tally = [0, 0, 0]
            games = outcomes[index * self.games : (index + 1) * self.games]
            for number, outcome in enumerate(games):
                tally[1 + int(outcome.returns[number % 2])] += 1
            scores[name] = tally
        return scores

    def _is_due(self, generation: int) -> bool:
        return self.games > 0 and self.interval > 0 and generation % self.interval == 0
