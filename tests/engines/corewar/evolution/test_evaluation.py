"""Evaluation: who is viable, how fights count, and who breeds after a scrimmage, by grades, or alone in the core."""

from dataclasses import replace
from typing import Literal

import pytest

from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.evolution.config import TribesConfig
from engines.corewar.evolution.evaluation import (
    LEVELS,
    Duel,
    Elite,
    Member,
    Opponent,
    Scrimmage,
    Solo,
    is_viable,
    line_up,
    niche,
)
from engines.corewar.evolution.genome import read_opponents
from engines.corewar.evolution.variation import RandomCode
from tests.engines.corewar import redcode

CONFIG = TribesConfig(core_size=80, cycles=300, processes=8, length=8, distance=8, founders_longest=8)
STANDARD = Rules()
TEAMS = TribesConfig(
    core_size=800, cycles=2000, processes=80, length=20, distance=20, founders_longest=5, evaluation="elite",
    pspace="on", team=2, tribes=4,
)  # fmt: skip


def warrior(text: str, rules: Rules = CONFIG.rules) -> Warrior:
    return load_file.loads(text, rules)


SUICIDE = warrior("DAT.F $0, $0")
WAITER = warrior("JMP.B $0, $0")
IMP = warrior("MOV.I $0, $1")


def tribe(*warriors: Warrior) -> list[Member]:
    return [Member(id=100 + seat, warrior=warrior) for seat, warrior in enumerate(warriors)]


# -- Alone in the core -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cycles", "viable"),
    [
        ("JMP.B $0, $0", 4096, True),
        ("MOV.I $0, $1", 4096, True),
        ("DAT.F #0, #0", 1, False),
        ("NOP.B $0, $0", 1, True),
        ("NOP.B $0, $0", 2, False),
        ("SPL.B $2, $0\nJMP.B $0, $0\nDAT.F #0, #0", 4096, True),
    ],
)
def test_a_warrior_is_viable_if_it_survives_the_cycles(text: str, cycles: int, viable: bool) -> None:
    assert is_viable(warrior(text, STANDARD), Mars(STANDARD, [WAITER]), cycles) is viable


def test_different_behaviours_have_different_niches() -> None:
    mars = Mars(STANDARD, [WAITER])
    niches = {niche(genome.express(), mars, 4096) for genome in read_opponents("own", TribesConfig())}
    assert len(niches) >= 4 and niches < set(range(LEVELS * LEVELS))
    assert niche(WAITER, mars, 4096) == niche(warrior("JMP.B $0, $77", STANDARD), mars, 4096) == 0


# -- Fights ------------------------------------------------------------------------------------------


def test_an_exact_fight_covers_all_positions() -> None:
    tally = Duel.of(CONFIG, None).fight(WAITER, WAITER, Random(1))
    assert tally.rounds == 2 * (80 + 1 - 16) and tally.ties == tally.rounds


def test_a_fight_may_be_extrapolated_from_equal_first_rounds() -> None:
    full, short = Duel.of(CONFIG, 10), Duel.of(replace(CONFIG, rounds_alike=3), 10)
    tied = short.fight(WAITER, WAITER, Random(1))
    assert tied == full.fight(WAITER, WAITER, Random(1)) and tied.ties == 10
    assert short.executed < full.executed
    mixed = short.fight(SUICIDE, SUICIDE, Random(1))
    assert mixed == full.fight(SUICIDE, SUICIDE, Random(1)), "who begins dies, so its rounds are not alike"


def fight_of_teams(side: list[Warrior], opponent: Warrior) -> tuple[int, int, int]:
    first, *partners = side
    tally = Duel.of(TEAMS, 1, partners).fight(first, opponent, Random(1))
    return tally.wins, tally.ties, tally.losses


@pytest.mark.parametrize("members", [2, 3])
def test_a_side_dies_with_its_last_member(members: int) -> None:
    assert fight_of_teams([WAITER] * members, SUICIDE) == (1, 0, 0)
    assert fight_of_teams([SUICIDE] * members, WAITER) == (0, 0, 1)
    assert fight_of_teams([SUICIDE] * (members - 1) + [WAITER], WAITER) == (0, 1, 0)
    assert fight_of_teams([SUICIDE] * (members - 1) + [WAITER], SUICIDE) == (1, 0, 0)


