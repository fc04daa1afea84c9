"""galapagos-chess as GUIs meet it: a process on standard input and output."""

import asyncio
import os
import re
import signal
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import chess
import chess.polyglot
import pytest

from tests.protocols.wire import Wire
from tests.waiting import PATIENCE_SECONDS, processor_seconds
from tools.chess_engine import main

COMMAND = (sys.executable, "-m", "tools.chess_engine")
READY_SECONDS = 0.3
PROMPT_SECONDS = 0.25  # of the processor
MEMORY_MIB = 80
# What a light start can do without. (asyncio itself brings logging, ssl and inspect.)
HEAVY = {
    "chess", "numpy", "rich", "aiohttp", "aiomqtt", "msgspec", "hypothesis", "pytest", "argparse", "json", "pickle",
    "multiprocessing", "importlib.metadata", "importlib.resources", "zipfile", "tempfile", "sqlite3", "decimal",
    "random", "statistics", "unittest", "engines.worker", "engines.match", "protocols.server", "protocols.external",
    "protocols.jsonl",
}  # fmt: skip


def run(
    *arguments: str, given: str = "", seconds: float = PATIENCE_SECONDS
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], input=given, capture_output=True, text=True, timeout=seconds, check=False
    )


@asynccontextmanager
async def playing(*arguments: str) -> AsyncIterator[tuple[Wire, asyncio.subprocess.Process]]:
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        yield Wire(process.stdout, process.stdin), process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


# -- The two protocols -----------------------------------------------------------------------------


def test_the_engine_answers_uci() -> None:
    done = run(given="uci\nisready\nposition startpos moves e2e4\ngo depth 4\n")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id name Galapagos ")
    assert lines.index("uciok") < lines.index("readyok")
    assert re.fullmatch("bestmove [a-h][1-8][a-h][1-8]( ponder [a-h][1-8][a-h][1-8])?", lines[-1])
    assert (done.returncode, done.stderr) == (0, "")


def test_the_engine_answers_cecp() -> None:
    done = run(given="xboard\nprotover 2\nnew\nst 0.1\npost\nusermove e2e4\nping 1\n")
    lines = done.stdout.splitlines()
    assert lines[0] == "feature done=0" and "feature done=1" in lines
    assert lines[-1] == "pong 1" and lines[-2].startswith("move ")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("first", ["\n\ufeff uci \r", "isready\n\nhello\nuci"])
def test_lines_before_the_protocol_is_named_are_answered_with_advice(first: str) -> None:
    done = run(given=f"{first}\nquit\n")
    assert "uciok" in done.stdout
    assert done.stdout.count("must be uci or xboard") == first.count("isready") + first.count("hello")


@pytest.mark.parametrize(
    ("given", "lines_of_advice"),
    [
        ("", 0),
        ("\nquit\n", 0),
        ("\x00\n", 1),
        ("hello", 1),  # without a break
        ("x" * 3_000_000, 0),  # longer than any line that is read
    ],
    ids=lambda value: repr(value)[:20],
)
def test_input_that_names_no_protocol_ends_with_status_0(given: str, lines_of_advice: int) -> None:
    done = run(given=given)
    advice = "this is a chess engine, to be run by a chess program: the first line must be uci or xboard\n"
    assert done.stdout == advice * lines_of_advice
    assert (done.returncode, done.stderr) == (0, "")


def test_commands_are_read_from_a_file(tmp_path: Path) -> None:
    script = tmp_path / "script.uci"
    script.write_text("uci\nposition startpos\ngo depth 5\n")
    with script.open() as given:
        done = subprocess.run(
            COMMAND, stdin=given, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
        )
    assert " depth 5 " in done.stdout and done.stdout.splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize("is_file", [True, False])
@pytest.mark.parametrize("last", ["quit\n", ""])
def test_each_go_of_a_script_is_searched_as_asked(is_file: bool, last: str, tmp_path: Path) -> None:
    """From a file or a pipe, whether or not `quit` comes after it."""
    lines = ["uci", "position startpos", "go depth 6", "setoption name Hash value 2"]
    lines += ["position startpos moves e2e4", "go nodes 20000", "position startpos moves d2d4", "go perft 3"]
    script = tmp_path / "script.uci"
    script.write_text("\n".join(lines) + f"\n{last}")
    with script.open() as file:
        source = {"stdin": file} if is_file else {"input": script.read_text()}
        done = subprocess.run(
            COMMAND, **source, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True
        )
    said = done.stdout.splitlines()
    first, second = (at for at, line in enumerate(said) if line.startswith("bestmove "))
    assert any(" depth 6 " in line for line in said[:first])
    assert any(
        int(line.split(" nodes ")[1].split()[0]) > 15_000 for line in said[first:second] if " pv " in line
    )
    assert said[-1] == "Nodes searched: 12435" and said[second + 1 :].index("") == 20


