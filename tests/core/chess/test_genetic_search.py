"""The Look Ahead Gene at work, against the sums of Genetic Chess, section 4.1.2, and its own laws."""

import math
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chess.evaluation import Evaluator, moves_to_mate
from core.chess.genetic_search import GeneticSearch, LookAhead
from core.chess.notation import START, position_from_fen
from core.chess.position import move_text
from core.chess.search_task import SearchTask
from core.random import Random
from engines.chess.genome_file import load_bundled

lengths = st.floats(1.0, 10_000.0)
moves = st.integers(0, 10_000)
times = st.floats(1e-6, 1e6)


def look_ahead(mean: float = 50.0, minimum: float = 0.0, k: float = 0.5, active: bool = True) -> LookAhead:
    return LookAhead(mean, minimum, 100.0, k, active)


@pytest.mark.parametrize(
    ("mean", "made", "left"),
    [
        (50, 0, "50.000000"),
        (50, 30, "20.033914"),
        (50, 50, "6.089410"),
        (50, 80, "2.440373"),
        (50, 200, "1.327548"),
        (1, 0, "1.581977"),
        (1, 10, "1.089577"),
    ],
)
def test_expected_moves_left_matches_reference_values(mean: int, made: int, left: str) -> None:
    assert f"{look_ahead(mean).expected_moves_left(made):.6f}" == left


@pytest.mark.parametrize("mean", [1, 7, 50, 120])
@pytest.mark.parametrize("made", [0, 1, 20, 70, 200])
def test_expected_moves_left_equals_the_exact_sum(mean: int, made: int) -> None:
    term, above, sum_above = Fraction(1), Fraction(0), Fraction(0)
    for i in range(1, made + 5 * mean + 40):
        term *= Fraction(mean, i)
        if i > made:
            above += term
            sum_above += term * i
    exact = sum_above / above - made
    assert look_ahead(mean).expected_moves_left(made) == pytest.approx(float(exact), rel=1e-12)


@given(mean=lengths, made=moves)
def test_expected_moves_are_finite_and_shrink_slower_than_the_game(mean: float, made: int) -> None:
    gene = look_ahead(mean)
    left, next_left = gene.expected_moves_left(made), gene.expected_moves_left(made + 1)
    slack = 1e-9 * (mean + made)
    assert 1.0 <= left < math.inf
    assert left >= mean - made - slack  # knowing that it is not over makes no game shorter
    assert left - 1 - slack <= next_left <= left + slack


def test_expected_moves_left_is_fast_for_any_game_length() -> None:
    gene = look_ahead(10_000)
    start = time.process_time()
    for made in range(0, 10_001, 10):
        gene.expected_moves_left(made)
    assert time.process_time() - start < 0.5  # measured: 0.004 s


def test_the_minimum_and_the_clock_reset_bound_the_horizon() -> None:
    assert look_ahead().horizon(0, None) == pytest.approx(50.0)
    assert look_ahead(minimum=15.0).horizon(50, None) == 15.0
    assert look_ahead(minimum=15.0).horizon(0, None) == pytest.approx(50.0)
    assert look_ahead(minimum=15.0).horizon(39, 1) == 1.0  # the 40th move may use everything
    assert look_ahead(minimum=15.0).horizon(0, 40) == 40.0


@given(mean=lengths, minimum=st.floats(0.0, 1e9), made=moves, reset=st.none() | st.integers(-5, 100))
def test_the_horizon_is_at_least_one_move(mean: float, minimum: float, made: int, reset: int | None) -> None:
    gene = look_ahead(mean, minimum)
    plan = gene.horizon(made, reset)
    unreset = max(gene.expected_moves_left(made), minimum)
    assert plan == (unreset if reset is None else max(min(unreset, reset), 1.0))
    assert 1.0 <= plan < math.inf


def test_an_inactive_gene_gets_no_time_and_never_looks_ahead() -> None:
    gene = look_ahead(k=1.0, active=False)
    assert 300.0 / gene.horizon(10, None) == 300.0 / gene.horizon(39, 1) == 0.0
    assert gene.chance(2.0, 1.0) == gene.chance(0.5, 1.0) == 0.0


@given(k=st.floats(0.0, 1.0), needed=times, extra=st.floats(0.0, 1e6))
def test_the_chance_to_look_ahead_is_1_when_there_is_enough_time(
    k: float, needed: float, extra: float
) -> None:
    assert look_ahead(k=k).chance(needed + extra, needed) == 1.0


@given(part=st.floats(0.0, 0.999), needed=times)
def test_k_0_never_gambles_and_k_1_always_does(part: float, needed: float) -> None:
    assert look_ahead(k=0.0).chance(part * needed, needed) == 0.0
    assert look_ahead(k=1.0).chance(part * needed, needed) == 1.0
    assert look_ahead(k=0.5).chance(part * needed, needed) == pytest.approx(part)


@given(k=st.floats(0.01, 0.49), part=st.floats(0.01, 0.99))
def test_small_k_is_careful_and_large_k_is_daring(k: float, part: float) -> None:
    careful, daring = look_ahead(k=k).chance(part, 1.0), look_ahead(k=1.0 - k).chance(part, 1.0)
    assert careful < part < daring
    assert daring ** ((1.0 - k) / k) == pytest.approx(part)  # the exponents are each other's inverse
    assert careful == pytest.approx(part ** ((1.0 - k) / k))


@given(k=st.floats(0.0, 1.0), given_=st.floats(-1e3, 1e3), needed=times)
def test_chance_is_a_probability(k: float, given_: float, needed: float) -> None:
    assert 0.0 <= look_ahead(k=k).chance(given_, needed) <= 1.0


