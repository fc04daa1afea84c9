"""What may go wrong with an engine at the terminal."""

import asyncio
import re
from collections.abc import AsyncGenerator

import pytest

from core.chess.game import Chess
from core.game import State
from core.random import Random
from engines.engine import Engine, EngineError, Info, Limit
from engines.match.referee import Ending
from engines.time_control import TimeControl
from tests.tools.play.casual_games import FAST
from tests.toy import Scripted, Think
from tools.play.casual_game import CasualGame
from tools.play.chess import ChessView
from tools.play.terminal import Terminal


async def resigns(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0], resign=True)


async def crashes(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.legal_actions()[0])
    raise EngineError("out of memory")


async def cheats(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=-1, text="a1a9")


async def is_silent(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    return
    yield


async def hangs(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
    yield Info(action=state.action_from("e2e4"))
    await asyncio.Event().wait()


async def nobody() -> Engine:
    raise EngineError("nobody is there")


def terminal(engine: Engine, control: TimeControl = FAST, typed: bytes = b"") -> Terminal:
    lines = asyncio.StreamReader()
    lines.feed_data(typed)
    lines.feed_eof()
    game = CasualGame(Chess().new_state(Random(1)), [engine, None], control)
    return Terminal(game, ChessView(), lines, nobody)


@pytest.mark.parametrize(
    ("thinks", "ending", "said"),
    [
        (resigns, Ending.RESIGNATION, "White resigns: Black wins."),
        (crashes, Ending.CRASH, "White's engine has failed (out of memory): Black wins."),
        (cheats, Ending.ILLEGAL_ACTION, "White has chosen an illegal move (a1a9): Black wins."),
        (is_silent, Ending.CRASH, "White's engine has failed (it gives no move): Black wins."),
    ],
)
async def test_an_engine_that_resigns_crashes_or_cheats_loses(
    thinks: Think, ending: Ending, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = await terminal(Scripted(thinks)).play()
    assert result is not None
    assert (result.ending, result.culprit, result.returns) == (ending, 0, (-1.0, 1.0))
    assert capsys.readouterr().out.splitlines()[-1] == said


async def test_an_engine_that_oversteps_its_clock_loses() -> None:
    result = await terminal(Scripted(hangs), TimeControl(seconds=0.05)).play()
    assert result is not None and result.ending is Ending.TIME


async def test_an_engine_that_oversteps_its_seconds_per_move_plays_its_best(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A friendly game: it is told to move, and its best so far counts."""
    assert await terminal(Scripted(hangs), TimeControl(seconds_per_action=0.05)).play() is None
    assert re.search(r"^White plays e4 \(\d+\.\d s\)$", capsys.readouterr().out, re.MULTILINE)


async def test_a_line_is_shown_up_to_its_first_illegal_move(capsys: pytest.CaptureFixture[str]) -> None:
    async def guesses(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        action = state.action_from("e2e4")
        yield Info(action=action, line=(action, action), mate=-3, depth=9)

    await terminal(Scripted(guesses)).play()
    assert "White plays e4 (is mated in 3, 0.0 s: e4)\n" in capsys.readouterr().out


async def test_the_game_continues_if_no_hint_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    table = terminal(Scripted(hangs), TimeControl(seconds_per_action=0.01), b"hint\nresign\n")
    result = await table.play()
    assert result is not None and result.ending is Ending.RESIGNATION
    assert "there is no hint: nobody is there\n" in capsys.readouterr().out
