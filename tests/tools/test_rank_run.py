"""`galapagos rank RUN`: the tribes of a run, each against each, and the tournament between them."""

import json
from pathlib import Path

import pytest

from engines.run.store import Store
from tests.engines.corewar.tribes.runs import SCRIMMAGE, config_in, gone_on
from tests.engines.inline import InlineCrew
from tests.tools.galapagos import Galapagos


@pytest.fixture
async def run(tmp_path: Path) -> Path:
    """Three tribes of eight."""
    await gone_on(tmp_path / "run", config_in(tmp_path, SCRIMMAGE), 3, InlineCrew())
    return tmp_path / "run"


def test_everybody_is_ranked_and_one_is_left(run: Path, galapagos: Galapagos) -> None:
    read = galapagos.data("rank", run, "--rounds", "20", "--entrants", "3")
    with Store.open(run) as store:
        living = [[member[0] for member in tribe] for tribe in json.loads(store.state)["tribes"]]
    assert [sorted(each["id"] for each in tribe) for tribe in read["tribes"]] == list(map(sorted, living))
    for tribe in read["tribes"]:
        values = [each["score"]["value"] for each in tribe]
        assert values == sorted(values, reverse=True)
        assert all(each["wins"] + each["losses"] + each["ties"] == 7 * 20 for each in tribe)
    matches = read["tournament"]
    assert [len(each) for each in matches] == [4, 2, 1, 1], "nine, five, three, two"
    assert read["champion"] == matches[-1][0]["winner"]
    best = {each["id"] for tribe in read["tribes"] for each in tribe[:3]}
    assert {match[side] for match in matches[0] for side in ("first", "second")} < best
    assert read["champion"] in {each["id"] for each in read["tribes"][read["tribe"]]}


def test_the_seed_is_all_that_counts(run: Path, galapagos: Galapagos) -> None:
    words = (run, "--rounds", "10", "--entrants", "8")
    one = galapagos.data("rank", *words, "--workers", "1")
    assert one == galapagos.data("rank", *words, "--workers", "3")
    assert one != galapagos.data("rank", *words, "--seed", "2")


def test_for_people(run: Path, galapagos: Galapagos) -> None:
    text = galapagos.printed("rank", run, "--rounds", "10")
    read = galapagos.data("rank", run, "--rounds", "10")
    assert text.startswith("3 tribes of 8, each against each, 10 rounds a pair, seed 1\n\nTribe 0\n")
    assert f"Champion: {read['champion']} of tribe {read['tribe']}\n" in text
    assert "Tournament, round 2" in text and "Tournament, round 3" not in text
    assert galapagos.printed("rank", run, "--exact").count(" exact ") >= 15


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--rules", "nano"], "by its own rules"),
        (["--against", "run"], "ranked alone"),
        (["--entrants", "9"], "--entrants must be 1 to 8"),
        (["--entrants", "0"], "--entrants must be 1 to 8"),
        (["--rounds", "0"], "one round or more"),
    ],
)
def test_wrong_arguments(words: list[str], reason: str, run: Path, galapagos: Galapagos) -> None:
    assert reason in galapagos.refused("rank", run, *words)


def test_a_run_of_another_game(tmp_path: Path, galapagos: Galapagos) -> None:
    Store.create(tmp_path / "run", game="chess", config="", seed=1, version="test").close()
    assert "a run of chess" in galapagos.refused("rank", tmp_path / "run")
    Store.create(tmp_path / "new", game="corewar", config="", seed=1, version="test").close()
    assert "no tribes yet" in galapagos.refused("rank", tmp_path / "new")