def test_members_of_a_side_share_a_p_space() -> None:
    writer = warrior("STP.AB #1, #1\nJMP.B $0, $0")
    reader = warrior(  # it dies unless cell 1 of P-space has been written
        "NOP.F $0, $0\nNOP.F $0, $0\nLDP.AB #1, #0\nJMZ.B $2, $-1\nJMP.B $0, $0\nDAT.F $0, $0", TEAMS.rules
    )
    assert fight_of_teams([reader, SUICIDE], WAITER) == (0, 0, 1)
    assert fight_of_teams([reader, writer], SUICIDE) == (1, 0, 0)
    assert fight_of_teams([SUICIDE, reader], writer) == (0, 0, 1), "and opponents have another one"
    team = line_up([[WAITER, writer], [SUICIDE, SUICIDE]])
    assert [member.pin for member in team] == [0, 0, 1, 1]
    assert [member.cells for member in team[:2]] == [WAITER.cells, writer.cells]


# -- Scrimmage ---------------------------------------------------------------------------------------


def scrimmage(rounds: int, stop_decided: bool = False) -> Scrimmage:
    return Scrimmage(duel=Duel.of(CONFIG, rounds), picked=4, winners=2, stop_decided=stop_decided)


def test_the_living_breed_and_the_dead_do_not() -> None:
    members = tribe(SUICIDE, WAITER, SUICIDE, WAITER)
    verdict = scrimmage(10).judge(members, Random(1))
    assert sorted(verdict.winners) == [1, 3] and sorted(verdict.losers) == [0, 2]
    points = dict(zip(verdict.fought, verdict.points, strict=True))
    assert points[1] == points[3] == 2 * 30 + 10
    assert (members[1].rounds, members[1].wins, members[1].ties) == (30, 20, 10)
    assert members[0].rounds == 30 and verdict.executed > 0


def test_ties_between_equal_members_are_broken_at_random() -> None:
    picked = {scrimmage(1).judge(tribe(*[WAITER] * 6), Random(seed)).winners for seed in range(60)}
    assert len({winner for winners in picked for winner in winners}) == 6


def test_stopping_early_does_not_change_the_winners() -> None:
    code, stopped = RandomCode.of(CONFIG), 0
    for seed in range(80):
        rng = Random(seed)
        warriors = [Warrior("", "", code.cells(4, rng), 0) for _ in range(6)]
        full = scrimmage(5).judge(tribe(*warriors), Random(seed))
        short = scrimmage(5, stop_decided=True).judge(tribe(*warriors), Random(seed))
        assert sorted(short.winners) == sorted(full.winners)
        stopped += sum(short.points) < sum(full.points)
    assert stopped > 5


# -- Grades ------------------------------------------------------------------------------------------

MIXED = [Opponent(number=0, warrior=SUICIDE, weight=3.0), Opponent(number=1, warrior=WAITER, weight=1.0)]


def elite(
    opponents: list[Opponent] = MIXED,
    *,
    edition: int = 0,
    early_break: float | None = None,
    is_paired: bool = False,
    gradings: int = 1,
    race: int = 1,
    niches: Literal["none", "grades", "behaviour"] = "none",
    parents: Literal["all", "niches"] = "all",
) -> Elite:
    return Elite(
        duel=Duel.of(CONFIG, 4),
        opponents=opponents,
        edition=edition,
        kept=2,
        early_break=early_break,
        is_paired=is_paired,
        gradings=gradings,
        race=race,
        niches=niches,
        parents=parents,
        solo_cycles=100,
    )


def test_a_grade_is_the_weighted_mean() -> None:
    members = tribe(WAITER, SUICIDE, WAITER)
    verdict = elite().judge(members, Random(1))
    assert members[0].grade == members[2].grade == (3 * 300 + 100) / 4
    assert members[1].grade == 3 * 150 / 4, "of two who die, one dies first"
    assert verdict.winners == (2, 0), "of equal ones the younger first"
    assert verdict.losers == (1,) and not verdict.fought


def test_grades_hold_until_the_opponents_change() -> None:
    members = tribe(WAITER, SUICIDE, WAITER)
    elite().judge(members, Random(1))
    rounds = [member.rounds for member in members]
    elite().judge(members, Random(2))
    assert [member.rounds for member in members] == rounds
    elite(edition=1).judge(members, Random(2))
    assert [member.rounds for member in members] == [2 * count for count in rounds]


def test_kept_members_are_graded_again_and_their_mean_counts() -> None:
    lucky = Member(id=9, warrior=SUICIDE)
    lucky.add_grade(300.0, 0)
    members = [lucky, *tribe(WAITER)]
    evaluator = elite(gradings=3)
    evaluator.judge(members, Random(1))
    assert lucky.grade == (300 + 3 * 150 / 4) / 2 and lucky.gradings == 2 and members[1].gradings == 1
    evaluator.judge(members, Random(2))
    rounds = lucky.rounds
    evaluator.judge(members, Random(3))
    assert (lucky.gradings, members[1].gradings, lucky.rounds) == (3, 3, rounds)


