"""`galapagos evolve`: what it prints, where it stops, and what it refuses."""

import io
import json
import sqlite3
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from rich.console import Console

from engines.evolution.population import Contest, Generation
from engines.evolution.run import GenerationRecorded
from engines.evolution.run_store import RunStore
from engines.worker_pool import Workers
from tests.fifth_game.tictactoe import SquareWeights
from tests.tools.kills import generations_of
from tools.__main__ import main
from tools.evolve import find_evolution, read_config
from tools.evolve_best import BestSoFar
from tools.evolve_views import Goal, LiveView, Tally, side_by_side, summary

GENERATIONS = 40


def arguments(run: Path, config: Path | None, *more: str) -> list[str]:
    first = ["--resume"] if config is None else [str(config)]
    return ["evolve", "tic-tac-toe", *first, "--run", str(run), "--generations", str(GENERATIONS), *more]


def hash_of(run: Path) -> str:
    with RunStore.open(run) as store:
        assert store.count("generation") == GENERATIONS + 1
        return store.hash


# -- Where it stops --------------------------------------------------------------------------------


def test_another_seed_is_another_run(squares: Path, tmp_path: Path) -> None:
    whole, other = tmp_path / "whole", tmp_path / "other"
    assert main(arguments(whole, squares, "--workers", "2", "--quiet")) == 0
    assert main(arguments(other, squares, "--seed", "2", "--quiet")) == 0
    assert hash_of(whole) != hash_of(other)


