"""`galapagos evolve acquire`: our own configurations, and one hash whatever happens on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engines.acquire.experiment import CHAMPION
from engines.evolution.run_store import RunStore
from tests.conftest import ROOT
from tools.__main__ import main

SHORT = """
population = 60
games = 10
examination interval = 4
candidates = 3
retest games = 10
panel games = 10
behaviour states = 8
"""
GENERATIONS = 12


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "short.txt"
    path.write_text(SHORT)
    return path


def arguments(run: Path, config: Path | None, *more: str) -> list[str]:
    first = ["--resume"] if config is None else [str(config)]
    goal = ["--generations", str(GENERATIONS), "--quiet"]
    return ["evolve", "acquire", *first, "--run", str(run), *goal, *more]


def facts(run: Path) -> tuple[int, str]:
    with RunStore.open(run) as store:
        return store.count("generation"), store.hash


def test_a_run_that_is_killed_is_the_same_run(config: Path, tmp_path: Path) -> None:
    """With one worker undisturbed; with two killed twice and ended with three."""
    assert main(arguments(tmp_path / "whole", config, "--workers", "1")) == 0
    run = tmp_path / "run"
    seen = 0
    for _ in range(2):
        first = config if not run.exists() else None
        with subprocess.Popen(
            [sys.executable, "-m", "tools", *arguments(run, first, "--workers", "2")],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        ) as process:
            while not (run / "run.sqlite").exists() or facts(run)[0] < seen + 3:
                assert process.poll() is None, "it was over before it was killed"
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
        seen = facts(run)[0]
    assert main(arguments(run, None, "--workers", "3")) == 0
    assert facts(run) == facts(tmp_path / "whole")
    assert (run / CHAMPION).read_bytes() == (tmp_path / "whole" / CHAMPION).read_bytes()


def test_the_pair_begins_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evolve", "acquire", "pair", "--run", str(tmp_path / "run"), "--generations", "1", "--json"]
    assert main(words) == 0
    begun, founders, first, ended = map(json.loads, capsys.readouterr().out.splitlines())
    assert (begun["game"], begun["seed"]) == ("acquire", 1)
    assert founders["number"] == 0 and founders["games"] == 0
    assert first["games"] == 5000 and first["statistics"]["fitness"]["mean"] == 0.5
    assert ended["hash"] == first["hash"]


def test_a_run_ends_by_itself(config: Path, tmp_path: Path) -> None:
    """After as many generations as its configuration wants, unless others are wanted."""
    config.write_text(f"{SHORT}generations = 2\n")
    words = ["evolve", "acquire", str(config), "--run", str(tmp_path / "run"), "--quiet"]
    assert main(words) == 0
    assert facts(tmp_path / "run")[0] == 3, "the founders and two others"
    assert main([*words[:2], *words[3:], "--resume", "--generations", "3"]) == 0
    assert facts(tmp_path / "run")[0] == 4
