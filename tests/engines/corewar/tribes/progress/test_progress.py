"""What shows progress: the turning point, the champions, the census and the report."""

import pytest

from core.corewar.rules import Rules
from engines.corewar import load_file
from engines.corewar.tribes.breeding.turning import Turning
from engines.corewar.tribes.config import TribesConfig
from engines.corewar.tribes.evaluation.member import Member
from engines.corewar.tribes.progress.census import census
from engines.corewar.tribes.progress.champions import SIZE, Champions
from engines.corewar.tribes.progress.report import TribesReport


@pytest.mark.parametrize(
    ("tries", "point"), [("-" * 7 + "+" * 9, 13), ("+" * 9 + "-", None), ("-+" * 9, None), ("-" * 40, 30)]
)
def test_the_turning_point(tries: str, point: int | None) -> None:
    turning = Turning(TribesConfig(turning_window=10, latest_turning=30))
    for letter in tries:
        turning.add(letter)
    assert turning.point == (10 if tries.startswith("+") else point)
    again = Turning(TribesConfig(turning_window=10, latest_turning=30))
    again.resume(turning.data())
    assert again.data() == turning.data() and again.is_selective == turning.is_selective


def test_viability_may_matter_at_once_or_never() -> None:
    assert Turning(TribesConfig(viability="always")).point == 0
    never = Turning(TribesConfig(viability="never", latest_turning=1))
    never.add("+" * 1000)
    assert not never.is_selective


def test_champions_are_ranked_by_all_their_panels() -> None:
    champions = Champions()
    champions.add([(7, 120.0), (8, 140.0)])
    assert champions.stale == 0
    champions.add([(8, 100.0), (9, 110.0)])
    assert [(each.id, each.score, each.panels) for each in champions.ranked] == [
        (7, 120.0, 1),
        (8, 120.0, 2),
        (9, 110.0, 1),
    ]
    assert champions.stale == 1
    champions.add([(id, float(id)) for id in range(200, 250)])
    assert len(champions.ranked) == SIZE and champions.stale == 0
    again = Champions()
    again.resume(champions.data())
    assert again == champions


def test_a_census_counts_genotypes_and_codes() -> None:
    rules = Rules()
    texts = ["MOV.I $0, $1", "MOV.I $0, $1", "MOV.I $0, $2", "JMP.B $0, $0\nDAT.F #0, #0"]
    members = [Member(id=id, warrior=load_file.loads(text, rules)) for id, text in enumerate(texts)]
    members[2].rounds, members[2].wins = 600, 600
    found = census(members, 10)
    assert (found["genotypes"], found["codes"], found["length"]) == (3, 2, 1)
    assert (found["age"], found["oldest"], found["best"], found["best_record"]) == (8.5, 10, 2, [0, 0, 600])


def test_a_report_remembers_the_last_panel() -> None:
    report = TribesReport(500)
    member = Member(id=1, warrior=load_file.loads("MOV.I $0, $1", Rules()))
    facts = {
        "sweep": 50, "offspring": 1000, "tries": 500, "viable": 250, "turning_point": None, "crossover": 0.1,
        "tribes": [census([member], 2)], "panel": {"Imp": [1, 2, 7]},
    }  # fmt: skip
    first = report.text(facts, [])
    assert "Generations of 500: 2.0" in first and "Turning point: not yet" in first and "50%" in first
    del facts["panel"]
    assert "Imp                                   7      2      1  23 - 5 (82%)" in report.text(facts, [])