def test_a_run_in_parts_is_the_same_run(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, run = tmp_path / "whole", tmp_path / "run"
    assert main(arguments(whole, squares, "--verbose")) == 0
    assert main([*arguments(run, squares, "--quiet"), "--generations", "7"]) == 0
    assert generations_of(run) == 8
    assert main([*arguments(run, None, "--quiet"), "--generations", "5"]) == 0
    assert generations_of(run) == 8, "what is reached already is not played"
    assert hash_of(whole) in capsys.readouterr().out
    assert main([*arguments(run, squares, "--quiet"), "--resume"]) == 0
    assert hash_of(run) == hash_of(whole)
    printed = capsys.readouterr().out
    assert hash_of(run) not in printed, "only a verbose summary has all of it"
    assert f", hash {hash_of(run)[:12]}\n" in printed
    assert main([*arguments(run, None), "--generations", "7"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("The run of tic-tac-toe has reached generation 40 already: seed 1, ")


def test_a_run_stops_after_the_given_games_or_hours(
    squares: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["evolve", "tic-tac-toe", str(squares), "--quiet", "--run"]
    assert main([*words, str(tmp_path / "games"), "--games", "20"]) == 0
    with RunStore.open(tmp_path / "games") as store:
        assert store.count("contest") == 24, "whole generations of 8"
    hundredths = count()  # one passes each time that the clock is read, on a busy machine too
    monkeypatch.setattr("tools.evolve.Tally", partial(Tally, clock=lambda: next(hundredths) / 100))
    assert main([*words, str(tmp_path / "hours"), "--hours", "0.0001"]) == 0
    assert generations_of(tmp_path / "hours") > 1


# -- What it prints --------------------------------------------------------------------------------


def test_json_reports_every_generation(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert main(arguments(run, squares, "--json")) == 0
    first, *generations, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["event"], first["seed"], first["resumed"]) == ("begun", 1, False)
    assert {event["event"] for event in generations} == {"generation"}
    assert [event["number"] for event in generations] == list(range(GENERATIONS + 1))
    assert sum(event["games"] for event in generations) == last["games"] == 8 * GENERATIONS
    assert len(generations[-1]["statistics"]["living"][0]) == 8
    assert all(0 <= event["bookkeeping"] <= event["seconds"] for event in generations)
    assert (last["event"], last["reason"], last["error"]) == ("ended", "goal", None)
    assert last["hash"] == generations[-1]["hash"] == hash_of(run)


def test_verbose_prints_reports_and_quiet_only_the_summary(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(tmp_path / "1", squares)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("The run of tic-tac-toe starts: seed 1, ")
    assert lines[1].startswith("generation 0, elapsed ")
    assert len(lines) < 9, "one line every few seconds"
    assert main(arguments(tmp_path / "2", squares, "--verbose")) == 0
    assert capsys.readouterr().out.count("Living: ") == GENERATIONS + 1
    assert main(arguments(tmp_path / "3", squares, "--quiet")) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def progress(number: int, games: int, seconds: float = 1.0, bookkeeping: float = 0.25) -> GenerationRecorded:
    contest = Contest(players=(0, 1), returns=(1.0, -1.0))
    generation: Generation[SquareWeights] = Generation(number=number, contests=(contest,) * games)
    return GenerationRecorded(generation=generation, hash="ab" * 32, seconds=seconds, bookkeeping=bookkeeping)


def test_a_tally_estimates_the_remaining_time() -> None:
    now = 100.0
    tally = Tally(Goal(generations=10, games=1000, seconds=3600.0), 4, 400, clock=lambda: now)
    assert (tally.games_per_second, tally.bookkeeping, tally.remaining) == (0.0, 0.0, 3600.0)
    for number in (5, 6):
        now += 2.0
        tally.add(progress(number, games=50))
    assert (tally.elapsed, tally.games_per_second, tally.bookkeeping) == (4.0, 25.0, 0.25)
    assert tally.remaining == 8.0, "four generations of two seconds"
    assert not tally.is_reached
    assert summary(tally) == ("generation 6, 500 games, 25.00 games/s, elapsed 0:00:04, remaining 0:00:08")
    now += 3600.0
    assert tally.is_reached and tally.remaining == 0.0
    tally.add(progress(7, games=1))
    tally.add(progress(8, games=1))
    assert tally.games_per_second == pytest.approx(2 / 3600, rel=0.1), "of late"


def test_founders_that_do_not_play_are_not_counted_in_the_remaining_time() -> None:
    now = 100.0
    tally = Tally(Goal(generations=4), -1, 0, clock=lambda: now)
    now += 0.5
    tally.add(progress(0, games=0))
    unknown = tally.remaining
    assert unknown is None
    now += 50.0
    tally.add(progress(1, games=1000))
    assert (tally.games_per_second, tally.remaining) == (20.0, 150.0)


@pytest.mark.parametrize(("width", "lines"), [(60, 3), (15, 6)])
def test_parts_of_a_report_stand_side_by_side_if_they_fit(width: int, lines: int) -> None:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(side_by_side("Pool 0\n\n  1 [bold]\n\n\nPool 1\n\n  2 wins\n"))
    text = console.export_text()
    assert "[bold]" in text and "  2 wins" in text
    assert len(text.rstrip().splitlines()) == lines


def test_the_live_view_shows_the_newest_generation_and_its_report() -> None:
    console = Console(width=100, height=40, record=True, force_terminal=True, file=io.StringIO())
    tally = Tally(Goal(), -1, 0)
    view = LiveView(
        lambda generation: f"Report of {generation.number}",
        BestSoFar(None, str), tally, Workers(1), console,
    )  # fmt: skip
    with view:
        view.begin({"game": "tic-tac-toe", "run": "there", "seed": 1, "workers": 2})
        for number in (0, 1):
            tally.add(progress(number, games=4 * number))
            view.advance(progress(number, games=4 * number), tally)
        view.notice("the second Ctrl-C")
    view.end({}, "go on: [so]")
    text = console.export_text()
    assert "tic-tac-toe in there, seed 1, 2 workers" in text
    assert "generation 1, 4 games" in text and "Report of 1" in text
    assert text.rstrip().endswith("go on: [so]")


# -- What cannot be run ----------------------------------------------------------------------------


def complaint(capsys: pytest.CaptureFixture[str], *words: str, status: int = 2) -> str:
    """The one line on stderr."""
    assert main(["evolve", *words]) == status
    streams = capsys.readouterr()
    assert not streams.out and streams.err.count("\n") == 1
    return streams.err.removeprefix("galapagos evolve: ").rstrip()


def test_a_broken_configuration_makes_no_folder(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    squares.write_text("seed = 1\nsize = 7\n", encoding="utf-8")
    error = complaint(capsys, "tic-tac-toe", str(squares), "--run", str(run))
    assert error.startswith(f"{squares}: line 2: size")
    squares.write_bytes(b"\xff\xfe")
    assert "is not a text file" in complaint(capsys, "tic-tac-toe", str(squares), "--run", str(run))
    assert "is neither a file nor" in complaint(capsys, "tic-tac-toe", str(run), "--run", str(run))
    assert "needs a configuration" in complaint(capsys, "tic-tac-toe", "--run", str(run))
    assert "no game is called 'go'" in complaint(capsys, "go", str(squares), "--run", str(run))
    assert not run.exists()


def test_unusable_run_folders_are_refused_with_a_reason(
    squares: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    new = ("tic-tac-toe", str(squares), "--run", str(run))
    old = ("tic-tac-toe", "--run", str(run), "--resume")
    assert "holds no run" in complaint(capsys, *old)
    assert "not empty" in complaint(capsys, "tic-tac-toe", str(squares), "--run", str(tmp_path))
    assert main(["evolve", *new, "--generations", "2", "--quiet"]) == 0
    capsys.readouterr()
    assert "holds a run already" in complaint(capsys, *new)
    assert "of tic-tac-toe, not of chess" in complaint(capsys, "chess", *old[1:])
    assert "started with seed 1" in complaint(capsys, *old, "--seed", "2")
    squares.write_text("size = 8\nseed = 3\n", encoding="utf-8")
    assert "line 2 differs" in complaint(capsys, *new, "--resume")
    with RunStore.open(run, writing=True):
        assert "in use" in complaint(capsys, *old, status=1)
    with sqlite3.connect(run / "run.sqlite") as database:
        database.execute("UPDATE run SET value = ? WHERE key = 'state'", ('{"generation": 2}',))
    database.close()
    assert "cannot be continued" in complaint(capsys, *old)
    (run / "run.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert "damaged" in complaint(capsys, *old)


@pytest.mark.parametrize(
    "words",
    [
        ["--workers", "0"],
        ["--games", "-1"],
        ["--generations", "1" * 30],
        ["--hours", "nan"],
        ["--json", "--quiet"],
        ["--workers", "2", "--cluster", "tcp://localhost:1"],
    ],
)
def test_invalid_arguments_are_refused_before_a_run_is_created(
    words: list[str], squares: Path, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments(tmp_path / "run", squares, *words))
    assert end.value.code == 2
    assert not (tmp_path / "run").exists()


def test_a_folder_hides_no_bundled_configuration_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quick").mkdir()
    evolution = find_evolution("protection")
    assert read_config("quick", evolution) == (evolution.RUNS / "quick.txt").read_text()
    with pytest.raises(IsADirectoryError):
        read_config("./quick", evolution)


def test_a_mistyped_configuration_is_answered_with_a_similar_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "did you mean quick?" in complaint(capsys, "protection", "quik", "--run", str(tmp_path / "run"))
