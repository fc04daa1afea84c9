"""Time for a move: the budget, the timer, and the lag of a GUI."""

from dataclasses import replace

import pytest

from core.chess.genetic_search import LookAhead
from core.random import Random
from engines.chess.time_manager import UNLIMITED, LagEstimator, MoveTimer, TimeBudget
from engines.engine import Clock, Limit

GENE = LookAhead(50.0, 0.0, 1000.0, 0.5)


def test_time_left_is_divided_by_the_horizon() -> None:
    early = TimeBudget.for_move(GENE, Limit(clock=Clock(seconds=100.0)), 0, 0.0)
    assert early.planned == pytest.approx(2.0)  # L(50, 0) = 50
    late = TimeBudget.for_move(GENE, Limit(clock=Clock(seconds=100.0)), 50, 0.0)
    assert late.planned == pytest.approx(100.0 / 6.089410, rel=1e-6)


def test_the_last_move_of_a_period_may_use_all_the_time() -> None:
    last = TimeBudget.for_move(GENE, Limit(clock=Clock(seconds=10.0, moves_to_reset=1)), 39, 0.0)
    assert last.planned == last.most == pytest.approx(10.0)


@pytest.mark.parametrize("moves_made", [0, 10, 40, 200])
@pytest.mark.parametrize("reset", [None, 1, 2, 40])
@pytest.mark.parametrize("seconds", [-3.0, 0.0, 0.01, 0.5, 60.0])
@pytest.mark.parametrize("increment", [0.0, 0.1, 10.0])
def test_a_budget_never_exceeds_the_time_left(
    moves_made: int, reset: int | None, seconds: float, increment: float
) -> None:
    clock = Clock(seconds=seconds, increment=increment, moves_to_reset=reset)
    budget = TimeBudget.for_move(GENE, Limit(clock=clock), moves_made, 0.02)
    assert 0.0 <= budget.planned <= budget.most <= budget.left == max(seconds - 0.08, 0.0)


def test_an_inactive_gene_gives_no_time_but_the_increment() -> None:
    asleep = LookAhead(50.0, 0.0, 1000.0, 0.5, False)
    assert TimeBudget.for_move(asleep, Limit(clock=Clock(seconds=100.0)), 0, 0.0).planned == 0.0


def test_exact_times_are_used_up_but_for_the_lag() -> None:
    assert TimeBudget.for_move(GENE, Limit(seconds=2.0), 0, 0.03).most == pytest.approx(1.97)
    assert TimeBudget.for_move(GENE, Limit(seconds=0.02), 0, 0.03).most == pytest.approx(0.01)
    assert TimeBudget.for_move(GENE, Limit(nodes=100), 0, 0.0).most == UNLIMITED


def test_iterations_that_fit_are_started_and_others_at_random() -> None:
    def goes_on(spent_nodes: int, k: float) -> float:
        """How often a timer with 1,000 nodes planned goes on after an iteration, of five with the same best move."""
        gene = LookAhead(50.0, 0.0, 1000.0, k)
        limit = Limit(clock=Clock(seconds=50.0), nodes_per_second=1000.0)
        rng, went_on = Random(1), 0
        for _ in range(400):
            timer = MoveTimer(gene, limit, TimeBudget.for_move(gene, limit, 0, 0.0), rng)
            for depth in range(1, 5):
                assert not timer.is_up(0, depth, 0, move=1)
            went_on += not timer.is_up(spent_nodes, 5, 0, move=1)
        return went_on / 400

    assert goes_on(300, 0.0) == 1.0  # 600 more fit into the 700 that are left
    assert goes_on(500, 0.0) == 0.0  # k = 0 never gambles
    assert goes_on(500, 1.0) == 1.0  # k = 1 always does
    assert goes_on(500, 0.5) == pytest.approx(0.5, abs=0.08)  # 500 left of 1,000 needed
    assert goes_on(1000, 1.0) == 0.0  # nothing left


