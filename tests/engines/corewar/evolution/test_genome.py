"""Genes: marks and wide values are inherited, and no core sees them."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import DIRECT, DOT_I, MOV, a_of, b_of, pack
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.random import Random
from engines.corewar import load_file
from engines.corewar.evolution.config import CHANGES, TribesConfig
from engines.corewar.evolution.genome import (
    MARK,
    WarriorGenome,
    expressed,
    marked,
    marked_once,
    read_ancestors,
    read_opponents,
    read_parts,
    rescaled,
    unmarked,
)
from engines.corewar.evolution.variation import Breeder, Mutation, RandomCode
from engines.evolution.run_store import RunStore
from tests.engines.corewar.evolution.runs import SCRIMMAGE, config_in, gone_on, opponents, random_genome
from tests.toy import InlinePool

EVERY_CHANGE = {f"{each}_weight": 1.0 for each in CHANGES} | {"pspace": "on"}
CONFIG = TribesConfig(
    core_size=80, length=8, distance=8, founders_longest=8, start="evolved", start_moves=0.3, wide_values="on",
    crossover=0.4, two_point_weight=1, homologous_weight=1, mutation=1, most_changes=4, **EVERY_CHANGE,  # type: ignore[arg-type]
)  # fmt: skip
SOUP = RandomCode.of(CONFIG)
RULES = CONFIG.rules

seeds = st.integers(0, 2**32)


@given(seeds, st.integers(1, 8))
def test_unmarking_restores_cells_and_start(seed: int, length: int) -> None:
    rng = Random(seed)
    cells, start = SOUP.cells(length, rng), int(rng.below(length))
    assert unmarked(marked(cells, start)) == (cells, start)
    assert unmarked(cells) == (cells, 0)
    assert marked_once(tuple(cell | MARK for cell in cells)) == marked(cells, 0) == marked_once(cells)


@given(seeds)
def test_offspring_stay_valid_warriors_that_read_back(seed: int) -> None:
    """Whatever mutation and crossover do: one mark, cells that pack, a text that says it all, a core that takes it."""
    rng = Random(seed)
    breeder = Breeder.of(CONFIG, CONFIG.crossover, frozenset())
    mars = Mars(RULES, [expressed(SOUP.cells(1, rng), 80)])
    tribe = [marked(SOUP.cells(5, rng), int(rng.below(5))) for _ in range(3)]
    for _ in range(30):
        child = breeder.offspring(tribe, rng).genes
        tribe[rng.below(3)] = child
        assert sum(gene >= MARK for gene in child) == 1 and 1 <= len(child) <= 8
        cells, start = unmarked(child)
        genome = WarriorGenome(cells=cells, start=start, size=80)
        assert WarriorGenome.loads(genome.dumps()) == genome
        warrior = expressed(child, 80)
        assert genome.express().cells == warrior.cells and warrior.start == start < len(warrior.cells)
        assert all(a_of(cell) < 80 and b_of(cell) < 80 for cell in warrior.cells)
        mars.load_warriors([warrior])


def test_wide_values_flip_24_bits_and_wrap_in_the_core() -> None:
    """As in the listing of E1: 5234881 is no sum of the bits of a value below 8000."""
    config = TribesConfig(wide_values="on", most_changes=1, operation_weight=0, modifier_weight=0,
                          a_mode_weight=0, b_mode_weight=0)  # fmt: skip
    mutation, rng = Mutation.of(config), Random(1)
    gene = pack(0, 0, 1, 385, 1, 1)
    flipped = {mutation.apply((gene,), [False], rng)[0][0] for _ in range(2000)}
    assert len(flipped) == 48, "24 bits of each value"
    assert {a_of(each) ^ 385 for each in flipped} == {0, *(1 << bit for bit in range(24))}
    (warrior,) = [expressed((each,), 8000) for each in flipped if a_of(each) == 385 | 1 << 13]
    assert a_of(warrior.cells[0]) == (385 + 8192) % 8000


def test_genome_text_keeps_values_beyond_the_core_size() -> None:
    text = ";assert CORESIZE == 8000\nMOV.I  $5234881, $-1\n"
    genome = WarriorGenome.loads(text)
    assert a_of(genome.cells[0]) == 5234881 and b_of(genome.cells[0]) == 7999
    assert "MOV.I  $5234881, $-1" in genome.dumps()
    assert a_of(genome.express().cells[0]) == 2881
    assert Rules().size == genome.size


# The genome of a warrior: its laws, and its text.


seeds = st.integers(0, 2**32)


@given(seeds)
def test_a_genome_reads_back_and_loads_as_its_warrior(seed: int) -> None:
    genome = random_genome(seed)
    assert WarriorGenome.loads(genome.dumps()) == genome
    assert load_file.loads(genome.dumps(), Rules()) == genome.express()


def test_a_part_with_a_later_start_is_entered_by_a_jump() -> None:
    code = "DAT.F #0, #0\nADD.AB #4, $-1\nMOV.I $-2, @-2\nJMP.B $-2, $0"
    first, later = (
        WarriorGenome.of(load_file.loads(start + code, Rules()), Rules()) for start in ("", "ORG 1\n")
    )
    assert first.as_part() == first.cells
    assert later.as_part() == (*load_file.loads("JMP.B $2, $0", Rules()).cells, *later.cells)


@given(st.text(max_size=200) | st.text(";:asertCORSIZE=0123 \nMOV.I$,", max_size=200))
def test_any_text_raises_nothing_but_value_errors(text: str) -> None:
    try:
        genome = WarriorGenome.loads(text)
    except ValueError:
        return
    assert WarriorGenome.loads(genome.dumps()) == genome


def test_genome_text_states_the_core_size() -> None:
    genome = WarriorGenome.loads(
        ";name  Small one\n;assert CORESIZE == 80\nORG 1\nMOV.I $0, $81\nDAT.F #0, #-1\n"
    )
    assert (genome.size, genome.start, genome.name) == (80, 1, "Small one")
    assert "MOV.I  $0, $81\n" in genome.dumps() and "#-1" in genome.dumps()
    assert (
        genome.express().cells
        == load_file.loads("MOV.I $0, $1\nDAT.F #0, #-1", Rules(size=80, length=5, distance=5)).cells
    )
    with pytest.raises(ValueError, match="core"):
        WarriorGenome.loads(";assert CORESIZE == 99999999\nMOV.I $0, $1\n")


# Ancestors: an earlier run's warriors found the tribes of another, in their core or in a larger one.


RULES_ANCESTORS = TribesConfig(
    core_size=80, cycles=80, processes=8, length=5, distance=5, founders_longest=5
).rules


def genome(*lines: str) -> WarriorGenome:
    return WarriorGenome.of(load_file.loads("\n".join(lines), RULES_ANCESTORS), RULES_ANCESTORS)


def test_rescaling_keeps_short_distances_and_scales_long_ones() -> None:
    small = genome("MOV.I $1, $-1", "SPL.B #20, <-30", "JMP.B $-1, $0")
    assert load_file.dumps(rescaled(small, 8000).express(), TribesConfig().rules).splitlines()[-4:-1] == [
        "MOV.I  $1, $-1",
        "SPL.B  #2000, <-3000",
        "JMP.B  $-1, $0",
    ]
    assert rescaled(small, 80) is small


def test_rescaling_keeps_short_distances_that_are_written_as_values_above_the_core_size() -> None:
    cells = tuple(pack(MOV, DOT_I, DIRECT, 3, DIRECT, value) for value in (163, 3))
    wide = WarriorGenome(name="wide", cells=cells * 3, size=80)
    assert rescaled(wide, 800).cells[0] == rescaled(wide, 800).cells[1]


async def test_a_run_can_start_from_the_tribes_of_another(tmp_path: Path) -> None:
    config = config_in(tmp_path, SCRIMMAGE)
    await gone_on(tmp_path / "run", config, 4, InlinePool())
    heirs = config + f"ancestors = {tmp_path / 'run'}\n"
    await gone_on(tmp_path / "heirs", heirs, 2, InlinePool())
    with RunStore.open(tmp_path / "run") as one, RunStore.open(tmp_path / "heirs") as other:
        founders = [each for each in map(other.individual, other.ids()) if each.origin == "ancestor"]
        assert len(founders) == 3 * 8
        for founder in founders:
            told = WarriorGenome.loads(founder.genome)
            id = int(told.name.rpartition(" ")[2])
            assert told.cells == WarriorGenome.loads(one.individual(id).genome).cells


def test_ancestors_are_read_from_a_folder_or_from_named_files(tmp_path: Path) -> None:
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
    with pytest.raises(ValueError, match="has no file of a tribe"):
        read_ancestors(str(tmp_path), config)
    long = WarriorGenome(cells=genome("MOV.I $0, $1").cells * 5)
    (tmp_path / "tribe_0.red").write_text(long.dumps())
    with pytest.raises(ValueError, match="5 instructions, above the length, 4"):
        read_ancestors(str(tmp_path), config)
    (tmp_path / "tribe_0.red").write_text("XYZ 1, 2\nEND\n")
    with pytest.raises(ValueError, match=r"tribe_0\.red: line 1"):
        read_ancestors(str(tmp_path), config)


def test_ancestors_with_pspace_need_a_run_with_it(tmp_path: Path) -> None:
    config = TribesConfig(core_size=80, length=5, distance=5, founders_longest=5)
    (tmp_path / "tribe_0.red").write_text(genome("STP.AB #1, #1", "JMP.B $0, $0").dumps())
    with pytest.raises(ValueError, match=r"tribe_0\.red: Unknown has STP, which needs pspace = on"):
        read_ancestors(str(tmp_path), config)
    assert len(read_ancestors(str(tmp_path), replace(config, pspace="on"))) == 1


def test_ancestors_with_a_later_start_need_a_run_whose_start_evolves(
    tmp_path: Path,
) -> None:
    config = TribesConfig(core_size=80, length=5, distance=5, founders_longest=5)
    late = replace(genome("DAT.F $0, $0", "JMP.B $0, $0"), start=1)
    (tmp_path / "tribe_0.red").write_text(late.dumps())
    with pytest.raises(
        ValueError, match=r"tribe_0\.red: Unknown starts at instruction 1, which needs start = ev"
    ):
        read_ancestors(str(tmp_path), config)
    assert read_ancestors(str(tmp_path), replace(config, start="evolved"))[0].start == 1


# Fixed opponents: our own that fit, or those of a folder, all or none.


CONFIG_OPPONENTS = TribesConfig()
NANO = TribesConfig(core_size=80, cycles=800, processes=80, length=5, distance=5, founders_longest=5)


def test_own_opponents_are_the_bundled_warriors_that_fit() -> None:
    everybody = {genome.name for genome in read_opponents("own", CONFIG_OPPONENTS)}
    few = {genome.name for genome in read_opponents("own", NANO)}
    assert {"Imp", "Dwarf"} <= few < everybody
    assert all(genome.size == 80 for genome in read_opponents("own", NANO))


def test_opponents_are_read_from_a_folder_or_a_file(tmp_path: Path) -> None:
    folder = opponents(tmp_path / "there")
    assert [genome.name for genome in read_opponents(str(folder), CONFIG_OPPONENTS)] == [
        "Imp",
        "Waiter",
    ]
    assert len(read_opponents(str(folder / "imp.red"), CONFIG_OPPONENTS)) == 1
    assert read_opponents("none", CONFIG_OPPONENTS) == []


def test_invalid_opponents_are_refused_with_their_file_name(tmp_path: Path) -> None:
    folder = opponents(tmp_path / "there")
    (folder / "wrong.red").write_text(";redcode\nMOV 0, 1\nMVO 0, 1\n")
    with pytest.raises(ValueError, match=r"wrong\.red: line 3"):
        read_opponents(str(folder), CONFIG_OPPONENTS)
    (folder / "wrong.red").write_text(";redcode\n")
    with pytest.raises(ValueError, match=r"wrong\.red: no instructions"):
        read_opponents(str(folder), CONFIG_OPPONENTS)
    (folder / "wrong.red").write_text(";redcode\nORG 2\nMOV 0, 1\n")
    with pytest.raises(ValueError, match=r"wrong\.red: execution starts outside"):
        read_opponents(str(folder), CONFIG_OPPONENTS)
    with pytest.raises(OSError, match="nowhere"):
        read_opponents(str(tmp_path / "nowhere"), CONFIG_OPPONENTS)


def test_parts_come_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.red"
    path.write_text(";redcode\n;name Mine\nspl 0\n")
    found = read_parts(f"stone, {path},paper", CONFIG_OPPONENTS)
    assert [genome.name for genome in found] == ["Stone", "Mine", "Paper"]
    assert read_parts("none", CONFIG_OPPONENTS) == []
    with pytest.raises(OSError, match="no_such"):
        read_parts("stone, no_such", CONFIG_OPPONENTS)
    path.write_text(";redcode\nMVO 0, 1\n")
    with pytest.raises(ValueError, match=r"mine\.red: line 2"):
        read_parts(str(path), CONFIG_OPPONENTS)
