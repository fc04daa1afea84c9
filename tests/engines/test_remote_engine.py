"""Engines in worker processes: the same answers, the same errors, and a life after kill -9."""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from core.chess.game import Chess
from core.chess.notation import START, position_from_fen
from core.chess.position import Position, perft
from core.game import State
from engines.chess.engine import ChessEngine
from engines.engine import Engine, EngineError, Info, Limit
from engines.remote_engine import OwnedEngine
from engines.worker import Worker
from engines.worker_pool import Workers
from tests.conformance import check_engine
from tests.fifth_game.tictactoe import Board
from tests.waiting import PATIENCE_SECONDS, until

CHESS = "engines.chess.engine:ChessEngine"
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


class FailingEngine(Engine):
    """Made in the worker process to fail there."""

    name, author, options = "Failing", "tests", ()

    def __init__(self, at: str) -> None:
        self.at = at
        if at == "open":
            raise ValueError("not today")

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=state.legal_actions()[-1], depth=1)
        raise ValueError("out of thoughts")

    async def new_game(self) -> None:
        if self.at == "exit":
            os._exit(3)
        raise KeyError("no game")


def unreadable() -> None:
    raise ImportError("this was never meant to be read")


class Unreadable:
    """An object that can be sent, and not be read."""

    def __reduce__(self) -> tuple[object, ...]:
        return unreadable, ()


class UnreadableEngine(FailingEngine):
    """Has an opinion that nobody can read."""

    async def think(self, state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=Unreadable())  # type: ignore[arg-type]


@pytest_asyncio.fixture
async def workers() -> AsyncIterator[Workers]:
    async with Workers(1) as pool:
        yield pool


async def test_a_remote_engine_conforms(workers: Workers) -> None:
    await check_engine(await workers.engine(CHESS), Chess())


@pytest.mark.parametrize(
    "limit", [Limit(nodes=20_000), Limit(depth=5), Limit(seconds=3, nodes_per_second=5_000)]
)
async def test_a_remote_engine_plays_the_moves_of_a_local_engine(workers: Workers, limit: Limit) -> None:
    remote, local = await workers.engine(CHESS), ChessEngine()
    assert (remote.name, remote.author, remote.options) == (local.name, local.author, local.options)
    position = position_from_fen(MIDDLEGAME)
    for _ in range(3):
        last = await _last(remote, position, limit)
        assert last == await _last(local, position, limit)
        for action in last.line[:2]:
            position.make(action)


async def test_a_stopped_search_frees_the_process(workers: Workers) -> None:
    engine = await workers.engine(CHESS)
    position = position_from_fen(START)
    infos = engine.think(position, Limit())
    last = None
    async for info in infos:
        last = info
        if info.depth >= 3:
            break
    await infos.aclose()
    assert last is not None and last.action in position.legal_actions()
    # The search in the process has stopped, too: it is free for another one.
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert (await _infos(engine, position, Limit(nodes=1000)))[-1].nodes >= 1000


async def test_explain_and_perft_agree_with_a_local_engine(workers: Workers) -> None:
    engine, position = await workers.engine(CHESS), position_from_fen(MIDDLEGAME)
    assert await engine.explain(position) == await ChessEngine().explain(position)
    infos = await _infos(engine, position, Limit(perft=3))
    assert sum(info.nodes for info in infos) == perft(position, 3)
    other = await workers.engine(f"{__name__}:FailingEngine", "explain")
    with pytest.raises(ValueError, match="does not show how it evaluates"):
        await other.explain(position)


async def test_cancelled_thinking_frees_the_process(workers: Workers) -> None:
    engine = await workers.engine(CHESS)
    thinking = asyncio.create_task(_infos(engine, position_from_fen(START), Limit()))
    await asyncio.sleep(0.05)
    thinking.cancel()
    await asyncio.wait({thinking})
    assert thinking.cancelled()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await _infos(engine, position_from_fen(START), Limit(depth=2))


