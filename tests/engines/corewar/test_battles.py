"""Battles of a hill: their scores, and that only the warriors' code decides them."""

import pickle
from dataclasses import replace
from itertools import permutations

import pytest

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, from_checksum
from core.corewar.instruction import DAT, DIRECT, DOT_F, DOT_I, EMPTY, MOV, pack
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import (
    MOST_BOUTS,
    Bouts,
    Draw,
    Fight,
    Tally,
    fields,
    fight,
    fingerprint,
    play,
    seated,
    tally,
    tasks,
)
from engines.corewar.engine import CorewarEngine
from engines.corewar.presets import PRESETS, exact_rounds
from tests.engines.corewar import redcode
from tests.engines.corewar.made_up import NANO, warrior
from tests.engines.corewar.redcode import STANDARD, starter

IMP = Warrior("Imp", "Ann", (pack(MOV, DOT_I, DIRECT, 0, DIRECT, 1),), 0)
DIES = Warrior("Dies", "Bob", (pack(DAT, DOT_F, DIRECT, 0, DIRECT, 0),), 0)


def a_fight(*warriors: Warrior, preset: str = "nano", is_exact: bool = False, rounds: int = 20) -> Fight:
    return Fight(rules=PRESETS[preset].rules, warriors=warriors, rounds=rounds, is_exact=is_exact)


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "score"),
    [(100, 0, 0, 300.0), (0, 0, 100, 100.0), (0, 100, 0, 0.0), (1, 0, 2, 500 / 3)],
)
def test_scores(wins: int, losses: int, ties: int, score: float) -> None:
    assert Tally.of_two(wins=wins, losses=losses, ties=ties).score == pytest.approx(score)


def test_cells_of_two_warriors() -> None:
    assert tally([7, 2, 11]) == Tally.of_two(wins=7, losses=11, ties=2)


def test_cells_of_three_warriors() -> None:
    """Survivors alone, with one, with two others; then deaths as first and second: (W*W-1)/S = 8, 4, 2."""
    made = tally([3, 2, 1, 5, 4])
    assert (made.wins, made.ties, made.losses, made.rounds) == (3, 3, 9, 15)
    assert made.points == (3 * 8 + 2 * 4 + 1 * 2) / 2


def test_the_dead_lose() -> None:
    assert play(a_fight(IMP, DIES)) == [
        Tally.of_two(wins=20, losses=0, ties=0),
        Tally.of_two(wins=0, losses=20, ties=0),
    ]
    assert [each.score for each in play(a_fight(DIES, IMP, DIES))] == [0.0, 400.0, 0.0]


def test_an_exact_battle_has_every_position_and_starter() -> None:
    assert exact_rounds(NANO.rules) == NANO.rounds == 142
    made = play(a_fight(IMP, warrior(7), is_exact=True, rounds=142))
    assert made == play(a_fight(IMP, warrior(7), is_exact=True, rounds=142))
    twice = play(a_fight(IMP, warrior(7), is_exact=True, rounds=284))
    assert [each.score for each in twice] == [each.score for each in made]


@pytest.mark.parametrize("preset", ["nano", "tiny"])
def test_the_order_of_the_warriors_changes_nothing(preset: str) -> None:
    crowd = (IMP, warrior(3), warrior(12))
    known = dict(zip(crowd, play(a_fight(*crowd, preset=preset)), strict=True))
    for order in permutations(crowd):
        assert dict(zip(order, play(a_fight(*order, preset=preset)), strict=True)) == known


@pytest.mark.parametrize("number", range(8))
def test_who_has_no_pin_reads_the_pspace_of_pin_0_before_him(number: int) -> None:
    writer = _assembled("pin 0\nstp.ab #7, #1\njmp -1")
    reader = _assembled(f"ldp.ab #1, 3\njmz.b -1, 2\ndat 0, 0\ndat {number}, 0")
    dies = play(a_fight(reader, writer))[0].losses == 20
    assert dies == (fingerprint(writer) < fingerprint(reader))


