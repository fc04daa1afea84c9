"""The Look Ahead gene with a clock in its hand."""

import pytest

from core.chess.genetic_search import LookAhead
from core.random import Random
from engines.chess.time_manager import UNLIMITED, LagEstimator, MoveTimer, allot
from engines.engine import Clock, Limit

GENE = LookAhead(50.0, 0.0, 1000.0, 0.5)


def test_time_left_is_divided_by_the_horizon() -> None:
    early = allot(GENE, Limit(clock=Clock(seconds=100.0)), 0, 0.0)
    assert early.planned == pytest.approx(2.0)  # L(50, 0) = 50
    late = allot(GENE, Limit(clock=Clock(seconds=100.0)), 50, 0.0)
    assert late.planned == pytest.approx(100.0 / 6.089410, rel=1e-6)


def test_the_last_move_of_a_period_may_use_all() -> None:
    last = allot(GENE, Limit(clock=Clock(seconds=10.0, moves_to_reset=1)), 39, 0.0)
    assert last.planned == last.most == pytest.approx(10.0)


@pytest.mark.parametrize("moves_made", [0, 10, 40, 200])
@pytest.mark.parametrize("reset", [None, 1, 2, 40])
@pytest.mark.parametrize("seconds", [-3.0, 0.0, 0.01, 0.5, 60.0])
@pytest.mark.parametrize("increment", [0.0, 0.1, 10.0])
def test_never_more_than_there_is(
    moves_made: int, reset: int | None, seconds: float, increment: float
) -> None:
    clock = Clock(seconds=seconds, increment=increment, moves_to_reset=reset)
    allotment = allot(GENE, Limit(clock=clock), moves_made, 0.02)
    assert 0.0 <= allotment.planned <= allotment.most <= allotment.left == max(seconds - 0.04, 0.0)


def test_an_inactive_gene_gives_no_time_but_the_increment() -> None:
    asleep = LookAhead(50.0, 0.0, 1000.0, 0.5, False)
    assert allot(asleep, Limit(clock=Clock(seconds=100.0)), 0, 0.0).planned == 0.0


def test_exact_times_are_used_up_but_for_the_lag() -> None:
    assert allot(GENE, Limit(seconds=2.0), 0, 0.03).most == pytest.approx(1.97)
    assert allot(GENE, Limit(seconds=0.02), 0, 0.03).most == pytest.approx(0.01)
    assert allot(GENE, Limit(nodes=100), 0, 0.0).most == UNLIMITED


def test_an_iteration_that_fits_is_begun_and_others_by_chance() -> None:
    def goes_on(spent_nodes: int, k: float) -> float:
        """How often a watch with 1,000 nodes planned goes on after an iteration."""
        gene = LookAhead(50.0, 0.0, 1000.0, k)
        limit = Limit(clock=Clock(seconds=50.0), nodes_per_second=1000.0)
        rng, went_on = Random(1), 0
        for _ in range(400):
            watch = MoveTimer(gene, limit, allot(gene, limit, 0, 0.0), rng)
            went_on += not watch.is_up(spent_nodes, 1, 0)
        return went_on / 400

    assert goes_on(300, 0.0) == 1.0  # 600 more fit into the 700 that are left
    assert goes_on(500, 0.0) == 0.0  # k = 0 never gambles
    assert goes_on(500, 1.0) == 1.0  # k = 1 always does
    assert goes_on(500, 0.5) == pytest.approx(0.5, abs=0.08)  # 500 left of 1,000 needed
    assert goes_on(1000, 1.0) == 0.0  # nothing left


def test_lag_is_what_the_clock_loses_beyond_our_thinking() -> None:
    meter = LagEstimator()
    meter.report(Clock(seconds=10.0, increment=0.1))
    meter.moved(Clock(seconds=10.0, increment=0.1), 1.0)
    meter.report(Clock(seconds=8.95, increment=0.1))  # 9.1 was to be expected
    assert meter.seconds == pytest.approx(0.15)
    meter.moved(Clock(seconds=8.95), 1.0)
    meter.report(Clock(seconds=60.0))  # another game: tells nothing
    assert meter.seconds == pytest.approx(0.15)


def test_slices_are_short_and_end_at_the_limit() -> None:
    watch = MoveTimer(GENE, Limit(nodes=1000), allot(GENE, Limit(nodes=1000), 0, 0.0), Random(1))
    assert 1 <= watch.slice(0) <= 1000 and watch.slice(990) == 10 and watch.slice(1000) == 0
    counted = Limit(seconds=0.5, nodes_per_second=1000.0)
    watch = MoveTimer(GENE, counted, allot(GENE, counted, 0, 0.0), Random(1))
    assert watch.slice(0) == 500 and watch.slice(499) == 1 and watch.slice(500) == 0
    clock = Limit(clock=Clock(seconds=60.0), nodes_per_second=1000.0)  # about 1,200 nodes a move
    watch = MoveTimer(GENE, clock, allot(GENE, clock, 0, 0.0), Random(1))
    assert watch.slice(0) == int(allot(GENE, clock, 0, 0.0).planned * 1000 / 8) < 200
