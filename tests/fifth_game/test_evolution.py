"""The fifth game evolves on the runtime of the others: purely, from any state, and to some effect."""

from pathlib import Path

import pytest

from core.random import Random
from engines.evolution.population import Contest, Individual
from engines.evolution.run import Evolution
from engines.evolution.run_store import RunStore
from engines.evolution.state import dump_state
from tests.fifth_game.tictactoe import SquareWeights, evolution
from tests.fifth_game.tictactoe.evolution import Squares, play

MODULE: Evolution = evolution


def step(population: Squares) -> tuple[Contest, ...]:
    return population.step([play(pair) for pair in population.tasks()]).contests


def test_asking_for_tasks_changes_nothing() -> None:
    population = Squares(seed=1, size=6)
    assert population.tasks() == [] and population.generation == -1
    step(population)
    before = population.state
    assert population.tasks() == population.tasks() and population.state == before
    assert len(step(population)) == 6 == len(population.living)
    assert population.generation == 1


def test_a_generation_reports_births_contests_and_the_living() -> None:
    population = Squares(seed=2, size=8)
    known: set[int] = set()
    for number in range(20):
        generation = population.step([play(pair) for pair in population.tasks()])
        assert generation.number == number
        assert [born.id for born in generation.born] == list(
            range(len(known), len(known) + len(generation.born))
        )
        assert all(set(born.parents) <= known for born in generation.born)
        known.update(born.id for born in generation.born)
        assert {id for contest in generation.contests for id in contest.players} <= known
        assert generation.statistics["living"] == [[player.id for player in population.living]]
    assert len(known) > 8


def test_an_evolution_reopened_from_the_store_has_the_same_state(tmp_path: Path) -> None:
    config = "size = 6\nseed = 5\n"
    assert MODULE.seed_in(config) == 5
    with RunStore.create(tmp_path / "run", game="tic-tac-toe", config=config, seed=5, version="0") as store:
        population = MODULE.open_experiment(store).population
        for _ in range(10):
            generation = population.step([play(pair) for pair in population.tasks()])
            store.write(generation, dump_state(population.state), "", 0.0)
        again = MODULE.open_experiment(store).population
        assert again.state == population.state and again.tasks() == population.tasks()


def test_evolved_individuals_beat_random_newcomers() -> None:
    population = Squares(seed=1, size=16)
    for _ in range(80):
        step(population)
    rng = Random(9)
    newcomers = [Individual(id=-1, genome=SquareWeights.random(rng)) for _ in range(50)]
    points = sum(
        play((player, newcomer))[0] + play((newcomer, player))[1]
        for player in population.living
        for newcomer in newcomers
    )
    assert points / (2 * len(population.living) * len(newcomers)) > 0.2, "of 1 for a win, -1 for a loss"


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ("size = 7\nseed = 1", "line 1: size"),
        ("size = 8\nseed = x", "line 2: seed"),
        ("\nfoo = 1", "line 1: :"),
        ("size = 8", "are needed"),
    ],
)
def test_invalid_configurations_are_refused(config: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        MODULE.seed_in(config)
