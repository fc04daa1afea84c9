"""Excerpts of runs: small, looked at like the run itself, and never gone on with."""

from pathlib import Path

import pytest

from engines.config import RUN_FILE
from engines.corewar.evolution import experiment
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore
from tests.browser.evolutions import made_up
from tests.tools.galapagos import Galapagos


def test_an_excerpt_shows_the_same_as_its_run_and_cannot_resume(tmp_path: Path, galapagos: Galapagos) -> None:
    run, copy = tmp_path / "run", tmp_path / "copy"
    made_up(run)
    assert galapagos.printed("excerpt", run, copy).startswith(f"{copy / RUN_FILE}: ")
    with RunStore.open(run) as whole, RunStore.open(copy) as excerpt:
        ours, theirs = RunHistory(whole), RunHistory(excerpt)
        assert theirs.curves(experiment) == ours.curves(experiment)
        champion = ours.champion(experiment)
        assert champion is not None and excerpt.champion == champion and whole.champion is None
        assert theirs.ancestors(champion, 12, 80) == ours.ancestors(champion, 12, 80)
        assert excerpt.individual(champion) == whole.individual(champion)
        assert (excerpt.config, excerpt.seed, excerpt.hash) == (whole.config, whole.seed, whole.hash)
        assert len(excerpt.ids()) < len(whole.ids()) and theirs.traits(experiment).generations
    assert [path.name for path in copy.iterdir()] == [RUN_FILE], "it can be read where nothing can be written"
    refused = galapagos.refused("evolve", "corewar", "--run", copy, "--resume")
    assert "holds an excerpt of a run, which can be shown but not continued" in refused


def test_an_excerpt_can_be_made_for_another_champion(tmp_path: Path, galapagos: Galapagos) -> None:
    made_up(tmp_path / "run", generations=30)
    galapagos.printed("excerpt", tmp_path / "run", tmp_path / "copy", "--champion", "7")
    with RunStore.open(tmp_path / "copy") as excerpt:
        assert RunHistory(excerpt).curves(experiment).champion == 7


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("run", "run"), "holds a run already"),
        (("empty", "copy"), "no champion yet"),
        (("run", "copy", "--champion", "60"), "with the ID 60"),
    ],
)
def test_excerpts_without_a_champion_or_into_a_run_are_refused(
    tmp_path: Path, galapagos: Galapagos, words: tuple[str, ...], complaint: str
) -> None:
    made_up(tmp_path / "run")
    made_up(tmp_path / "empty", generations=0)
    run, copy, *others = words
    assert complaint in galapagos.refused("excerpt", tmp_path / run, tmp_path / copy, *others)
    assert not (tmp_path / "copy").exists()
