"""What finished runs have beaten, and the tables of averages: of own runs, of a small one, and of the paper."""

from pathlib import Path

import pytest

from core.random import Random
from engines.protection.ga_config import GaConfig
from engines.protection.genome import PREFERENCES, Genome
from engines.protection.pool.beaten import Average, Beaten, Kinds, averages, read_averages, share
from engines.protection.pool.gathering import Harvest
from engines.protection.pool.handwritten import handwritten

HEAD = "run,user,scout,scavenger,common,amphibious,mobile,jump,kamikazee,armored"


def harvest(champion: Genome, preferences: list[list[int]]) -> Harvest:
    strings = tuple((Genome.of([0] * PREFERENCES + each), 0) for each in preferences)
    return Harvest(
        name="run-1",
        config=GaConfig(),
        seed=1,
        trials=9,
        champion=champion,
        rating=0,
        strings=strings,
    )


def test_a_strong_string_beats_drones_and_one_that_buys_nothing_does_not() -> None:
    row = [[0, 15, 0, 0, 0, 0, 0, 1]]
    strong = Beaten.of(harvest(handwritten()["hunters"], row))
    idle = Beaten.of(harvest(Genome(code=bytes(132)), row))
    assert strong.is_surely_negative and strong.rating.low < strong.rating.value < strong.rating.high < 0
    assert not idle.is_negative and idle.rating.low == idle.rating.high > 0, "nothing is left to chance"
    assert (strong.against, strong.map, strong.budget) == ("drones of $2,000", "1", 2000)
    found = share([strong, strong, idle])
    assert found.value == pytest.approx(2 / 3) and 0 < found.low < 2 / 3 < found.high < 1


def test_averages_of_the_best() -> None:
    rows = [[0, 15, 1, 0, 0, 0, 0, 9], [1, 14, 2, 0, 0, 0, 0, 15], [0, 15, 2, 0, 0, 0, 0, 15]]
    average = Average.of(harvest(Genome.random(Random(1)), rows))
    assert average.preferences == (0, 15, 2, 0, 0, 0, 0, 13)
    assert (average.user, average.top) == ("drones", 1)


def test_the_first_of_equals_is_wanted_most() -> None:
    kinds = Kinds.of(averages(f"{HEAD}\n1,A,0,15,0,0,0,0,0,15\n2, B ,1,0,0,0,0,0,0,4"))
    assert (kinds.tops, kinds.with_scouts, kinds.means[7]) == ((0, 1, 0, 0, 0, 0, 0, 1), 1, 9.5)


@pytest.mark.parametrize(
    "row", ["", "1,A,0", "1,A,0,16,0,0,0,0,0,0", "1,A,0,x,0,0,0,0,0,0", "1,A,0,-1,0,0,0,0,0,0"]
)
def test_what_is_no_table(row: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{HEAD}\n{row}\n")
    with pytest.raises(ValueError, match=r"table.csv: line 2: a run, a user and 8 preferences"):
        read_averages(path)


def test_the_table_of_the_paper(shared_data: Path) -> None:
    """Its claims: nearly all have scouts, and no minion is the best of all."""
    found = read_averages(shared_data / "protection" / "runs.csv")
    kinds = Kinds.of(found)
    assert (kinds.runs, kinds.with_scouts) == (53, 47)
    assert kinds.tops == (0, 8, 3, 10, 12, 4, 3, 13)
    early, late = Kinds.of(found[:8]), Kinds.of(found[8:])
    assert (round(early.means[1], 1), round(late.means[1], 1)) == (13.9, 6.2), "the doubling has worked"
