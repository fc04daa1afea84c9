"""The genome of chess: the laws of mutation and mating, what is expressed, the bundled genomes."""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.chess.evaluate import Evaluator
from core.chess.fen import position_from_fen
from core.random import Random
from engines import evolution
from engines.chess.genes import LAW_OF, LAWS, Gene
from engines.chess.genome import Genome, bundled, load_bundled


def genes(name: str) -> st.SearchStrategy[Gene]:
    values = st.tuples(*(st.floats(rule.least, rule.most) for rule in LAW_OF[name].properties))
    return st.builds(Gene, name=st.just(name), values=values, active=st.booleans())


genomes = st.builds(
    Genome,
    genes=st.tuples(*(genes(law.name) for law in LAWS)),
    id=st.none() | st.integers(0, 10**18 - 1),
)
rngs = st.integers(0, 2**64 - 1).map(Random)


def assert_valid(genome: Genome) -> None:
    assert [gene.name for gene in genome.genes] == [law.name for law in LAWS]
    for gene in genome.genes:
        for rule in gene.law.properties:
            assert type(gene[rule.name]) is float
            assert rule.least <= gene[rule.name] <= rule.most


def with_gene(genome: Genome, gene: Gene) -> Genome:
    return replace(genome, genes=tuple(gene if old.name == gene.name else old for old in genome.genes))


# -- Mutation and mating ---------------------------------------------------------------------------


def test_keeps_the_laws_of_genomes() -> None:
    kind: type[evolution.Genome] = Genome
    assert kind.random(Random(1)).dumps()


def test_table_is_the_genome_of_2017() -> None:
    assert len(LAWS) == 10
    assert all(
        [rule.name for rule in law.properties] == sorted(r.name for r in law.properties) for law in LAWS
    )
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


@settings(deadline=None)
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
    for gene, *parents in zip(child.genes, mother.genes, father.genes, strict=True):
        assert gene in parents


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
@pytest.mark.parametrize("active", [True, False])
def test_a_gene_mutates_by_its_law(name: str, active: bool) -> None:
    rng = Random(13)
    middle = {"Speculation Constant": 0.5}
    values = tuple(middle.get(rule.name, 1000.0) for rule in LAW_OF[name].properties)
    gene = Gene(name=name, values=values, active=active)
    mutants = [gene.mutate(rng) for _ in range(8000)]
    switched = [mutant for mutant in mutants if mutant.active != active]
    changed = [mutant for mutant in mutants if mutant.active == active]
    assert abs(len(switched) / len(mutants) - 0.05) < 0.01
    assert all(mutant.values == values for mutant in switched)
    counts = [sum(new != old for new, old in zip(mutant.values, values, strict=True)) for mutant in changed]
    if name == "Piece Strength Gene":
        assert abs(fmean(counts) - 2.0) < 0.06
        assert set(counts) == set(range(6))
    else:
        assert set(counts) == {1 if name == "Look Ahead Gene" else len(values)}
    for index, rule in enumerate(gene.law.properties):
        steps = [
            mutant.values[index] - values[index]
            for mutant in changed
            if mutant.values[index] != values[index]
        ]
        share = {"Piece Strength Gene": 0.4, "Look Ahead Gene": 0.25}.get(name, 1.0)
        sigma = SIGMAS.get(rule.name, 1.0)
        assert abs(len(steps) / len(changed) - share) < 0.025
        assert abs(fmean(steps)) < 4 * sigma / len(steps) ** 0.5
        assert pstdev(steps) == pytest.approx(sigma, rel=0.07)


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


# -- Expression ------------------------------------------------------------------------------------


def test_express_the_genome_of_2017() -> None:
    genome = Genome.loads(Path(__file__).with_name("june_2017.txt").read_text())
    weights, look_ahead = genome.express().weights, genome.express().look_ahead
    army = 8 * 0.729863 + 2 * (3.89355 + 7.00313 + 10.2495) + 21.6958
    assert weights.strengths == pytest.approx(
        [0.729863 / army, 3.89355 / army, 7.00313 / army, 10.2495 / army, 21.6958 / army]
    )
    assert weights.total_force == 390.622
    assert weights.freedom_to_move == 0.0  # inactive
    assert weights.pawn_advancement == 279.271
    assert weights.opponent_pieces_targeted == 82.1025
    assert weights.sphere_of_influence == 80.0711
    assert (weights.legal_bonus, weights.king_target_factor) == (1.38975, 0.56345)
    assert weights.king_confinement == -49.0376
    assert weights.king_protection == 31.6205
    assert (weights.castling_possible, weights.kingside_preference) == (32.2315, -0.297317)
    assert look_ahead.active
    assert look_ahead.mean_game_length == 50.6126
    assert look_ahead.minimum_moves == 0.128784
    assert look_ahead.positions_per_second == 143.753
    assert look_ahead.speculation == 0.655904


