"""Runs as a study reads them, and those that it refuses."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tests.tools.study.worlds import CONFIG, CONFIRMING, write_run
from tools.study.chess_findings import FINDINGS
from tools.study.chess_runs import read_run
from tools.study.chess_verdicts import Study


def test_a_long_run_is_read_at_400_moments(tmp_path: Path) -> None:
    world = replace(CONFIRMING, games=lambda now, seed: [("time" if now % 2 else "checkmate", 1.0)])
    run = read_run(write_run(world, tmp_path / "long", 1, last=500))
    assert len(run.moments) == 400
    assert run.moments[0].games == 0
    assert (run.moments[-1].games, run.moments[-1].forfeits) == (500, 250)
    steps = {b.games - a.games for a, b in zip(run.moments, run.moments[1:], strict=False)}
    assert steps == {1, 2}, "evenly apart"
    assert sum(run.forfeit_rate()) / 400 == pytest.approx(0.5, abs=0.01)


def compared(runs: Sequence[Path]) -> Study:
    return Study.of([read_run(run) for run in runs], FINDINGS)


def refused(runs: Sequence[Path]) -> str:
    with pytest.raises(ValueError) as raised:
        compared(runs)
    return str(raised.value)


def test_runs_of_other_configurations_or_equal_seeds_are_refused(tmp_path: Path) -> None:
    first = write_run(CONFIRMING, tmp_path / "a", 1, last=1)
    harmless = CONFIG.replace("games = 2", "games = 8").replace("pool.txt", "b.txt") + "seed = 2\n"
    second = write_run(CONFIRMING, tmp_path / "b", 2, config=harmless, last=1)
    assert len(compared([first, second]).runs) == 2
    third = write_run(CONFIRMING, tmp_path / "c", 3, config=CONFIG.replace("0.05", "0.1"), last=1)
    assert refused([first, third]) == (
        f"{third} has another configuration than {first}: "
        "draw kill probability = 0.1 (there draw kill probability = 0.05)"
    )
    fourth = write_run(CONFIRMING, tmp_path / "d", 1, last=1)
    assert refused([first, fourth]) == f"{fourth} and {first} both have seed 1, so they are the same run"


def test_runs_that_are_no_gene_pools_are_refused(tmp_path: Path) -> None:
    strategy = CONFIG.replace("count = 2", "count = 1") + (
        "pool rules = strategy\nfounder = handset\ngames per pairing = 2\n"
    )
    assert "evolution strategy" in refused(
        [write_run(CONFIRMING, tmp_path / "a", 1, config=strategy, last=1)]
    )
    extended = CONFIG + "genes = all\n"
    assert "genes = all" in refused([write_run(CONFIRMING, tmp_path / "b", 1, config=extended, last=1)])
    assert "no generation that has played" in refused([write_run(CONFIRMING, tmp_path / "c", 1, last=0)])
    assert "no run" in refused([tmp_path])
    RunStore.create(tmp_path / "d", game="acquire", config="", seed=1, version="1").close()
    assert "run of acquire" in refused([tmp_path / "d"])
