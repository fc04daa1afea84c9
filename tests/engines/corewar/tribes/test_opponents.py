"""Fixed opponents: our own that fit, or those of a folder, all or none."""

from pathlib import Path

import pytest

from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.opponents import read_opponents, read_parts
from tests.engines.corewar.tribes.runs import opponents
from tools.evolve import tribes

CONFIG = TribesConfig()
NANO = TribesConfig(core_size=80, cycles=800, processes=80, length=5, distance=5, founders_longest=5)


def test_our_own_as_far_as_they_fit() -> None:
    everybody = {genome.name for genome in read_opponents("own", CONFIG, tribes.read)}
    few = {genome.name for genome in read_opponents("own", NANO, tribes.read)}
    assert {"Imp", "Dwarf"} <= few < everybody
    assert all(genome.size == 80 for genome in read_opponents("own", NANO, tribes.read))


def test_a_folder_or_a_file(tmp_path: Path) -> None:
    folder = opponents(tmp_path / "there")
    assert [genome.name for genome in read_opponents(str(folder), CONFIG, tribes.read)] == ["Imp", "Waiter"]
    assert len(read_opponents(str(folder / "imp.red"), CONFIG, tribes.read)) == 1
    assert read_opponents("none", CONFIG, tribes.read) == []


def test_one_that_is_no_warrior_is_named(tmp_path: Path) -> None:
    folder = opponents(tmp_path / "there")
    (folder / "wrong.red").write_text(";redcode\nMOV 0, 1\nMVO 0, 1\n")
    with pytest.raises(ValueError, match=r"wrong\.red: line 3"):
        read_opponents(str(folder), CONFIG, tribes.read)
    (folder / "wrong.red").write_text(";redcode\n")
    with pytest.raises(ValueError, match=r"wrong\.red: no instructions"):
        read_opponents(str(folder), CONFIG, tribes.read)
    with pytest.raises(OSError, match="nowhere"):
        read_opponents(str(tmp_path / "nowhere"), CONFIG, tribes.read)


def test_parts_come_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.red"
    path.write_text(";redcode\n;name Mine\nspl 0\n")
    found = read_parts(f"stone, {path},paper", CONFIG, tribes.read)
    assert [genome.name for genome in found] == ["Stone", "Mine", "Paper"]
    assert read_parts("none", CONFIG, tribes.read) == []
    with pytest.raises(OSError, match="no_such"):
        read_parts("stone, no_such", CONFIG, tribes.read)
    path.write_text(";redcode\nMVO 0, 1\n")
    with pytest.raises(ValueError, match=r"mine\.red: line 2"):
        read_parts(str(path), CONFIG, tribes.read)
