"""Benchmarks of the compiled rules of Acquire: whole games a CPU-second, by chance and by rules of thumb."""

from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Final

from core.acquire.players.heuristic import Heuristic
from core.acquire.players.play import Tables
from core.acquire.players.player import Player
from core.acquire.rules.rules import PRESETS
from core.acquire.rules.setting import Setting
from tools.bench.row import Row

ROUNDS: Final = 3


def games() -> Iterator[Row]:
    """With seven chains; signature: what the first player owns at the ends, all games together."""
    yield _games("acquire, 4 at random", [Player() for _ in range(4)], 20_000)
    yield _games("acquire, 2 by rules of thumb", [Heuristic() for _ in range(2)], 10_000)


def _games(name: str, players: list[Player], count: int) -> Row:
    tables = Tables(Setting(PRESETS["thesis-7"], len(players)))
    seconds = []
    for _ in range(ROUNDS):
        started = process_time()
        dollars = sum(tables.play(players, 0, seed)[0] for seed in range(count))
        seconds.append(process_time() - started)
    return Row(name=name, figure=count / median(seconds), unit="games/s", signature=str(dollars))
