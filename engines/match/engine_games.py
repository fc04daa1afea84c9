"""Games of a match between engines, several at a time, each with engines of its own.

The random numbers of a game follow from the seed of the match and the number of the game, and outcomes are counted in
the order of the schedule. So the standings do not depend on how many games are played at a time, unless the time
control is a wall clock. An engine that has crashed or stalled is closed and started again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from core.game import Game, State
from core.random import Random
from engines.engine import Engine, EngineError
from engines.match.match import Add, Match
from engines.match.referee import Ending, Result, play
from engines.match.schedule import Deal, MatchGame
from engines.match.standings import GameOutcome, ranks_of
from engines.time_control import TimeControl

CLOSE_SECONDS: Final = 10.0  # after which a broken engine is abandoned
SEEDS: Final = 2**31
DRAWS: Final = 5  # numbers for a pair of games: the common seed, and a seed of each engine in each game

EngineFactory = Callable[[], Awaitable[Engine]]


class DrawnSeeds:
    """The seeds of games and engines, drawn in order: one for a pair of games, and one for each engine in a game."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._drawn: list[int] = []

    def __call__(self, _: int, deal: Deal) -> int:
        """Return the seed of both games of a deal; the signature is that of engines.match.schedule.Seeds."""
        return self._number(DRAWS * (deal.first // 2 + deal.number * deal.groups + deal.group))

    def of_engines(self, game: MatchGame) -> tuple[int, int]:
        """Return the seeds of the two engines, in the order of their seats."""
        first = DRAWS * (game.number // 2) + 1 + 2 * (game.number % 2)
        return self._number(first), self._number(first + 1)

    def _number(self, index: int) -> int:
        while len(self._drawn) <= index:
            self._drawn.append(int(self._rng.below(SEEDS)))
        return self._drawn[index]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineGames:
    """The settings that all games of a match between engines share; play() plays the games."""

    game: Game
    engines: Sequence[EngineFactory]  # by player
    seeds: DrawnSeeds
    controls: Sequence[TimeControl]  # by player
    openings: Sequence[State] = ()  # each is played twice in a row; none: the start of the game
    concurrency: int = 1
    margin_seconds: float = 0.1
    stall_seconds: float = 60.0
    max_actions: int | None = None
    record: Callable[[MatchGame, State | None, Result], bytes] | None = None  # the state is the opening

    async def play(self, match: Match, add: Add) -> None:
        """Play a match to its end; `add` receives each outcome and adds it to the match.

        Exceptions of an engine at its start pass through.
        """
        free = [_Table(self.engines) for _ in range(self.concurrency)]
        tables = tuple(free)
        busy: dict[asyncio.Task[GameOutcome], _Table] = {}
        try:
            while not match.is_over:
                while free and (games := match.next_games(1)):
                    table = free.pop()
                    busy[asyncio.create_task(self._played(table, games[0]))] = table
                done, _ = await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    free.append(busy.pop(task))
                    add([task.result()])
        finally:
            for task in busy:
                task.cancel()
            await asyncio.gather(*busy, return_exceptions=True)
            for table in tables:
                await table.close()

    async def _played(self, table: "_Table", game: MatchGame) -> GameOutcome:
        opening = self.openings[game.deal % len(self.openings)] if self.openings else None
        seeds = self.seeds.of_engines(game)
        engines = [await table.engine(player, seed) for player, seed in zip(game.players, seeds, strict=True)]
        result = await play(
            self.game,
            engines,
            [self.controls[player] for player in game.players],
            Random(game.seed),
            opening,
            margin_seconds=self.margin_seconds,
            stall_seconds=self.stall_seconds,
            max_actions=self.max_actions,
        )
        if result.ending in (Ending.CRASH, Ending.STALL) and result.culprit is not None:
            await table.discard(game.players[result.culprit])
        return GameOutcome(
            game=game,
            ranks=ranks_of(result.returns),
            results=result.returns,
            seconds=[
                sum(turn.seconds for turn in result.history if turn.player == seat)
                for seat in range(len(engines))
            ],
            forced=[int(result.ending.is_forfeit and result.culprit == seat) for seat in range(len(engines))],
            ending=result.ending.value,
            remark=result.reason,
            record=[self.record(game, opening, result)] if self.record else [],
        )


class _Table:
    """A set of engines for one game at a time; each engine is started when it is first needed."""

    def __init__(self, factories: Sequence[EngineFactory]) -> None:
        self._factories = factories
        self._engines: dict[int, Engine] = {}

    async def engine(self, player: int, seed: int) -> Engine:
        """Return the engine of a player, seeded if it has an option Seed."""
        if player not in self._engines:
            self._engines[player] = await self._factories[player]()
        engine = self._engines[player]
        if any(option.name == "Seed" for option in engine.options):
            with suppress(EngineError):  # new_game() at the start of the game will report this, too
                await engine.configure("Seed", str(seed))
        return engine

    async def discard(self, player: int) -> None:
        """Close the engine of a player; it is started again when it is next needed."""
        with suppress(EngineError, TimeoutError):
            await asyncio.wait_for(self._engines.pop(player).close(), CLOSE_SECONDS)

    async def close(self) -> None:
        for player in list(self._engines):
            await self.discard(player)
