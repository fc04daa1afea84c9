"""The bundled genomes."""

import pytest

from core.random import Random
from engines.chess.genome import Genome, bundled, load_bundled
from tests.engines.chess.made_up import assert_valid


def test_bundled_genomes() -> None:
    assert bundled() == ("evolved", "handset", "random", "unevolved")
    for name in bundled():
        assert_valid(load_bundled(name))


@pytest.mark.parametrize("name", ["", "nobody", "../genomes/handset", "handset.txt"])
def test_unknown_bundled_genome(name: str) -> None:
    with pytest.raises(ValueError, match="handset, random, unevolved"):
        load_bundled(name)


def test_random_is_what_its_comment_says() -> None:
    assert load_bundled("random") == Genome.random(Random(0))


def test_unevolved_has_every_strength_and_priority_1() -> None:
    unevolved, blank = load_bundled("unevolved"), Genome.blank()
    assert unevolved["Look Ahead Gene"] == load_bundled("handset")["Look Ahead Gene"]
    assert unevolved["Piece Strength Gene"].values == (1.0,) * 5
    for gene, before in zip(unevolved.genes[2:], blank.genes[2:], strict=True):
        for rule in gene.law.properties:
            assert gene[rule.name] == (1.0 if rule.name == "Priority" else before[rule.name])


def test_handset_counts_in_pawns() -> None:
    weights = load_bundled("handset").express().weights
    values = [strength * weights.opening.priorities[0] for strength in weights.strengths]
    assert values == pytest.approx([1.0, 3.2, 3.3, 5.0, 9.5])
