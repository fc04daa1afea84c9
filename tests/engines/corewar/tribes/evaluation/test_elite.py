"""Grades: weighted scores against the opponents, kept until these change, and broken off if hopeless."""

from typing import Literal

from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.evaluation.elite import Elite, Opponent
from engines.corewar.tribes.evaluation.fight import Ring
from engines.corewar.tribes.evaluation.member import Member
from tests.engines.corewar.tribes.evaluation.test_scrimmage import CONFIG, SUICIDE, WAITER, tribe

IMP = load_file.loads("MOV.I $0, $1", CONFIG.rules)


def elite(
    opponents: list[Opponent],
    *,
    edition: int = 0,
    early_break: float | None = None,
    gradings: int = 1,
    race: int = 1,
    niches: Literal["none", "grades", "behaviour"] = "none",
) -> Elite:
    return Elite(
        ring=Ring.of(CONFIG, 4),
        opponents=opponents,
        edition=edition,
        kept=2,
        early_break=early_break,
        gradings=gradings,
        race=race,
        niches=niches,
        solo_cycles=100,
    )


MIXED = [Opponent(warrior=SUICIDE, weight=3.0), Opponent(warrior=WAITER, weight=1.0)]


def test_a_grade_is_the_weighted_mean() -> None:
    members = tribe(WAITER, SUICIDE, WAITER)
    verdict = elite(MIXED).judge(members, Random(1))
    assert members[0].grade == members[2].grade == (3 * 300 + 100) / 4
    assert members[1].grade == 3 * 150 / 4, "of two who die, one dies first"
    assert verdict.winners == (2, 0), "of equal ones the younger first"
    assert verdict.losers == (1,) and not verdict.fought


def test_grades_hold_until_the_opponents_change() -> None:
    members = tribe(WAITER, SUICIDE, WAITER)
    elite(MIXED).judge(members, Random(1))
    fought = [member.rounds for member in members]
    elite(MIXED).judge(members, Random(2))
    assert [member.rounds for member in members] == fought
    elite(MIXED, edition=1).judge(members, Random(2))
    assert [member.rounds for member in members] == [2 * rounds for rounds in fought]


def test_those_who_are_kept_are_graded_again_and_the_mean_counts() -> None:
    lucky = Member(id=9, warrior=SUICIDE)
    lucky.graded(300.0, 0)
    members = [lucky, *tribe(WAITER)]
    judge = elite(MIXED, gradings=3)
    judge.judge(members, Random(1))
    assert lucky.grade == (300 + 3 * 150 / 4) / 2 and lucky.gradings == 2 and members[1].gradings == 1
    judge.judge(members, Random(2))
    fought = lucky.rounds
    judge.judge(members, Random(3))
    assert (lucky.gradings, members[1].gradings, lucky.rounds) == (3, 3, fought)


def test_of_equal_grades_the_youngest_alone_is_kept() -> None:
    members = tribe(WAITER, WAITER, WAITER, SUICIDE)
    assert elite(MIXED).judge(members, Random(1)).winners == (2, 1)
    assert elite(MIXED, niches="grades").judge(members, Random(1)).winners == (2, 3)


def test_the_best_of_each_way_of_life_is_kept() -> None:
    members = tribe(IMP, WAITER, WAITER)
    assert elite(MIXED).judge(members, Random(1)).winners == (2, 1), "of equal ones the younger"
    assert elite(MIXED, niches="behaviour", edition=1).judge(members, Random(1)).winners == (2, 0)
    assert members[0].niche != members[1].niche == members[2].niche


def test_the_hopeless_are_not_fought_to_the_end() -> None:
    opponents = [Opponent(warrior=WAITER, weight=1.0)] * 20
    members = [*tribe(WAITER, WAITER), Member(id=200, warrior=SUICIDE)]
    verdict = elite(opponents, early_break=1.0).judge(members, Random(1))
    assert [member.rounds for member in members] == [80, 80, 20]
    assert verdict.losers == (2,)
    merits = sorted(members, key=lambda member: member.merit)
    assert [member.id for member in merits] == [100, 101, 200]


def test_a_race_is_several_gradings_at_once_unless_it_is_hopeless() -> None:
    members = tribe(WAITER, IMP, SUICIDE)
    elite(MIXED, early_break=0.0, race=10).judge(members, Random(1))
    assert [member.gradings for member in members] == [10, 10, 10]
    assert [member.rounds for member in members[:2]] == [10 * 2 * 4] * 2, "two opponents, four rounds each"
    assert members[2].rounds < 10 * 2 * 4, "below the two who are kept from its fifth fight on"
