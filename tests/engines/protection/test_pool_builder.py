"""Pools of runs: which strings are chosen, and the report on what the runs have beaten."""

from pathlib import Path
from typing import Any

import pytest

from core.random import Random
from engines.evolution.population import Generation
from engines.evolution.run_store import RunStore
from engines.protection.automata import hamming_distance
from engines.protection.ga_config import GaConfig
from engines.protection.genome import PREFERENCES, Genome
from engines.protection.pool import handwritten
from engines.protection.pool_builder import (
    PreferenceSummary,
    RunReport,
    RunResult,
    build_pool,
    negative_share,
    select_diverse,
)

SMALL = GaConfig(money=100, fresh_tests=2)


def result(*strings: Genome, champion: Genome | None = None, config: GaConfig = SMALL) -> RunResult:
    return RunResult(
        name="run-1",
        config=config,
        seed=4,
        trials=50,
        champion=champion or strings[0],
        rating=0,
        strings=tuple((genome, -number) for number, genome in enumerate(strings)),
    )


@pytest.mark.parametrize(
    "generations", [[], [{}], [{"examined": {"trials": 1}}, {"trials": 2}], [{"examined": {}, "trials": 1}]]
)
def test_reading_an_unfinished_run_is_refused(generations: list[dict[str, Any]], tmp_path: Path) -> None:
    """One without a generation, too."""
    with RunStore.create(tmp_path, game="protection", config=SMALL.dumps(), seed=1, version="test") as store:
        for number, statistics in enumerate(generations):
            store.write(Generation(number=number, statistics=statistics), "", "", 0.0)
    with pytest.raises(ValueError, match=f"the run in {tmp_path} has not ended yet"):
        RunResult.read(tmp_path)


def test_similar_strings_are_selected_last() -> None:
    strings = handwritten()
    one, other = strings["militia"], strings["quilt"]
    twin = Genome.of([*one.nibbles[:-1], one.nibbles[-1] ^ 1])
    ranked = [(one, -9), (twin, -8), (other, -7), (one, -6)]
    assert select_diverse(ranked, 2) == [(one, -9), (other, -7)]
    assert select_diverse(ranked, 3) == [(one, -9), (other, -7), (twin, -8)]
    assert len(select_diverse(ranked, 4)) == 4
    assert hamming_distance(one, twin) == 1 and hamming_distance(one, other) > 30


def test_a_pool_can_be_built_from_one_run() -> None:
    rng = Random(5)
    run = result(*(Genome.random(rng) for _ in range(230)))
    pool = build_pool([run])
    assert [each.name for each in pool.entries[:20]] == sorted(handwritten())
    assert pool.starter == 19, "the hand-written one of average strength"
    last = pool.entries[-1].provenance
    assert (last["origin"], last["seed"], last["trials"], last["money"]) == ("evolved", 4, 50, 100)
    assert {"performance", "fresh", "fresh_error", "budget", "ground"} <= last.keys()
    assert build_pool([run]) == pool
    with pytest.raises(ValueError, match="230 strings cannot be divided evenly among 3 runs"):
        build_pool([run] * 3)


def test_a_strong_string_beats_drones_and_one_that_buys_nothing_does_not() -> None:
    rows = [[0, 15, 1, 0, 0, 0, 0, 9], [1, 14, 2, 0, 0, 0, 0, 15], [0, 15, 2, 0, 0, 0, 0, 15]]
    best = [Genome.of([0] * PREFERENCES + row) for row in rows]
    strong, idle = (
        RunReport.of(result(*best, champion=champion, config=GaConfig()))
        for champion in (handwritten()["hunters"], Genome(code=bytes(132)))
    )
    assert strong.is_surely_negative and strong.rating.low < strong.rating.value < strong.rating.high < 0
    assert not idle.is_negative and idle.rating.low == idle.rating.high > 0, "nothing is left to chance"
    assert (strong.against, strong.map, strong.budget) == ("drones of $2,000", "1", 2000)
    assert strong.preferences == (0, 15, 2, 0, 0, 0, 0, 13)
    found = negative_share([strong, strong, idle])
    assert found.value == pytest.approx(2 / 3) and 0 < found.low < 2 / 3 < found.high < 1


def test_the_first_of_equal_preferences_counts_as_the_top() -> None:
    summary = PreferenceSummary.of([(0, 15, 0, 0, 0, 0, 0, 15), (1, 0, 0, 0, 0, 0, 0, 4)])
    assert (summary.tops, summary.with_scouts, summary.means[7]) == ((0, 1, 0, 0, 0, 0, 0, 1), 1, 9.5)
