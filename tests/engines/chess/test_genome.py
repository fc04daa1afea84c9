"""The genome of chess: the laws of mutation and mating."""

import hashlib
import math
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.evaluation import DRAWISH_ENDINGS, GENES, Evaluator, moves_to_mate
from core.chess.notation import START, position_from_fen
from core.chess.position import move_text
from core.chess.positional_weights import WEIGHTS
from core.chess.search import AlphaBetaSearch
from core.chess.search_params import SearchParams
from core.chess.search_task import SearchTask
from core.chess.transposition import TranspositionTable
from core.random import Random
from engines.chess.genes import (
    ENDGAME,
    GENE_SPECS,
    OPENING,
    OPTIONAL_GENES,
    POSITIONAL_GENES,
    REQUIRED_GENES,
    SEARCH_NUMBERS,
    Gene,
    phased_params,
)
from engines.chess.genome import Genome
from engines.chess.genome_file import bundled, load_bundled
from tests.engines.chess.strategies import assert_valid, genomes, rngs, with_gene


def test_the_gene_table_matches_the_genome_of_2017() -> None:
    assert len(REQUIRED_GENES) == 10
    of_2025 = {spec.name for spec in REQUIRED_GENES + OPTIONAL_GENES} - {
        spec.name for spec in POSITIONAL_GENES
    }
    for params in [spec.params for name, spec in GENE_SPECS.items() if name in of_2025] + [
        phased_params(name) for name in of_2025
    ]:
        assert [param.name for param in params] == sorted(param.name for param in params)
    assert [
        spec.name for spec in REQUIRED_GENES if "Priority" not in [param.name for param in spec.params]
    ] == [
        "Piece Strength Gene",
        "Look Ahead Gene",
    ]


def test_the_default_genome_is_valid_active_and_mostly_zero() -> None:
    default = Genome.default()
    assert_valid(default)
    assert all(gene.active for gene in default.genes)
    assert {gene.name: gene.values for gene in default.genes if any(gene.values)} == {
        "Look Ahead Gene": (50.0, 0.0, 0.01, 0.0),
        "Sphere of Influence Gene": (0.0, 1.0, 0.0),
        "Castling Possible Gene": (0.5, 0.0),
    }


@given(genome=genomes, rng=rngs)
def test_mutants_are_valid_and_read_back(genome: Genome, rng: Random) -> None:
    before = genome.dumps()
    for _ in range(10):
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


def test_two_genes_mutate_on_average() -> None:
    rng = Random(12)
    genome = load_bundled("handset")
    visible = [index for index, spec in enumerate(REQUIRED_GENES) if spec.name != "Piece Strength Gene"]
    mutants = [genome.mutate(rng) for _ in range(5000)]
    counts = [sum(mutant.genes[index] != genome.genes[index] for index in visible) for mutant in mutants]
    for index in visible:
        # The handset look ahead lies on a bound (k = 0), where half of the steps of k change nothing.
        expected = 0.2 * (1 - 0.95 / 8) if REQUIRED_GENES[index].name == "Look Ahead Gene" else 0.2
        share = fmean(mutant.genes[index] != genome.genes[index] for mutant in mutants)
        assert abs(share - expected) < 0.023
    assert abs(pstdev(counts) ** 2 - len(visible) * 0.2 * 0.8) < 0.15  # the genes are independent


SIGMAS = (
    {
        "Priority": 10.0,
        "Positions Per Second": 10.0,
        "King Target Factor": 0.05,
        "Legal Bonus": 0.05,
        "Kingside Preference": 0.01,
        "Speculation Constant": 0.01,
    }
    | dict.fromkeys(DRAWISH_ENDINGS, 0.05)
    | {name: step / 2 for name, _, _, _, step in SEARCH_NUMBERS}
)


