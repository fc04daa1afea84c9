"""The population of tribes: what is inherited, migration, restart, the turning point, champions and statistics."""

import json
from itertools import chain
from pathlib import Path

import pytest

from core.corewar.instruction import a_of, b_of
from core.corewar.rules import Rules
from engines.corewar import load_file
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.evaluation import Member
from engines.corewar.evolution.experiment import living
from engines.corewar.evolution.genome import WarriorGenome, unmarked
from engines.corewar.evolution.population import (
    CHAMPIONS,
    Champions,
    Stagnation,
    Tribes,
    Turning,
    TurningPoint,
    move,
    moves_after,
    sweeps_until_migration,
    tribe_statistics,
)
from engines.evolution.run_store import RunStore
from tests.engines.corewar.evolution.runs import (
    EVOLVED,
    IMP,
    SCRIMMAGE,
    WAITER,
    config_in,
    gone_on,
    random_genome,
)
from tests.toy import InlinePool
from tools.genome.lineage import Lineage, changed_lines


async def genomes(folder: Path) -> list[WarriorGenome]:
    with RunStore.open(folder) as store:
        ids = [member[0] for tribe in json.loads(store.state)["tribes"] for member in tribe]
        return [WarriorGenome.loads(store.individual(id).genome) for id in ids]


async def test_inherited_starts_and_wide_values_are_recorded(tmp_path: Path) -> None:
    config = config_in(tmp_path, EVOLVED)
    await gone_on(tmp_path / "run", config, 8, InlinePool())
    found = await genomes(tmp_path / "run")
    assert len({genome.start for genome in found}) > 1
    assert all(genome.start < len(genome.cells) for genome in found)
    assert any(max(a_of(cell), b_of(cell)) >= 80 for genome in found for cell in genome.cells)
    with RunStore.open(tmp_path / "run") as store:
        members = [member for tribe in living(store) for member in tribe]
    assert [unmarked(member.genes) for member in members] == [(each.cells, each.start) for each in found]
    assert [member.warrior.cells for member in members] == [each.express().cells for each in found]


async def test_a_moved_start_appears_in_the_lineage(tmp_path: Path) -> None:
    config = config_in(tmp_path, EVOLVED)
    await gone_on(tmp_path / "run", config, 8, InlinePool())
    with RunStore.open(tmp_path / "run") as store:
        assert store.newest is not None
        assert "ORG " in Lineage.of(store, store.newest, 50, changed_lines).text()


async def test_founders_of_parts_have_them_as_parents(tmp_path: Path) -> None:
    (tmp_path / "one.red").write_text(IMP)
    (tmp_path / "two.red").write_text(WAITER)
    parts = f"parts = {tmp_path / 'one.red'}, {tmp_path / 'two.red'}\npspace = on\n"
    config = config_in(tmp_path, SCRIMMAGE.replace("founders longest = 8", "founders longest = 6")) + parts
    await gone_on(tmp_path / "run", config, 3, InlinePool())
    for name in ("one.red", "two.red"):
        (tmp_path / name).unlink()
    reports = await gone_on(tmp_path / "run", config, 2, InlinePool())
    assert reports[-1].generation.number == 4, "the parts belong to the record"
    with RunStore.open(tmp_path / "run") as store:
        founders = [born for born in map(store.individual, store.ids()) if not born.generation]
        parents = [store.individual(id) for id in founders[-1].parents]
    assert {founder.origin for founder in founders} == {"part", "joined"}, "the opponents are the same two"
    assert [WarriorGenome.loads(each.genome).name for each in parents] == ["Imp", "Waiter"]


# -- Migration ---------------------------------------------------------------------------------------

CONFIG = TribesConfig(tribes=4, tribe_size=6, migration=0.05, sweeps_a_generation=12)


def test_tribes_exchange_members_with_the_configured_probability() -> None:
    moves = [each for sweep in range(5000) for each in moves_after(sweep, CONFIG, 7)]
    assert 850 < len(moves) < 1150
    assert all(each.one[0] != each.other[0] for each in moves)
    assert {each.other for each in moves} == {(tribe, seat) for tribe in range(4) for seat in range(6)}


