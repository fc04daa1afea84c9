"""The history of a run: whatever its length, samples of bounded size, and ancestors that are all there."""

from itertools import pairwise
from pathlib import Path

import pytest

from engines.evolution.population import Contest, Generation
from engines.evolution.run_history import CURVE_POINTS, TRAIT_POINTS, RunHistory, spaced
from engines.evolution.run_store import RunStore
from tests.toy import Bests, write_run


@pytest.mark.parametrize(("count", "at_most"), [(0, 5), (5, 5), (6, 5), (5000, 400), (799, 400), (801, 2)])
def test_samples_are_evenly_apart(count: int, at_most: int) -> None:
    sample = spaced(range(count), at_most)
    assert len(sample) == min(count, at_most)
    if count:
        assert (sample[0], sample[-1]) == (0, count - 1)
        steps = {later - sooner for sooner, later in pairwise(sample)}
        assert max(steps) - min(steps) <= 1


def test_curves_are_bounded(tmp_path: Path) -> None:
    write_run(tmp_path, 2500)
    with RunStore.open(tmp_path) as store:
        history = RunHistory(store)
        curves = history.curves(Bests())
        assert len(curves.generations) == CURVE_POINTS
        assert (curves.generations[0], curves.generations[-1]) == (0, 2499)
        assert curves.measures["fitness: best"] == [number / 10 for number in curves.generations]
        assert curves.seconds == 1250 and curves.champion == CURVE_POINTS - 1
        traits = history.traits(Bests())
        assert set(traits.traits) == {"letters"}, "what is nothing everywhere is not worth a curve"
        assert len(traits.generations) == len(traits.traits["letters"]) == TRAIT_POINTS


def test_generations_and_genomes_are_sampled(tmp_path: Path) -> None:
    write_run(tmp_path, 9)
    with RunStore.open(tmp_path) as store:
        history = RunHistory(store)
        assert [past.number for past in history.generations()] == list(range(9))
        assert [past.number for past in history.generations(3)] == [0, 4, 8]
        assert [born.id for born in history.individuals(2)] == [0, 8]
        assert list(history.genomes([5, 2, 5])) == [(id, store.individual(id).genome) for id in (2, 5)]
        with pytest.raises(KeyError):
            list(history.genomes([9]))


def test_all_contests_are_returned_with_a_sample_of_their_records(tmp_path: Path) -> None:
    contests = [
        Contest(players=(0, 1), returns=(1.0, -1.0), record=bytes([number])) for number in range(1, 8)
    ]
    with RunStore.create(tmp_path / "run", game="none", config="", seed=1, version="0") as store:
        store.write(Generation(number=0, contests=tuple(contests)), "", "", 0.0)
        found = list(RunHistory(store).contests(3))
        assert [contest.record for _, contest in found] == [b"\1", b"", b"", b"\4", b"", b"", b"\7"]
        assert list(RunHistory(store).contests(7)) == [(0, contest) for contest in contests]


def test_ancestors_are_found_by_their_children(tmp_path: Path) -> None:
    """Everybody is a child of the two before."""
    write_run(tmp_path, 200)
    with RunStore.open(tmp_path) as store:
        history = RunHistory(store)
        family = history.ancestors(4)
        assert family.is_whole and [(each.id, each.depth) for each in family.relatives] == [
            (4, 0), (2, 1), (3, 1), (0, 2), (1, 2),
        ]  # fmt: skip
        assert len(history.ancestors(199).relatives) == 200
        near = history.ancestors(199, depth=3)
        assert not near.is_whole
        assert [each.id for each in near.relatives] == [199, 197, 198, 195, 196, 193, 194]
        few = history.ancestors(199, at_most=3)
        assert not few.is_whole and few.relatives == near.relatives[:3]
        with pytest.raises(KeyError):
            history.ancestors(200)


def test_a_run_without_generations_has_an_empty_history(tmp_path: Path) -> None:
    write_run(tmp_path, 0)
    with RunStore.open(tmp_path) as store:
        assert not RunHistory(store).curves(Bests()).generations
        assert not RunHistory(store).traits(Bests()).generations
