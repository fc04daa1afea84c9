"""Programs that misbehave: they cost bounded time and memory, and are ended in the end."""

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.chess.game import Chess
from core.random import Random
from engines.engine import EngineError
from engines.match.referee import Ending, play
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl
from protocols.external.process import EngineProcess, Timeouts
from protocols.external.uci import UciEngine
from tests.protocols.external.scripted import answer, infos, position

HURRY = Timeouts(introduction=60.0, ready=60.0, stop=0.3, quit=0.3)
IMPATIENT = Timeouts(introduction=0.3, quit=0.1)

HEAD = """
import os, sys, time
open(sys.argv[1], "w").write(str(os.getpid()))
def say(*lines):
    sys.stdout.write("".join(f"{line}\\n" for line in lines))
    sys.stdout.flush()
"""

UCI = """
for line in map(str.strip, sys.stdin):
    if line == "uci":
        say("id name Script", "id author a test", "uciok")
    elif line == "isready":
        say("readyok")
    elif line.startswith("go"):
        say("bestmove e2e4")
    elif line == "quit":
        break
"""


@dataclass(frozen=True)
class Script:
    command: list[str]
    pid_file: Path

    def is_running(self) -> bool:
        if not self.pid_file.exists() or not self.pid_file.stat().st_size:
            return False  # not yet
        try:
            os.kill(int(self.pid_file.read_text()), 0)
        except ProcessLookupError:
            return False
        return True


Write = Callable[[str], Script]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the test's program, which has the function say()."""

    def write(body: str) -> Script:
        program, pid_file = tmp_path / "engine.py", tmp_path / "pid"
        program.write_text(HEAD + body)
        return Script([sys.executable, "-I", "-S", str(program), str(pid_file)], pid_file)

    return write


async def test_commands_that_cannot_be_started_raise_engine_error() -> None:
    for command in (["/no/such/engine"], [os.devnull], ["a\0b"]):
        with pytest.raises(EngineError, match="cannot start"):
            await UciEngine.open(command)


@pytest.mark.parametrize("body", ["pass", "while True: say('hello')"])
async def test_programs_that_exit_or_never_introduce_themselves_are_refused(write: Write, body: str) -> None:
    with pytest.raises(EngineError, match=r"ended with status 0|did not introduce itself within 0.3 s"):
        await UciEngine.open(write(body).command, timeouts=IMPATIENT)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
async def test_names_in_utf_8_and_latin_1_are_read(write: Write, encoding: str) -> None:
    line = "id name Caf\xe9\n".encode(encoding)
    said = f"sys.stdout.buffer.write({line!r})"
    engine = await UciEngine.open(
        write(f"{said}\n{UCI.replace('id name Script', 'info string x')}").command, timeouts=HURRY
    )
    assert engine.name == "Caf\xe9"
    await engine.close()


async def test_a_dead_engine_raises_an_error_at_every_use(write: Write) -> None:
    engine = await UciEngine.open(
        write(UCI.replace('say("bestmove e2e4")', "sys.exit(3)")).command, timeouts=HURRY
    )
    for _ in range(2):
        with pytest.raises(EngineError, match="ended with status 3"):
            await infos(engine, position())
    with pytest.raises(EngineError, match="ended with status 3"):
        await engine.new_game()
    result = await play(Chess(), [RandomEngine(), engine], TimeControl(nodes=1), Random(1))
    assert (result.ending, result.culprit, result.returns) == (Ending.CRASH, 1, (1.0, -1.0))
    await engine.close()


async def test_a_flood_of_output_does_not_block_the_event_loop(write: Write) -> None:
    flood = "say(*['info string what a day'] * 20_000, 'bestmove e2e4')"
    engine = await UciEngine.open(write(UCI.replace('say("bestmove e2e4")', flood)).command, timeouts=HURRY)
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    counting = asyncio.create_task(count_turns())
    assert await answer(engine, position()) == "e2e4"
    counting.cancel()
    assert turns > 4_000  # of 20,000 lines; without a rest they take some 1,000
    await engine.close()


async def test_a_line_of_more_than_65536_bytes_is_an_error(write: Write) -> None:
    endless = "while True: sys.stdout.write('x' * 1000)"
    engine = await UciEngine.open(write(UCI.replace('say("bestmove e2e4")', endless)).command, timeouts=HURRY)
    with pytest.raises(EngineError, match="a line of more than 65536 bytes"):
        await infos(engine, position())
    await engine.close()


async def test_sending_to_a_program_that_does_not_read_raises_an_error(write: Write) -> None:
    process = await EngineProcess.start(write("time.sleep(60)").command)
    with pytest.raises(EngineError, match="does not read its input"):
        for _ in range(100):
            process.send("x" * 50_000)
    await process.close(1.0)


async def test_stderr_is_swallowed(write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    script = write("sys.stderr.write('x' * 1_000_000)\n" + UCI)
    engine = await UciEngine.open(script.command, name="Mine", timeouts=HURRY)
    assert engine.name == "Mine"
    await engine.close()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "body",
    [
        UCI,
        UCI.replace("break", "pass"),  # leaves at the end of its input
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        + UCI.replace("break", "time.sleep(60)"),
        UCI.replace("break", "say(*['info'] * 100_000)"),
    ],
)
async def test_close_ends_the_process_even_if_the_engine_ignores_quit(write: Write, body: str) -> None:
    script = write(body)
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    await engine.close()
    await engine.close()
    assert script.pid_file.exists() and not script.is_running()
    with pytest.raises(EngineError, match="was closed"):
        await infos(engine, position())


async def test_close_during_a_search_ends_the_process(write: Write) -> None:
    script = write(UCI.replace('say("bestmove e2e4")', "pass"))
    engine = await UciEngine.open(script.command, timeouts=HURRY)
    listening = asyncio.create_task(infos(engine, position()))
    await asyncio.sleep(0.02)
    await engine.close()
    with pytest.raises(EngineError):
        await listening
    assert script.pid_file.exists() and not script.is_running()


async def test_cancelling_open_leaves_no_process(write: Write) -> None:
    script = write("time.sleep(60)")
    opening = asyncio.create_task(UciEngine.open(script.command, timeouts=HURRY))
    while not script.is_running():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    opening.cancel()
    await asyncio.wait({opening})
    assert opening.cancelled()
    assert script.pid_file.exists() and not script.is_running()
