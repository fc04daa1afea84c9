"""Grades: weighted scores against the opponents, kept until these change, and broken off if hopeless."""

from dataclasses import replace
from typing import Literal

import pytest

from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.config import ConfigError
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
    line_up,
    niche,
)
from engines.corewar.evolution.genome import OWN, read_opponents
from engines.corewar.evolution.variation import RandomCode
from tools.evolve_corewar import read

CONFIG = TribesConfig(core_size=80, cycles=300, processes=8, length=8, distance=8, founders_longest=8)
RULES_SCRIMMAGE = Rules(size=80, cycles=300, processes=8, length=8, distance=8)
SUICIDE = load_file.loads("DAT.F #0, #0", RULES_SCRIMMAGE)
WAITER = load_file.loads("JMP.B $0, $0", RULES_SCRIMMAGE)
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
        duel=Duel.of(CONFIG, 4),
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
    lucky.add_grade(300.0, 0)
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


# Niches: ways of life that differ have different ones.


RULES = Rules()
WAITER_STANDARD = load_file.loads("JMP.B $0, $0", RULES)


def of(warrior: Warrior) -> int:
    return niche(warrior, Mars(RULES, [warrior]), 4096)


def test_each_way_of_life_has_its_own() -> None:
    niches = {genome.name: of(genome.express()) for genome in read_opponents("own", TribesConfig(), read)}
    assert len(set(niches.values())) >= 4
    assert all(0 <= each < LEVELS * LEVELS for each in niches.values())
    assert of(WAITER_STANDARD) == 0


def test_it_does_not_hang_on_values_that_nobody_uses() -> None:
    assert of(WAITER_STANDARD) == of(load_file.loads("JMP.B $0, $77", RULES))


# A scrimmage: who is picked, who wins, and when it may stop.


def tribe(*warriors: Warrior) -> list[Member]:
    return [Member(id=100 + seat, warrior=warrior) for seat, warrior in enumerate(warriors)]


def scrimmage(rounds: int | None, stop_decided: bool = False) -> Scrimmage:
    return Scrimmage(duel=Duel.of(CONFIG, rounds), picked=4, winners=2, stop_decided=stop_decided)


def test_the_living_breed_and_the_dead_do_not() -> None:
    members = tribe(SUICIDE, WAITER, SUICIDE, WAITER)
    verdict = scrimmage(10).judge(members, Random(1))
    assert sorted(verdict.winners) == [1, 3] and sorted(verdict.losers) == [0, 2]
    points = dict(zip(verdict.fought, verdict.points, strict=True))
    assert points[1] == points[3] == 2 * 30 + 10
    assert (members[1].rounds, members[1].wins, members[1].ties) == (30, 20, 10)
    assert members[0].rounds == 30


def test_equal_ones_are_told_apart_by_lot() -> None:
    picked = {scrimmage(1).judge(tribe(*[WAITER] * 6), Random(seed)).winners for seed in range(60)}
    assert len({winner for winners in picked for winner in winners}) == 6


def test_an_exact_fight_has_all_places() -> None:
    duel = Duel.of(CONFIG, None)
    outcome = duel.fight(WAITER, WAITER, Random(1))
    assert outcome.rounds == 2 * (80 + 1 - 16) and outcome.ties == outcome.rounds


def test_a_fight_that_begins_alike_may_be_taken_to_go_on_so() -> None:
    config = replace(CONFIG, rounds_alike=3)
    full, short = Duel.of(CONFIG, 10), Duel.of(config, 10)
    tied = short.fight(WAITER, WAITER, Random(1))
    assert (tied.wins, tied.ties, tied.losses) == (0, 10, 0)
    full.fight(WAITER, WAITER, Random(1))
    assert short.executed < full.executed
    mixed = short.fight(SUICIDE, SUICIDE, Random(1))
    assert mixed == full.fight(SUICIDE, SUICIDE, Random(1)), "who begins dies, so its rounds are not alike"


def test_stopping_early_changes_nobodys_fate() -> None:
    soup, stopped = RandomCode.of(CONFIG), 0
    for seed in range(80):
        rng = Random(seed)
        warriors = [Warrior("", "", soup.cells(4, rng), 0) for _ in range(6)]
        full = scrimmage(5).judge(tribe(*warriors), Random(seed))
        short = scrimmage(5, stop_decided=True).judge(tribe(*warriors), Random(seed))
        assert sorted(short.winners) == sorted(full.winners)
        stopped += sum(short.points) < sum(full.points)
    assert stopped > 5


# Solo: who copies itself, and whose copies do, has the better grade.