async def test_quit_on_a_live_pipe_is_obeyed_at_once_with_a_move() -> None:
    async with playing() as (wire, process):
        wire.say("uci", "go depth 60")
        await wire.hear("info depth")
        wire.say("go depth 60", "quit")
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await process.wait() == 0
        answers = [line for line in await wire.rest() if line.startswith("bestmove ")]
        assert len(answers) == 2 and "bestmove 0000" not in answers


async def test_the_end_of_input_ends_a_search_and_the_engine() -> None:
    async with playing() as (wire, process):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        wire.writer.close()
        assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == 0


async def test_the_engine_ends_quietly_when_its_output_is_closed() -> None:
    async with playing() as (wire, process):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        wire.reader._transport.close()  # type: ignore[attr-defined]
        assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == 0
        assert process.stderr is not None and await process.stderr.read() == b""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
async def test_sigterm_and_sigint_end_the_engine_while_it_searches(
    number: signal.Signals, status: int
) -> None:
    async with playing() as (wire, process):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        process.send_signal(number)
        assert await asyncio.wait_for(process.wait(), PATIENCE_SECONDS) == status
        assert process.stderr is not None and await process.stderr.read() == b""


async def test_the_engine_answers_isready_promptly_while_searching() -> None:
    async with playing() as (wire, process):
        wire.say("uci", "go infinite")
        await wire.hear("info depth")
        before = processor_seconds(process.pid)
        for _ in range(20):
            wire.say("isready")
            await wire.hear("readyok")
        wire.say("stop")
        await wire.hear("bestmove ")
        assert (processor_seconds(process.pid) - before) / 21 < PROMPT_SECONDS


def test_no_line_is_lost_on_nonblocking_descriptors() -> None:
    """Another program on the same terminal or pipe may have made them so."""
    (their_input, our_output), (our_input, their_output) = os.pipe(), os.pipe()
    os.set_blocking(their_input, False)
    os.set_blocking(their_output, False)
    process = subprocess.Popen(COMMAND, stdin=their_input, stdout=their_output)
    os.close(their_input)
    os.close(their_output)
    with os.fdopen(our_output, "w") as given, os.fdopen(our_input) as answers:
        time.sleep(0.3)  # it must wait for the first line
        given.write("uci\n" * 500 + "quit\n")
        given.flush()
        time.sleep(0.3)  # it must wait for us to read
        assert answers.read().count("uciok") == 500
    assert process.wait(PATIENCE_SECONDS) == 0