def _assembled(text: str) -> Warrior:
    made = assemble(f";assert 1\n{text}", PRESETS["nano"].rules).warrior
    assert made
    return made


def test_names_change_nothing() -> None:
    renamed = Warrior("Other", "Zoe", warrior(3).cells, 0)
    assert fingerprint(renamed) == fingerprint(warrior(3))
    assert play(a_fight(renamed, IMP)) == play(a_fight(warrior(3), IMP))
    assert fingerprint(warrior(3)) != fingerprint(warrior(4))
    assert fingerprint(Warrior("", "", IMP.cells, 0, 1)) != fingerprint(IMP)


def test_fields_make_the_cell_again() -> None:
    assert [pack(*fields(cell)) for cell in warrior(9).cells] == list(warrior(9).cells)


def test_a_fight_can_be_sent_to_a_worker() -> None:
    sent = a_fight(IMP, warrior(3))
    assert pickle.loads(pickle.dumps(sent)) == sent
    assert play(pickle.loads(pickle.dumps(sent))) == play(sent)


async def test_a_written_dwarf_is_no_worse_than_an_imp_anywhere() -> None:
    for preset in PRESETS.values():
        dwarf = await CorewarEngine().write(preset.rules)
        few = replace(a_fight(dwarf, IMP, preset=preset.name), rounds=4)
        first, second = play(few)
        assert first.score >= second.score


# Who shares a P-space with whom.


Pins = tuple[int | None, ...]


@pytest.mark.parametrize(
    ("pins", "seen"),
    [
        ((0, None), (0, 0)),
        ((None, 0), (None, 0)),
        ((3, None), (3, None)),
        ((0, 1), (0, 1)),
        ((None, 0, 5, None, None), (None, 0, 5, 0, 0)),
        ((), ()),
    ],
)
def test_who_has_no_pin_joins_an_earlier_pin_0(pins: Pins, seen: Pins) -> None:
    warriors = [Warrior(str(seat), "", (EMPTY,), 0, pin) for seat, pin in enumerate(pins)]
    seats = seated(warriors)
    assert tuple(each.pin for each in seats) == seen
    assert [each.name for each in seats] == [each.name for each in warriors]


# Bouts: the same whatever task they are in, and as pMARS's places have them.


IMP_BOUTS = redcode.warrior("mov 0, 1", redcode.NANO)
BOMBER = redcode.warrior("add #4, 3\nmov 2, @2\njmp -2\ndat 0, 0", redcode.NANO)
WAITER = redcode.warrior("jmp 0, <-5", redcode.NANO)
PAIRS = [(IMP_BOUTS, BOMBER), (BOMBER, WAITER), (WAITER, IMP_BOUTS), (BOMBER, BOMBER)]


def test_a_bout_is_the_same_in_any_task() -> None:
    draw = Draw(rounds=20, seed=3)
    together = fight(Bouts(rules=redcode.NANO, draw=draw, first=0, pairs=tuple(PAIRS)))
    apart = [
        fight(Bouts(rules=redcode.NANO, draw=draw, first=number, pairs=(pair,)))[0]
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
    every = Draw.every_place(redcode.NANO)
    assert every.rounds == 142
    draw = Draw(rounds=every.rounds, seed=seed, exact=True)
    assert fight(Bouts(rules=redcode.NANO, draw=draw, first=5, pairs=tuple(PAIRS))) == fight(
        Bouts(rules=redcode.NANO, draw=every, first=0, pairs=tuple(PAIRS))
    )


@pytest.mark.parametrize(
    ("rules", "rounds", "most"), [(STANDARD, 100, 1), (redcode.NANO, 142, 70), (redcode.NANO, 1, MOST_BOUTS)]
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
    assert PRESETS["nano"].rounds == Draw.every_place(redcode.NANO).rounds
