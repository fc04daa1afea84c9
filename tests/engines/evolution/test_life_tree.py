"""The tree of life: its places follow from the births alone, whatever their number and whenever it is read."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import pytest

from core.random import Random
from engines.evolution import life_tree
from engines.evolution.life_tree import NONE, WIDEST_GAP, LifeTree, spread
from engines.evolution.population import Fitness, Generation, Individual, Measurement
from engines.evolution.run_store import RunStore


class Letter:
    """A genome of one letter."""

    @classmethod
    def loads(cls, text: str) -> Self:
        return cls()

    def dumps(self) -> str:
        return "a"


def born(id: int, generation: int, *parents: int, origin: str = "mutation") -> Individual[Letter]:
    return Individual(id=id, genome=Letter(), parents=parents, generation=generation, origin=origin)


def write(store: RunStore, number: int, newborn: Sequence[Individual[Letter]], **fitness: float) -> None:
    values = tuple(Fitness(id=int(name[1:]), value=value, games=1) for name, value in fitness.items())
    measured = Measurement(name="points", values=values) if values else None
    store.write(Generation(number=number, born=tuple(newborn), fitness=measured), "", "", 0.0)


def created(folder: Path) -> RunStore:
    return RunStore.create(folder, game="none", config="", seed=1, version="0")


def read(folder: Path) -> LifeTree:
    tree = LifeTree()
    with RunStore.open(folder) as store:
        assert tree.extend(store)
    return tree


def write_random(store: RunStore, generations: Sequence[int], size: int) -> None:
    """Write generations of individuals whose parents are any of the generation before."""
    for number in generations:
        rng, first = Random(number), (number - 1) * size
        newborn = []
        for index in range(size):
            parents = dict.fromkeys(first + int(rng.below(size)) for _ in range(2)) if number else ()
            newborn.append(born(number * size + index, number, *parents))
        write(store, number, newborn)


@pytest.mark.parametrize("count", [0, 1, 5, 16, 17, 300])
def test_lanes_keep_their_order_and_a_distance(count: int) -> None:
    rng = Random(count + 1)
    wishes = sorted(rng.uniform() ** 3 for _ in range(count))
    lanes = spread(wishes)
    assert len(lanes) == count
    assert all(0 <= lane <= 1 for lane in lanes)
    gap = min(1 / max(count, 1), WIDEST_GAP)
    assert all(later - sooner > gap * 0.999 for sooner, later in pairwise(lanes))


def test_lanes_are_those_wished_for_where_there_is_room() -> None:
    assert spread([0.2, 0.5, 0.9]) == pytest.approx([0.2, 0.5, 0.9])
    assert spread([0.5, 0.5]) == pytest.approx([0.5 - WIDEST_GAP / 2, 0.5 + WIDEST_GAP / 2])
    assert spread([1.0]) == pytest.approx([1 - WIDEST_GAP / 2])


def test_children_lie_in_the_order_of_their_first_parents(tmp_path: Path) -> None:
    with created(tmp_path / "run") as store:
        write_random(store, range(20), size=30)
    tree = read(tmp_path / "run")
    for generation in range(1, 20):
        places = [place for place in range(600) if tree.generations[place] == generation]
        places.sort(key=tree.lanes.__getitem__)
        above = [tree.lanes[tree.parents[place]] for place in places]
        assert above == sorted(above)


def test_places_do_not_change_when_a_run_grows(tmp_path: Path) -> None:
    tree = LifeTree()
    with created(tmp_path / "run") as store:
        for generations in (range(3), range(3, 7), range(7, 8)):
            write_random(store, generations, size=20)
            before = tree.lanes[:]
            assert tree.extend(store)
            assert tree.lanes[: len(before)] == before
    whole = read(tmp_path / "run")
    assert [*tree.columns(range(160))][:4] == [*whole.columns(range(160))][:4]
    assert tree.lanes == whole.lanes and len(tree.ids) == 160


def test_parents_of_the_same_generation_are_found(tmp_path: Path) -> None:
    with created(tmp_path / "run") as store:
        write(store, 0, [born(3, 0), born(5, 0, 3), born(9, 0, 5, 3), born(10, 0, 10, 77)])
    tree = read(tmp_path / "run")
    assert list(tree.parents) == [NONE, 0, 1, NONE] and list(tree.others) == [NONE, NONE, 0, NONE]


def test_the_last_fitness_on_record_counts(tmp_path: Path) -> None:
    with created(tmp_path / "run") as store:
        tree = LifeTree()
        write(store, 0, [born(0, 0), born(1, 0)], _0=0.5)
        tree.extend(store)
        assert tree.fitness[0] == 0.5 and tree.fitness[1] != tree.fitness[1]
        write(store, 1, [born(2, 1, 0)], _0=0.25, _1=1.0)
        tree.extend(store)
    assert list(tree.fitness[:2]) == [0.25, 1.0]


def test_a_store_that_holds_another_run_is_not_mixed_with_the_first(tmp_path: Path) -> None:
    for name, size in (("one", 20), ("two", 5), ("three", 21)):
        with created(tmp_path / name) as store:
            write_random(store, range(3), size)
    tree = read(tmp_path / "one")
    for other in ("two", "three"):
        with RunStore.open(tmp_path / other) as store:
            assert not tree.extend(store)
    assert len(tree.ids) == 60


def test_large_runs_are_thinned_but_not_the_line_to_the_champion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with created(tmp_path / "run") as store:
        write_random(store, range(10), size=30)
    tree = read(tmp_path / "run")
    assert tree.thinned(299) == (1, range(300))
    monkeypatch.setattr(life_tree, "MAX_SHOWN", 100)
    step, shown = tree.thinned(299)
    line = tree.line(299)
    assert step == 3 and len(line) == 10 and set(line) <= set(shown) and len(shown) <= 110
    columns: list[Any] = [*tree.columns(shown)]
    ids, generations, parents, *_ = columns
    assert list(ids) == [float(place) for place in shown]
    number = {place: index for index, place in enumerate(shown)}
    assert [parents[number[place]] for place in line] == [NONE, *(number[place] for place in line[:-1])]
    assert all(
        generations[parent] < generations[index] for index, parent in enumerate(parents) if parent != NONE
    )


def test_only_the_last_individuals_of_a_very_large_run_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life_tree, "MAX_READ", 50)
    with created(tmp_path / "run") as store:
        write_random(store, range(4), size=20)
    tree = read(tmp_path / "run")
    assert tree.left_out == 30 and list(tree.ids) == [float(id) for id in range(30, 80)]


def test_many_origins_are_counted_as_one(tmp_path: Path) -> None:
    with created(tmp_path / "run") as store:
        write(store, 0, [born(id, 0, origin=f"graft {id}") for id in range(300)])
    tree = read(tmp_path / "run")
    assert len(tree.names) == life_tree.MAX_ORIGINS + 1
    assert tree.origins[5] != tree.origins[6] and tree.origins[298] == tree.origins[299]
