"""Bouts: the same whatever task they are in, and as pMARS's places have them."""

import pytest

from core.corewar.battle import Battle
from core.corewar.placement import from_checksum
from core.corewar.rules import Rules
from engines.corewar.battles import tally
from engines.corewar.presets import PRESETS
from engines.corewar.ranking.bouts import MOST_BOUTS, Bouts, Draw, fight, tasks
from tests.engines.corewar.ranking.redcode import NANO, STANDARD, starter, warrior

IMP = warrior("mov 0, 1", NANO)
BOMBER = warrior("add #4, 3\nmov 2, @2\njmp -2\ndat 0, 0", NANO)
WAITER = warrior("jmp 0, <-5", NANO)
PAIRS = [(IMP, BOMBER), (BOMBER, WAITER), (WAITER, IMP), (BOMBER, BOMBER)]


def test_a_bout_is_the_same_in_any_task() -> None:
    draw = Draw(rounds=20, seed=3)
    together = fight(Bouts(rules=NANO, draw=draw, first=0, pairs=tuple(PAIRS)))
    apart = [
        fight(Bouts(rules=NANO, draw=draw, first=number, pairs=(pair,)))[0]
        for number, pair in enumerate(PAIRS)
    ]
    assert together == apart
    assert all(each.rounds == 20 for each in together)


def test_seeds_and_numbers_draw_other_places() -> None:
    places = {
        tuple(Draw(seed=seed).placement(STANDARD, PAIRS[0], number).next()[0])
        for seed in range(10)
        for number in range(10)
    }
    assert len(places) > 95


def test_without_a_seed_places_are_those_of_the_code() -> None:
    first, second = starter("stone"), starter("scanner")
    battle = Battle(STANDARD, [first, second], 10, from_checksum(STANDARD, [first, second]))
    battle.run(10**9)
    bouts = Bouts(rules=STANDARD, draw=Draw(rounds=10, seed=None), first=7, pairs=((first, second),))
    assert fight(bouts) == [tally(battle.results[0])]


@pytest.mark.parametrize("seed", [1, 2, None])
def test_an_exact_draw_leaves_nothing_to_chance(seed: int | None) -> None:
    every = Draw.every_place(NANO)
    assert every.rounds == 142
    draw = Draw(rounds=every.rounds, seed=seed, exact=True)
    assert fight(Bouts(rules=NANO, draw=draw, first=5, pairs=tuple(PAIRS))) == fight(
        Bouts(rules=NANO, draw=every, first=0, pairs=tuple(PAIRS))
    )


@pytest.mark.parametrize(
    ("rules", "rounds", "most"), [(STANDARD, 100, 1), (NANO, 142, 70), (NANO, 1, MOST_BOUTS)]
)
def test_tasks_are_worth_their_way(rules: Rules, rounds: int, most: int) -> None:
    pairs = PAIRS * 100
    made = list(tasks(rules, Draw(rounds=rounds), pairs))
    assert [pair for task in made for pair in task.pairs] == pairs
    assert [task.first for task in made] == [
        sum(len(each.pairs) for each in made[:n]) for n in range(len(made))
    ]
    assert max(len(task.pairs) for task in made) == most


def test_no_round_is_no_draw() -> None:
    with pytest.raises(ValueError, match="one round or more, not 0"):
        Draw(rounds=0)


def test_a_preset_that_is_exact_agrees() -> None:
    assert PRESETS["nano"].rounds == Draw.every_place(NANO).rounds
