"""The laws of a hill, with made-up results: who stays, who falls, what he is worth and how old he is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.corewar.battles import Tally
from engines.corewar.hill import (
    Hill,
    HillError,
    battle_tasks,
    conclude,
    removed,
    with_removals,
)
from engines.corewar.presets import PRESETS
from tests.engines.corewar.made_up import NANO, after, challenger, hill

SMALL = replace(NANO, places=3)


def filled(*numbers: int) -> Hill:
    made = hill(SMALL)
    for number in numbers:
        _, made = after(made, challenger(number))
    return made


def names(hill: Hill) -> list[str]:
    return [entry.warrior.name for entry in hill.entries]


def test_the_first_challenger_enters_an_empty_hill() -> None:
    challenge, made = after(hill(), challenger(5), seconds=12.5)
    (row,) = challenge.table
    assert (challenge.number, challenge.seconds, challenge.score, challenge.meetings) == (1, 12.5, 0.0, ())
    assert (row.name, row.author, row.score, row.age, row.fate) == ("W5", "Ann", 0.0, 1, "on the hill")
    assert names(made) == ["W5"]


def test_scores_are_means_over_the_opponents() -> None:
    challenge, _ = after(filled(10, 30), challenger(20))
    scores = {row.name: row.score for row in challenge.table}
    # 20 against 10: 10 wins, 90 ties = 120; against 30: 10 losses, 90 ties = 90. 30 against 10: 140.
    assert scores == {"W30": pytest.approx(130), "W20": pytest.approx(105), "W10": pytest.approx(85)}
    assert challenge.score == scores["W20"]
    assert [(each.opponent, each.score) for each in challenge.meetings] == [("W30", 90.0), ("W10", 120.0)]
    assert [row.name for row in challenge.table] == ["W30", "W20", "W10"]
    top = challenge.table[0]
    assert (top.wins, top.losses, top.ties) == (15.0, 0.0, 85.0)


def test_the_lowest_warrior_of_a_full_hill_is_pushed_off() -> None:
    full = filled(10, 20, 30)
    challenge, made = after(full, challenger(25))
    assert names(made) == ["W30", "W25", "W20"]
    assert challenge.pushed_off is not None and challenge.pushed_off.name == "W10"
    assert challenge.table[-1] == challenge.pushed_off


def test_age_counts_successful_challenges() -> None:
    full = filled(10, 20, 30)
    assert {entry.warrior.name: entry.age for entry in full.entries} == {"W10": 3, "W20": 2, "W30": 1}
    failed, made = after(full, challenger(5))
    assert made.entries == full.entries
    assert [(row.name, row.age, row.fate) for row in failed.table] == [
        ("W30", 1, "on the hill"),
        ("W20", 2, "on the hill"),
        ("W10", 3, "on the hill"),
        ("W5", 0, "pushed off"),
    ]
    entered, made = after(made, challenger(25))
    assert {entry.warrior.name: entry.age for entry in made.entries} == {"W20": 3, "W30": 2, "W25": 1}
    assert entered.table[-1].age == 3


def test_the_challenger_must_beat_the_lowest() -> None:
    """With equal scores all round, the youngest is the last."""
    made = hill(SMALL)
    for number in (1, 2, 3, 4):
        tie = Tally.of_two(wins=0, losses=0, ties=100)
        newcomer = challenger(number)
        challenge, made = conclude(made, newcomer, [[tie, tie] for _ in battle_tasks(made, newcomer)], 0.0)
    assert names(made) == ["W1", "W2", "W3"]
    assert challenge.pushed_off is not None and challenge.pushed_off.name == "W4"
    assert {row.score for row in challenge.table} == {100.0}


def test_code_that_is_on_the_hill_under_another_name_is_refused() -> None:
    made = filled(10, 20)
    with pytest.raises(HillError, match="this code is on the hill already: W10 by Ann"):
        battle_tasks(made, challenger(10, name="Other", author="Bob"))


def test_a_warrior_of_the_hill_is_tested_in_its_place() -> None:
    made = filled(10, 20)
    again = replace(challenger(10), is_test=True)
    assert [task.warriors[1].name for task in battle_tasks(made, again)] == ["W20"]


def test_kill_removes_only_warriors_of_the_same_author() -> None:
    made = filled(10, 20, 30)
    assert len(battle_tasks(made, challenger(40, author="Bob", kills=("W10", "W20")))) == 3
    challenge, made = after(made, challenger(15, kills=("W10", "nobody")))
    assert names(made) == ["W30", "W20", "W15"]
    assert [(row.name, row.fate, row.age) for row in challenge.table if row.fate != "on the hill"] == [
        ("W10", "killed", 3)
    ]
    assert all(10 not in pair for pair in made.battles)


def test_kill_needs_the_token() -> None:
    made = hill(SMALL)
    for number, name in ((10, "Old"), (20, "Old"), (30, "Other")):
        _, made = after(made, challenger(number, name=name, token=f"t{number}"))
    for tokens in ((), ("t30", ""), ("t1", "T10")):
        with pytest.raises(HillError, match='to kill Old by Ann, add the line ";token TOKEN"'):
            battle_tasks(made, challenger(40, kills=("Old",), given=tokens))
    with pytest.raises(HillError, match="to kill Other by Ann"):
        battle_tasks(made, challenger(40, kills=("Other", "Old"), given=("t10",)))
    for other in (challenger(40, author="Bob", kills=("Old",), given=()), challenger(40, given=("t10",))):
        assert len(battle_tasks(made, other)) == 3
    challenge, _ = after(made, challenger(40, kills=("Old", "nobody"), given=("t1", "t10")))
    assert [(row.id, row.fate) for row in challenge.table if row.fate == "killed"] == [(1, "killed")]


def test_warriors_without_a_token_can_be_killed_by_no_author() -> None:
    for tokens in ((), ("",), ("t",)):
        with pytest.raises(HillError, match="only the owner of the hill"):
            battle_tasks(filled(10), challenger(40, kills=("W10",), given=tokens))


def test_code_is_accepted_if_its_twin_is_killed_by_the_challenge() -> None:
    challenge, made = after(filled(10, 20), challenger(10, name="W10 v2", kills=("W10",)))
    assert names(made) == ["W20", "W10 v2"]
    assert challenge.table[-1].fate == "killed"


def test_removed_warriors_leave_the_hill_and_its_battles() -> None:
    challenge, made = after(filled(10, 20), challenger(30))
    made = removed(made, "W20", "Ann")
    assert names(made) == ["W30", "W10"] and all(2 not in pair for pair in made.battles)
    now = with_removals(challenge, made)
    assert [(row.name, row.fate) for row in now.table] == [
        ("W30", "on the hill"), ("W10", "on the hill"), ("W20", "removed"),
    ]  # fmt: skip
    assert with_removals(challenge, filled(10, 20, 30)) == challenge
    challenge, _ = after(made, challenger(25))
    assert [row.name for row in challenge.table] == ["W30", "W25", "W10"]


def test_removal_needs_an_unambiguous_name() -> None:
    made = filled(10)
    _, made = after(made, challenger(20, name="W10", author="Bob"))
    with pytest.raises(HillError, match="several warriors are called W10: W10 by Bob, W10 by Ann"):
        removed(made, "W10")
    assert [entry.label for entry in removed(made, "W10", "Ann").entries] == ["W10 by Bob"]
    for other in (("W10", "Eve"), ("W1", "")):
        with pytest.raises(HillError, match="no warrior W1"):
            removed(made, *other)


def test_ids_are_never_used_again() -> None:
    made = filled(10, 20, 30)
    failed, made = after(made, challenger(5))
    entered, made = after(made, challenger(25))
    assert (failed.challenger, entered.challenger, made.next_id) == (4, 5, 6)


def test_a_melee_is_one_battle_of_all_warriors() -> None:
    made = Hill(preset=replace(PRESETS["94m"], places=2), challenges=0, next_id=1, battles={})
    _, made = conclude(made, challenger(1), [], 0.0)
    for number, points in ((2, 50.0), (3, 75.0)):
        newcomer = challenger(number)
        (fight,) = battle_tasks(made, newcomer)
        assert fight.warriors[0] == newcomer.warrior and len(fight.warriors) == len(made.entries) + 1
        best = Tally(wins=10, losses=80, ties=10, points=points)
        rest = Tally(wins=0, losses=90, ties=10, points=5.0)
        challenge, made = conclude(made, newcomer, [[best, *(rest for _ in made.entries)]], 0.0)
        assert challenge.score == points
    assert names(made) == ["W3", "W1"]
    assert [row.name for row in challenge.table] == ["W3", "W1", "W2"]
    assert not made.battles and not challenge.meetings
    assert (challenge.table[0].wins, challenge.table[0].losses) == (10.0, 80.0)


@given(st.lists(st.integers(1, 60), unique=True, min_size=1, max_size=12), st.integers(1, 5))
def test_the_strongest_stay(numbers: list[int], places: int) -> None:
    """Where the stronger always wins, a hill keeps the strongest; each place's pairs are all known."""
    made = hill(replace(NANO, places=places))
    for number in numbers:
        challenge, made = after(made, challenger(number))
        rows = [row for row in challenge.table if row.fate == "on the hill"]
        assert len(rows) == len(made.entries) == min(places, made.challenges)
        assert all(row.wins + row.losses + row.ties in (0.0, pytest.approx(100)) for row in rows)
        ids = sorted(entry.id for entry in made.entries)
        assert set(made.battles) == {(a, b) for a in ids for b in ids if a < b}
    best = sorted(numbers, reverse=True)[:places]
    assert names(made) == [f"W{number}" for number in best]