@pytest.mark.parametrize(
    ("redirection", "status"), [("<&-", 2), (">&-", 2), (">/dev/full", 1), ("</dev/null", 0)]
)
def test_closed_or_full_descriptors_end_the_engine_with_a_status(redirection: str, status: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {redirection}', *COMMAND],
        input="uci\nquit\n", capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == status
    assert len(done.stderr.splitlines()) == (status > 0)


# -- The command line ------------------------------------------------------------------------------


def test_help_lists_options_and_protocols(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["--help"])
    out = capsys.readouterr().out
    assert exit.value.code == 0 and "--genome" in out and "UCI and CECP" in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--genome", "/nowhere/at/all"), "cannot read the genome file '/nowhere/at/all'"),
        (("--genome", "{bad}"), "line 3"),
        (("--hash", "lots"), "Hash must be 1..4096, not 'lots'"),
        (("--strength", "0"), "Strength must be 1..100, not '0'"),
        (("--log", "/nowhere/at/all"), "/nowhere/at/all"),
        (("--book", "{bad}"), "not a Polyglot book"),
        (("--syzygy", "/nowhere/at/all"), "cannot read the tables in '/nowhere/at/all'"),
    ],
)
def test_invalid_arguments_are_refused_in_one_line(
    arguments: tuple[str, str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("ID: 1\n\nName: No Such Gene\nACTIVE\n\nEND\n")
    assert main([argument.format(bad=bad) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert not out and line.startswith("galapagos-chess: ") and problem in line


def test_bench_counts_the_same_nodes_from_arguments_and_input() -> None:
    """The same words as the command, the same count as from the input."""
    words = "bench 1 1 3 default depth"
    shown, piped = run(*words.split()), run(given=f"{words}\n")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert [line.split(" :")[0] for line in shown.stdout.splitlines()[-3:]] == [
        "Total time (ms)",
        "Nodes searched ",
        "Nodes/second   ",
    ]
    assert shown.stdout.splitlines()[-2] == piped.stdout.splitlines()[-2]


def test_go_d_and_eval_are_accepted_as_arguments() -> None:
    assert run("go", "perft", "3").stdout.splitlines()[-1] == "Nodes searched: 8902"
    assert run("--hash", "1", "go", "depth", "2").stdout.splitlines()[-1].startswith("bestmove ")
    assert "Checkers:" in run("d").stdout and "Total Force" in run("eval").stdout
    refused = run("xboard")
    assert refused.returncode == 2 and "one of bench, go, d, eval, not 'xboard'" in refused.stderr


def test_an_unknown_option_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["--contempt", "3"])
    assert exit.value.code == 2 and "--contempt" in capsys.readouterr().err.splitlines()[-1]


def test_options_choose_a_genome_and_log_the_conversation(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    given = "uci\nisready\nposition startpos\ngo depth 4\n"
    plain = run(given=given).stdout.splitlines()[-1]
    done = run("--genome", "random", "--hash", "1", "--log", str(log), given=given)
    assert done.stderr == "" and done.stdout.splitlines()[-1] != plain
    lines = log.read_text().splitlines()
    assert [line[9:] for line in lines if line[9] == ">"] == [f"> {line}" for line in given.splitlines()]
    assert [line[11:] for line in lines if line[9] == "<"] == done.stdout.splitlines()


def test_the_engine_plays_from_a_book_and_from_syzygy_tables(tmp_path: Path) -> None:
    board, book = chess.Board(), tmp_path / "my book.bin"
    move = chess.E7 | chess.E2 << 6  # no such move is legal
    good = chess.H3 | chess.H2 << 6
    key = chess.polyglot.zobrist_hash(board)
    book.write_bytes(struct.pack(">QHHIQHHI", key, move, 9, 0, key, good, 1, 0))
    tables = Path(__file__).parents[1] / "engines/chess/syzygy"
    given = "uci\nposition startpos\ngo movetime 9000\nposition fen 8/8/8/8/8/2k5/8/K6Q w - - 0 1\ngo movetime 9000\n"
    before = os.times().children_user
    done = run("--book", str(book), "--syzygy", str(tables), given=given)
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("bestmove")] == ["bestmove h2h3", "bestmove h1e4"]
    assert any(" score cp 20000 " in line for line in lines) and os.times().children_user - before < 5.0
    assert f"option name BookFile type string default {book}" in lines
    assert f"option name SyzygyPath type string default {tables}" in lines
    done = run(given=f"uci\nsetoption name BookFile value {book}\nsetoption name OwnBook value true\n{given}")
    assert "bestmove h2h3" in done.stdout.splitlines() and done.stderr == ""


# -- A light start ---------------------------------------------------------------------------------


def test_the_engine_starts_without_heavy_modules() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tools.chess_engine"],
        input="uci\nisready\ngo depth 3\n", capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True,
    )  # fmt: skip
    imported = {
        line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "import time:" in line
    }
    assert "core.chess.position" in imported and not HEAVY & imported
    ours = {name for name in imported if name.split(".")[0] in ("core", "engines", "protocols", "tools")}
    assert len(ours) < 45 and len(imported) < 240


def test_the_engine_starts_within_its_limit_of_processor_time() -> None:
    """In seconds of the processor, and the best of three, since the machine has other work."""
    seconds = []
    for first, ready in (("uci", "uciok"), ("xboard\nprotover 2", "feature done=1"), ("uci", "uciok")):
        with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"{first}\n")
            process.stdin.flush()
            while (line := process.stdout.readline().strip()) != ready:
                assert line
            seconds.append(processor_seconds(process.pid))
            process.stdin.write("quit\n")
    assert min(seconds) < READY_SECONDS


async def test_the_engine_stays_within_its_memory_limit() -> None:
    async with playing() as (wire, process):
        wire.say("uci", "ucinewgame", "go movetime 500")
        await wire.hear("bestmove ")
        status = _status(process.pid)
    peak, resident = (int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) / 1024 for name in ("VmHWM", "VmRSS"))  # type: ignore[index]
    assert resident < MEMORY_MIB and peak < MEMORY_MIB


def _status(process: int) -> str:
    return Path(f"/proc/{process}/status").read_text()
