"""`galapagos evolve corewar`: our own configurations, one hash whatever happens on the way, and no match."""

import json
from pathlib import Path

import pytest

from tests.tools.galapagos import Galapagos
from tests.tools.kills import Evolution, facts
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


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "short.txt"
    path.write_text(SHORT)
    return path


def test_a_killed_and_resumed_run_equals_an_undisturbed_run(config: Path, tmp_path: Path) -> None:
    """With one worker undisturbed; with two killed twice and ended with four."""
    evolution = Evolution(game="corewar", config=config, generations=16)
    whole, run = tmp_path / "whole", tmp_path / "run"
    evolution.run(whole, "--workers", "1")
    for _ in range(2):
        evolution.kill(run, "--workers", "2", after=3)
    evolution.run(run, "--workers", "4")
    assert facts(run) == facts(whole)
    for name in ("tribe_0.red", "tribe_3.red", "champions.red"):
        assert (run / name).read_bytes() == (whole / name).read_bytes()


def test_the_bundled_configuration_seed_starts_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = ["evolve", "corewar", "seed", "--run", str(run), "--generations", "1", "--workers", "1", "--json"]
    assert main(words) == 0
    begun, founders, first, ended = map(json.loads, capsys.readouterr().out.splitlines())
    assert (begun["game"], begun["seed"]) == ("corewar", 1)
    assert founders["statistics"]["offspring"] == 0 and len(founders["statistics"]["tribes"]) == 10
    assert first["statistics"]["offspring"] == 2 * first["games"] == 20 * first["statistics"]["sweep"]
    assert ended["hash"] == first["hash"]
    assert main(["evolve", "corewar", "--run", str(run), "--resume", "--generations", "1", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert f"genome {ended['best']['id']} of generation 0;" in said
    assert "genome lineage" not in said, "a founder has no ancestors"


@pytest.mark.parametrize("words", [["--game", "corewar", "random", "random"], ["corewar:a", "random"]])
def test_a_match_refuses_players_that_are_no_warriors(words: list[str], galapagos: Galapagos) -> None:
    assert "No such file" in galapagos.refused("match", *words)


def test_a_missing_panel_is_refused_before_a_run_is_created(
    config: Path, tmp_path: Path, galapagos: Galapagos
) -> None:
    config.write_text(f"{SHORT}panel = {tmp_path / 'nowhere'}\n")
    error = galapagos.refused("evolve", "corewar", config, "--run", tmp_path / "run", "--quiet")
    assert "nowhere: No such file" in error
    assert not (tmp_path / "run").exists()


def test_a_goal_that_would_never_be_reached_is_refused(tmp_path: Path, galapagos: Galapagos) -> None:
    """Warriors of `nano` are graded by fixed opponents, and such fights are not on record."""
    folder = tmp_path / "run"
    error = galapagos.refused("evolve", "corewar", "nano", "--run", folder, "--games", "10")
    assert "use --generations or --hours" in error and not folder.exists()
