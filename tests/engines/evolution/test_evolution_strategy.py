"""The strategy finds the top of a hill that it sees through noisy duels only, and resumes exactly."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from core.random import Random
from engines.evolution.evolution_strategy import LAST_STEP, Strategy, StrategyState
from engines.evolution.state import dump_state, load_state

HILL = (2.0, -1.0, 0.0, 3.0, -2.0, 0.5)  # its top
SLOPES = (1.0, 4.0, 0.3, 0.5, 2.0, 1.0)


def height(point: Sequence[float]) -> float:
    """In units of 100 Elo, so to speak."""
    return -sum(slope * (place - top) ** 2 for slope, place, top in zip(SLOPES, point, HILL, strict=True))


def begin(planned: int = 300) -> Strategy:
    return strategy_at([0.0] * 6, (1.0,) * 6, planned)


def strategy_at(centre: list[float], units: tuple[float, ...], planned: int) -> Strategy:
    state = StrategyState.begin(centre)
    return Strategy(state=state, units=units, first_step=0.5, rate=0.15, planned=planned)


def generation(strategy: Strategy, rng: Random) -> None:
    """32 duels of two games each, in which the better one wins more often."""
    samples = [strategy.sample(rng) for _ in range(32)]
    results = []
    for sample in samples:
        edge = height(strategy.moved(sample, 1)) - height(strategy.moved(sample, -1))
        chance = 1 / (1 + 10 ** (-max(min(edge, 50.0), -50.0) / 4))
        results.append(sum(1.0 if rng.chance(chance) else -1.0 for _ in range(2)) / 2)
    strategy.learn(samples, results)


def test_the_strategy_finds_the_optimum_through_noisy_duels() -> None:
    for seed in range(3):
        strategy, rng = begin(), Random(seed)
        for _ in range(300):
            generation(strategy, rng)
        assert height([0.0] * 6) < -20
        assert height(strategy.state.centre) > -0.3


def test_steps_shrink_as_planned_and_stay() -> None:
    strategy, rng = begin(planned=10), Random(1)
    steps = []
    for _ in range(12):
        steps.append(strategy.step)
        generation(strategy, rng)
    assert steps[0] == 0.5
    assert all(later < sooner for sooner, later in pairwise(steps[:11]))
    assert steps[10] == steps[11] == pytest.approx(0.5 * LAST_STEP)


def test_images_are_mirrored_and_units_count() -> None:
    strategy = strategy_at([1.0, 10.0], (1.0, 100.0), 10)
    plus, minus = strategy.moved([1.0, -2.0], 1), strategy.moved([1.0, -2.0], -1)
    assert plus == [1.5, -90.0]
    assert minus == [0.5, 110.0]


def test_draws_do_not_move_the_centre() -> None:
    strategy = begin()
    strategy.learn([strategy.sample(Random(1))], [0.0])
    assert strategy.state.centre == (0.0,) * 6


def test_the_strategy_resumes_from_its_state() -> None:
    whole, parts = begin(), begin()
    for seed in range(20):
        generation(whole, Random(seed))
        resumed = begin()
        resumed.state = load_state(dump_state(parts.state), StrategyState) or resumed.state
        generation(resumed, Random(seed))
        parts = resumed
        assert parts == whole