async def test_errors_of_configure_are_raised_as_value_errors(workers: Workers) -> None:
    engine = await workers.engine(CHESS)
    with pytest.raises(ValueError, match="no option is named 'Contempt'"):
        await engine.configure("Contempt", "1")
    with pytest.raises(ValueError, match=r"Hash must be 1\.\.4096, not 'much'"):
        await engine.configure("Hash", "much")
    await engine.configure("Hash", "1")
    await engine.new_game()


async def test_other_errors_in_the_process_are_raised_as_engine_errors(workers: Workers) -> None:
    engine = await workers.engine(f"{__name__}:FailingEngine", "think")
    infos = []
    with pytest.raises(EngineError, match="ValueError: out of thoughts"):
        async for info in engine.think(position_from_fen(START), Limit()):
            infos.append(info)
    assert [info.depth for info in infos] == [0, 1]
    with pytest.raises(EngineError, match="KeyError: 'no game'"):
        await engine.new_game()
    with pytest.raises(ValueError, match="not today"):
        await workers.engine(f"{__name__}:FailingEngine", "open")
    with pytest.raises(EngineError, match="ModuleNotFoundError"):
        await workers.engine("no.such.module:Engine")


async def test_a_killed_process_is_started_again_as_configured() -> None:
    engine = await OwnedEngine.start(CHESS)
    worker = engine._worker
    await engine.configure("Genome", "unevolved")
    await engine.configure("Hash", "1")
    position = position_from_fen(MIDDLEGAME)
    before = await _last(engine, position, Limit(nodes=5_000))
    for generation in (2, 3):
        infos = []
        with pytest.raises(EngineError, match="process has ended"):
            async for info in engine.think(position, Limit()):
                infos.append(info)
                if len(infos) == 3:
                    _kill(worker)
        assert infos
        assert await _last(engine, position, Limit(nodes=5_000)) == before
        assert worker.generation == generation
    await engine.close()


