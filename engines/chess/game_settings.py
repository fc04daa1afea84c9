"""The settings of games in a run: clock, search and openings; their results; and the panel, which shows progress."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from core.chess.notation import START, fen, position_from_fen
from core.random import Random
from engines.chess.config import PoolConfig
from engines.chess.genome import Genome
from engines.chess.genome_file import load_bundled
from engines.chess.pgn import OPENINGS, read_openings
from engines.chess.self_play import MEASURE, GameResult, SelfPlayGame
from engines.evolution.population import Contest, Measurement, derive_seed, mean_returns
from engines.evolution.selection import choice

PANEL: Final = ("unevolved", "handset")  # bundled genomes, the fixed opponents of the best
PANEL_STREAM: Final = 3  # PANEL_STREAM and GAMES: streams of a generation's random numbers
GAMES: Final = 4
OPENING_STREAM: Final = 5  # a stream of the random numbers of games that are played together


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """The settings that a configuration gives for single games. Games of a pair share an opening."""

    config: PoolConfig
    openings: tuple[str, ...]  # FENs

    @classmethod
    def of(cls, config: PoolConfig) -> Self:
        """Return the settings of a configuration. Raises ValueError or OSError if the openings cannot be read."""
        if config.openings == "start":
            return cls(config=config, openings=(config.fen or START,))
        path = OPENINGS if config.openings == "standard" else Path(config.openings)
        return cls(config=config, openings=tuple(fen(opening) for opening in read_openings(path)))

    def games(
        self, first: Genome, second: Genome, count: int, seconds: float, seed: int
    ) -> list[SelfPlayGame]:
        """Return `count` games between two genomes; the first has White in the first, third ... game.

        All random numbers follow from `seed`.
        """
        return [
            self._game(
                *((first, second) if number % 2 == 0 else (second, first)),
                start=self._start(seed, number // 2),
                seconds=seconds,
                seed=derive_seed(seed, number),
            )
            for number in range(count)
        ]

    def round(
        self, seed: int, generation: int, pairs: Iterable[Sequence[Genome]], best: Genome, seconds: float
    ) -> list[SelfPlayGame]:
        """Return all games of this generation of the run with this seed: those of each pair, then the panel's."""
        games = []
        for index, (first, second) in enumerate(pairs):
            pair_seed = derive_seed(seed, generation, GAMES, index)
            games += self.games(first, second, self.config.games_per_pairing, seconds, pair_seed)
        return games + self.panel_games(seed, generation, best, seconds)

    def panel_games(self, seed: int, generation: int, best: Genome, seconds: float) -> list[SelfPlayGame]:
        """Return the games of the best against the panel in this generation of the run with this seed.

        Relative fitness cannot show whether the whole population gets better or worse; points against the same
        opponents can.
        """
        games = []
        for index, name in enumerate(self._panel_at(generation)):
            panel_seed = derive_seed(seed, generation, PANEL_STREAM, index)
            games += self.games(best, load_bundled(name), self.config.panel_games, seconds, panel_seed)
        return games

    def panel_statistics(self, generation: int, outcomes: Sequence[GameResult]) -> dict[str, Any]:
        """Return the losses, draws and wins of the best by opponent, under "panel"; an empty dict without games."""
        scores, count = {}, self.config.panel_games
        for index, name in enumerate(self._panel_at(generation)):
            found = results(outcomes[index * count : (index + 1) * count])
            scores[name] = [found.count(result) for result in (-1.0, 0.0, 1.0)]
        return {"panel": scores} if scores else {}

    def _panel_at(self, generation: int) -> Sequence[str]:
        interval = self.config.panel_interval
        is_due = self.config.panel_games > 0 and interval > 0 and generation % interval == 0
        return PANEL if is_due else ()

    def _start(self, seed: int, pair: int) -> str:
        """Return the position at which a pair of games starts: an opening with random moves after it."""
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


# -- The results of games, those of a pair in the order of GameSettings.games() -----------------------


def results(games: Sequence[GameResult]) -> list[float]:
    """Return the result of each game for the first player."""
    return [game.returns[number % 2] for number, game in enumerate(games)]


def contests(games: Sequence[GameResult], first: int, second: int, niche: int = 0) -> list[Contest]:
    """Return games between two individuals, given by their IDs, as contests for the record."""
    return [
        Contest(
            niche=niche,
            players=(first, second) if number % 2 == 0 else (second, first),
            returns=game.returns,
            ending=game.ending,
            length=game.plies,
            record=game.record,
        )
        for number, game in enumerate(games)
    ]


def fitness(contests: Iterable[Contest]) -> Measurement:
    """Return the mean result of the games of each individual."""
    return Measurement(name=MEASURE, values=mean_returns(contests))
