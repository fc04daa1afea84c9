"""The account of a run: whatever its length, so many points, genomes and ancestors at most."""

from pathlib import Path

import pytest

from engines.evolution.run_history import ANCESTORS, MOMENTS, POINTS, Ancestry, RunCurves, TraitCurves
from engines.evolution.run_store import RunStore
from tests.engines.evolution.tictactoe import Bests, write


def test_an_account_is_bounded(tmp_path: Path) -> None:
    write(tmp_path, 5000)
    with RunStore.open(tmp_path) as store:
        course = RunCurves.of(store, Bests())
        assert POINTS / 2 < len(course.generations) <= POINTS and course.generations[-1] == 4999
        assert course.measures["fitness: best"][-1] == 499.9 and course.seconds == 2500
        trajectories = TraitCurves.of(store, Bests())
        assert set(trajectories.traits) == {"letters"}, "what is nothing everywhere is not worth a curve"
        assert MOMENTS / 2 < len(trajectories.generations) <= MOMENTS
        family = Ancestry.of(store, 4999)
        assert [each.id for each in family.relatives[:3]] == [4999, 4997, 4998]
        assert not family.is_whole and len(family.relatives) <= ANCESTORS


def test_a_family_may_be_whole(tmp_path: Path) -> None:
    write(tmp_path, 5)
    with RunStore.open(tmp_path) as store:
        family = Ancestry.of(store, 4)
        assert family.is_whole and sorted(each.id for each in family.relatives) == [0, 1, 2, 3, 4]
        assert max(each.depth for each in family.relatives) == 2
        with pytest.raises(KeyError):
            Ancestry.of(store, 5)


def test_a_run_that_has_not_begun_has_an_account(tmp_path: Path) -> None:
    write(tmp_path, 0)
    with RunStore.open(tmp_path) as store:
        assert not RunCurves.of(store, Bests()).generations and not TraitCurves.of(store, Bests()).generations