async def test_a_process_whose_answer_cannot_be_read_is_ended(
    workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever waits is told, and the next request begins another process."""
    engine, other = await workers.engine(f"{__name__}:UnreadableEngine", "think"), await workers.engine(CHESS)
    async with asyncio.timeout(PATIENCE_SECONDS):
        with pytest.raises(EngineError, match="process has ended"):
            await _infos(engine, position_from_fen(START), Limit())
        assert (await _infos(other, position_from_fen(START), Limit(depth=2)))[-1].depth == 2
    assert "cannot be read" in caplog.text and "never meant to be read" in caplog.text


async def test_a_request_that_ends_its_process_raises_engine_error(workers: Workers) -> None:
    engine = await workers.engine(f"{__name__}:FailingEngine", "exit")
    for _ in range(2):
        with pytest.raises(EngineError, match="process has ended"):
            await engine.new_game()


async def test_the_death_of_a_process_fails_requests_of_all_its_engines(workers: Workers) -> None:
    engines = [await workers.engine(CHESS) for _ in range(4)]
    position = position_from_fen(START)
    thinking = [asyncio.create_task(_infos(engine, position, Limit())) for engine in engines]
    await asyncio.sleep(0.1)
    _kill(workers._workers[0])
    # One asks again while the others are still being told.
    again = asyncio.create_task(_infos(engines[0], position, Limit(depth=2)))
    async with asyncio.timeout(PATIENCE_SECONDS):
        outcomes = await asyncio.gather(*thinking, return_exceptions=True)
        assert all(isinstance(outcome, EngineError) for outcome in outcomes)
        with_luck = await asyncio.gather(again, return_exceptions=True)
        assert isinstance(with_luck[0], EngineError | list)
        for engine in engines:
            assert (await _infos(engine, position, Limit(depth=2)))[-1].depth == 2


async def test_engines_in_one_process_do_not_affect_each_other(workers: Workers) -> None:
    engines = [await workers.engine(CHESS) for _ in range(5)]
    for engine in engines:
        await engine.configure("Hash", "1")
    await engines[0].configure("Genome", "unevolved")
    position = position_from_fen(MIDDLEGAME)
    lasts = await asyncio.gather(*(_last(engine, position, Limit(nodes=5_000)) for engine in engines))
    assert all(last == lasts[1] for last in lasts[1:])
    assert lasts[0] != lasts[1]
    assert workers._workers[0].load == 5
    for engine in engines:
        await engine.close()
    assert workers._workers[0].load == 0


class Heavy(Board):
    """A state of a megabyte, that counts how often it was made ready for sending."""

    pickled = 0

    def __reduce__(self) -> tuple[object, ...]:
        Heavy.pickled += 1
        return light, (bytes(1 << 20),)


def light(_: bytes) -> Position:
    return position_from_fen(START)


async def test_a_process_that_does_not_read_is_sent_little(workers: Workers) -> None:
    engine = await workers.engine("engines.random_engine:RandomEngine")
    process = _process(workers._workers[0])
    os.kill(process, signal.SIGSTOP)
    try:
        for _ in range(9):
            with suppress(TimeoutError):
                await asyncio.wait_for(_infos(engine, Heavy(), Limit()), 0.02)
        assert 1 <= Heavy.pickled <= 2
    finally:
        os.kill(process, signal.SIGCONT)
    assert await _infos(engine, position_from_fen(START), Limit())


async def test_closing_twice_is_closing_once(workers: Workers) -> None:
    first, second = [await workers.engine("engines.random_engine:RandomEngine") for _ in range(2)]
    for _ in range(3):
        await first.close()
    assert workers._workers[0].load == 1
    assert await _infos(second, position_from_fen(START), Limit())


async def test_engines_are_spread_over_the_processes() -> None:
    async with Workers(2) as pool:
        for _ in range(4):
            await pool.engine("engines.random_engine:RandomEngine")
        assert [worker.load for worker in pool._workers] == [2, 2]
        processes = [_process(worker) for worker in pool._workers]
    assert len({*processes}) == 2 and not any(map(_exists, processes))


async def test_closing_an_owned_engine_ends_its_process() -> None:
    engine = await OwnedEngine.start(CHESS, None, "Mine")
    assert engine.name == "Mine"
    process = _process(engine._worker)
    thinking = asyncio.create_task(_infos(engine, position_from_fen(START), Limit()))
    await asyncio.sleep(0.05)
    await engine.close()
    with pytest.raises(EngineError):
        await thinking
    assert not _exists(process)


async def test_an_engine_that_cannot_be_made_leaves_no_process() -> None:
    with pytest.raises(ValueError, match="not today"):
        await OwnedEngine.start(f"{__name__}:FailingEngine", "open")
    assert not multiprocessing.active_children()


async def test_an_engine_process_ends_with_its_killed_owner() -> None:
    """Not even one that was killed in the middle of a search."""
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OWNER, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert owner.stdout is not None
    process = int(await asyncio.wait_for(owner.stdout.readline(), PATIENCE_SECONDS))
    assert _exists(process)
    owner.kill()
    await owner.wait()
    await until(lambda: not _exists(process), "the end of the process")


OWNER = f"""
import asyncio
from core.chess.notation import START, position_from_fen
from engines.engine import Limit
from engines.remote_engine import OwnedEngine

async def main():
    engine = await OwnedEngine.start("{CHESS}")
    print(engine._worker.pid, flush=True)
    async for info in engine.think(position_from_fen(START), Limit()):
        pass

asyncio.run(main())
"""


async def _infos(engine: Engine, position: State, limit: Limit) -> list[Info]:
    return [info async for info in engine.think(position, limit)]


async def _last(engine: Engine, position: Position, limit: Limit) -> Info:
    """The info that counts. What came before it depends on the machine's speed, as do the seconds."""
    return replace((await _infos(engine, position, limit))[-1], seconds=0.0)


def _process(worker: Worker) -> int:
    assert worker.pid is not None
    return worker.pid


def _kill(worker: Worker) -> None:
    os.kill(_process(worker), signal.SIGKILL)


def _exists(process: int) -> bool:
    status = Path(f"/proc/{process}/status")
    return status.exists() and "State:\tZ" not in status.read_text()