@pytest.mark.parametrize(
    ("name", "read_priority"),
    [
        ("Total Force Gene", lambda weights: weights.total_force),
        ("Freedom to Move Gene", lambda weights: weights.freedom_to_move),
        ("Pawn Advancement Gene", lambda weights: weights.pawn_advancement),
        ("Opponent Pieces Targeted Gene", lambda weights: weights.opponent_pieces_targeted),
        ("Sphere of Influence Gene", lambda weights: weights.sphere_of_influence),
        ("King Confinement Gene", lambda weights: weights.king_confinement),
        ("King Protection Gene", lambda weights: weights.king_protection),
        ("Castling Possible Gene", lambda weights: weights.castling_possible),
    ],
)
def test_an_inactive_scoring_gene_weighs_nothing(name: str, read_priority: Callable[[object], float]) -> None:
    genome = load_bundled("unevolved")
    assert read_priority(genome.express().weights) == 1.0
    off = with_gene(genome, replace(genome[name], active=False))
    assert read_priority(off.express().weights) == 0.0
    assert off.express().weights.strengths == genome.express().weights.strengths


def test_inactive_regulatory_genes() -> None:
    genome = load_bundled("handset")
    strength, ahead = genome["Piece Strength Gene"], genome["Look Ahead Gene"]
    assert with_gene(genome, replace(strength, active=False)).express().weights.strengths == (0.0,) * 5
    assert not with_gene(genome, replace(ahead, active=False)).express().look_ahead.active


@given(genome=genomes)
def test_an_army_is_worth_1_or_its_negative(genome: Genome) -> None:
    strength = replace(genome["Piece Strength Gene"], active=True)
    raw = math.fsum(strength[piece] * count for piece, count in zip("PNBRQ", (8, 2, 2, 2, 1), strict=True))
    size = math.fsum(abs(value) for value in strength.values)
    p, n, b, r, q = with_gene(genome, strength).express().weights.strengths
    if abs(raw) > 1e-6 * size and abs(raw) > 1e-9:  # else rounding decides the sign
        assert math.fsum([8 * p, 2 * n, 2 * b, 2 * r, q]) == pytest.approx(math.copysign(1.0, raw))


def test_the_sum_of_an_army_is_taken_without_its_sign() -> None:
    def strengths(b: float, n: float, p: float, q: float, r: float) -> tuple[float, ...]:
        gene = Gene(name="Piece Strength Gene", values=(b, n, p, q, r))
        return with_gene(Genome.blank(), gene).express().weights.strengths

    assert strengths(0.0, 0.0, -1.0, -2.0, 0.0) == (-0.1, 0.0, 0.0, 0.0, -0.2)
    assert strengths(1.0, -1.0, 0.0, 0.0, 0.0) == (0.0, -1.0, 1.0, 0.0, 0.0)  # the sum is 0: taken as 1
    tiny = sys.float_info.epsilon / 4
    assert strengths(0.0, 0.0, 0.0, tiny, 0.0) == (0.0, 0.0, 0.0, 0.0, tiny)


def test_no_strength_is_too_large_for_the_searches() -> None:
    values = (0.0, -1e9, 0.0, 1e-12, 1e9)  # an army of 1e-12
    genome = with_gene(load_bundled("handset"), Gene(name="Piece Strength Gene", values=values))
    weights = genome.express().weights
    assert weights.strengths == (0.0, -1e9, 0.0, 1e9, 1.0)
    position = position_from_fen("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1")
    assert abs(int(Evaluator(weights).score(position.board))) <= 2**27


# -- Bundled genomes -------------------------------------------------------------------------------


def test_bundled_genomes() -> None:
    assert bundled() == ("handset", "random", "unevolved")
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
    values = [strength * weights.total_force for strength in weights.strengths]
    assert values == pytest.approx([1.0, 3.2, 3.3, 5.0, 9.5])
