"""Variation: what is drawn, what mutates, whose instructions a child has, what founders are made of."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar import instruction as ins
from core.corewar.rules import Rules
from core.random import Random
from engines.corewar import load_file
from engines.corewar.evolution.config import CHANGES, PARTS, TribesConfig
from engines.corewar.evolution.evaluation import begin_alone, occupied_parts
from engines.corewar.evolution.genome import Cells, WarriorGenome, expressed, unmarked
from engines.corewar.evolution.variation import (
    LONGEST_SNIPPET,
    NUMBERS,
    Breeder,
    Founders,
    Mutation,
    RandomCode,
    homologous,
    join,
    occurring,
    protected,
    recurring,
    single_point,
    switch_snippet,
    two_point,
)

CONFIG = TribesConfig()
CODE = RandomCode.of(CONFIG)
RULES = Rules()

lengths = st.integers(1, 20)
seeds = st.integers(0, 2**32)


# -- Random code -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pspace", "operations"), [("off", 16), ("on", 18)])
def test_each_operation_is_drawn_as_often_as_the_others(pspace: str, operations: int) -> None:
    code = RandomCode.of(TribesConfig(pspace=pspace))  # type: ignore[arg-type]
    counts = Counter(ins.operation_of(cell) for cell in code.cells(1000 * operations, Random(1)))
    assert len(counts) == operations and ins.CMP not in counts
    assert ({ins.LDP, ins.STP} <= counts.keys()) == (pspace == "on")
    assert all(850 < count < 1150 for count in counts.values())


def test_joined_parts_restore_the_instruction() -> None:
    code = RandomCode.of(TribesConfig(pspace="on"))
    for cell in code.cells(200, Random(2)):
        parts = code.parts(cell)
        assert code.joined(parts) == cell
        assert all(part in code.choices(number) for number, part in enumerate(parts))


def test_operations_outside_the_configuration_survive_other_mutations() -> None:
    """On record it may be, from ancestors that were bred with P-space."""
    cell = ins.pack(ins.LDP, ins.DOT_I, ins.DIRECT, 3, ins.DIRECT, 4)
    assert CODE.joined(CODE.parts(cell)) == cell
    weights = {f"{part}_weight": float(part == "a_value") for part in PARTS}
    mutated, _ = Mutation.of(TribesConfig(**weights)).apply((cell,), [False], Random(1))  # type: ignore[arg-type]
    assert mutated != (cell,) and ins.operation_of(mutated[0]) == ins.LDP
    weights = {f"{part}_weight": float(part == "operation") for part in PARTS}
    mutated, _ = Mutation.of(TribesConfig(**weights)).apply((cell,), [False], Random(1))  # type: ignore[arg-type]
    assert ins.operation_of(mutated[0]) in CODE.operations


def test_common_instructions_are_drawn_as_often_as_they_are_listed() -> None:
    code = RandomCode.of(TribesConfig(instructions="MOV.I MOV.I MOV DJN.F"))
    rng = Random(3)
    drawn = Counter((ins.operation_of(cell), ins.modifier_of(cell)) for cell in code.cells(4000, rng))
    assert {operation for operation, _ in drawn} == {ins.MOV, ins.DJN}
    assert {modifier for operation, modifier in drawn if operation == ins.DJN} == {ins.DOT_F}
    assert 900 < drawn[ins.DJN, ins.DOT_F] < 1100
    assert 2000 < drawn[ins.MOV, ins.DOT_I] < 2300, "twice by name, and a seventh of the third"
    assert {code.drawn(0, rng) for _ in range(100)} == {ins.MOV, ins.DJN}, "a redrawn part is common too"


def test_a_share_of_the_values_is_near() -> None:
    code = RandomCode.of(TribesConfig(near=0.5, reach=3))
    cells = code.cells(2000, Random(4))
    values = [ins.signed(value, 8000) for cell in cells for value in (ins.a_of(cell), ins.b_of(cell))]
    near = [value for value in values if -3 <= value <= 3]
    assert 1900 < len(near) < 2150
    assert set(near) == set(range(-3, 4))
    assert max(values) > 3900


def test_switch_snippets_take_all_their_possible_forms() -> None:
    rng = Random(1)
    snippets = {
        " ".join(ins.OPERATIONS[ins.operation_of(cell)] for cell in switch_snippet([7], 80, rng))
        for _ in range(300)
    }
    assert snippets == {
        "LDP JMZ", "LDP JMN", "LDP SEQ JMP", "LDP SNE JMP", "LDP SLT JMP", "LDP ADD STP", "LDP SUB STP", "STP", "JMP",
    }  # fmt: skip


@given(seeds, st.integers(-20, 20))
def test_a_switch_snippet_jumps_to_its_target_and_reads_its_own_load(seed: int, place: int) -> None:
    cells = switch_snippet([place], 80, Random(seed))
    assert 1 <= len(cells) <= LONGEST_SNIPPET
    for at, cell in enumerate(cells):
        name = ins.OPERATIONS[ins.operation_of(cell)]
        if name in ("JMZ", "JMN", "JMP"):
            assert (at + ins.a_of(cell)) % 80 == place % 80
        if name in ("JMZ", "JMN", "SEQ", "SNE", "SLT", "ADD", "SUB"):
            assert (at + ins.b_of(cell)) % 80 == 0
        if name in ("LDP", "SEQ", "SNE", "SLT", "ADD", "SUB"):
            assert ins.a_of(cell) < NUMBERS


# -- Mutation ----------------------------------------------------------------------------------------


def changed_parts(before: Cells, after: Cells) -> list[str]:
    return [
        name
        for one, other in zip(before, after, strict=True)
        for name, part, new in zip(PARTS, CODE.parts(one), CODE.parts(other), strict=True)
        if part != new
    ]


def test_one_to_eight_bits_flip() -> None:
    rng = Random(1)
    mutation = Mutation.of(CONFIG)
    counts: Counter[int] = Counter()
    for _ in range(800):
        cells = CODE.cells(60, rng)
        mutated, changes = mutation.apply(cells, [False] * 60, rng)
        counts[changes] += 1
        assert len(changed_parts(cells, mutated)) <= changes
    assert set(counts) == set(range(1, 9)) and min(counts.values()) > 60


def test_parts_change_as_they_are_weighed() -> None:
    rng = Random(2)
    mutation = Mutation.of(TribesConfig(most_changes=1))
    cells = CODE.cells(20, rng)
    changed: Counter[str] = Counter()
    for _ in range(6000):
        changed.update(changed_parts(cells, mutation.apply(cells, [False] * 20, rng)[0]))
    assert sum(changed.values()) == 6000, "a flip changes one part of one instruction"
    for part, per_cent in zip(PARTS, (8, 10, 12, 12, 39, 39), strict=True):
        assert changed[part] / 6000 == pytest.approx(per_cent / 120, abs=0.02)


@given(seeds, st.sampled_from(CHANGES), st.integers(1, 8))
def test_every_kind_of_change_yields_a_valid_warrior(seed: int, kind: str, length: int) -> None:
    weights = {f"{name}_weight": float(name == kind) for name in CHANGES}
    config = TribesConfig(
        core_size=80, length=8, distance=8, founders_longest=8, most_changes=3, pspace="on", **weights,  # type: ignore[arg-type]
    )  # fmt: skip
    mutation, rng = Mutation.of(config), Random(seed)
    cells = mutation.code.cells(length, rng)
    mutated, changes = mutation.apply(cells, [False] * length, rng)
    longer, shorter = {"insertion": 1, "phrase": 3}.get(kind, 0), kind == "deletion"
    assert max(length - changes * shorter, 1) <= len(mutated) <= min(length + changes * longer, 8)
    assert all(mutation.code.joined(mutation.code.parts(cell)) == cell for cell in mutated)
    if kind in ("exchange", "duplicate", "deletion"):
        assert set(mutated) <= set(cells)


def test_protected_instructions_change_less() -> None:
    rng = Random(4)
    mutation = Mutation.of(TribesConfig(most_changes=1, protection=0.9))
    cells = CODE.cells(10, rng)
    safe = [True] * 5 + [False] * 5
    hit: Counter[bool] = Counter()
    for _ in range(2000):
        mutated = mutation.apply(cells, safe, rng)[0]
        hit.update(safe[at] for at in range(10) if mutated[at] != cells[at])
    assert 0 < hit[True] < hit[False] / 5


# -- Crossover ---------------------------------------------------------------------------------------


@given(lengths, lengths, seeds)
def test_a_child_has_its_parents_instructions(one: int, other: int, seed: int) -> None:
    rng = Random(seed)
    mother, father = CODE.cells(one, rng), CODE.cells(other, rng)
    for cross in (single_point, two_point, homologous):
        child = cross(mother, father, 20, rng)
        assert 1 <= len(child) <= 20
        assert set(child) <= {*mother, *father}


@given(lengths, lengths, seeds)
def test_single_point_crossover_joins_ends_of_both_parents(one: int, other: int, seed: int) -> None:
    rng = Random(seed)
    mother, father = CODE.cells(one, rng), CODE.cells(other, rng)
    child = single_point(mother, father, 20, rng)
    ends = [
        {cells[:cut] for cut in range(len(cells) + 1)} | {cells[cut:] for cut in range(len(cells) + 1)}
        for cells in (mother, father)
    ]
    assert any(
        (child[:cut] in first and child[cut:] in second)
        for cut in range(len(child) + 1)
        for first, second in (ends, ends[::-1])
    )


@given(lengths, seeds)
def test_a_homologous_cut_is_where_both_have_the_same_operation(length: int, seed: int) -> None:
    rng = Random(seed)
    mother, father = CODE.cells(length, rng), CODE.cells(length, rng)
    child = homologous(mother, father, 20, rng)
    aligned = [at for at in range(length) if ins.operation_of(mother[at]) == ins.operation_of(father[at])]
    children = {
        one[:cut] + other[cut:] for cut in aligned for one, other in ((mother, father), (father, mother))
    }
    assert child in children or not aligned


@given(lengths, lengths, seeds)
def test_a_join_contains_both_parents_whole(one: int, other: int, seed: int) -> None:
    rng = Random(seed)
    mother, father = CODE.cells(one, rng), CODE.cells(other, rng)
    child = join(mother, father, 20, rng)
    if one + other + 1 <= 20:
        assert child[1:] == mother + father
        assert ins.operation_of(child[0]) == ins.SPL and ins.a_of(child[0]) == 1 + one, (
            "the split goes to the father"
        )
    else:
        assert 1 <= len(child) <= 20 and set(child) <= {*mother, *father}


# -- Protection --------------------------------------------------------------------------------------


def test_sequences_shared_by_most_members_are_protected() -> None:
    rng = Random(3)
    motif = CODE.cells(3, rng)
    tribe = [CODE.cells(4, rng) + motif + CODE.cells(3, rng) for _ in range(6)] + [CODE.cells(9, rng)] * 4
    sequences = recurring(tribe, 3)
    assert len(sequences) == 1
    assert protected(tribe[0], sequences) == [False] * 4 + [True] * 3 + [False] * 3
    assert not any(protected(tribe[-1], sequences))


def test_parts_shorter_than_a_sequence_are_protected_whole() -> None:
    rng = Random(4)
    short, long = CODE.cells(2, rng), CODE.cells(5, rng)
    cells = CODE.cells(2, rng) + short + CODE.cells(1, rng) + long
    expected = [False] * 2 + [True] * 2 + [False] + [True] * 5
    assert protected(cells, occurring([short, long], 3)) == expected


# -- Breeding ----------------------------------------------------------------------------------------


def test_offspring_are_copies_mutants_and_crosses_in_the_default_shares() -> None:
    rng = Random(1)
    tribe = [CODE.cells(30, rng), CODE.cells(50, rng)]
    breeder = Breeder.of(CONFIG, CONFIG.crossover, frozenset())
    origins: Counter[str] = Counter()
    for _ in range(4000):
        child = breeder.offspring(tribe, rng)
        origins[child.origin.split()[0]] += 1
        if child.origin == "copy":
            assert child.genes == tribe[child.parents[0]]
        if "crossover" in child.origin:
            assert sorted(child.parents) == [0, 1]
    assert origins["copy"] / 4000 == pytest.approx(0.36, abs=0.03)
    assert origins["mutation"] / 4000 == pytest.approx(0.54, abs=0.03)
    assert origins["single"] / 4000 == pytest.approx(0.1, abs=0.02)
    only = Breeder.of(CONFIG, 1.0, frozenset()).offspring(tribe[:1], rng)
    assert only.parents == (0,), "one parent does not cross"


# -- Founders ----------------------------------------------------------------------------------------

IMP = WarriorGenome.of(load_file.loads("MOV.I $0, $1", RULES), RULES)
DWARF = WarriorGenome.of(
    load_file.loads("ORG 1\nDAT.F #0, #0\nADD.AB #4, $-1\nMOV.I $-2, @-2\nJMP.B $-2, $0", RULES), RULES
)
CONFIG_PARTS = TribesConfig(founders_shortest=3, founders_longest=6, pspace="on")


def test_without_parts_founders_are_random() -> None:
    founders, rng, other = Founders.of(CONFIG, []), Random(3), Random(3)
    for _ in range(20):
        length = 1 + int(other.below(100))
        assert founders.draw(rng) == CODE.cells(length, other)


def test_the_founder_is_the_try_that_occupies_most_of_the_core() -> None:
    config = TribesConfig(core_size=800, founders_longest=6, founder_tries=30, viability_cycles=500)
    founders, rng, other = Founders.of(config, []), Random(7), Random(7)
    single = Founders.of(replace(config, founder_tries=1), [])

    def occupied(genes: Cells) -> int:
        begin_alone(expressed(genes, 800), founders.mars)
        founders.mars.run(500)
        return occupied_parts(founders.mars)

    for _ in range(20):
        tries = [single.draw(other) for _ in range(30)]
        assert founders.draw(rng) == max(tries, key=occupied)


@given(seeds)
def test_parts_follow_the_switch_snippets_of_a_founder(seed: int) -> None:
    genes = Founders.of(CONFIG_PARTS, [IMP, DWARF]).draw(Random(seed))
    body = IMP.as_part() + DWARF.as_part()
    assert genes[-len(body) :] == body
    assert 3 <= len(genes) - len(body) <= 6


def test_switch_snippets_jump_to_every_part() -> None:
    founders, rng = Founders.of(CONFIG_PARTS, [IMP, DWARF]), Random(1)
    entrances = set()
    for _ in range(200):
        genes = founders.draw(rng)
        prefix = len(genes) - len(IMP.as_part() + DWARF.as_part())
        jumps = (
            at + ins.a_of(cell) for at, cell in enumerate(genes[:prefix]) if ins.operation_of(cell) == ins.JMP
        )
        entrances |= {place - prefix for place in jumps} & {0, 1}
    assert entrances == {0, 1}


@given(seeds)
def test_an_evolved_start_lies_before_the_parts(seed: int) -> None:
    config = TribesConfig(founders_shortest=2, founders_longest=2, pspace="on", start="evolved")
    assert unmarked(Founders.of(config, [IMP]).draw(Random(seed)))[1] in (0, 1)


def test_parts_above_the_length_limit_are_refused() -> None:
    with pytest.raises(ValueError, match="make 101, above the length, 100"):
        Founders.of(CONFIG, [IMP])


@given(seeds)
def test_full_protection_leaves_the_parts_alone(seed: int) -> None:
    kinds = ("redraw", "fresh", "exchange", "insertion", "aim", "phrase")
    config = TribesConfig(
        founders_shortest=3, founders_longest=3, pspace="on", protection=1, protected="parts", parts="a file", mutation=1,
        most_changes=8, crossover=0, **{f"{kind}_weight": 1.0 for kind in kinds},  # type: ignore[arg-type]
    )  # fmt: skip
    rng = Random(seed)
    body = DWARF.as_part()
    breeder = Breeder.of(config, 0, occurring([body], config.protected_sequence))
    genes = Founders.of(config, [DWARF]).draw(rng)
    for _ in range(10):
        genes = breeder.offspring([genes], rng).genes
        assert genes[-len(body) :] == body