@pytest.mark.parametrize("k", [5e-324, 1e-300, 1.0 - 2**-53])
def test_the_chance_stays_finite_for_extreme_k(k: float) -> None:
    assert 0.0 <= look_ahead(k=k).chance(1e-300, 1e300) <= 1.0
    assert look_ahead(k=k).chance(-1.0, 0.0) == 0.0


# The search of 2017: its time, its gambles and its endings.


MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"
EAGER = LookAhead(50.0, 0.0, 1000.0, 0.5)


def search(
    fen: str,
    *,
    seconds: float = 1.0,
    clock: float = 60.0,
    rate: float = 20_000.0,
    look_ahead: LookAhead = EAGER,
    seed: int = 1,
    slice_nodes: int = 1000,
    depth: int = 100,
    recalled: tuple[int, ...] = (),
) -> GeneticSearch:
    evaluator = Evaluator(load_bundled("handset").express().weights)
    found = GeneticSearch(
        position_from_fen(fen), evaluator, look_ahead, Random(seed), SearchTask(depth, recalled=recalled),
        seconds=seconds, clock=clock, rate=rate,
    )  # fmt: skip
    while not found.run(slice_nodes):
        pass
    return found


def test_the_search_uses_about_the_given_time() -> None:
    """An eager gene spends most of it; every bound but the clock is soft, since leaves cost time too."""
    for seconds in (0.2, 1.0, 4.0):
        assert int(search(MIDDLEGAME, seconds=seconds).nodes) / 20_000 <= 1.5 * seconds + 0.01
    assert search(MIDDLEGAME, seconds=4.0).nodes > 3 * search(MIDDLEGAME, seconds=0.5).nodes


def test_the_clock_ends_a_daring_search() -> None:
    daring = LookAhead(50.0, 0.0, 1000.0, 1.0)  # k = 1 looks ahead always: only the clock stops it
    assert search(MIDDLEGAME, seconds=1.0, clock=0.5, look_ahead=daring).nodes <= 10_100
    assert search(MIDDLEGAME, seconds=0.0, clock=-1.0).line


def test_a_careful_search_without_time_looks_one_move_ahead() -> None:
    careful = LookAhead(50.0, 0.0, 1000.0, 0.0)
    timeless = search(START, seconds=0.0, look_ahead=careful)
    assert timeless.nodes == 20 and timeless.depth == 1
    asleep = LookAhead(50.0, 0.0, 1e9, 1.0, False)
    assert search(START, seconds=100.0, look_ahead=asleep).nodes == 20


def test_forced_replies_are_searched_without_time() -> None:
    """After Rb8+ the king has one square, and the line goes on by itself."""
    careful = LookAhead(50.0, 0.0, 1000.0, 0.0)
    found = search("6k1/5p1p/6p1/8/8/8/8/1R4K1 w - - 0 1", seconds=0.0, look_ahead=careful)
    assert found.seldepth >= 1 or found.nodes > 19


@pytest.mark.parametrize(
    ("fen", "move", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", 1),
    ],
)
def test_a_mating_move_ends_the_search(fen: str, move: str, mate: int) -> None:
    found = search(fen, seconds=100.0)
    assert (move_text(found.line[0]), moves_to_mate(found.score)) == (move, mate)
    assert found.nodes < 1_000_000, "the rest of the time is saved"


def test_the_search_prefers_the_quicker_mate() -> None:
    found = search("7k/8/6K1/8/8/8/Q7/8 w - - 0 1", seconds=20.0)
    assert moves_to_mate(found.score) == 1


def test_one_legal_move_is_played_at_once() -> None:
    found = search("k7/8/8/8/8/8/1r6/K7 w - - 0 1", seconds=100.0)
    assert found.nodes == 0 and len(found.line) == 1


def test_equal_seeds_give_equal_searches_in_any_slices() -> None:
    whole = search(MIDDLEGAME, seed=3)
    for slice_nodes in (1, 13):
        sliced = search(MIDDLEGAME, seed=3, slice_nodes=slice_nodes)
        assert (whole.line, whole.score, whole.nodes) == (sliced.line, sliced.score, sliced.nodes)
    assert len({search(MIDDLEGAME, seed=seed).nodes for seed in range(5)}) > 1, "the gamble is a gamble"


def test_the_search_stays_within_the_depth_limit() -> None:
    daring = LookAhead(50.0, 0.0, 1e6, 1.0)
    assert search(START, seconds=1e9, clock=1e9, look_ahead=daring, depth=1).nodes == 20
    assert search(START, seconds=1e9, clock=1e9, look_ahead=daring, depth=2).seldepth <= 2


def test_an_illegal_recalled_line_is_dropped() -> None:
    legal = search(MIDDLEGAME).line
    assert search(MIDDLEGAME, recalled=(legal[0], 1, 2)).line
    assert search(MIDDLEGAME, recalled=(1, 2, 3)).line


def test_the_recalled_line_is_searched_even_without_time() -> None:
    careful = LookAhead(50.0, 0.0, 1000.0, 0.0)
    position = position_from_fen(MIDDLEGAME)
    line = []
    for move in ("e1g1", "f6h5", "d4c5", "h5f4"):
        line.append(position.action_from(move))
        position.make(line[-1])
    found = search(MIDDLEGAME, seconds=0.0, look_ahead=careful, recalled=tuple(line))
    assert found.seldepth == 4


def test_daring_genes_search_more_nodes_than_careful_genes() -> None:
    """k above one half is daring: the formula stands against the manual's prose."""

    def nodes(k: float) -> float:
        gene = LookAhead(50.0, 0.0, 1000.0, k)
        return sum(search(MIDDLEGAME, seconds=0.3, look_ahead=gene, seed=seed).nodes for seed in range(5)) / 5

    assert nodes(0.9) > nodes(0.5) > nodes(0.1)
