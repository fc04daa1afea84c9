"""Conversations with the real engine, and with ailing ones, over real streams."""

import asyncio
import time
from collections.abc import AsyncGenerator

import pytest

from core.chess.notation import START, position_from_fen
from core.game import State
from engines.chess.engine import ChessEngine
from engines.engine import Engine, EngineError, Info, Limit
from protocols import engine_session as serving_module
from protocols.cecp import CecpSession
from protocols.engine_session import Session
from protocols.uci import UciSession
from tests.protocols.wire import conversing

PROMPT_SECONDS = 0.25  # on a busy machine; 50 ms on a quiet one
PLENTY = "go wtime 3600000 btime 3600000"


class AilingEngine(Engine):
    """Fails as it was told to."""

    name, author, options = "Ailing", "tests", ()

    def __init__(self, error: Exception, thoughts: int = 1) -> None:
        self.error = error
        self.thoughts = thoughts

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        for depth in range(self.thoughts):
            yield Info(action=state.legal_actions()[-1], depth=depth)
            await asyncio.sleep(0)
        raise self.error

    async def new_game(self) -> None:
        raise self.error


async def test_isready_while_searching() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, _):
        wire.say("uci", PLENTY)
        await wire.hear("info depth")
        delays = sorted([await wire.delay("isready", "readyok") for _ in range(20)])
        assert delays[10] < PROMPT_SECONDS
        assert await wire.delay("stop", "bestmove ") < PROMPT_SECONDS
        assert [line for line in wire.heard if line.startswith("bestmove")] == [wire.heard[-1]]


async def test_move_now_then_ping() -> None:
    async with conversing(CecpSession, ChessEngine()) as (wire, _):
        wire.say("xboard", "level 0 60 0", "post", "go")
        await wire.hear(r"\d+ ")
        started = time.perf_counter()
        wire.say("?", "ping 1")
        await wire.hear("pong 1")
        assert time.perf_counter() - started < PROMPT_SECONDS
        assert wire.heard[-2].startswith("move ")


async def test_ping_while_pondering_and_analysing() -> None:
    async with conversing(CecpSession, ChessEngine()) as (wire, _):
        wire.say("xboard", "hard", "st 0.05", "go")
        await wire.hear("move ")
        assert await wire.delay("ping 1", "pong 1") < PROMPT_SECONDS
        wire.say("force", "post", "analyze")
        await wire.hear(r"\d+ ")
        assert await wire.delay("ping 2", "pong 2") < PROMPT_SECONDS
        assert await wire.delay(".", "stat01: ") < PROMPT_SECONDS
        wire.say("exit", "ping 3")
        await wire.hear("pong 3")
        assert not [line for line in await _silence(wire.reader) if line]


@pytest.mark.parametrize(
    "lines",
    [("go infinite", "stop"), ("go infinite", "go depth 1"), ("go ponder wtime 50 btime 50", "ponderhit"),
     ("go depth 1",), ("go nodes 1",), ("go movetime 1",), ("go movetime 0",), ("go mate 1 depth 2",),
     ("go wtime -5 btime 5",), ("go wtime 1 btime 1 movestogo 1",), ("go infinite", "isready", "stop", "stop"),
     ("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "go depth 2"),
     ("position fen 4k3/8/8/8/8/8/8/R3K3 w - - 100 80", "go depth 2"),
     ("setoption name Search value seed", "go movetime 30"),
     ("setoption name Search value seed", "go infinite", "stop"),
     ("setoption name Search value seed", "go depth 2")],
)  # fmt: skip
async def test_every_go_is_answered(lines: tuple[str, ...]) -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, _):
        wire.say("uci", *lines)
        asked = sum(line.startswith("go") for line in lines)
        for _ in range(asked):
            answer = await wire.hear("bestmove ")
            assert answer.split()[1] != "0000"
        wire.say("isready")
        await wire.hear("readyok")
        assert sum(line.startswith("bestmove") for line in wire.heard) == asked


@pytest.mark.parametrize("lines", [("st 0",), ("level 0 1 0", "time -100"), ("level 0 1 0", "time 0"), ("sd 1",),
                                   ("level 40 0:01 0", "time 30"), ("nps 1000", "st 1"), ("st 1", "nps 1000")])  # fmt: skip
async def test_every_limit_leads_to_a_move(lines: tuple[str, ...]) -> None:
    async with conversing(CecpSession, ChessEngine()) as (wire, _):
        wire.say("xboard", *lines, "go")
        await wire.hear("move ", seconds=3.0)


