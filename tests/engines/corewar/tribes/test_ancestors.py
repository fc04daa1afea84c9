"""Ancestors: an earlier run's warriors found the tribes of another, in their core or in a larger one."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.ancestors import carried, read_ancestors
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.genome import WarriorGenome
from engines.run.store import Store
from tests.engines.corewar.tribes.runs import SCRIMMAGE, config_in, gone_on
from tests.engines.inline import InlineCrew

RULES = TribesConfig(core_size=80, cycles=80, processes=8, length=5, distance=5, founders_longest=5).rules


def genome(*lines: str) -> WarriorGenome:
    return WarriorGenome.of(load_file.loads("\n".join(lines), RULES), RULES)


def test_near_ways_stay_and_far_ones_grow_with_the_core() -> None:
    small = genome("MOV.I $1, $-1", "SPL.B #20, <-30", "JMP.B $-1, $0")
    assert load_file.dumps(carried(small, 8000).express(), TribesConfig().rules).splitlines()[-4:-1] == [
        "MOV.I  $1, $-1",
        "SPL.B  #2000, <-3000",
        "JMP.B  $-1, $0",
    ]
    assert carried(small, 80) is small


async def test_a_run_goes_on_from_the_tribes_of_another(tmp_path: Path) -> None:
    config = config_in(tmp_path, SCRIMMAGE)
    await gone_on(tmp_path / "run", config, 4, InlineCrew())
    heirs = config + f"ancestors = {tmp_path / 'run'}\n"
    await gone_on(tmp_path / "heirs", heirs, 2, InlineCrew())
    with Store.open(tmp_path / "run") as one, Store.open(tmp_path / "heirs") as other:
        founders = [each for each in other.individuals() if each.origin == "ancestor"]
        assert len(founders) == 3 * 8
        for founder in founders:
            told = WarriorGenome.loads(founder.genome)
            id = int(told.name.rpartition(" ")[2])
            assert told.cells == WarriorGenome.loads(one.individual(id).genome).cells


def test_tribes_are_named_one_by_one(tmp_path: Path) -> None:
    config = TribesConfig(core_size=80, length=5, distance=5, founders_longest=5)
    imp, waiter = genome("MOV.I $0, $1"), genome("JMP.B $0, $0")
    (tmp_path / "tribe_0.red").write_text(imp.dumps() + waiter.dumps())
    (tmp_path / "tribe_1.red").write_text(waiter.dumps())
    both = [imp.cells, waiter.cells]
    assert [each.cells for each in read_ancestors(str(tmp_path), config)] == [*both, waiter.cells]
    named = f"{tmp_path / 'tribe_1.red'}, {tmp_path / 'tribe_0.red'}"
    assert [each.cells for each in read_ancestors(named, config)] == [waiter.cells, *both]


def test_a_folder_without_tribes_is_refused(tmp_path: Path) -> None:
    config = TribesConfig(length=4, founders_longest=4)
    with pytest.raises(ValueError, match="no tribe is there"):
        read_ancestors(str(tmp_path), config)
    long = WarriorGenome.random(Random(1))
    long = replace(long, cells=long.cells[:1] * 5)
    (tmp_path / "tribe_0.red").write_text(long.dumps())
    with pytest.raises(ValueError, match="5 instructions, above the length, 4"):
        read_ancestors(str(tmp_path), config)
    (tmp_path / "tribe_0.red").write_text("XYZ 1, 2\nEND\n")
    with pytest.raises(ValueError, match=r"tribe_0\.red: line 1"):
        read_ancestors(str(tmp_path), config)
