"""`galapagos study acquire --thesis`: tiny runs through the command, resumed runs, and what is measured in them."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tests.tools.kills import facts
from tools.__main__ import main
from tools.cli import INTERRUPTED
from tools.study import acquire_thesis_measures as measures
from tools.study import acquire_thesis_runs
from tools.study.acquire_pairs import Pairs
from tools.study.acquire_thesis import CLAIMS, NOT_REPEATED
from tools.study.acquire_thesis_report import Result

TINY = """
evolve = {evolve}
population = 10
generations = {generations}
games = 2
examination interval = 2
candidates = 2
retest games = 4
panel games = 2
behaviour states = 4
"""
WORDS = ["study", "acquire", "--thesis", "--games", "4", "--workers", "1"]


def configured(folder: Path, monkeypatch: pytest.MonkeyPatch, generations: int, seeds: Sequence[int]) -> None:
    """Replace the configurations of the thesis by tiny ones, and the seeds."""
    configs = []
    for evolve in ("place", "buy"):
        path = folder / f"tiny-{evolve}.txt"
        path.write_text(TINY.format(evolve=evolve, generations=generations))
        configs.append(str(path))
    monkeypatch.setattr(acquire_thesis_runs, "CONFIGS", tuple(configs))
    monkeypatch.setattr(acquire_thesis_runs, "SEEDS", seeds)


def folders(out: Path, seeds: Sequence[int]) -> list[Path]:
    return [out / f"tiny-{evolve}" / f"seed-{seed}" for evolve in ("place", "buy") for seed in seeds]


def test_the_command_evolves_studies_and_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five generations make 25 pairs, enough for ten opponents each; two seeds decide nothing."""
    configured(tmp_path, monkeypatch, 5, (1, 2))
    out = tmp_path / "out"
    assert main([*WORDS, "--out", str(out), "--markdown"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert len(table) == 2 + len(CLAIMS) + len(NOT_REPEATED)
    assert {line.count("|") for line in table} == {6}
    report = (out / "report.txt").read_text()
    assert "2 runs of each population" in report
    assert report.count("CANNOT BE TOLD") == len(CLAIMS), "with two runs"
    assert report.count("NOT REPEATED") == len(NOT_REPEATED)
    assert report.count("not measured") <= 1, "all top pairs may have as many wins"
    assert "Mean fitness (Figures 4.7, 4.8): 0.5000 to 0.5000" in report, "the report of the study follows"
    pictures = {name for claim in CLAIMS for name in claim.figures}
    assert pictures <= {path.stem for path in out.glob("*.svg")}
    runs = folders(out, (1, 2))
    assert [facts(folder)[0] for folder in runs] == [6] * 4

    before = [(folder / "run.sqlite").stat().st_mtime_ns for folder in runs]
    assert acquire_thesis_runs.evolve_thesis(out, 1) == runs
    assert [(folder / "run.sqlite").stat().st_mtime_ns for folder in runs] == before, "complete runs stay"


def test_a_killed_series_continues_to_the_same_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(tmp_path, monkeypatch, 2, (1, 2))
    out, whole = tmp_path / "killed", tmp_path / "whole"
    first = folders(out, (1,))[0]
    begin = ["evolve", "acquire", acquire_thesis_runs.CONFIGS[0], "--run", str(first), "--seed", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "tools", *begin, "--workers", "1", "--json", "--generations", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout
        while b'"generation", "number": 0' not in process.stdout.readline():
            pass
        process.kill()
    for path in (out, whole):
        assert len(acquire_thesis_runs.evolve_thesis(path, 1)) == 4
    ended = [facts(folder) for folder in folders(out, (1, 2))]
    assert ended == [facts(folder) for folder in folders(whole, (1, 2))]
    assert [generations for generations, _, _ in ended] == [3] * 4


def test_a_signal_ends_the_series_with_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No later run starts."""
    started = []

    def start(game: str, folder: Path, *_: object, **__: object) -> int:
        started.append(folder)
        return INTERRUPTED

    monkeypatch.setattr("tools.evolve.start", start)
    assert main([*WORDS, "--out", str(tmp_path)]) == INTERRUPTED
    assert started == [tmp_path / "thesis-place" / "seed-1"]
    assert "the same command continues" in capsys.readouterr().err


def test_other_runs_in_the_folder_are_refused_before_any_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(tmp_path, monkeypatch, 2, (1, 2))
    out = tmp_path / "out"
    last = folders(out, (2,))[1]
    RunStore.create(last, game="acquire", config="evolve = buy\n", seed=2, version="test").close()
    assert main([*WORDS, "--out", str(out)]) == 2
    assert f"{last} holds another run than" in capsys.readouterr().err
    assert not (out / "tiny-place").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["study", "acquire"], "`galapagos study acquire` needs --thesis, or --people PATH"),
        (
            ["study", "acquire", "--thesis", "--json"],
            "--thesis takes none of --champions, --json, --people and --players",
        ),
        (["study", "protection", "--thesis"], "takes none of"),
    ],
)
def test_unsuitable_options_are_refused(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert complaint in capsys.readouterr().err


# -- Measures --------------------------------------------------------------------------------------------


def test_the_rise_of_a_trend_is_that_of_its_line() -> None:
    assert measures.rise_of([1.0, 2.0, 3.0, 4.0]) == pytest.approx(3.0)
    assert measures.rise_of([4.0, 1.0, 1.0, 4.0]) == pytest.approx(0.0)


def test_the_number_of_luck_is_inside_or_outside_of_the_interval() -> None:
    claim = next(claim for claim in CLAIMS if claim.form == ".1%")
    numbers = (0.6, 0.61, 0.62, 0.63, 0.64)
    result = Result(claim=claim, numbers=numbers, judgement=claim.rule(numbers), chance=0.5)
    assert result.luck == f"50.0 % ({claim.luck}, outside the interval)"
    assert replace(result, chance=0.62).luck == f"62.0 % ({claim.luck}, inside the interval)"


def test_the_luckiest_of_fifty_pairs_wins_eight_or_nine_of_ten() -> None:
    """One pair is expected to win five."""
    pairs = Pairs(names=((0, 0),), wins=(0,), tied=0.0, worth=0.0, top=(), ratings=(), retests=())
    assert measures.expected_most(pairs, 1) == pytest.approx(5.0)
    assert 8.3 < measures.expected_most(pairs, 50) < 8.6
    assert measures.expected_most(replace(pairs, tied=1.0), 50) == 0


def test_a_verdict_depends_on_the_numbers_of_the_runs() -> None:
    """The rise of the best fitness is claimed to be above 0 for one population, and flat for the other."""
    claims = {claim.place: claim for claim in reversed(CLAIMS)}
    place, buy = claims["4.1.1, Figure 4.3"], claims["4.1.2, Figure 4.4"]
    rising, falling, flat = ([base + 0.001 * step for step in range(5)] for base in (0.02, -0.02, -0.002))

    def verdict(claim: object, numbers: list[float]) -> str:
        assert isinstance(claim, type(place))
        return Result(claim=claim, numbers=tuple(numbers), judgement=claim.rule(numbers), chance=None).verdict

    assert [verdict(place, each) for each in (rising, falling, flat)] == [
        "holds",
        "does not hold",
        "cannot be told",
    ]
    assert [verdict(buy, each) for each in (rising, falling, flat)] == [
        "does not hold",
        "does not hold",
        "holds",
    ]
