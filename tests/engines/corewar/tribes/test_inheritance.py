"""A run whose warriors inherit more than a core sees: begun anywhere, with wide values, with parts of others."""

import json
from pathlib import Path

import pytest

from core.corewar.instruction import a_of, b_of
from engines.corewar.tribes.experiment import living, seed_in
from engines.corewar.tribes.genes import unmarked
from engines.corewar.tribes.genome import WarriorGenome
from engines.run.store import Store
from tests.engines.corewar.tribes.runs import IMP, SCRIMMAGE, WAITER, config_in, gone_on, read
from tests.engines.inline import InlineCrew
from tools.genome.lineage import Lineage

EVOLVED = (
    SCRIMMAGE
    + """
start = evolved
start moves = 0.5
wide values = on
crossover = 0.5
two point weight = 1
insertion weight = 1
deletion weight = 1
"""
)


async def genomes(folder: Path) -> list[WarriorGenome]:
    with Store.open(folder) as store:
        ids = [member[0] for tribe in json.loads(store.state)["tribes"] for member in tribe]
        return [WarriorGenome.loads(store.individual(id).genome) for id in ids]


async def test_what_is_inherited_is_on_record(tmp_path: Path) -> None:
    config = config_in(tmp_path, EVOLVED)
    await gone_on(tmp_path / "run", config, 8, InlineCrew())
    found = await genomes(tmp_path / "run")
    assert len({genome.start for genome in found}) > 1
    assert all(genome.start < len(genome.cells) for genome in found)
    assert any(max(a_of(cell), b_of(cell)) >= 80 for genome in found for cell in genome.cells)
    with Store.open(tmp_path / "run") as store:
        members = [member for tribe in living(store) for member in tribe]
    assert [unmarked(member.genes) for member in members] == [(each.cells, each.start) for each in found]
    assert [member.warrior.cells for member in members] == [each.express().cells for each in found]


async def test_a_run_in_parts_is_the_run(tmp_path: Path) -> None:
    config = config_in(tmp_path, EVOLVED)
    whole = await gone_on(tmp_path / "whole", config, 7, InlineCrew())
    for part in (1, 4, 2):
        heard = await gone_on(tmp_path / "parts", config, part, InlineCrew())
    assert heard[-1].hash == whole[-1].hash


async def test_a_moved_start_is_told_in_the_lineage(tmp_path: Path) -> None:
    config = config_in(tmp_path, EVOLVED)
    await gone_on(tmp_path / "run", config, 8, InlineCrew())
    with Store.open(tmp_path / "run") as store:
        newest = store.newest
    assert newest is not None
    text = Lineage.of(tmp_path / "run", newest, 50).text()
    assert "ORG " in text


async def test_founders_of_parts_have_them_as_parents(tmp_path: Path) -> None:
    (tmp_path / "one.red").write_text(IMP)
    (tmp_path / "two.red").write_text(WAITER)
    parts = f"parts = {tmp_path / 'one.red'}, {tmp_path / 'two.red'}\npspace = on\n"
    config = config_in(tmp_path, SCRIMMAGE.replace("founders longest = 8", "founders longest = 6")) + parts
    await gone_on(tmp_path / "run", config, 3, InlineCrew())
    for name in ("one.red", "two.red"):
        (tmp_path / name).unlink()
    heard = await gone_on(tmp_path / "run", config, 2, InlineCrew())
    assert heard[-1].generation.number == 4, "the parts belong to the record"
    with Store.open(tmp_path / "run") as store:
        founders = [born for born in store.individuals() if not born.generation]
        parents = [store.individual(id) for id in founders[-1].parents]
    assert {founder.origin for founder in founders} == {"part", "joined"}, "the opponents are the same two"
    assert [WarriorGenome.loads(each.genome).name for each in parents] == ["Imp", "Waiter"]


def test_parts_must_leave_room(tmp_path: Path) -> None:
    (tmp_path / "one.red").write_text(IMP)
    with pytest.raises(ValueError, match="make 9, above the length, 8"):
        seed_in(config_in(tmp_path, SCRIMMAGE) + f"pspace = on\nparts = {tmp_path / 'one.red'}\n", read)
