"""`galapagos evolve corewar`: our own configurations, one hash whatever happens on the way, and no match."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tests.conftest import ROOT
from tools.__main__ import main

SHORT = """
tribes = 4
tribe size = 10
founders longest = 20
cycles = 4000
rounds = 2
migration = 0.05
sweeps a generation = 5
viability cycles = 500
latest turning = 200
panel rounds = 2
panel interval = 5
export interval = 5
"""
GENERATIONS = 16


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "short.txt"
    path.write_text(SHORT)
    return path


def arguments(run: Path, config: Path | None, *more: str) -> list[str]:
    first = ["--resume"] if config is None else [str(config)]
    return [
        "evolve",
        "corewar",
        *first,
        "--run",
        str(run),
        "--generations",
        str(GENERATIONS),
        "--quiet",
        *more,
    ]


def facts(run: Path) -> tuple[int, str]:
    with RunStore.open(run) as store:
        return store.count("generation"), store.hash


def test_a_run_that_is_killed_is_the_same_run(config: Path, tmp_path: Path) -> None:
    """With one worker undisturbed; with two killed twice and ended with four."""
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
    assert main(arguments(run, None, "--workers", "4")) == 0
    assert facts(run) == facts(tmp_path / "whole")
    for name in ("tribe_0.red", "tribe_3.red", "champions.red"):
        assert (run / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_the_seed_begins_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    words = ["evolve", "corewar", "seed", "--run", str(run), "--generations", "1", "--workers", "1", "--json"]
    assert main(words) == 0
    begun, founders, first, ended = map(json.loads, capsys.readouterr().out.splitlines())
    assert (begun["game"], begun["seed"]) == ("corewar", 1)
    assert founders["statistics"]["offspring"] == 0 and len(founders["statistics"]["tribes"]) == 10
    assert first["statistics"]["offspring"] == 2 * first["games"] == 20 * first["statistics"]["sweep"]
    assert ended["hash"] == first["hash"]
    with RunStore.open(run) as store:
        newest = store.newest
    assert main(["evolve", "corewar", "--run", str(run), "--resume", "--generations", "1", "--quiet"]) == 0
    assert f"lineage {run} {newest}" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--game", "corewar", "random", "random"], ["corewar", "random"]])
def test_a_match_is_fought_elsewhere(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *words]) in (1, 2)
    said = capsys.readouterr().err
    assert "corewar is not played move by move" in said and "galapagos-mars" in said


def test_opponents_that_are_not_there_make_no_run(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text(f"{SHORT}panel = {tmp_path / 'nowhere'}\n")
    assert main(arguments(tmp_path / "run", config)) == 2
    assert "nowhere: No such file" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
