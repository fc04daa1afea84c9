"""Crossover: lengths, whose instructions they are, and where the cuts lie."""

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import SPL, a_of, operation_of
from core.random import Random
from engines.corewar.tribes.breeding.crossover import homologous, join, single_point, two_point
from engines.corewar.tribes.breeding.soup import WITHOUT_PSPACE, Soup
from engines.corewar.tribes.genes import Cells

SOUP = Soup(operations=WITHOUT_PSPACE, size=8000, value_bits=13)
lengths = st.integers(1, 20)
seeds = st.integers(0, 2**32)


def parents(one: int, other: int, rng: Random) -> tuple[Cells, Cells]:
    return SOUP.cells(one, rng), SOUP.cells(other, rng)


@given(lengths, lengths, st.sampled_from([single_point, two_point, homologous]), seeds)
def test_a_child_has_its_parents_instructions(one: int, other: int, cross, seed: int) -> None:  # type: ignore[no-untyped-def]
    rng = Random(seed)
    mother, father = parents(one, other, rng)
    child = cross(mother, father, 20, rng)
    assert 1 <= len(child) <= 20
    assert set(child) <= {*mother, *father}


@given(lengths, lengths, seeds)
def test_a_single_point_joins_ends(one: int, other: int, seed: int) -> None:
    rng = Random(seed)
    mother, father = parents(one, other, rng)
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
def test_a_homologous_cut_keeps_places(length: int, seed: int) -> None:
    rng = Random(seed)
    mother, father = parents(length, length, rng)
    aligned = any(operation_of(a) == operation_of(b) for a, b in zip(mother, father, strict=True))
    child = homologous(mother, father, 20, rng)
    if aligned:
        assert len(child) == length
        assert all(cell in (a, b) for cell, a, b in zip(child, mother, father, strict=True))


@given(lengths, lengths, seeds)
def test_a_join_has_both_as_wholes(one: int, other: int, seed: int) -> None:
    rng = Random(seed)
    mother, father = parents(one, other, rng)
    child = join(mother, father, 20, rng)
    if one + other + 1 <= 20:
        assert child[1:] == mother + father
        assert operation_of(child[0]) == SPL and a_of(child[0]) == 1 + one, "the split goes to the father"
    else:
        assert 1 <= len(child) <= 20 and set(child) <= {*mother, *father}
