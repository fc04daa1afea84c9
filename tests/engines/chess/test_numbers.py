"""Genomes as numbers, and back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.chess.genome import Genome, load_bundled
from tests.engines.chess.made_up import assert_valid, genomes


@given(genome=genomes)
def test_numbers_make_the_same_genome_again(genome: Genome) -> None:
    numbers = genome.numbers()
    assert genome.with_numbers(numbers) == replace(genome, id=None)
    assert numbers == tuple(value for gene in genome.genes if gene.active for value in gene.values)
    steps = genome.steps()
    assert len(steps) == len(numbers) and all(step > 0 for step in steps)


@given(genome=genomes, data=st.data())
def test_numbers_stop_at_the_bounds(genome: Genome, data: st.DataObject) -> None:
    size = len(genome.numbers())
    wild = data.draw(st.lists(st.floats(allow_nan=False), min_size=size, max_size=size))
    tamed = genome.with_numbers(wild)
    assert_valid(tamed)
    rules = [rule for gene in genome.genes if gene.active for rule in gene.properties]
    for value, number, rule in zip(wild, tamed.numbers(), rules, strict=True):
        assert number == value or (number == rule.least > value) or (number == rule.most < value)
    assert [g for g in tamed.genes if not g.active] == [g for g in genome.genes if not g.active]


def test_numbers_are_as_many_as_the_genome_has() -> None:
    genome = load_bundled("handset")
    assert len(genome.numbers()) == 20 and len(genome.extended().numbers()) == 28 + 25 + 2 * 5
    for wrong in (genome.numbers()[:-1], (*genome.numbers(), 0.0)):
        with pytest.raises(ValueError, match="zip"):
            genome.with_numbers(wrong)


def test_steps_are_typical_differences() -> None:
    genome = load_bundled("handset")
    rules = [(gene.name, rule.name) for gene in genome.genes for rule in gene.properties]
    steps = dict(zip(rules, genome.steps(), strict=True))
    assert steps["Total Force Gene", "Priority"] == 10.0
    others = {
        name: step for (gene, name), step in steps.items() if step != 1.0 and gene != "Total Force Gene"
    }
    assert others == {
        "Mean Game Length": 10.0,
        "Minimum Moves Left": 5.0,
        "Positions Per Second": 1000.0,
        "Speculation Constant": 0.3,
        "King Target Factor": 0.3,
        "Legal Bonus": 0.3,
        "Kingside Preference": 0.3,
    }