SUICIDE_SOLO = load_file.loads("DAT.F $0, $0", RULES)
SILK = load_file.loads(
    "SPL.B $1, $0\nSPL.B $1, $0\nSPL.B @0, $2049\nMOV.I }-1, >-1\nMOV.I {-2, <3044\nJMP.B $-2, $0", RULES
)
STERILE = load_file.loads(  # a waiter that is carried away once, and its copy waits there
    "MOV.I $3, $4000\nSPL.B $3999, $0\nJMP.B $0, $0\nJMP.B $0, $0", RULES
)
SPRAYER = load_file.loads("SPL.B #0, $0\nSPL.B $500, $0\nSPL.B $-500, $0\nJMP.B $-2, $0", RULES)
PAPER = read((OWN / "paper.red").read_text(), RULES)


def grades(*warriors: Warrior) -> list[float]:
    solo = Solo(mars=Mars(RULES, [WAITER_STANDARD]), cycles=2400, kept=1)
    members = [Member(id=id, warrior=warrior) for id, warrior in enumerate(warriors)]
    solo.judge(members, Random(1))
    return [member.grade or 0.0 for member in members]


def test_copies_that_copy_themselves_survive_the_catastrophe() -> None:
    suicide, waiter, sterile, silk, paper = grades(SUICIDE_SOLO, WAITER_STANDARD, STERILE, SILK, PAPER)
    assert suicide == 0
    assert waiter == pytest.approx(100 * 2 / 256), "one part, looked at twice, then gone"
    assert sterile == pytest.approx(100 * 6 / 256), "two parts twice, then one"
    assert silk > 20
    assert paper > 20


def test_a_process_in_an_empty_cell_lives_nowhere() -> None:
    assert grades(SPRAYER) == grades(WAITER_STANDARD)


def test_the_best_breeds_and_of_equal_ones_the_younger() -> None:
    solo = Solo(mars=Mars(RULES, [WAITER_STANDARD]), cycles=2400, kept=2)
    members = [
        Member(id=id, warrior=warrior) for id, warrior in enumerate([WAITER_STANDARD, SILK, WAITER_STANDARD])
    ]
    verdict = solo.judge(members, Random(1))
    assert verdict.winners == (1, 2)
    assert verdict.losers == (0,)


# Teams: a side lives while one of its members does, and members share a P-space.


CONFIG_TEAM = TribesConfig(
    core_size=800, cycles=2000, processes=80, length=20, distance=20, founders_longest=5, evaluation="elite",
    pspace="on", team=2, tribes=4,
)  # fmt: skip
WAITER_TEAM = load_file.loads("JMP.B $0, $0", CONFIG_TEAM.rules)
SUICIDE_TEAM = load_file.loads("DAT.F $0, $0", CONFIG_TEAM.rules)
WRITER = load_file.loads("STP.AB #1, #1\nJMP.B $0, $0", CONFIG_TEAM.rules)
READER = load_file.loads(  # it dies unless cell 1 of P-space has been written
    "NOP.F $0, $0\nNOP.F $0, $0\nLDP.AB #1, #0\nJMZ.B $2, $-1\nJMP.B $0, $0\nDAT.F $0, $0", CONFIG_TEAM.rules
)


def counts(side: list[Warrior], opponent: Warrior) -> tuple[int, int, int]:
    first, *partners = side
    outcome = Duel.of(CONFIG_TEAM, 1, partners).fight(first, opponent, Random(1))
    return outcome.wins, outcome.ties, outcome.losses


@pytest.mark.parametrize("members", [2, 3])
def test_a_side_dies_with_its_last_member(members: int) -> None:
    assert counts([WAITER_TEAM] * members, SUICIDE_TEAM) == (1, 0, 0)
    assert counts([SUICIDE_TEAM] * members, WAITER_TEAM) == (0, 0, 1)
    assert counts([SUICIDE_TEAM] * (members - 1) + [WAITER_TEAM], WAITER_TEAM) == (0, 1, 0)
    assert counts([SUICIDE_TEAM] * (members - 1) + [WAITER_TEAM], SUICIDE_TEAM) == (1, 0, 0)


def test_members_find_in_p_space_what_others_left() -> None:
    assert counts([READER, SUICIDE_TEAM], WAITER_TEAM) == (0, 0, 1)
    assert counts([READER, WRITER], SUICIDE_TEAM) == (1, 0, 0)
    assert counts([SUICIDE_TEAM, READER], WRITER) == (0, 0, 1), "and opponents have another one"


def test_each_side_has_its_own_pin() -> None:
    team = line_up([[WAITER_TEAM, WRITER], [SUICIDE_TEAM, SUICIDE_TEAM]])
    assert [warrior.pin for warrior in team] == [0, 0, 1, 1]
    assert [warrior.cells for warrior in team[:2]] == [WAITER_TEAM.cells, WRITER.cells]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"core_size": 70}, "4 warriors 20 apart need a core of 80"),
        ({"team": 5}, "a team of 5 needs as many tribes"),
        ({"evaluation": "scrimmage"}, "teams need evaluation = elite"),
        ({"rounds": None}, "neither exact rounds nor rounds alike"),
    ],
)
def test_what_teams_need(change: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        replace(CONFIG_TEAM, **change)  # type: ignore[arg-type]