@pytest.mark.parametrize("name", GENE_SPECS)
@pytest.mark.parametrize(("active", "has_phases"), [(False, False), (True, True)])
def test_genes_mutate_with_their_specified_rates_and_step_sizes(
    name: str, active: bool, has_phases: bool
) -> None:
    rng = Random(13)
    middle = {"Speculation Constant": 0.5} | dict.fromkeys(DRAWISH_ENDINGS, 0.5)
    middle |= {label: (least + most) / 2 for label, _, least, most, _ in SEARCH_NUMBERS}
    values = tuple(middle.get(param.name, 1000.0) for param in GENE_SPECS[name].params)
    gene = Gene(name=name, values=values, active=active)
    if has_phases:
        gene = gene.with_phases()
        values = gene.values
    mutants = [gene.mutate(rng) for _ in range(8000 if len(values) < 100 else 2000)]
    switched = [mutant for mutant in mutants if mutant.active != active]
    changed = [mutant for mutant in mutants if mutant.active == active]
    assert abs(len(switched) / len(mutants) - 0.05) < 0.01
    assert all(mutant.values == values for mutant in switched)
    counts = [sum(new != old for new, old in zip(mutant.values, values, strict=True)) for mutant in changed]
    positional = name in [spec.name for spec in POSITIONAL_GENES]
    two = (*(spec.name for spec in POSITIONAL_GENES), "Piece Strength Gene", "Placement Gene", "Search Gene")
    shares = {"Look Ahead Gene": 1 / 4, "Drawishness Gene": 1 / 3}
    if name in two and name not in shares:
        shares[name] = min(2 / len(values), 1.0)
        assert abs(fmean(counts) - min(2.0, len(values))) < 0.07
        assert set(counts) >= set(range(min(6, len(values)))) or len(values) <= 2
    else:
        assert set(counts) == {1 if name in shares else len(values)}
    for index, param in enumerate(gene.params):
        steps = [
            mutant.values[index] - values[index]
            for mutant in changed
            if mutant.values[index] != values[index]
        ]
        share = shares.get(name, 1.0)
        narrow = name == "Placement Gene" or positional
        sigma = SIGMAS.get(param.name.partition(" - ")[0], 0.2 if narrow else 1.0)
        assert abs(len(steps) / len(changed) - share) < 0.025
        assert abs(fmean(steps)) < 4 * sigma / len(steps) ** 0.5
        assert pstdev(steps) == pytest.approx(sigma, rel=4 / (2 * len(steps)) ** 0.5)


@given(genome=genomes)
def test_round_trip(genome: Genome) -> None:
    assert Genome.loads(genome.dumps()) == genome
    assert Genome.loads(genome.dumps()).dumps() == genome.dumps()


def test_a_search_gene_is_expressed_in_whole_numbers() -> None:
    plain = load_bundled("handset")
    genome = plain.with_search()
    assert genome.with_search() == genome and genome.extended().genes[-1] == genome.genes[-1]
    usual, found = SearchParams(), genome.express().search
    for _, attribute, *_ in SEARCH_NUMBERS:
        assert getattr(found, attribute) == getattr(usual, attribute)
    gene = genome["Search Gene"]
    changed = replace(
        gene,
        values=tuple(param.clamp(value + 3.4) for param, value in zip(gene.params, gene.values, strict=True)),
    )
    found = with_gene(genome, changed).express().search
    for (_, attribute, _, most, _), value in zip(SEARCH_NUMBERS, gene.values, strict=True):
        assert getattr(found, attribute) == min(value + 3, most)
    assert with_gene(genome, replace(changed, active=False)).express().search.window == usual.window