async def test_the_end_of_input_ends_the_conversation() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, serving):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        wire.writer.write_eof()
        await asyncio.wait_for(serving, 2.0)


async def test_a_search_with_an_end_outlives_the_input() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, serving):
        wire.say("uci", "go depth 3")
        wire.writer.write_eof()
        assert "info depth 3 " in "".join(await wire.rest())
        assert wire.heard[-1].startswith("bestmove ")
        await serving


async def test_a_long_search_does_not_outlive_the_input_for_long() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, serving):
        wire.say("uci", PLENTY)
        wire.writer.write_eof()
        await asyncio.wait_for(serving, serving_module.LAST_SECONDS + 2.0)
        assert (await wire.rest())[-1].startswith("bestmove ")


@pytest.mark.parametrize("kind", [UciSession, CecpSession])
async def test_quit_while_thinking(kind: type[Session]) -> None:
    async with conversing(kind, ChessEngine()) as (wire, serving):
        wire.say("go", "quit", "isready", "ping 1")
        await asyncio.wait_for(serving, 2.0)
        assert not {"readyok", "pong 1"} & set(await wire.rest())


@pytest.mark.parametrize(("kind", "answer"), [(UciSession, "info string"), (CecpSession, "telluser")])
async def test_a_line_too_long_is_answered(kind: type[Session], answer: str) -> None:
    async with conversing(kind, ChessEngine(), limit=1000) as (wire, serving):
        wire.say("x" * 2000)
        assert (await wire.rest())[-1] == f"{answer} line too long"
        await serving


async def test_cutting_the_line_while_thinking() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, serving):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        wire.writer.transport.abort()
        await asyncio.wait({serving}, timeout=2.0)
        assert serving.done() and isinstance(serving.exception(), ConnectionError | None)


@pytest.mark.parametrize(
    "error", [EngineError("it broke"), ValueError("it broke"), MemoryError(), RuntimeError()]
)
@pytest.mark.parametrize("thoughts", [0, 1, 3])
async def test_an_ailing_engine_is_told_of_and_the_game_goes_on(error: Exception, thoughts: int) -> None:
    async with conversing(UciSession, AilingEngine(error, thoughts)) as (wire, _):
        for moves in ("", " moves e2e4"):
            wire.say(f"position startpos{moves}", "go movetime 100")
            answer = (await wire.hear("bestmove ")).split()[1]
            assert f"info string {str(error) or type(error).__name__}" in wire.heard
            position = position_from_fen(START)
            for move in moves.split()[1:]:
                position.make(position.action_from(move))
            assert position.action_from(answer) in position.legal_actions()
            wire.heard.clear()


async def test_an_ailing_engine_under_cecp() -> None:
    async with conversing(CecpSession, AilingEngine(EngineError("it broke"))) as (wire, _):
        wire.say("xboard", "new", "usermove e2e4", "ping 1")
        await wire.hear("pong 1")
        assert wire.heard[0] == "telluser it broke"  # of `new`
        assert wire.heard[1] == "telluser it broke"
        assert wire.heard[2].startswith("move ")


async def test_options_that_the_engine_refuses() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, _):
        wire.say("uci", "setoption name GenomeFile value /nowhere/at/all", "isready")
        await wire.hear("readyok")
        assert wire.heard[-2].startswith("info string cannot read the genome file")


async def test_a_deaf_reader_ends_the_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    """He asks and asks and reads nothing: soon nothing more is thought or said for him."""
    monkeypatch.setattr(serving_module, "WRITE_SECONDS", 0.2)
    async with conversing(UciSession, ChessEngine()) as (wire, serving):
        wire.say(*["uci"] * 5000)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(serving), 8.0)
        assert serving.done()


async def test_a_deaf_listener_to_thinking_ends_the_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_module, "WRITE_SECONDS", 0.2)
    talkative = AilingEngine(EngineError("never"), thoughts=10**9)
    async with conversing(UciSession, talkative) as (wire, serving):
        wire.say("go infinite")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(serving), 8.0)
        assert serving.done()


async def _silence(reader: asyncio.StreamReader) -> list[str]:
    """What is said in the next tenth of a second."""
    try:
        async with asyncio.timeout(0.1):
            return [(await reader.readline()).decode()]
    except TimeoutError:
        return []
