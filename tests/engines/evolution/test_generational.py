"""The base of generational populations: IDs, seeds, outcomes by the labels of their tasks, and the last examination."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.random import Random
from engines.evolution.generational import Child, ExaminationReport, GenerationalPopulation
from engines.evolution.population import Generation, Individual, derive_seed
from tests.fifth_game.tictactoe import SquareWeights

GENOME = SquareWeights.random(Random(1))


class Squares(GenerationalPopulation[SquareWeights]):
    """Two found it; one is born in each generation, of the younger of its parents."""

    def __init__(self, **ids: int) -> None:
        super().__init__(7, **ids)
        self.living: list[Individual[SquareWeights]] = []
        self.asked = 0
        self.outcomes: list[Mapping[str, Sequence[Any]]] = []

    def _found(self) -> Sequence[Individual[SquareWeights]]:
        self.living = [self._bear(Child(genome=GENOME)) for _ in range(2)]
        return self.living

    def _label_tasks(self) -> Mapping[str, Sequence[Any]]:
        self.asked += 1
        return {"games": ["a", "b"], "nothing": [], "test": [self._seed_of(3, 4)]}

    def _advance(self, outcomes: Mapping[str, Sequence[Any]]) -> Generation[SquareWeights]:
        self.outcomes.append(outcomes)
        self.generation += 1
        child = self._bear(Child(genome=GENOME, parents=(1,), origin="copy"), self.living)
        self.living = [self.living[1], child]
        return Generation(number=self.generation, born=(child,))


def test_tasks_are_made_once_and_outcomes_arrive_by_their_labels() -> None:
    population = Squares()
    assert population.tasks() == []
    assert [each.id for each in population.step([]).born] == [0, 1]
    for generation in range(3):
        tasks = population.tasks()
        assert population.tasks() == tasks == ["a", "b", derive_seed(7, generation, 3, 4)]
        population.step([f"{task} played" for task in tasks])
        assert population.outcomes[-1] == {
            "games": ["a played", "b played"], "nothing": [], "test": [f"{tasks[2]} played"],
        }  # fmt: skip
    assert population.asked == 3


def test_ids_count_up_in_strides() -> None:
    population = Squares(next_id=2, id_stride=5)
    founders = population.step([]).born
    (child,) = population.step(population.tasks()).born
    assert [each.id for each in founders] == [2, 7]
    assert (child.id, child.parents, child.generation, child.origin) == (12, (7,), 1, "copy")


def test_the_last_examination_is_reported_until_the_next() -> None:
    report = ExaminationReport(
        lambda statistics, examined: f"{statistics.get('best')} {examined.get('champion')}"
    )
    every: list[dict[str, Any]] = [{}, {"best": 1}, {"best": 2, "examined": {"champion": 9}}, {"best": 3}]
    texts = [report(Generation(number=0, statistics=each)) for each in every]
    assert texts == ["None None", "1 None", "2 9", "3 9"]
