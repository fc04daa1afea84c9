"""The champions of a run by generation: those that it names, else the fittest, else ancestors of the last one."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from engines.evolution import champions as module
from engines.evolution.champions import RunChampion, champions
from engines.evolution.population import Fitness, Generation, Measurement
from engines.evolution.run_store import RunStore
from engines.evolution.story import Story
from tests.engines.evolution.test_life_tree import born, created


class Named:
    """Statistics that name their champion, or that do not."""

    CHARTS = ()

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        return {}

    def champion(self, record: Sequence[Mapping[str, Any]], state: str) -> int | None:
        return next((past["champion"] for past in reversed(record) if "champion" in past), None)

    def traits(self, text: str) -> dict[str, float]:
        return {}

    def story(self, store: RunStore) -> Story:
        return Story(beginning="")

    def portrait(self, store: RunStore) -> dict[str, Any]:
        return {}


def write(folder: Path, *, is_lower_better: bool = False) -> None:
    """Write a run in which generation 1 names a champion, and the generations 0 and 2 have a fitness on record."""
    with created(folder) as store:
        for number, statistics in enumerate([{}, {"champion": 2}, {"champion": 99}]):
            first = 2 * number
            newborn = [born(first, number, *range(first)[-2:][:1]), born(first + 1, number)]
            values = (Fitness(id=first, value=0.25, games=1), Fitness(id=first + 1, value=0.5, games=1))
            measured = Measurement(name="points", values=values, is_lower_better=is_lower_better)
            store.write(
                Generation(number=number, born=tuple(newborn), statistics=statistics, fitness=measured),
                "",
                "",
                0.0,
            )


@pytest.mark.parametrize(("is_lower_better", "first", "last"), [(False, 1, 5), (True, 0, 4)])
def test_a_generation_has_the_champion_that_it_names_or_its_fittest(
    tmp_path: Path, is_lower_better: bool, first: int, last: int
) -> None:
    write(tmp_path / "run", is_lower_better=is_lower_better)
    with RunStore.open(tmp_path / "run") as store:
        found = champions(store, Named())
    assert [each.id for each in found] == [first, 2, last], "number 99 is not on record"
    assert [each.generation for each in found] == [0, 1, 2]
    assert [each.born for each in found] == [0, 1, 2]
    assert found[1].fitness == (0.25 if is_lower_better else None)
    assert not any(each.is_ancestor for each in found)


def test_ancestors_of_the_champion_fill_the_gaps(tmp_path: Path) -> None:
    with created(tmp_path / "run") as store:
        for number in range(4):
            facts = {"champion": 3} if number == 3 else {}
            newborn = (born(number, number, *range(number)[-1:]),)
            store.write(Generation(number=number, born=newborn, statistics=facts), "", "", 0.0)
    with RunStore.open(tmp_path / "run") as store:
        *ancestors, last = champions(store, Named())
    assert last == RunChampion(generation=3, id=3, born=3)
    assert ancestors == [RunChampion(generation=id, id=id, born=id, is_ancestor=True) for id in range(3)]


def test_the_champions_of_long_runs_are_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CHAMPIONS", 5)
    with created(tmp_path / "run") as store:
        for number in range(21):
            store.write(
                Generation(number=number, born=(born(number, number),), statistics={"champion": number}),
                "",
                "",
                0.0,
            )
        assert [each.generation for each in champions(store, Named())] == [0, 5, 10, 15, 20]
