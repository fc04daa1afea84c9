"""galapagos-mars and hostile texts: an answer at once, and the answer of pMARS where it neither hangs nor crashes."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Timer
from typing import NamedTuple

import pytest

from tests.conftest import ROOT
from tests.hostile.texts import HOSTILE, Hostile
from tests.tools.mars.terminal import answer

CPU_SECONDS = 1.0
MEMORY_BYTES = 100 << 20
LIMITS = (
    (resource.RLIMIT_CPU, 10),  # seconds
    (resource.RLIMIT_AS, 1 << 30),  # bytes
    (resource.RLIMIT_CORE, 0),
)
WAIT_SECONDS = 60.0  # the machine may have other work
PMARS = shutil.which("pmars") or shutil.which("pmars", path="/usr/games")  # where Debian puts games
# pMARS loads these; here the limits of the assembler refuse them.
REFUSED_BY_LIMITS = {"FOR nested 1,000 deep", "EQU chain of 1,900", "10 MB of comments"}


def written(hostile: Hostile, folder: Path) -> Path:
    path = folder / "hostile.red"
    path.write_bytes(b";redcode\n;assert 1\n" + hostile.text)
    return path


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_hostile_texts_are_answered_quickly(hostile: Hostile, tmp_path: Path) -> None:
    path = written(hostile, tmp_path)
    started = time.process_time()
    given = answer(["-b", "-r", "0", str(path)])
    assert time.process_time() - started < CPU_SECONDS
    assert given.status == (0 if hostile.is_loaded or hostile.is_warrior else 3), given.err[:1000]


class Outcome(NamedTuple):
    """What happened to a program that was given a text; negative statuses are signals."""

    status: int
    cpu_seconds: float
    memory_bytes: int


@pytest.mark.slow
@pytest.mark.external
@pytest.mark.skipif(not PMARS, reason="pmars is not installed")
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_hostile_texts_succeed_or_fail_as_in_pmars(hostile: Hostile, tmp_path: Path) -> None:
    words = ["-b", "-r", "0", str(written(hostile, tmp_path))]
    ours = limited([sys.executable, "-m", "tools.mars", *words])
    assert ours.cpu_seconds < CPU_SECONDS and ours.memory_bytes < MEMORY_BYTES
    pmars = limited([str(PMARS), *words])
    if pmars.status >= 0 and hostile.name not in REFUSED_BY_LIMITS:
        assert bool(ours.status) == bool(pmars.status)


def limited(command: Sequence[str]) -> Outcome:
    """Run a program under LIMITS."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for kind, amount in LIMITS:
        resource.prlimit(process.pid, kind, (amount, amount))
    timer = Timer(WAIT_SECONDS, process.send_signal, [signal.SIGKILL])
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Outcome(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10)
