"""Solo: who copies itself, and whose copies do, has the better grade."""

import pytest

from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.evaluation.member import Member
from engines.corewar.tribes.evaluation.solo import Solo
from engines.corewar.tribes.opponents import OWN
from tools.evolve.tribes import read

RULES = Rules()
WAITER = load_file.loads("JMP.B $0, $0", RULES)
SUICIDE = load_file.loads("DAT.F $0, $0", RULES)
SILK = load_file.loads(
    "SPL.B $1, $0\nSPL.B $1, $0\nSPL.B @0, $2049\nMOV.I }-1, >-1\nMOV.I {-2, <3044\nJMP.B $-2, $0", RULES
)
STERILE = load_file.loads(  # a waiter that is carried away once, and its copy waits there
    "MOV.I $3, $4000\nSPL.B $3999, $0\nJMP.B $0, $0\nJMP.B $0, $0", RULES
)
SPRAYER = load_file.loads("SPL.B #0, $0\nSPL.B $500, $0\nSPL.B $-500, $0\nJMP.B $-2, $0", RULES)
PAPER = read((OWN / "paper.red").read_text(), RULES)


def grades(*warriors: Warrior) -> list[float]:
    solo = Solo(mars=Mars(RULES, [WAITER]), cycles=2400, kept=1)
    members = [Member(id=id, warrior=warrior) for id, warrior in enumerate(warriors)]
    solo.judge(members, Random(1))
    return [member.grade or 0.0 for member in members]


def test_copies_that_copy_themselves_survive_the_catastrophe() -> None:
    suicide, waiter, sterile, silk, paper = grades(SUICIDE, WAITER, STERILE, SILK, PAPER)
    assert suicide == 0
    assert waiter == pytest.approx(100 * 2 / 256), "one part, looked at twice, then gone"
    assert sterile == pytest.approx(100 * 6 / 256), "two parts twice, then one"
    assert silk > 20
    assert paper > 20


def test_a_process_in_an_empty_cell_lives_nowhere() -> None:
    assert grades(SPRAYER) == grades(WAITER)


def test_the_best_breeds_and_of_equal_ones_the_younger() -> None:
    solo = Solo(mars=Mars(RULES, [WAITER]), cycles=2400, kept=2)
    members = [Member(id=id, warrior=warrior) for id, warrior in enumerate([WAITER, SILK, WAITER])]
    verdict = solo.judge(members, Random(1))
    assert verdict.winners == (1, 2)
    assert verdict.losers == (0,)
