"""The genome of chess: the laws of mutation and mating."""

import math
from dataclasses import replace
from statistics import fmean, pstdev

import pytest
from hypothesis import given

from core.random import Random
from engines.chess.genes import LAW_OF, LAWS, PHASED, Gene
from engines.chess.genome import Genome, load_bundled
from engines.evolution import evolution
from tests.engines.chess.made_up import assert_valid, genomes, rngs


def test_keeps_the_laws_of_genomes() -> None:
    kind: type[evolution.Genome] = Genome
    assert kind.random(Random(1)).dumps()


def test_table_is_the_genome_of_2017() -> None:
    assert len(LAWS) == 10
    for rules in [law.properties for law in LAW_OF.values()] + list(PHASED.values()):
        assert [rule.name for rule in rules] == sorted(rule.name for rule in rules)
    assert [law.name for law in LAWS if "Priority" not in [rule.name for rule in law.properties]] == [
        "Piece Strength Gene",
        "Look Ahead Gene",
    ]


def test_blank() -> None:
    blank = Genome.blank()
    assert_valid(blank)
    assert all(gene.active for gene in blank.genes)
    assert {gene.name: gene.values for gene in blank.genes if any(gene.values)} == {
        "Look Ahead Gene": (50.0, 0.0, 0.01, 0.0),
        "Sphere of Influence Gene": (0.0, 1.0, 0.0),
        "Castling Possible Gene": (0.5, 0.0),
    }


def test_random_is_a_function_of_the_seed() -> None:
    assert Genome.random(Random(9)) == Genome.random(Random(9)) != Genome.random(Random(10))
    assert_valid(Genome.random(Random(9)))


@given(genome=genomes, rng=rngs)
def test_mutants_are_valid_and_read_back(genome: Genome, rng: Random) -> None:
    before = genome.dumps()
    for _ in range(20):
        mutant = genome.mutate(rng)
        assert_valid(mutant)
        assert Genome.loads(mutant.dumps()) == mutant
        assert mutant.id is None
    assert genome.dumps() == before


@given(mother=genomes, father=genomes, rng=rngs)
def test_a_child_has_whole_genes_of_its_parents(mother: Genome, father: Genome, rng: Random) -> None:
    child = mother.mate(father, rng)
    assert_valid(child)
    assert child.id is None
    for gene in child.genes:
        assert gene in mother.genes + father.genes
    inherited = {gene.name for gene in child.genes}
    both = {gene.name for gene in mother.genes} & {gene.name for gene in father.genes}
    assert both <= inherited


def test_each_parent_gives_half_of_the_genes() -> None:
    rng = Random(11)
    mother, father = Genome.random(rng), Genome.random(rng)
    children = [mother.mate(father, rng) for _ in range(2000)]
    for index, gene in enumerate(mother.genes):
        share = fmean(child.genes[index] == gene for child in children)
        assert abs(share - 0.5) < 0.045  # four standard deviations


def test_two_genes_mutate_on_average() -> None:
    rng = Random(12)
    genome = load_bundled("handset")
    visible = [index for index, law in enumerate(LAWS) if law.name != "Piece Strength Gene"]
    mutants = [genome.mutate(rng) for _ in range(5000)]
    counts = [sum(mutant.genes[index] != genome.genes[index] for index in visible) for mutant in mutants]
    for index in visible:
        # The handset look ahead lies on a bound (k = 0), where half of the steps of k change nothing.
        expected = 0.2 * (1 - 0.95 / 8) if LAWS[index].name == "Look Ahead Gene" else 0.2
        share = fmean(mutant.genes[index] != genome.genes[index] for mutant in mutants)
        assert abs(share - expected) < 0.023
    assert abs(pstdev(counts) ** 2 - len(visible) * 0.2 * 0.8) < 0.15  # the genes are independent


SIGMAS = {
    "Priority": 10.0,
    "Positions Per Second": 10.0,
    "King Target Factor": 0.05,
    "Legal Bonus": 0.05,
    "Kingside Preference": 0.01,
    "Speculation Constant": 0.01,
}


@pytest.mark.parametrize("name", LAW_OF)
@pytest.mark.parametrize(("active", "has_phases"), [(True, False), (False, False), (True, True)])
def test_a_gene_mutates_by_its_law(name: str, active: bool, has_phases: bool) -> None:
    rng = Random(13)
    middle = {"Speculation Constant": 0.5}
    values = tuple(middle.get(rule.name, 1000.0) for rule in LAW_OF[name].properties)
    gene = Gene(name=name, values=values, active=active)
    if has_phases:
        gene = gene.with_phases()
        values = gene.values
    mutants = [gene.mutate(rng) for _ in range(8000)]
    switched = [mutant for mutant in mutants if mutant.active != active]
    changed = [mutant for mutant in mutants if mutant.active == active]
    assert abs(len(switched) / len(mutants) - 0.05) < 0.01
    assert all(mutant.values == values for mutant in switched)
    counts = [sum(new != old for new, old in zip(mutant.values, values, strict=True)) for mutant in changed]
    if name in ("Piece Strength Gene", "Placement Gene"):
        assert abs(fmean(counts) - 2.0) < 0.07
        assert set(counts) >= set(range(6))
    else:
        assert set(counts) == {1 if name == "Look Ahead Gene" else len(values)}
    for index, rule in enumerate(gene.properties):
        steps = [
            mutant.values[index] - values[index]
            for mutant in changed
            if mutant.values[index] != values[index]
        ]
        shares = {"Piece Strength Gene": 0.4, "Look Ahead Gene": 0.25, "Placement Gene": 2 / len(values)}
        share = shares.get(name, 1.0)
        sigma = SIGMAS.get(rule.name.partition(" - ")[0], 0.2 if name == "Placement Gene" else 1.0)
        assert abs(len(steps) / len(changed) - share) < 0.025
        assert abs(fmean(steps)) < 4 * sigma / len(steps) ** 0.5
        assert pstdev(steps) == pytest.approx(sigma, rel=4 / (2 * len(steps)) ** 0.5)


@pytest.mark.parametrize(
    ("name", "property_name", "least", "most"),
    [
        ("Total Force Gene", "Priority", 0.0, math.inf),
        ("Look Ahead Gene", "Mean Game Length", 1.0, math.inf),
        ("Look Ahead Gene", "Minimum Moves Left", 0.0, math.inf),
        ("Look Ahead Gene", "Positions Per Second", 0.01, math.inf),
        ("Look Ahead Gene", "Speculation Constant", 0.0, 1.0),
    ],
)
def test_a_random_walk_stays_within_the_bounds(
    name: str, property_name: str, least: float, most: float
) -> None:
    rng = Random(14)
    blank = Genome.blank()[name]
    started = [least if rule.name == property_name else blank[rule.name] for rule in blank.law.properties]
    gene = replace(blank, values=tuple(started))
    walk = []
    for _ in range(5000):
        gene = gene.mutate(rng)
        walk.append(gene[property_name])
    assert min(walk) == least
    assert max(walk) <= most
    assert len(set(walk)) > 500


@given(genome=genomes)
def test_round_trip(genome: Genome) -> None:
    assert Genome.loads(genome.dumps()) == genome
    assert Genome.loads(genome.dumps()).dumps() == genome.dumps()