def test_a_generation_ends_with_a_migration() -> None:
    sweep = 0
    while sweep < 300:
        count = sweeps_until_migration(sweep, CONFIG, 7)
        assert not any(moves_after(sweep + before, CONFIG, 7) for before in range(count - 1))
        assert count == 12 or moves_after(sweep + count - 1, CONFIG, 7)
        sweep += count


def test_migration_loses_no_member() -> None:
    tribes = [[10 * tribe + seat for seat in range(6)] for tribe in range(4)]
    everybody = sorted(chain.from_iterable(tribes))
    for sweep in range(50):
        move(moves_after(sweep, CONFIG, 3), tribes)
    assert sorted(chain.from_iterable(tribes)) == everybody
    assert any(member // 10 != number for number, tribe in enumerate(tribes) for member in tribe)


def test_a_single_tribe_has_no_migration() -> None:
    assert not moves_after(0, TribesConfig(tribes=1, migration=1), 7)
    assert sweeps_until_migration(0, TribesConfig(migration=0), 7) == 25


# -- Restart -----------------------------------------------------------------------------------------


def test_patience_is_counted_in_panels_without_a_better_grade() -> None:
    stagnation, restarted = Stagnation(), []
    for grades in (
        [10.0, 5.0, 7.0],
        [10.0, 5.0, 8.0],
        [10.0, 4.0, 8.0],  # the best tribe has stood still as long as tribe 1
        [10.0, 1.0, 8.0],  # the new tribe 1 has its own record
        [9.0, 1.0, 3.0],
    ):
        stagnation, still = stagnation.after(grades, 2)
        restarted.append(still)
    assert restarted == [[], [], [1], [2], []]


# -- Progress ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tries", "point"),
    [
        ("-" * 7 + "+" * 9, 13),  # six of the last ten
        ("+" * 9, None),  # fewer than ten
        ("+" * 9 + "-", 10),
        ("-+" * 9, None),  # never more than half
        ("-" * 29, None),
        ("-" * 40, 30),  # the latest one
    ],
)
def test_the_turning_point_is_found_from_the_share_of_viable_tries(tries: str, point: int | None) -> None:
    turning = TurningPoint(TribesConfig(turning_window=10, latest_turning=30), Turning(None))
    for letter in tries:
        turning.add(letter)
    assert turning.state.point == point
    assert turning.is_selective == (point is not None)


def test_viability_always_or_never_overrides_the_turning_point() -> None:
    assert Tribes(TribesConfig(viability="always"), 1, random_genome).turning.is_selective
    never = TurningPoint(TribesConfig(viability="never", latest_turning=1), Turning(None))
    never.add("+" * 1000)
    assert not never.is_selective


def test_champions_are_ranked_by_all_their_panels() -> None:
    champions = Champions()
    champions.add([(7, 120.0), (8, 140.0)])
    assert champions.stagnation == 0
    champions.add([(8, 100.0), (9, 110.0)])
    assert [(each.id, each.score, each.panels) for each in champions.ranked] == [
        (7, 120.0, 1),
        (8, 120.0, 2),
        (9, 110.0, 1),
    ]
    assert champions.stagnation == 1
    champions.add([(id, float(id)) for id in range(200, 250)])
    assert len(champions.ranked) == CHAMPIONS and champions.stagnation == 0
    assert Champions.restored(champions.stored) == champions


def test_statistics_count_genotypes_and_codes() -> None:
    rules = Rules()
    texts = ["MOV.I $0, $1", "MOV.I $0, $1", "MOV.I $0, $2", "JMP.B $0, $0\nDAT.F #0, #0"]
    members = [Member(id=id, warrior=load_file.loads(text, rules)) for id, text in enumerate(texts)]
    members[2].rounds, members[2].wins = 600, 600
    facts = tribe_statistics(members, 10)
    assert (facts["genotypes"], facts["codes"], facts["length"]) == (3, 2, 1)
    assert (facts["age"], facts["oldest"], facts["best"], facts["best_record"]) == (8.5, 10, 2, [0, 0, 600])