@pytest.mark.parametrize("seed", range(20))
def test_any_search_gene_finds_a_mate(seed: int) -> None:
    """Whatever the numbers are within their bounds, a search ends and can be trusted."""
    rng = Random(seed)
    genome = load_bundled("handset").with_search()
    gene = genome["Search Gene"]
    numbers = tuple(
        param.minimum
        + (param.maximum - param.minimum) * (rng.below(3) / 2 if seed < 10 else rng.below(1000) / 1000)
        for param in gene.params
    )
    phenotype = with_gene(genome, replace(gene, values=numbers)).express()
    position = position_from_fen("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    search = AlphaBetaSearch(
        position, Evaluator(phenotype.weights), TranspositionTable(1), SearchTask(8), params=phenotype.search
    )
    while not search.run(10_000):
        assert search.nodes < 3_000_000
    assert move_text(search.line[0]) == "h5f7" and moves_to_mate(search.score) == 1


# -- What a genome expresses -----------------------------------------------------------------------


def test_the_genome_of_2017_expresses_its_known_weights() -> None:
    genome = Genome.loads(Path(__file__).with_name("june_2017.txt").read_text())
    weights, look_ahead = genome.express().weights, genome.express().look_ahead
    army = 8 * 0.729863 + 2 * (3.89355 + 7.00313 + 10.2495) + 21.6958
    assert weights.strengths == pytest.approx(
        [0.729863 / army, 3.89355 / army, 7.00313 / army, 10.2495 / army, 21.6958 / army]
    )
    assert dict(zip(GENES, weights.opening.priorities, strict=True)) == dict.fromkeys(GENES, 0.0) | {
        "Total Force": 390.622,
        "Freedom to Move": 0.0,  # inactive
        "Pawn Advancement": 279.271,
        "Opponent Pieces Targeted": 82.1025,
        "Sphere of Influence": 80.0711,
        "King Confinement": -49.0376,
        "King Protection": 31.6205,
        "Castling Possible": 32.2315,
    }
    assert not weights.has_phases
    assert (weights.legal_bonus, weights.king_target_factor) == (1.38975, 0.56345)
    assert weights.kingside_preference == -0.297317
    assert look_ahead.active
    assert look_ahead.mean_game_length == 50.6126
    assert look_ahead.minimum_moves == 0.128784
    assert look_ahead.positions_per_second == 143.753
    assert look_ahead.speculation == 0.655904


@pytest.mark.parametrize("name", GENES)
def test_an_inactive_scoring_gene_weighs_nothing(name: str) -> None:
    at = GENES.index(name)
    genome = load_bundled("unevolved").extended()
    gene = genome[f"{name} Gene"]
    ones = tuple(1.0 if "Priority" in param.name else 0.0 for param in gene.params)
    on = with_gene(genome, replace(gene, values=ones))
    assert on.express().weights.opening.priorities[at] == on.express().weights.endgame.priorities[at] == 1.0
    off = with_gene(genome, replace(gene, active=False))
    assert off.express().weights.opening.priorities[at] == off.express().weights.endgame.priorities[at] == 0.0
    assert off.express().weights.strengths == genome.express().weights.strengths


def test_inactive_regulatory_genes_give_no_strengths_and_no_look_ahead() -> None:
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
        return with_gene(Genome.default(), gene).express().weights.strengths

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


@given(genome=genomes)
def test_any_genome_scores_a_position_within_bounds(genome: Genome) -> None:
    position = position_from_fen("r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12")
    assert abs(int(Evaluator(genome.express().weights).score(position.board))) <= 2**27


# -- As numbers, and back --------------------------------------------------------------------------


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
    params = [param for gene in genome.genes if gene.active for param in gene.params]
    for value, number, param in zip(wild, tamed.numbers(), params, strict=True):
        assert number == value or (number == param.minimum > value) or (number == param.maximum < value)
    assert [g for g in tamed.genes if not g.active] == [g for g in genome.genes if not g.active]


def test_a_wrong_count_of_numbers_is_refused() -> None:
    genome = load_bundled("handset")
    assert (
        len(genome.numbers()) == 20 and len(genome.extended().numbers()) == 28 + 25 + 2 * 5 + 2 * WEIGHTS + 3
    )
    for wrong in (genome.numbers()[:-1], (*genome.numbers(), 0.0)):
        with pytest.raises(ValueError, match="zip"):
            genome.with_numbers(wrong)


