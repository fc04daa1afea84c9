"""The configuration of strings: bundled ones are good, files are read, and what contradicts itself is refused."""

from pathlib import Path

import pytest

from core.protection.rules import RULES
from engines.config import ConfigError
from engines.protection.experiment import RUNS, configured, seed_in
from engines.protection.ga_config import GaConfig
from engines.protection.pool import bundled_pool


def test_the_number_of_tests_grows_evenly_with_the_trials() -> None:
    config = GaConfig(trials=20_000, replicates=2, last_replicates=12)
    assert [config.tests_after(trials) for trials in (0, 1999, 2000, 10_000, 20_000, 30_000)] == [
        2, 2, 3, 7, 12, 12,
    ]  # fmt: skip
    assert GaConfig(replicates=3).tests_after(5000) == 3


def test_founders_can_be_the_strings_of_a_pool(tmp_path: Path) -> None:
    strings = [each.genome for each in bundled_pool().entries]
    path = tmp_path / "strings.jsonl"
    path.write_text(bundled_pool().dumps())
    assert list(GaConfig(founders="pool").founder_genomes()) == strings
    assert list(GaConfig(founders=str(path), population=60).founder_genomes()) == strings[:60]
    assert GaConfig().founder_genomes() == ()
    path.write_text("{}")
    with pytest.raises(ConfigError, match=r"strings.jsonl: line 1: the first line of a pool"):
        seed_in(f"founders = {path}")


@pytest.mark.parametrize("path", sorted(RUNS.glob("*.txt")), ids=lambda path: path.stem)
def test_bundled_configurations_are_valid(path: Path) -> None:
    text = path.read_text()
    config = configured(text)
    assert configured(config.dumps()) == config
    assert seed_in(text) == 1
    if path.stem == "genesis":
        assert config == GaConfig(arrangement="mixed"), "the defaults are those of the paper"


def test_maps_and_arrangements_are_read_from_files(tmp_path: Path) -> None:
    board, units = tmp_path / "lake.apm", tmp_path / "units.txt"
    board.write_text(f"{'~' * 24}\n" * 23 + f"{',' * 24}\n")
    units.write_text("settler 3 23\ndrone 4 23\n")
    target = GaConfig(map=str(board), arrangement=str(units)).target()
    assert target.budget == target.arrangement.value(RULES["seed"]) == 170
    assert GaConfig(map=str(board), arrangement=str(units), budget=500).target().budget == 500
    units.write_text("settler 3 2\n")
    with pytest.raises(ConfigError, match="stand"):
        GaConfig(map=str(board), arrangement=str(units)).target()
    board.write_text("~")
    with pytest.raises(ConfigError, match=r"lake.apm: line 1: a row has 24 letters, not 1"):
        GaConfig(map=str(board)).target()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("population = 50\ntrials = 49", "line 2: trials must be at least the population, 50, not 49"),
        ("saved = 3", "candidates must be at most saved, 3, not 10"),
        ("mutation = 0", "line 1: mutation must be 1e-06 to 0.5, not '0'"),
        ("money = 0", "an arrangement without units makes every rating 0"),
        ("elitist = perhaps", "line 1: elitist must be yes or no, not 'perhaps'"),
    ],
)
def test_invalid_configurations_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError) as refused:
        seed_in(text)
    assert reason in str(refused.value)