def test_the_best_of_each_niche_is_kept() -> None:
    members = tribe(WAITER, WAITER, WAITER, SUICIDE)
    assert elite().judge(members, Random(1)).winners == (2, 1)
    assert elite(niches="grades").judge(members, Random(1)).winners == (2, 3)
    members = tribe(IMP, WAITER, WAITER)
    assert elite().judge(members, Random(1)).winners == (2, 1), "of equal ones the younger"
    assert elite(niches="behaviour", edition=1).judge(members, Random(1)).winners == (2, 0)
    assert members[0].niche != members[1].niche == members[2].niche


def test_only_the_best_of_each_niche_breeds() -> None:
    members = tribe(WAITER, WAITER, WAITER)
    verdict = elite(niches="behaviour", parents="niches").judge(members, Random(1))
    assert verdict.winners == (2,) and verdict.losers == (0,), "the second best is kept, and has no offspring"


def test_hopeless_members_are_not_graded_to_the_end() -> None:
    opponents = [Opponent(number=number, warrior=WAITER, weight=1.0) for number in range(20)]
    members = [*tribe(WAITER, WAITER), Member(id=200, warrior=SUICIDE)]
    verdict = elite(opponents, early_break=1.0).judge(members, Random(1))
    assert [member.rounds for member in members] == [80, 80, 20]
    assert verdict.losers == (2,)
    assert [member.id for member in sorted(members, key=lambda member: member.merit)] == [100, 101, 200]


@pytest.mark.parametrize(("is_paired", "fights"), [(False, 10), (True, 5)])
def test_paired_comparison_breaks_hopeless_gradings_off_sooner(is_paired: bool, fights: int) -> None:
    """Opponents are very easy and hard in turn, so that scores alone vary much."""
    opponents = [
        Opponent(number=number, warrior=WAITER if number % 2 else SUICIDE, weight=1.0) for number in range(20)
    ]
    doomed = warrior("NOP.B $0, $0\nNOP.B $0, $0", CONFIG.rules)
    members = [*tribe(WAITER, WAITER), Member(id=200, warrior=doomed)]
    elite(opponents, early_break=1.0, is_paired=is_paired).judge(members, Random(1))
    assert [member.rounds for member in members] == [80, 80, 4 * fights]
    assert [member.grade for member in members[:2]] == [200.0, 200.0]
    assert members[0].scores == ([300.0, 100.0] * 10 if is_paired else []) and not members[2].scores


def test_a_race_is_several_gradings_at_once_unless_it_is_hopeless() -> None:
    members = tribe(WAITER, IMP, SUICIDE)
    elite(early_break=0.0, race=10).judge(members, Random(1))
    assert [member.gradings for member in members] == [10, 10, 10]
    assert [member.rounds for member in members[:2]] == [10 * 2 * 4] * 2, "two opponents, four rounds each"
    assert members[2].rounds < 10 * 2 * 4, "below the two who are kept from its fifth fight on"


# -- Solo --------------------------------------------------------------------------------------------

SILK = warrior(
    "SPL.B $1, $0\nSPL.B $1, $0\nSPL.B @0, $2049\nMOV.I }-1, >-1\nMOV.I {-2, <3044\nJMP.B $-2, $0", STANDARD
)


def grades(*warriors: Warrior) -> list[float]:
    members = tribe(*warriors)
    Solo(mars=Mars(STANDARD, [WAITER]), cycles=2400, kept=1).judge(members, Random(1))
    return [member.grade or 0.0 for member in members]


def test_copies_that_copy_themselves_survive_the_catastrophe() -> None:
    sterile = warrior(  # a waiter that is carried away once, and its copy waits there
        "MOV.I $3, $4000\nSPL.B $3999, $0\nJMP.B $0, $0\nJMP.B $0, $0", STANDARD
    )
    paper = redcode.starter("paper")
    *others, silks, papers = grades(SUICIDE, WAITER, sterile, SILK, paper)
    assert others == [
        0,
        pytest.approx(100 * 2 / 256),  # one part, looked at twice, then gone
        pytest.approx(100 * 6 / 256),  # two parts twice, then one
    ]
    assert silks > 20 and papers > 20


def test_processes_in_empty_cells_add_nothing_to_the_grade() -> None:
    sprayer = warrior("SPL.B #0, $0\nSPL.B $500, $0\nSPL.B $-500, $0\nJMP.B $-2, $0", STANDARD)
    assert grades(sprayer) == grades(WAITER)


def test_solo_grading_prefers_the_best_and_then_the_youngest() -> None:
    solo = Solo(mars=Mars(STANDARD, [WAITER]), cycles=2400, kept=2)
    verdict = solo.judge(tribe(WAITER, SILK, WAITER), Random(1))
    assert (verdict.winners, verdict.losers) == ((1, 2), (0,))
