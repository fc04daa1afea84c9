"""Scores of hills against those of others: pMARS's exact ones against the nano benchmark of 2007."""

from pathlib import Path

import pytest

from core.corewar.assembler import assemble
from core.corewar.dialect import Dialect
from core.corewar.warrior import Warrior
from engines.corewar.battles import BattleTask, fight_battle
from engines.corewar.presets import PRESETS

NANO = PRESETS["nano"]
BENCHMARK = "warriors/yace_reloaded/nanobm07"
EVERY = 9  # of the table's lines


def loaded(path: Path) -> Warrior:
    text = path.read_text(encoding="iso-8859-1")
    warrior = assemble(text, NANO.rules, Dialect(), warriors=2, rounds=NANO.rounds).warrior
    assert warrior is not None, path
    return warrior


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    if not (shared_data / "corewar").is_dir():
        pytest.skip("no warriors of others in the test data")
    return shared_data / "corewar"


def test_exact_scores_equal_those_of_the_nano_benchmark(folder: Path) -> None:
    """Here members of the benchmark fight against themselves, too."""
    members = [loaded(path) for path in sorted((folder / BENCHMARK).iterdir())]
    assert len(members) == NANO.places
    table = (folder / "expected" / "nanobm07_exact.tsv").read_text(encoding="iso-8859-1").splitlines()[1:]
    for line in table[::EVERY]:
        path, _, score, *_ = line.split("\t")
        warrior = loaded(folder / path)
        total = sum(
            fight_battle(
                BattleTask(
                    rules=NANO.rules, warriors=(warrior, member), rounds=NANO.rounds, is_exact=NANO.is_exact
                )
            )[0].score
            for member in members
        )
        assert total / len(members) == pytest.approx(float(score), abs=0.006), path
