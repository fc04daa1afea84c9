"""What the curves of each game show, by statistics as its evolution records them."""

import math
from collections.abc import Mapping
from typing import Any, Final

import pytest

from core.random import Random
from engines.acquire.net_genome import NetGenome
from engines.acquire.rules_genome import RulesGenome
from engines.chess.gene_pool import GenePoolState, Member, Pool
from engines.chess.genome import Genome as Genes
from engines.evolution.charts import chart_of
from engines.evolution.run_history import GameStatistics
from engines.evolution.state import dump_state
from engines.protection.defender import Defender
from engines.protection.genome import Genome as String
from tests.engines.acquire.genomes import composed
from tests.engines.corewar.evolution.runs import random_genome
from tools.games import GAMES

GENERATIONS: Final[dict[str, list[dict[str, Any]]]] = {
    "chess": [
        {"living": [[5, 9], [7]], "died": [3], "survived": [], "new_blood": 1, "swaps": []},
        {"centre": 12, "living": [[12]], "step": 0.4, "panel": {"handset": [10, 2, 8]}},
    ],
    "corewar": [
        {
            "tribes": [
                {"best": 3, "grade": 30.5, "length": 4.0, "genotypes": 20, "codes": 14},
                {"best": 8, "grade": 51.0, "length": 5.0, "genotypes": 18, "codes": 12},
            ],
            "tries": 10,
            "viable": 9,
        },
        {
            "tribes": [],
            "tries": 0,
            "viable": 0,
            "champions": [[4, 80.0], [9, 120.5]],
            "panel": {"a": [1, 2, 3]},
        },
    ],
    "acquire": [
        {"best": {"id": 2, "place": "(size)"}, "fitness": {"best": 0.6, "mean": 0.5}, "nodes": 24.5},
        {"best": {"id": 6}, "fitness": {"best": 0.6}, "sigma": {"mean": 0.1}, "nodes": {"mean": 9.0}},
        {"fitness": {}, "examined": {"champion": 4, "panel": {"random": [6, 0, 94]}}},
    ],
    "protection": [
        {
            "best": -20,
            "mean": 3.5,
            "worst": 90,
            "converged": 3,
            "best_ever": {"id": 1, "performance": -20},
            "preferences": [1.0] * 8,
        },
        {"examined": {"champion": 5, "mean": -7.5}},
        {
            "fitness": {"defenders": {"best": 0.6}, "strings": {"best": 0.5}},
            "examined": {
                "champion": 8,
                "panel": {"defender": {"wall": [1, 0, 3]}, "string": {"mines": [2, 1, 1]}},
                "ancestors": {"defender": [[0, [0, 0, 4]], [5, [1, 0, 3]]], "string": [[0, [4, 0, 0]]]},
            },
        },
    ],
}
MEMBERS: Final = [Member(4, 0, wins=1), Member(5, 0, wins=3)]
POOLS: Final = GenePoolState(
    generation=1, next_id=6, game_seconds=1.0, step_seconds=0.0, hall=(), pools=(Pool(members=MEMBERS),)
)
STATES: Final = {"chess": [dump_state(POOLS), "a strategy's"]}  # after these generations
CHAMPIONS: Final = {"chess": [5, 12], "corewar": [8, 9], "acquire": [2, 6, 4], "protection": [1, 5, 8]}
GENOMES: Final = {
    "chess": [Genes.random(Random(3)).dumps(), Genes.random(Random(3), extended=True).dumps()],
    "corewar": [random_genome(3).dumps()],
    "acquire": [composed(3).dumps(), NetGenome.random(Random(3)).dumps(), RulesGenome.founder().dumps()],
    "protection": [String.random(Random(3)).dumps(), Defender.random(Random(3)).dumps()],
}


def curves_of(game: str) -> GameStatistics:
    statistics = GAMES[game].statistics
    assert statistics is not None
    return statistics()


@pytest.mark.parametrize("game", GAMES)
def test_every_generation_has_measures_and_every_measure_a_chart_that_explains_it(game: str) -> None:
    known = {chart.name for chart in curves_of(game).CHARTS}
    for statistics in GENERATIONS[game]:
        measures = curves_of(game).measures(statistics)
        check(measures)
        assert {chart_of(name) for name in measures} <= known
    assert not curves_of(game).measures({})


@pytest.mark.parametrize("game", GAMES)
def test_the_champion_is_found_once_a_generation_has_one(game: str) -> None:
    curves, record = curves_of(game), GENERATIONS[game]
    found = [
        curves.champion(record[: count + 1], STATES.get(game, [""] * 9)[count])
        for count in range(len(record))
    ]
    assert found == CHAMPIONS[game]
    assert curves.champion([], "") is None and curves.champion([{}], "") is None


@pytest.mark.parametrize("game", GAMES)
def test_genomes_have_traits_and_every_trait_has_a_chart_that_explains_it(game: str) -> None:
    known = {chart.name for chart in curves_of(game).CHARTS}
    for text in GENOMES[game]:
        traits = curves_of(game).traits(text)
        check(traits)
        assert {chart_of(name) for name in traits} <= known


def check(numbers: Mapping[str, float]) -> None:
    """Some, with names "CHART: CURVE"."""
    assert numbers
    assert all(math.isfinite(value) for value in numbers.values())
    assert all(name.count(": ") == 1 for name in numbers)
