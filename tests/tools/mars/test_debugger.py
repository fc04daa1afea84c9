"""The debugger from the command line, beside what pMARS 0.9.2 with its debugger answered.

Among the recorded dialogues are each command and each example of its manual.
"""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.conftest import ROOT
from tests.tools.mars.terminal import answer
from tests.waiting import PATIENCE_SECONDS

FOLDER = Path(__file__).parent
RECORDED = [json.loads(line) for line in (FOLDER / "dialogues.jsonl").read_text().splitlines()]


@pytest.fixture(autouse=True)
def in_the_folder_of_warriors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / "warriors")


@pytest.mark.parametrize("row", RECORDED, ids=lambda row: f"{' '.join(row['args'])} {row['stdin'][:20]!r}")
def test_recorded_dialogues_give_the_output_of_pmars(row: dict[str, object]) -> None:
    given = answer(row["args"], row["stdin"])  # type: ignore[arg-type]
    assert given == (row["status"], row["out"], row["err"])


def test_the_debugger_does_not_start_without_input() -> None:
    """Scripts give -e to the server version, too, which has no debugger."""
    shown = answer(["-bfe", "breaks.red", "dies.red"])
    assert shown == answer(["-bf", "breaks.red", "dies.red"])
    assert shown.out == "Breaks by Galapagos scores 3\nDies by Galapagos scores 0\nResults: 1 0 0\n"


def test_break_marks_of_a_warrior_are_ignored_without_the_debugger() -> None:
    assert answer(["-bf", "breaks.red", "dies.red"], "the next\nline\n").out.endswith("Results: 1 0 0\n")
    assert answer(["-bfk", "breaks.red", "dies.red"], "the next\nline\n").out == "1 0\n0 0\n"
    assert answer(["-bf", "--json", "breaks.red", "dies.red"], "the next\nline\n").out.startswith("{")


def test_core_view_shows_the_core_until_display_off() -> None:
    out = answer(
        ["-be", "-F", "4000", "--core-view", "dwarf.red", "imp.red"], "step\ndisplay off\nstep\nquit\n"
    ).out
    assert out.count("Round 1 of 1, 0 instructions,") == out.count("Round 1 of 1, 1 instruction,") == 1
    assert "2 instructions" not in out and out.count("(cdb) ") == 4


def test_a_log_is_complete_when_the_fight_ends() -> None:
    with TemporaryDirectory() as folder:  # its name is short, as a line of cdb must be
        log = Path(folder) / "m\u00f6gliches.log"
        typed = os.fsencode(log).decode("latin-1")
        answer(["-be", "-F", "4000", "-c", "5", "imp.red", "waits.red"], f"write {typed}\ncalc 6*7\n")
        assert log.read_text() == (
            "Opening logfile\n(cdb) calc 6*7\n42\n(cdb) EOF reading command input\n"
            "Exiting cdb to finish simulation\n"
        )


def test_ctrl_c_returns_to_the_prompt() -> None:
    """While it waits, while it fights, and while a chain has no end; only `quit` ends it."""
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "tools.mars", "-bf", "-e", "-r", "1000000", "imp.red", "waits.red"]
    process = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        for line in (b"", b"step\n", b"continue\n", b"!!~@calc 1~!\n"):
            os.write(ours, line)
            time.sleep(0.5)
            os.read(ours, 65536)
            process.send_signal(signal.SIGINT)
            _read_until(ours, b"(cdb) ")
        os.write(ours, b"quit\n")
        assert process.wait(PATIENCE_SECONDS) == 4
    finally:
        process.kill()


def _read_until(file: int, end: bytes) -> None:
    seen = b""
    while not seen.endswith(end):
        seen += os.read(file, 65536)
