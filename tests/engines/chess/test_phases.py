"""Genomes with phases and further genes."""

import hashlib
from statistics import fmean

import pytest
from hypothesis import given

from core.chess.evaluate import Evaluator
from core.chess.fen import START, position_from_fen
from core.chess.weights import GENES
from core.random import Random
from engines.chess.genes import ENDGAME, LAW_OF, OPENING, OPTIONAL
from engines.chess.genome import Genome, load_bundled
from tests.engines.chess.made_up import assert_valid, genomes


@given(genome=genomes)
def test_extended_has_everything_and_plays_the_same(genome: Genome) -> None:
    extended = genome.extended()
    assert_valid(extended)
    assert [gene.name for gene in extended.genes] == list(LAW_OF)
    assert all(gene.values == gene.with_phases().values for gene in extended.genes)
    assert extended.extended() == extended
    before, after = genome.express(), extended.express()
    for old, new in (
        (before.weights.opening, after.weights.opening),
        (before.weights.endgame, after.weights.endgame),
    ):
        assert list(new.stakes()) == list(old.stakes())
    assert after.weights.strengths == before.weights.strengths


def test_an_extended_genome_scores_every_position_alike() -> None:
    rng = Random(17)
    for genome in (load_bundled("handset"), Genome.random(rng)):
        plain, extended = (Evaluator(g.express().weights) for g in (genome, genome.extended()))
        position = position_from_fen(START)
        for _ in range(60):
            assert plain.score(position.board) == extended.score(position.board)
            actions = position.legal_actions()
            position.apply(actions[rng.below(len(actions))])
        assert [plain.cents(score) for score in (1, 1 << 20)] == [
            extended.cents(score) for score in (1, 1 << 20)
        ]


def test_blank_and_random_may_be_extended() -> None:
    blank = Genome.blank(extended=True)
    assert blank == Genome.blank().extended()
    new = blank.genes[10:]
    assert [gene.name for gene in new] == [law.name for law in OPTIONAL]
    assert {rule.name for gene in new for rule in gene.properties if gene[rule.name]} == {"Priority"}
    assert blank["Placement Gene"]["Priority"] == 1.0
    genome = Genome.random(Random(18), extended=True)
    assert_valid(genome)
    assert all(gene.has_phases for gene in genome.genes[2:])
    force = genome["Freedom to Move Gene"]
    assert force.within(OPENING, "Priority") != force.within(ENDGAME, "Priority")
    with pytest.raises(KeyError, match="Priority"):
        force["Priority"]


def test_a_phased_genome_expresses_both_phases() -> None:
    genome = Genome.random(Random(19), extended=True)
    opening, endgame = genome.express().weights.opening, genome.express().weights.endgame
    for phase, stage in ((OPENING, opening), (ENDGAME, endgame)):
        for name, priority in zip(GENES, stage.priorities, strict=True):
            gene = genome[f"{name} Gene"]
            assert priority == (gene.within(phase, "Priority") if gene.active else 0.0)
        placement = genome["Placement Gene"]
        assert stage.centre == tuple(placement.within(phase, f"Centre {piece}") for piece in "PNBRQK")
        assert stage.advance == tuple(placement.within(phase, f"Advance {piece}") for piece in "PNBRQK")
    assert opening.priorities != endgame.priorities and opening.centre != endgame.centre


def test_a_gene_of_one_parent_goes_to_half_of_the_children() -> None:
    rng = Random(20)
    mother, father = Genome.random(rng), Genome.random(rng, extended=True)
    for pair in ((mother, father), (father, mother)):
        children = [pair[0].mate(pair[1], rng) for _ in range(2000)]
        for law in OPTIONAL:
            share = fmean(any(gene.name == law.name for gene in child.genes) for child in children)
            assert abs(share - 0.5) < 0.045  # four standard deviations


def test_the_genome_of_2017_has_its_stream_of_chances() -> None:
    """What evolved from a seed once evolves from it again: a genome of ten genes draws as it always has."""
    rng = Random(5)
    genomes = [load_bundled(name) for name in ("handset", "random", "unevolved")]
    genomes += [Genome.random(rng) for _ in range(30)]
    for _ in range(3):
        genomes += [
            genomes[rng.below(len(genomes))].mate(genomes[rng.below(len(genomes))], rng).mutate(rng)
            for _ in range(30)
        ]
    text = "".join(genome.dumps() for genome in genomes) + str(rng.bits())
    assert hashlib.sha256(text.encode()).hexdigest().startswith("1067976714d751c5")