def test_a_new_best_move_and_a_falling_score_take_more_time() -> None:
    def goes_on(nodes: int, moves: list[int], cents: list[int]) -> bool:
        """Whether a timer with 1,000 nodes planned goes on after the last of these iterations."""
        gene = LookAhead(50.0, 0.0, 1000.0, 0.0)
        limit = Limit(clock=Clock(seconds=50.0), nodes_per_second=1000.0)
        timer = MoveTimer(gene, limit, TimeBudget.for_move(gene, limit, 0, 0.0), Random(1))
        for depth, (move, score) in enumerate(zip(moves[:-1], cents[:-1], strict=True), 1):
            timer.is_up(0, depth, 0, move, score)
        return not timer.is_up(nodes, len(moves), 0, moves[-1], cents[-1])

    steady, level = [1] * 12, [20] * 12
    assert goes_on(230, steady, level) and not goes_on(
        240, steady, level
    )  # 0.7 of the time; twice as long again
    changing = [*steady[:-1], 2]
    assert goes_on(590, changing, level) and not goes_on(610, changing, level)
    falling = [*level[:-1], -30]
    assert goes_on(360, steady, falling) and not goes_on(370, steady, falling)  # 0.7 + 0.4
    assert not goes_on(240, steady, [*level[:-1], 90])


def test_lag_is_clock_time_lost_beyond_the_engines_thinking() -> None:
    estimator = LagEstimator()
    estimator.report(Clock(seconds=10.0, increment=0.1))
    estimator.moved(Clock(seconds=10.0, increment=0.1), 1.0)
    estimator.report(Clock(seconds=8.95, increment=0.1))  # 9.1 was to be expected
    assert estimator.seconds == pytest.approx(0.15) and estimator.average == pytest.approx(0.03)
    estimator.moved(Clock(seconds=8.95), 1.0)
    estimator.report(Clock(seconds=60.0))  # another game: tells nothing
    assert estimator.seconds == pytest.approx(0.15) and estimator.average == pytest.approx(0.03)
    for _ in range(50):
        estimator.moved(Clock(seconds=5.0, increment=0.1), 1.0)
        estimator.report(Clock(seconds=4.09, increment=0.1))
    assert estimator.average == pytest.approx(0.01, abs=1e-4)


def test_a_negative_increment_is_reserved_for_the_moves_to_come() -> None:
    clock = Clock(seconds=2.0, increment=-0.02)
    budget = TimeBudget.for_move(GENE, Limit(clock=clock), 0, 0.03)  # L(50, 0) = 50
    assert budget.left == pytest.approx(2.0 - 0.12 - 1.0)
    assert budget.planned == pytest.approx(budget.left / 50) and budget.most <= budget.left / 3
    assert TimeBudget.for_move(GENE, Limit(clock=replace(clock, seconds=1.0)), 0, 0.03).most == 0.0


def test_slices_are_short_and_end_at_the_limit() -> None:
    timer = MoveTimer(
        GENE, Limit(nodes=1000), TimeBudget.for_move(GENE, Limit(nodes=1000), 0, 0.0), Random(1)
    )
    assert 1 <= timer.slice(0) <= 1000 and timer.slice(990) == 10 and timer.slice(1000) == 0
    counted = Limit(seconds=0.5, nodes_per_second=1000.0)
    timer = MoveTimer(GENE, counted, TimeBudget.for_move(GENE, counted, 0, 0.0), Random(1))
    assert timer.slice(0) == 500 and timer.slice(499) == 1 and timer.slice(500) == 0
    clock = Limit(clock=Clock(seconds=60.0), nodes_per_second=1000.0)  # about 1,200 nodes a move
    timer = MoveTimer(GENE, clock, TimeBudget.for_move(GENE, clock, 0, 0.0), Random(1))
    assert timer.slice(0) == int(TimeBudget.for_move(GENE, clock, 0, 0.0).planned * 1000 / 8) < 200
