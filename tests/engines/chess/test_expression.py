"""What a genome expresses."""

import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from core.chess.evaluate import Evaluator
from core.chess.fen import position_from_fen
from core.chess.weights import GENES
from engines.chess.genes import Gene
from engines.chess.genome import Genome, load_bundled
from tests.engines.chess.made_up import genomes, with_gene


def test_express_the_genome_of_2017() -> None:
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
    ones = tuple(1.0 if "Priority" in rule.name else 0.0 for rule in gene.properties)
    on = with_gene(genome, replace(gene, values=ones))
    assert on.express().weights.opening.priorities[at] == on.express().weights.endgame.priorities[at] == 1.0
    off = with_gene(genome, replace(gene, active=False))
    assert off.express().weights.opening.priorities[at] == off.express().weights.endgame.priorities[at] == 0.0
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


@given(genome=genomes)
def test_any_genome_can_look_at_a_position(genome: Genome) -> None:
    position = position_from_fen("r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12")
    assert abs(int(Evaluator(genome.express().weights).score(position.board))) <= 2**27
