"""Battles of a hill: their scores, and that only the warriors' code decides them."""

import pickle
from dataclasses import replace
from itertools import permutations

import pytest

from core.corewar.instruction import DAT, DIRECT, DOT_F, DOT_I, MOV, pack
from core.corewar.warrior import Warrior
from engines.corewar.battles import Fight, Tally, fields, fingerprint, play, tally
from engines.corewar.engine import CorewarEngine
from engines.corewar.presets import PRESETS, exact_rounds
from protocols.redcode.assemble import assemble
from tests.engines.corewar.hill.made_up import NANO, warrior

IMP = Warrior("Imp", "Ann", (pack(MOV, DOT_I, DIRECT, 0, DIRECT, 1),), 0)
DIES = Warrior("Dies", "Bob", (pack(DAT, DOT_F, DIRECT, 0, DIRECT, 0),), 0)


def fight(*warriors: Warrior, preset: str = "nano", is_exact: bool = False, rounds: int = 20) -> Fight:
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
    assert play(fight(IMP, DIES)) == [
        Tally.of_two(wins=20, losses=0, ties=0),
        Tally.of_two(wins=0, losses=20, ties=0),
    ]
    assert [each.score for each in play(fight(DIES, IMP, DIES))] == [0.0, 400.0, 0.0]


def test_an_exact_battle_has_every_position_and_starter() -> None:
    assert exact_rounds(NANO.rules) == NANO.rounds == 142
    made = play(fight(IMP, warrior(7), is_exact=True, rounds=142))
    assert made == play(fight(IMP, warrior(7), is_exact=True, rounds=142))
    twice = play(fight(IMP, warrior(7), is_exact=True, rounds=284))
    assert [each.score for each in twice] == [each.score for each in made]


@pytest.mark.parametrize("preset", ["nano", "tiny"])
def test_the_order_of_the_warriors_changes_nothing(preset: str) -> None:
    crowd = (IMP, warrior(3), warrior(12))
    known = dict(zip(crowd, play(fight(*crowd, preset=preset)), strict=True))
    for order in permutations(crowd):
        assert dict(zip(order, play(fight(*order, preset=preset)), strict=True)) == known


@pytest.mark.parametrize("number", range(8))
def test_who_has_no_pin_reads_the_pspace_of_pin_0_before_him(number: int) -> None:
    writer = _assembled("pin 0\nstp.ab #7, #1\njmp -1")
    reader = _assembled(f"ldp.ab #1, 3\njmz.b -1, 2\ndat 0, 0\ndat {number}, 0")
    dies = play(fight(reader, writer))[0].losses == 20
    assert dies == (fingerprint(writer) < fingerprint(reader))


def _assembled(text: str) -> Warrior:
    made = assemble(f";assert 1\n{text}", PRESETS["nano"].rules).warrior
    assert made
    return made


def test_names_change_nothing() -> None:
    renamed = Warrior("Other", "Zoe", warrior(3).cells, 0)
    assert fingerprint(renamed) == fingerprint(warrior(3))
    assert play(fight(renamed, IMP)) == play(fight(warrior(3), IMP))
    assert fingerprint(warrior(3)) != fingerprint(warrior(4))
    assert fingerprint(Warrior("", "", IMP.cells, 0, 1)) != fingerprint(IMP)


def test_fields_make_the_cell_again() -> None:
    assert [pack(*fields(cell)) for cell in warrior(9).cells] == list(warrior(9).cells)


def test_a_fight_can_be_sent_to_a_worker() -> None:
    sent = fight(IMP, warrior(3))
    assert pickle.loads(pickle.dumps(sent)) == sent
    assert play(pickle.loads(pickle.dumps(sent))) == play(sent)


async def test_a_written_dwarf_is_no_worse_than_an_imp_anywhere() -> None:
    for preset in PRESETS.values():
        dwarf = await CorewarEngine().write(preset.rules)
        few = replace(fight(dwarf, IMP, preset=preset.name), rounds=4)
        first, second = play(few)
        assert first.score >= second.score