# -- Phases and further genes ----------------------------------------------------------------------


@given(genome=genomes)
def test_extended_genomes_have_all_genes_and_play_the_same(genome: Genome) -> None:
    extended = genome.extended()
    assert_valid(extended)
    assert [gene.name for gene in extended.genes if gene.name != "Search Gene"] == [
        name for name in GENE_SPECS if name != "Search Gene"
    ]
    assert all(gene.values == gene.with_phases().values for gene in extended.genes)
    assert extended.extended() == extended
    before, after = genome.express(), extended.express()
    for old, new in (
        (before.weights.opening, after.weights.opening),
        (before.weights.endgame, after.weights.endgame),
    ):
        assert list(new.effective_priorities()) == list(old.effective_priorities())
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
        assert [plain.centipawns(score) for score in (1, 1 << 20)] == [
            extended.centipawns(score) for score in (1, 1 << 20)
        ]


def test_default_and_random_genomes_can_be_extended() -> None:
    default = Genome.default(extended=True)
    assert default == Genome.default().extended()
    new = default.genes[10:]
    assert [gene.name for gene in new] == [spec.name for spec in OPTIONAL_GENES]
    assert {param.name for gene in new for param in gene.params if gene[param.name]} == {
        "Priority",
        *DRAWISH_ENDINGS,
    }
    assert default["Placement Gene"]["Priority"] == 1.0
    genome = Genome.random(Random(17), extended=True)
    assert_valid(genome)
    assert [gene.name for gene in genome.genes[2:] if not gene.has_phases] == ["Drawishness Gene"]
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


def test_each_gene_comes_from_either_parent_with_equal_chance() -> None:
    """Also a gene that one parent lacks."""
    rng = Random(20)
    mother, father = Genome.random(rng), Genome.random(rng, extended=True)
    for pair in ((mother, father), (father, mother)):
        children = [pair[0].mate(pair[1], rng) for _ in range(2000)]
        for gene in father.genes:
            share = fmean(gene in child.genes for child in children)
            assert abs(share - 0.5) < 0.045  # four standard deviations


def test_genomes_of_ten_genes_keep_their_sequence_of_random_draws() -> None:
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


# -- Bundled genomes -------------------------------------------------------------------------------


def test_bundled_genomes_are_valid() -> None:
    assert bundled() == ("evolved", "evolved-1", "evolved-2", "handset", "random", "unevolved")
    for name in bundled():
        assert_valid(load_bundled(name))


@pytest.mark.parametrize("name", ["", "nobody", "../genomes/handset", "handset.txt"])
def test_unknown_bundled_genomes_are_refused(name: str) -> None:
    with pytest.raises(
        ValueError, match=r"evolved, evolved-1, evolved-2, handset, random, unevolved|did you mean handset"
    ):
        load_bundled(name)


def test_the_bundled_random_genome_comes_from_seed_0() -> None:
    assert load_bundled("random") == Genome.random(Random(0))


def test_unevolved_has_every_strength_and_priority_1() -> None:
    unevolved, default = load_bundled("unevolved"), Genome.default()
    assert unevolved["Look Ahead Gene"] == load_bundled("handset")["Look Ahead Gene"]
    assert unevolved["Piece Strength Gene"].values == (1.0,) * 5
    for gene, before in zip(unevolved.genes[2:], default.genes[2:], strict=True):
        for param in gene.spec.params:
            assert gene[param.name] == (1.0 if param.name == "Priority" else before[param.name])


def test_handset_counts_in_pawns() -> None:
    weights = load_bundled("handset").express().weights
    values = [strength * weights.opening.priorities[0] for strength in weights.strengths]
    assert values == pytest.approx([1.0, 3.2, 3.3, 5.0, 9.5])
