"""What `galapagos evolve` says was found: the best so far, how good it is against the game's reference, how to see it."""

import json
import re
from pathlib import Path

import pytest

from engines.evolution.run_store import RunStore
from tests.tools.galapagos import Galapagos
from tools.__main__ import main
from tools.evolve_best import BestSoFar
from tools.games import GAMES

ACQUIRE = """
population = 40
evolve = buy
examination interval = 2
candidates = 2
retest games = 6
panel games = 2
behaviour states = 4
"""
CONFIGS = {"acquire": "own.txt", "chess": "example", "corewar": "soup", "protection": "quick"}


def evolved(game: str, folder: Path, *more: str) -> list[str]:
    config = CONFIGS[game]
    if config == "own.txt":
        (folder / config).write_text(ACQUIRE)
        config = str(folder / config)
    return [
        "evolve",
        game,
        config,
        "--run",
        str(folder / "run"),
        "--generations",
        "2",
        "--workers",
        "1",
        *more,
    ]


@pytest.mark.parametrize("game", CONFIGS)
def test_a_run_ends_with_its_best_an_interval_and_commands_that_work(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(evolved(game, tmp_path, "--json")) == 0
    *_, last, ended = map(json.loads, capsys.readouterr().out.splitlines())
    best = ended["best"]
    assert best["id"] == last["best"] and best["generation"] <= 2
    strength = best["strength"]
    assert strength["low"] <= strength["value"] <= strength["high"] and strength["games"] >= 40
    commands = [command.split() for command in best["commands"]]
    shown = next(words for words in commands if words[1] == "genome")
    assert main(shown[1:]) == 0 and capsys.readouterr().out


def test_a_measure_is_named_once() -> None:
    statistics = GAMES["chess"].statistics
    assert statistics
    best = BestSoFar(statistics(), str)
    best.add(3, {"centre": 7, "loss": 0.8531})
    assert best.text() == "best so far: genome 7, loss on the training set 0.8531"


def test_the_best_is_shown_with_the_best_fitness_not_with_the_least(
    tmp_path: Path, galapagos: Galapagos
) -> None:
    printed = galapagos.printed(*evolved("acquire", tmp_path, "--verbose"))
    assert re.search(r"^best so far: genome \d+, fitness: best 0\.\d+$", printed, re.MULTILINE)


def test_the_lineage_of_a_best_with_ancestors_is_offered(tmp_path: Path, galapagos: Galapagos) -> None:
    run = tmp_path / "run"
    printed = galapagos.printed(
        "evolve", "corewar", "tiny", "--run", run, "--generations", "2", "--workers", "1", "--quiet"
    )
    found = re.search(r"^best so far: genome (\d+)", printed, re.MULTILINE)
    assert found
    with RunStore.open(run) as store:
        assert store.birth(int(found[1])).parents
    assert f"galapagos genome lineage {run} {found[1]}\n" in printed


def test_measuring_the_best_is_repeatable_and_not_recorded_in_the_run(
    tmp_path: Path, galapagos: Galapagos
) -> None:
    first, second = (
        galapagos.printed(*evolved("acquire", tmp_path, "--quiet")),
        galapagos.printed(
            "evolve", "acquire", "--run", tmp_path / "run", "--resume", "--generations", "2", "--quiet"
        ),
    )
    assert re.search(
        r"best so far: genome \d+ of generation \d+; \d+\.\d % \[.*\] of the two-player games", first
    )
    assert first.splitlines()[:4] == second.splitlines()[:4]
    with RunStore.open(tmp_path / "run") as store:
        assert store.count("contest") == 400, "games against the reference are not on record"


def test_before_the_first_trial_there_is_no_champion_yet(tmp_path: Path, galapagos: Galapagos) -> None:
    printed = galapagos.printed(*evolved("protection", tmp_path, "--verbose"))
    assert "genome lineage" not in printed, "no parents are on record"
    assert re.findall(r"^(no champion yet|best so far)", printed, re.MULTILINE)[0] == "no champion yet"
    assert re.search(r"^best so far: genome \d+ of", printed, re.MULTILINE)


def test_verbose_lines_show_the_best_so_far(tmp_path: Path, galapagos: Galapagos) -> None:
    printed = galapagos.printed(*evolved("corewar", tmp_path, "--verbose"))
    best = re.findall(r"^(no champion yet|best so far: genome \d+)(?:,|$)", printed, re.MULTILINE)
    assert len(best) == 3
    assert best[0] == "no champion yet" not in best[1:], "nobody has fought in generation 0"
