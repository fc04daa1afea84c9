"""Sessions with the real engine, and with failing ones, over real streams."""

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from core.chess.notation import START, position_from_fen
from core.game import State
from engines.chess.engine import ChessEngine
from engines.engine import Engine, EngineError, Info, Limit
from engines.remote_engine import OwnedEngine
from protocols.cecp import CecpSession
from protocols.engine_session import LAST_SECONDS, Event, Session, run_session
from protocols.uci import MOVES_AT_ONCE, UciSession
from tests.protocols.wire import Wire
from tests.waiting import PATIENCE_SECONDS, counted_turns

PROMPT_SECONDS = 0.25  # of the processor, engine and session together; some 50 ms are used
PLENTY = "go wtime 3600000 btime 3600000"


class FailingEngine(Engine):
    """Raises an error after some infos, and at a new game."""

    name, author, options = "Failing", "tests", ()

    def __init__(self, error: Exception, infos: int = 1) -> None:
        self.error = error
        self.infos = infos

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        for depth in range(self.infos):
            yield Info(action=state.legal_actions()[-1], depth=depth)
            await asyncio.sleep(0)
        raise self.error

    async def new_game(self) -> None:
        raise self.error


@asynccontextmanager
async def conversing(
    kind: type[Session], engine: Engine, limit: int = 65_536
) -> AsyncIterator[tuple[Wire, asyncio.Task[None]]]:
    """A session with `engine` over a pair of sockets; both ends are closed afterwards."""
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=far, limit=limit)
    session = kind(engine.name, engine.author, engine.options)

    async def run() -> None:
        try:
            await run_session(session, engine, reader, writer)
        finally:
            writer.close()

    running = asyncio.create_task(run())
    wire = Wire(*await asyncio.open_connection(sock=near))
    try:
        yield wire, running
    finally:
        await wire.close()
        running.cancel()
        await asyncio.wait({running})
        await engine.close()


async def test_isready_is_answered_promptly_during_a_search() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, _):
        wire.say("uci", PLENTY)
        await wire.hear("info depth")
        costs = sorted([await wire.cost("isready", "readyok") for _ in range(20)])
        assert costs[10] < PROMPT_SECONDS
        assert await wire.cost("stop", "bestmove ") < PROMPT_SECONDS
        assert [line for line in wire.received if line.startswith("bestmove")] == [wire.received[-1]]


async def test_ping_is_answered_promptly_after_move_now() -> None:
    async with conversing(CecpSession, ChessEngine()) as (wire, _):
        wire.say("xboard", "level 0 60 0", "post", "go")
        await wire.hear(r"\d+ ")
        wire.say("?")
        assert await wire.cost("ping 1", "pong 1") < PROMPT_SECONDS
        assert wire.received[-2].startswith("move ")


async def test_ping_is_answered_promptly_while_pondering_and_analysing() -> None:
    async with conversing(CecpSession, ChessEngine()) as (wire, _):
        wire.say("xboard", "hard", "st 0.05", "go")
        await wire.hear("move ")
        assert await wire.cost("ping 1", "pong 1") < PROMPT_SECONDS
        wire.say("force", "post", "analyze")
        await wire.hear(r"\d+ ")
        assert await wire.cost("ping 2", "pong 2") < PROMPT_SECONDS
        assert await wire.cost(".", "stat01: ") < PROMPT_SECONDS
        wire.say("exit", "ping 3")
        await wire.hear("pong 3")
        assert not [line for line in await _lines_in_next_tenth(wire.reader) if line]


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
        assert sum(line.startswith("bestmove") for line in wire.received) == asked


@pytest.mark.parametrize("lines", [("st 0",), ("level 0 1 0", "time -100"), ("level 0 1 0", "time 0"), ("sd 1",),
                                   ("level 40 0:01 0", "time 30"), ("nps 1000", "st 1"), ("st 1", "nps 1000")])  # fmt: skip
async def test_every_limit_leads_to_a_move(lines: tuple[str, ...]) -> None:
    async with conversing(CecpSession, ChessEngine()) as (wire, _):
        wire.say("xboard", *lines, "go")
        await wire.hear("move ")


async def test_the_end_of_input_ends_the_session() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, running):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        wire.writer.write_eof()
        await asyncio.wait_for(running, PATIENCE_SECONDS)


