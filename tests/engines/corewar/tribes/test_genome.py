"""The genome of a warrior: its laws, and its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.rules import Rules
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.genome import WarriorGenome

seeds = st.integers(0, 2**32)


@given(seeds)
def test_a_text_is_the_genome(seed: int) -> None:
    genome = WarriorGenome.random(Random(seed))
    assert 1 <= len(genome.cells) <= 100 and genome.size == 8000
    assert WarriorGenome.loads(genome.dumps()) == genome
    assert load_file.loads(genome.dumps(), Rules()) == genome.express()


@given(seeds)
def test_mutants_and_children_are_valid(seed: int) -> None:
    rng = Random(seed)
    mother, father = WarriorGenome.random(rng), WarriorGenome.random(rng)
    mutant, child = mother.mutate(rng), mother.mate(father, rng)
    assert WarriorGenome.loads(mutant.dumps()) == mutant
    assert WarriorGenome.loads(child.dumps()) == child
    assert len(mutant.cells) == len(mother.cells)
    assert set(child.cells) <= {*mother.cells, *father.cells}
    assert 1 <= len(child.cells) <= max(len(mother.cells), len(father.cells))


@given(seeds)
def test_random_is_a_function_of_the_seed(seed: int) -> None:
    assert WarriorGenome.random(Random(seed)) == WarriorGenome.random(Random(seed))


@given(st.text(max_size=200) | st.text(";:asertCORSIZE=0123 \nMOV.I$,", max_size=200))
def test_no_text_raises_anything_else(text: str) -> None:
    try:
        genome = WarriorGenome.loads(text)
    except ValueError:
        return
    assert WarriorGenome.loads(genome.dumps()) == genome


def test_the_core_size_stands_in_the_text() -> None:
    genome = WarriorGenome.loads(
        ";name  Small one\n;assert CORESIZE == 80\nORG 1\nMOV.I $0, $81\nDAT.F #0, #-1\n"
    )
    assert (genome.size, genome.start, genome.name) == (80, 1, "Small one")
    assert "MOV.I  $0, $81\n" in genome.dumps() and "#-1" in genome.dumps()
    assert (
        genome.express().cells
        == load_file.loads("MOV.I $0, $1\nDAT.F #0, #-1", Rules(size=80, length=5, distance=5)).cells
    )
    assert genome.mutate(Random(1)).size == 80
    with pytest.raises(ValueError, match="core"):
        WarriorGenome.loads(";assert CORESIZE == 99999999\nMOV.I $0, $1\n")
