"""A round that repeats itself: noticed early, and never with another result than the full time gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.corewar.battle import Battle
from core.corewar.echo import Echo, finish
from core.corewar.mars import Mars
from core.corewar.placement import seeded
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.breeding.soup import ALL, Soup

SMALL = Rules(size=80, cycles=3000, processes=8, length=8, distance=8)
STANDARD = Rules()
FOR_EVER = 1 << 60


def warrior(*lines: str, rules: Rules = STANDARD) -> Warrior:
    return load_file.loads("\n".join(lines), rules)


IMP = warrior("MOV.I $0, $1")
WAITER = warrior("JMP.B $0, $0")
COUNTER = warrior("ADD.AB #1, $1", "JMP.B $-1, #0")  # comes round when it has counted all of the core
# Counts in its P-space; its core and queue are the same after every five instructions.
LISTENER = warrior(
    "LDP.AB #1, $5",
    "ADD.AB #1, $4",
    "STP.B $3, #1",
    "MOV.AB #0, $2",
    "JMP.B $-4, #0",
    "DAT.F #0, #0",
    rules=SMALL,
)


def both(rules: Rules, warriors: list[Warrior], rounds: int, seed: int) -> tuple[Battle, Battle]:
    """The same battle for the full time and with finish()."""
    full = Battle(rules, warriors, rounds, seeded(rules, len(warriors), seed))
    full.run(FOR_EVER)
    short = Battle(rules, warriors, rounds, seeded(rules, len(warriors), seed))
    echo = Echo(short.mars)
    finish(short.mars, echo)
    while short.next_round():
        finish(short.mars, echo)
    return full, short


@given(seed=st.integers(0, 2**31 - 2), count=st.integers(2, 4))
@settings(max_examples=300)
def test_results_are_those_of_the_full_time(seed: int, count: int) -> None:
    rng = Random(seed)
    soup = Soup(operations=ALL, size=80, value_bits=7)
    warriors = [Warrior("", "", soup.cells(1 + rng.below(8), rng), 0) for _ in range(count)]
    full, short = both(SMALL, warriors, 3, seed)
    assert short.results == full.results
    assert short.executed <= full.executed


@pytest.mark.parametrize(
    ("warriors", "share"),
    [([WAITER, WAITER], 0.05), ([IMP, IMP], 0.25), ([IMP, WAITER], 1.0), ([COUNTER, WAITER], 0.6)],
)
def test_loops_are_not_run_to_the_end(warriors: list[Warrior], share: float) -> None:
    full, short = both(STANDARD, warriors, 2, 99)
    assert short.results == full.results
    assert short.executed <= share * full.executed


def test_what_a_warrior_remembers_is_part_of_the_machine() -> None:
    rules = Rules(size=80, cycles=3003, processes=8, length=8, distance=8)
    full, short = both(rules, [LISTENER, WAITER], 2, 7)
    assert full.mars.pspace(0)[1] == 2 * 601 % 80
    assert short.mars.pspace(0) == full.mars.pspace(0)
    assert short.results == full.results
    assert short.executed < full.executed / 2


def test_a_core_is_not_taken_for_that_of_another_round() -> None:
    mars = Mars(STANDARD, [WAITER, WAITER])
    echo = Echo(mars)
    mars.begin([0, 4000], 0)
    finish(mars, echo)
    mars.enlist([IMP, WAITER])
    mars.begin([0, 100], 0)
    finish(mars, echo)
    assert mars.results == [[0, 1, 0], [0, 1, 0]] and mars.executed > STANDARD.size
