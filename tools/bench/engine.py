"""Benchmarks of `galapagos-chess` as a GUI meets it: how soon it is ready, how large, how prompt."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Final

from tools.bench.row import Row

COMMAND: Final = (sys.executable, "-m", "tools.stdio")
POSITION: Final = "position fen r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12"
ROUNDS: Final = 9
QUESTIONS: Final = 300


class _Gui:
    """The GUI's end of the pipes."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None and process.stdout is not None
        self._input, self._output = process.stdin, process.stdout
        self.pid = process.pid

    def say(self, line: str) -> None:
        self._input.write(line + "\n")
        self._input.flush()

    def hear(self, start: str) -> float:
        """Wait for a line that starts so; the moment it came."""
        while not self._output.readline().startswith(start):
            pass
        return perf_counter()


@contextmanager
def _engine() -> Iterator[_Gui]:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        gui = _Gui(process)
        try:
            yield gui
        finally:
            gui.say("quit")


def startup() -> Iterator[Row]:
    """From the start of the process to uciok, and to CECP's done=1."""
    for question, answer in (("uci", "uciok"), ("xboard\nprotover 2", "feature done=1")):
        seconds = []
        for _ in range(ROUNDS):
            started = perf_counter()
            with _engine() as gui:
                gui.say(question)
                seconds.append(gui.hear(answer) - started)
        yield Row(name=f"ready ({answer})", figure=median(seconds) * 1000, unit="ms", note="median of 9")


def memory() -> Iterator[Row]:
    """Resident memory after a search of three seconds with a hash of 16 MB."""
    with _engine() as gui:
        gui.say("uci")
        gui.hear("uciok")
        gui.say("setoption name Hash value 16")
        gui.say(POSITION)
        gui.say("go movetime 3000")
        gui.hear("bestmove")
        status = Path(f"/proc/{gui.pid}/status").read_text()
        kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        yield Row(name="resident memory, 16 MB hash", figure=kilobytes / 1024, unit="MiB")


def latency() -> Iterator[Row]:
    """isready while searching, ping while analysing, and from stop and ? to the move."""
    with _engine() as gui:
        gui.say("uci")
        gui.say(POSITION)
        gui.say("go infinite")
        yield _slowest(
            "isready while searching, p99", [_ask(gui, "isready", "readyok") for _ in range(QUESTIONS)]
        )
        gui.say("stop")
        gui.hear("bestmove")
        yield _slowest(
            "stop to bestmove, p99", [_stop(gui, "go infinite", "stop", "bestmove") for _ in range(100)]
        )
    with _engine() as gui:
        gui.say("xboard\nprotover 2\nforce\nanalyze")
        yield _slowest("ping while analysing, p99", [_ask(gui, "ping 1", "pong 1") for _ in range(QUESTIONS)])
        gui.say("exit")
        waits = [_stop(gui, "new\nforce\nst 30\ngo", "?", "move") for _ in range(100)]
        yield _slowest("? to move, p99", waits)


def _ask(gui: _Gui, question: str, answer: str) -> float:
    sleep(0.003)
    started = perf_counter()
    gui.say(question)
    return gui.hear(answer) - started


def _stop(gui: _Gui, start: str, stop: str, answer: str) -> float:
    gui.say(start)
    sleep(0.02)
    started = perf_counter()
    gui.say(stop)
    return gui.hear(answer) - started


def _slowest(name: str, seconds: list[float]) -> Row:
    return Row(
        name=name,
        figure=quantiles(seconds, n=100)[98] * 1000,
        unit="ms",
        note=f"median {median(seconds) * 1000:.2f} ms, {len(seconds)} times",
    )
