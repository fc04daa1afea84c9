"""`galapagos evolve acquire`: our own configurations, and one hash whatever happens on the way."""

import json
from pathlib import Path

import pytest

from engines.acquire.experiment import CHAMPION
from tests.tools.kills import Evolution, facts, generations_of
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


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "short.txt"
    path.write_text(SHORT)
    return path


def test_a_killed_and_resumed_run_equals_an_undisturbed_run(config: Path, tmp_path: Path) -> None:
    """With one worker undisturbed; with two killed twice and ended with three."""
    evolution = Evolution(game="acquire", config=config, generations=10)
    whole, run = tmp_path / "whole", tmp_path / "run"
    evolution.run(whole, "--workers", "1")
    for _ in range(2):
        evolution.kill(run, "--workers", "2", after=3)
    evolution.run(run, "--workers", "3")
    assert facts(run) == facts(whole)
    assert (run / CHAMPION).read_bytes() == (whole / CHAMPION).read_bytes()


def test_the_bundled_configuration_pair_starts_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["evolve", "acquire", "pair", "--run", str(tmp_path / "run"), "--generations", "1", "--json"]
    assert main(words) == 0
    begun, founders, first, ended = map(json.loads, capsys.readouterr().out.splitlines())
    assert (begun["game"], begun["seed"]) == ("acquire", 1)
    assert founders["number"] == 0 and founders["games"] == 0
    assert first["games"] == 5000 and first["statistics"]["fitness"]["mean"] == 0.5
    assert ended["hash"] == first["hash"]


def test_a_run_ends_after_the_generations_of_its_configuration(config: Path, tmp_path: Path) -> None:
    """After as many generations as its configuration wants, unless others are wanted."""
    config.write_text(f"{SHORT}generations = 2\n")
    words = ["evolve", "acquire", str(config), "--run", str(tmp_path / "run"), "--quiet"]
    assert main(words) == 0
    assert generations_of(tmp_path / "run") == 3, "the founders and two others"
    assert main([*words[:2], *words[3:], "--resume", "--generations", "3"]) == 0
    assert generations_of(tmp_path / "run") == 4
