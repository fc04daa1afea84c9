"""Grades: weighted scores against the opponents, kept until these change, and broken off if hopeless."""

from core.random import Random
from engines.corewar.tribes.evaluation.elite import Elite, Opponent
from engines.corewar.tribes.evaluation.fight import Ring
from engines.corewar.tribes.evaluation.member import Member
from tests.engines.corewar.tribes.evaluation.test_scrimmage import CONFIG, SUICIDE, WAITER, tribe


def elite(opponents: list[Opponent], *, edition: int = 0, early_break: float | None = None) -> Elite:
    return Elite(
        ring=Ring.of(CONFIG, 4), opponents=opponents, edition=edition, kept=2, early_break=early_break
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


def test_the_hopeless_are_not_fought_to_the_end() -> None:
    opponents = [Opponent(warrior=WAITER, weight=1.0)] * 20
    members = [*tribe(WAITER, WAITER), Member(id=200, warrior=SUICIDE)]
    verdict = elite(opponents, early_break=1.0).judge(members, Random(1))
    assert [member.rounds for member in members] == [80, 80, 20]
    assert verdict.losers == (2,)
    merits = sorted(members, key=lambda member: member.merit)
    assert [member.id for member in merits] == [100, 101, 200]
