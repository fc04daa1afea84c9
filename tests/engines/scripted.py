"""Engines that do by script what an engine may do, and a game of three."""

import asyncio
from collections.abc import AsyncGenerator, Callable

from core.chess.game import Chess
from core.game import Game, State
from core.random import Random
from engines.engine import EngineError, Info, Limit, Option
from engines.time_control import TimeControl
from tests.fifth_game.tictactoe import TicTacToe

CHESS = Chess()
GAME = TicTacToe()
ONE_NODE = TimeControl(nodes=1)
BARE_KING = "k7/8/8/8/8/8/8/KQ6 {} - - 0 1"
Think = Callable[[State, Limit], AsyncGenerator[Info, None]]


class Scripted:
    """An engine whose think() is given; it remembers its limits."""

    author = "a test"
    options: tuple[Option, ...] = ()

    def __init__(self, think: Think, name: str = "Scripted") -> None:
        self.name = name
        self.limits: list[Limit] = []
        self.games = 0
        self._think = think

    def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        self.limits.append(limit)
        return self._think(state, limit)

    async def configure(self, name: str, value: str) -> None:
        raise ValueError(f"no option is named {name!r}")

    async def new_game(self) -> None:
        self.games += 1

    async def close(self) -> None:
        pass


async def first_action(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0], nodes=100)


async def improves(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    for action in state.legal_actions():
        yield Info(action=action)


async def hangs(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    await asyncio.Event().wait()


async def ignores_stop(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    for _ in range(3):  # not for ever, or the test would not end either
        try:
            await asyncio.sleep(0.3)
        except asyncio.CancelledError:
            continue


async def crashes(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    raise EngineError("the process died")


async def crashes_when_stopped(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    try:
        yield Info(action=state.legal_actions()[0])
        await asyncio.Event().wait()
    finally:
        raise EngineError("no bestmove")


async def says_nothing(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    if limit.depth == -1:
        yield Info(action=0)


async def cheats(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=-1, text="e2e5")


async def resigns(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    yield Info(action=state.legal_actions()[0], resign=True)


async def has_a_bug(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    raise KeyError("a bug of ours")


class ThreeInARow(Game):
    """Three players take turns with one action, for ever."""

    def __init__(self) -> None:
        super().__init__("three in a row", 3)

    def new_state(self, rng: Random) -> State:
        return Round()


class Round(State):
    def __init__(self, turn: int = 0) -> None:
        self.turn = turn

    def player(self) -> int:
        return self.turn % 3

    def legal_actions(self) -> list[int]:
        return [0]

    def apply(self, action: int) -> None:
        if action:
            raise ValueError("0 is the only action")
        self.turn += 1

    def is_terminal(self) -> bool:
        return False

    def returns(self) -> list[float]:
        return [0.0, 0.0, 0.0]

    def can_win(self, player: int) -> bool:
        return player != 2

    def clone(self) -> "Round":
        return Round(self.turn)

    def action_text(self, action: int) -> str:
        return "on"