async def test_a_search_with_an_end_outlives_the_input() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, running):
        wire.say("uci", "go depth 3")
        wire.writer.write_eof()
        assert "info depth 3 " in "".join(await wire.rest())
        assert wire.received[-1].startswith("bestmove ")
        await running


async def test_a_long_search_does_not_outlive_the_input_for_long() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, running):
        wire.say("uci", PLENTY)
        wire.writer.write_eof()
        await asyncio.wait_for(running, LAST_SECONDS + 2.0)
        assert (await wire.rest())[-1].startswith("bestmove ")


async def test_a_benchmark_outlives_the_input() -> None:
    totals = set()
    for _ in range(2):
        async with conversing(UciSession, ChessEngine()) as (wire, running):
            wire.say("bench 1 1 6")
            wire.writer.write_eof()
            *_, time, nodes, rate = await wire.rest()
            assert (time.split()[0], rate.split()[0]) == ("Total", "Nodes/second")
            totals.add(nodes)
            await running
    assert len(totals) == 1 and int(totals.pop().removeprefix("Nodes searched  : ")) > 1000


CHANGES = ("setoption name Clear Hash", "setoption name Hash value 2", "setoption name Genome value handset",
           "setoption name Search value seed", "ucinewgame")  # fmt: skip


@pytest.mark.parametrize("is_remote", [False, True])
async def test_setoption_during_search_waits_for_its_end(is_remote: bool) -> None:
    """With an engine of the same process, as galapagos-chess has it, and with one in a worker, as the server has."""
    engine = await OwnedEngine.start("engines.chess.engine:ChessEngine") if is_remote else ChessEngine()
    async with conversing(UciSession, engine) as (wire, _):
        wire.say("uci", "position startpos moves e2e4", "go nodes 400000")
        await wire.hear("info depth")
        wire.say(*CHANGES, "setoption name Hash value x", "isready")
        await wire.hear("readyok")
        assert not [line for line in wire.received if line.startswith(("bestmove", "info string"))]
        best = await wire.hear("bestmove ", seconds=60.0)
        assert best != "bestmove 0000" and " nodes 400000 " in wire.received[-2]
        await wire.hear("info string Hash must be")
        wire.say("setoption name Search value strong", "go infinite")
        await wire.hear("info depth")
        wire.say(*CHANGES, "stop")
        assert await wire.hear("bestmove ") != "bestmove 0000"


@pytest.mark.parametrize("is_remote", [False, True])
async def test_memory_during_search_leaves_the_move_and_the_board_alone(is_remote: bool) -> None:
    engine = await OwnedEngine.start("engines.chess.engine:ChessEngine") if is_remote else ChessEngine()
    async with conversing(CecpSession, engine) as (wire, _):
        wire.say("xboard", "level 0 60 0", "post", "usermove e2e4")
        for theirs in ("d2d4", "h2h3"):
            await wire.hear(r"\d+ ")
            wire.say("memory 32", "option Genome=handset", "option Clear Hash", "?", "ping 1")
            assert (await wire.hear("move ")).split()[1] != "0000"
            await wire.hear("pong 1")
            wire.say(f"usermove {theirs}")


async def test_eval_and_perft_do_not_block_the_session() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, _):
        wire.say("uci", "go perft 9")
        await wire.hear("uciok")
        wire.say("isready", "eval")
        await wire.hear("readyok")
        await wire.hear("Total Force")
        wire.say("stop", "go perft 3")
        await wire.hear("info string perft was stopped before 20 moves were counted")
        assert await wire.hear("e2e4: ") == "e2e4: 600"
        await wire.hear("Nodes searched: 8902")


@pytest.mark.parametrize("kind", [UciSession, CecpSession])
async def test_quit_during_a_search_ends_the_session(kind: type[Session]) -> None:
    async with conversing(kind, ChessEngine()) as (wire, running):
        wire.say("go", "quit", "isready", "ping 1")
        await asyncio.wait_for(running, PATIENCE_SECONDS)
        assert not {"readyok", "pong 1"} & set(await wire.rest())


async def test_reading_thousands_of_moves_yields_to_the_event_loop() -> None:
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=far)
    near.shutdown(socket.SHUT_WR)
    line = "position startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 1600
    pauses = 0

    async def pause() -> None:
        nonlocal pauses
        pauses += 1

    async with counted_turns() as turns:
        await run_session(UciSession("", "", ()), FailingEngine(OSError()), reader, writer, line)
    assert turns[0] >= 6400 // MOVES_AT_ONCE
    await run_session(UciSession("", "", ()), FailingEngine(OSError()), reader, writer, line, pause=pause)
    assert pauses == 6400 // MOVES_AT_ONCE, "a remote session waits for its turn instead"
    writer.close()
    near.close()


