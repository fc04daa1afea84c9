"""`galapagos sweep`: a grid of runs that goes on where it was left, and the study of them with all its files."""

import csv
import sys
from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tools.__main__ import main

SHORT = """
population = 20
generations = 3
evolve = buy
examination interval = 2
candidates = 2
retest games = 6
panel games = 2
behaviour states = 4
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "short.txt"
    path.write_text(SHORT)
    return path


def words(config: Path, out: Path, *more: str) -> list[str]:
    return ["sweep", "acquire", str(config), "--out", str(out), "--workers", "1", "--games", "20", *more]


def test_a_sweep_of_two_halves_resumes_runs_and_writes_the_study(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of the runs has begun already, and is gone on with."""
    out = tmp_path / "out"
    first = out / "evolve-place" / "seed-1"
    config.with_name("place.txt").write_text(SHORT.replace("buy", "place"))
    begin = ["evolve", "acquire", str(config.with_name("place.txt")), "--run", str(first), "--workers", "1"]
    assert main([*begin, "--quiet", "--generations", "1"]) == 0
    with RunStore.open(first) as store:
        begun = [past.hash for past in store.generations()]
    assert main(words(config, out, "--vary", "evolve=place,buy", "--runs", "1")) == 0
    report = capsys.readouterr().out
    for word in (
        "a single run, seed 1",
        "by luck",
        "mean is always 1/2",
        "Champions side by side",
        "tie random",
    ):
        assert word in report
    assert "pairs of bests" not in report, "nine are too few for ten games each"
    with RunStore.open(first) as store:
        assert [past.hash for past in store.generations()][:2] == begun and store.count("generation") == 4
    assert (out / "study" / "report.txt").read_text() in report
    for evolve in ("place", "buy"):
        names = [f"{figure}-evolve-{evolve}.svg" for figure in ("size", "best", "mean", "matrix", "panel")]
        assert all((out / "study" / name).stat().st_size > 1000 for name in names)
    with (out / "study" / "panel.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 7, "runs, champion and control, members"
    assert all(float(row["low"]) <= float(row["rate"]) <= float(row["high"]) for row in rows)
    assert {row["games"] for row in rows} == {"20"}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (["--vary", "colour=red"], "unknown key 'colour'"),
        (["--vary", "selection=best"], "selection must be"),
        (["--vary", "population=21"], "an even population"),
    ],
)
def test_an_invalid_grid_is_refused_before_any_run_starts(
    more: list[str], reason: str, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words(config, tmp_path / "out", *more)) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("generations", ["1", "2"])
def test_a_sweep_of_few_generations_is_studied(
    generations: str, config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(words(config, out, "--runs", "1", "--generations", generations)) == 0
    assert (out / "study" / "report.txt").read_text() in capsys.readouterr().out


def test_missing_matplotlib_is_reported_before_the_first_run(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(words(config, tmp_path / "out")) == 2
    assert ".[plot]" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_sweep_of_nets_ends_with_the_command_that_compares_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.evolve.start", lambda *_, **__: 0)  # as if the run were there
    assert main(["sweep", "acquire", "net-3", "--out", str(tmp_path), "--runs", "1"]) == 0
    assert capsys.readouterr().out.endswith(f"galapagos study --champions {tmp_path / 'runs' / 'seed-1'}\n")
