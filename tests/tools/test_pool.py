"""`galapagos pool`: many runs, one file, and on again where it was left."""

import json
from pathlib import Path

import pytest

from engines.protection.boardfiles import read_arrangement_log
from engines.protection.pool import Pool
from tools.__main__ import main

CONFIG = """
money = 1
population = 240
trials = 240
saved = 240
candidates = 1
fresh tests = 2
"""


def test_making_a_pool_again_gives_the_same_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config, folder = tmp_path / "small.txt", tmp_path / "pool"
    config.write_text(CONFIG)
    words = ["pool", str(folder), "--config", str(config), "--runs", "1", "--workers", "1"]
    assert main(words) == 0
    text = (folder / "pool.jsonl").read_text()
    pool = Pool.loads(text)
    assert f", hash {pool.hash}\n" in capfd.readouterr().out
    assert pool.entries[20].provenance["money"] == 2000
    assert main(words) == 0
    assert (folder / "pool.jsonl").read_text() == text


def test_arrangements_that_were_not_beaten_are_tried_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    config, more, folder = tmp_path / "small.txt", tmp_path / "more.txt", tmp_path / "pool"
    config.write_text(f"{CONFIG}budget = 1\n")  # who has no money beats nobody
    more.write_text(f"rules = improved\n{CONFIG}")
    words = ["pool", str(folder), "--config", str(config), "--runs", "1", "--workers", "1"]
    assert main([*words, "--again", str(more)]) == 0
    entry = Pool.loads((folder / "pool.jsonl").read_text()).entries[20]
    assert entry.name == "run-01-again-1" and entry.provenance["rules"] == "seed", "those of the first"
    capfd.readouterr()
    assert main(["pool", str(folder), "--table", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)["runs"]
    assert row["run"] == "run-01-again"


def test_the_table_lists_runs_against_logged_arrangements(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Runs against arrangements of a log."""
    config, folder, log = tmp_path / "small.txt", tmp_path / "pool", tmp_path / "log.jsonl"
    config.write_text(CONFIG.replace("240", "120"))
    assert main(["arrangements", str(log), "--users", "drones,idle,turtle", "--turns", "2"]) == 0
    assert len(read_arrangement_log(log)) == 4, "the idle build nothing"
    words = ["pool", str(folder), "--config", str(config), "--runs", "2", "--workers", "1"]
    assert main([*words, "--arrangements", str(log)]) == 0
    capfd.readouterr()
    assert main(["pool", str(folder), "--table", "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert [row["against"] for row in data["runs"]] == [f"{log}:1", f"{log}:3"]
    negative = sum(row["rating"]["value"] < 0 for row in data["runs"])
    assert data["negative"]["value"] == negative / 2
    assert sum(data["kinds"]["wanted_most"].values()) == data["kinds"]["runs"] == 2
    assert main(["pool", str(folder), "--table"]) == 0
    text = capfd.readouterr().out
    assert f"The mean is negative for {negative} of 2 arrangements: " in text
    assert f"Scouts are wanted in {data['kinds']['with_scouts']} of 2 runs" in text


def test_the_table_of_a_folder_without_finished_runs_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pool", str(tmp_path), "--table"]) == 2
    assert f"{tmp_path} contains no finished run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("saved = 0", "saved must be"),
        ("map = nowhere.apm", "nowhere.apm"),
        ("saved = 4\ncandidates = 4", "needs 5 strings of each, but `saved` is 4"),
    ],
)
def test_invalid_configurations_are_refused_before_any_run(
    settings: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "bad.txt"
    config.write_text(settings)
    assert main(["pool", str(tmp_path / "pool"), "--config", str(config)]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "pool").exists()


def test_an_interrupted_second_run_is_reported_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A second run that was interrupted: nothing says which of the two was better."""
    config, folder = tmp_path / "small.txt", tmp_path / "pool"
    config.write_text(CONFIG)
    words = ["pool", str(folder), "--config", str(config), "--runs", "1", "--workers", "1"]
    assert main(words) == 0
    more = [
        "evolve",
        "protection",
        str(folder / "run-01.txt"),
        "--run",
        str(folder / "run-01-again"),
        "--generations",
        "1",
    ]
    assert main([*more, "--workers", "1", "--quiet"]) == 0
    capfd.readouterr()
    assert main(words) == 1
    assert (
        capfd.readouterr().err == f"galapagos pool: the run in {folder / 'run-01-again'} has not ended yet\n"
    )