@pytest.mark.parametrize(("kind", "answer"), [(UciSession, "info string"), (CecpSession, "telluser")])
async def test_a_line_too_long_is_answered(kind: type[Session], answer: str) -> None:
    async with conversing(kind, ChessEngine(), limit=1000) as (wire, running):
        wire.say("x" * 2000)
        assert (await wire.rest())[-1] == f"{answer} the line is too long"
        await running


async def test_a_connection_lost_during_a_search_ends_the_session() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, running):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        wire.writer.transport.abort()
        await asyncio.wait({running}, timeout=PATIENCE_SECONDS)
        assert running.done() and isinstance(running.exception(), ConnectionError | None)


@pytest.mark.parametrize(
    "error", [EngineError("it broke"), ValueError("it broke"), MemoryError(), RuntimeError()]
)
@pytest.mark.parametrize("infos", [0, 1, 3])
async def test_an_engine_error_is_reported_and_the_game_continues(error: Exception, infos: int) -> None:
    async with conversing(UciSession, FailingEngine(error, infos)) as (wire, _):
        for moves in ("", " moves e2e4"):
            wire.say(f"position startpos{moves}", "go movetime 100")
            answer = (await wire.hear("bestmove ")).split()[1]
            assert f"info string {str(error) or type(error).__name__}" in wire.received
            position = position_from_fen(START)
            for move in moves.split()[1:]:
                position.make(position.action_from(move))
            assert position.action_from(answer) in position.legal_actions()
            wire.received.clear()


async def test_an_engine_error_is_reported_over_cecp_before_the_move() -> None:
    async with conversing(CecpSession, FailingEngine(EngineError("it broke"))) as (wire, _):
        wire.say("xboard", "new", "usermove e2e4", "ping 1")
        await wire.hear("pong 1")
        assert wire.received[0] == "telluser it broke"  # of `new`
        assert wire.received[1] == "telluser it broke"
        assert wire.received[2].startswith("move ")


async def test_options_that_the_engine_refuses_are_reported() -> None:
    async with conversing(UciSession, ChessEngine()) as (wire, _):
        wire.say("uci", "setoption name GenomeFile value /nowhere/at/all", "isready")
        await wire.hear("readyok")
        assert wire.received[-2].startswith("info string cannot read the genome file")


async def test_a_peer_that_does_not_read_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks and asks: soon nothing more is searched or sent."""
    monkeypatch.setattr("protocols.engine_session.WRITE_SECONDS", 0.2)
    async with conversing(UciSession, ChessEngine()) as (wire, running):
        wire.say(*["uci"] * 5000)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(running), PATIENCE_SECONDS)
        assert running.done()


async def test_a_peer_that_does_not_read_infos_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.engine_session.WRITE_SECONDS", 0.2)
    talkative = FailingEngine(EngineError("never"), infos=10**9)
    async with conversing(UciSession, talkative) as (wire, running):
        wire.say("go infinite")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(running), PATIENCE_SECONDS)
        assert running.done()


class FaultySession(UciSession):
    def receive(self, line: str) -> Iterator[Event]:
        if line == "fault":
            raise RuntimeError("a fault of the program")
        yield from super().receive(line)


class CutOffEngine(FailingEngine):
    """Sees that the connection is gone when its search is cancelled."""

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=state.legal_actions()[0], depth=1)
        try:
            await asyncio.sleep(60)
        finally:
            raise ConnectionResetError


async def test_a_fault_is_not_hidden_by_a_broken_connection() -> None:
    async with conversing(FaultySession, CutOffEngine(ValueError())) as (wire, running):
        wire.say("go infinite")
        await wire.hear("info depth")
        wire.say("fault")
        with pytest.raises(RuntimeError, match="a fault of the program"):
            await asyncio.wait_for(asyncio.shield(running), PATIENCE_SECONDS)


async def _lines_in_next_tenth(reader: asyncio.StreamReader) -> list[str]:
    """What is sent in the next tenth of a second."""
    try:
        async with asyncio.timeout(0.1):
            return [(await reader.readline()).decode()]
    except TimeoutError:
        return []
