"""Battles of our own warriors against what pMARS says (battles.txt), and those of others where their texts are."""

import csv
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.corewar.assembler import assemble
from core.corewar.battle import (
    Battle,
    StartPositions,
    checksum,
    fixed,
    following,
    from_checksum,
    seeded,
)
from core.corewar.dialect import Dialect
from core.corewar.instruction import EMPTY, b_of
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from core.random import Random
from engines.corewar import load_file
from engines.corewar.evolution.variation import ALL, RandomCode
from tests.core.corewar.soup import warrior

TABLE = Path(__file__).with_name("battles.txt")
NUMBERS = {"s": "size", "c": "cycles", "p": "processes", "l": "length", "d": "distance", "S": "pspace"}


class Options(NamedTuple):
    """What pMARS's arguments ask for."""

    rules: Rules
    rounds: int
    place: int  # 0 for the checksum
    permuted: bool
    old: bool  # '88

    def placement(self, warriors: list[Warrior]) -> StartPositions:
        if self.place:
            return fixed(self.rules, len(warriors), self.place, self.permuted)
        return from_checksum(self.rules, warriors, self.permuted)

    def battle(self, warriors: list[Warrior], mars: Mars | None = None) -> Battle:
        return Battle(self.rules, warriors, self.rounds, self.placement(warriors), mars)


def options(arguments: list[str]) -> Options:
    words = iter(arguments)
    given = {word[1]: next(words) if word[1] in "rscpldSF=" else "" for word in words}
    numbers: dict[str, Any] = {
        NUMBERS[letter]: int(number) for letter, number in given.items() if letter in NUMBERS
    }
    if "length" in numbers:
        numbers.setdefault("distance", numbers["length"])
    rules = Rules(**numbers)
    permuted = "P" in given
    rounds = int(given.get("r", 2 * (rules.size + 1 - 2 * rules.distance) if permuted else 1))
    return Options(rules, rounds, int(given.get("F", 0)), permuted, "8" in given)


def answer(battle: Battle) -> str:
    """What `pmars -bk` prints for the default score formula."""
    lines = []
    seats = len(battle.warriors)
    for tallies in battle.results:
        score = sum(
            tallies[survivors - 1] * ((seats**2 - 1) // survivors) for survivors in range(1, seats + 1)
        )
        cells = tallies[:2] if seats == 2 else [score, *tallies[:seats], sum(tallies[seats:])]
        lines.append(" ".join(map(str, cells)) + "\n")
    return "".join(lines)


def golden() -> Iterator[tuple[str, list[str], str]]:
    """(arguments, warriors, answer) of each battle in the table."""
    for block in TABLE.read_text().split("\n\n")[1:]:
        arguments, *lines = block.splitlines()
        answers = [line[3:] + "\n" for line in lines if line.startswith("=> ")]
        yield arguments, lines[: len(answers)], "".join(answers)


@pytest.mark.parametrize(("arguments", "lines", "expected"), list(golden()))
def test_battles_in_the_table_match_pmars(arguments: str, lines: list[str], expected: str) -> None:
    asked = options(arguments.split())
    battle = asked.battle([warrior(line, asked.rules.size) for line in lines])
    assert battle.run(10**12)
    assert answer(battle) == expected


def test_the_table_holds_70_battles() -> None:
    assert len(list(golden())) == 70


@pytest.mark.parametrize(
    ("name", "step"),
    [("battles.tsv", 3), pytest.param("battles.tsv", 1, marks=pytest.mark.slow), ("battles_extra.tsv", 1)],
)
def test_battles_of_published_warriors_match_pmars(shared_data: Path, name: str, step: int) -> None:
    """One of `step`."""
    folder = shared_data / "corewar"
    fought = 0
    with (folder / "expected" / name).open(encoding="utf-8", newline="") as file:
        for row in list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[::step]:
            arguments, files = json.loads(row["args"]), json.loads(row["warriors"])
            if row["rc"] != "0" or "-=" in arguments:
                continue
            asked = options(arguments)
            warriors = [_assembled(folder / file, asked, len(files)) for file in files]
            battle = asked.battle(warriors)
            battle.run(10**12)
            assert answer(battle) == json.loads(row["stdout_k"]), row["id"]
            fought += 1
    assert fought > 50


def _assembled(path: Path, asked: Options, warriors: int) -> Warrior:
    assembly = assemble(
        path.read_text("latin-1"),
        asked.rules,
        Dialect(icws88=asked.old),
        warriors=warriors,
        rounds=asked.rounds,
    )
    return Warrior(assembly.name, assembly.author, assembly.cells, assembly.start, assembly.pin)


# -- Rounds ------------------------------------------------------------------------------------------

IMP = "MOV.I $0,$1"
MORTAL = "JMP.B $1,$0 / DAT.F #0,#0"


def test_slicing_and_reusing_the_core_do_not_change_results() -> None:
    mars = None
    for arguments, lines, expected in golden():
        asked = options(arguments.split())
        warriors = [warrior(line, asked.rules.size) for line in lines]
        if mars is None or mars.rules != asked.rules:
            mars = Mars(asked.rules, [warrior(IMP, asked.rules.size)])
        battle = asked.battle(warriors, mars)
        while not battle.run(997):
            pass
        assert answer(battle) == expected


def test_rounds_are_counted_and_can_be_ended_early() -> None:
    battle = Battle(Rules(), [warrior(IMP), warrior(MORTAL)], 3, fixed(Rules(), 2, 4000))
    assert (battle.round, battle.is_over()) == (0, False)
    assert not battle.run(4)
    assert battle.mars.over and battle.round == 0
    assert not battle.run(1)
    assert battle.round == 1
    assert battle.next_round()
    assert not battle.next_round()
    assert battle.run(100)
    assert battle.executed == 4 + 1 + 4
    assert battle.results == [[2, 0, 0], [0, 0, 2]]


def test_impossible_battles_are_refused() -> None:
    place = fixed(Rules(), 2, 4000)
    fighters = [warrior(IMP), warrior(MORTAL)]
    with pytest.raises(ValueError, match="one round or more"):
        Battle(Rules(), fighters, 0, place)
    with pytest.raises(ValueError, match="other rules"):
        Battle(Rules(), fighters, 1, place, Mars(Rules(processes=5), fighters))


# Positions and starters: the laws that all of them keep, and numbers that pMARS gives.


NANO = Rules(80, 800, 80, 5, 5)


def test_the_random_generator_is_park_and_millers_minimal_standard() -> None:
    """Park and Miller: from 1, the 10,000th number is 1043618065."""
    seed = 1
    for _ in range(10_000):
        seed = following(seed)
    assert seed == 1043618065
    assert following(0) == 0


def test_a_fixed_position_is_used_in_the_first_round() -> None:
    assert fixed(Rules(), 2, 4000).next() == ([0, 4000], 0)
    assert fixed(Rules(), 2, 8000).next() == ([0, 199], 0)  # 7,801 places from 100 on


def test_the_smallest_fixed_position_is_used_in_every_round() -> None:
    placement = fixed(Rules(), 2, 100)
    assert [placement.next() for _ in range(4)] == [
        ([0, 100], 0),
        ([0, 100], 1),
        ([0, 100], 0),
        ([0, 100], 1),
    ]


def test_permuted_rounds_cover_all_positions_with_both_starters() -> None:
    for placement in (fixed(NANO, 2, 47, permuted=True), seeded(NANO, 2, 12345, permuted=True)):
        for _ in range(3):
            rounds = [placement.next() for _ in range(142)]
            everything = [([0, place], starter) for place in range(5, 76) for starter in (0, 1)]
            assert sorted(rounds) == sorted(everything)


def test_permuted_rounds_start_with_the_fixed_position() -> None:
    assert fixed(NANO, 2, 47, permuted=True).next() == ([0, 47], 0)


@given(
    warriors=st.integers(3, 36),
    distance=st.integers(1, 60),
    spare=st.integers(0, 1000),
    number=st.integers(0, 2**31 - 2),
)
def test_many_warriors_keep_their_distance(warriors: int, distance: int, spare: int, number: int) -> None:
    """With little room the first way of placing gives up and the second one is taken."""
    rules = Rules(size=warriors * distance + spare, length=distance, distance=distance)
    placement = seeded(rules, warriors, number)
    for round in range(5):
        positions, starter = placement.next()
        assert starter == round % warriors
        assert positions[0] == 0
        assert all(later - earlier >= distance for earlier, later in pairwise(sorted(positions)))
        assert max(positions) + distance <= rules.size


def test_the_checksum_depends_on_every_field_and_the_order() -> None:
    base = [warrior("MOV.I $0,$1"), warrior("ADD.AB #4,$3")]
    assert checksum([warrior("MOV.I $0,$1")]) == 6 + (1 ^ 1) + (1 ^ 2) + (0 ^ 3) + (1 ^ 4)
    others = [
        base[::-1],
        [warrior("ADD.I $0,$1"), base[1]],
        [warrior("MOV.X $0,$1"), base[1]],
        [warrior("MOV.I *0,$1"), base[1]],
        [base[0], warrior("ADD.AB #4,}3")],
        [base[0], warrior("ADD.AB #4,$4")],
    ]
    assert checksum(base) not in [checksum(other) for other in others]


def test_positions_depend_on_the_checksum_alone() -> None:
    """The first two pairs differ, but (0 ^ 3) + (1 ^ 4) is (7 ^ 3) + (0 ^ 4)."""
    found = []
    for line in ("MOV.I $0,$1", "MOV.I $7,$0", "MOV.I $0,$2"):
        warriors = [warrior(line, 80), warrior("ADD.AB #4,$3", 80), warrior("DAT.F #0,#0", 80)]
        positions = from_checksum(NANO, warriors)
        found.append((checksum(warriors), [positions.next() for _ in range(9)]))
    one, same, other = found
    assert one == same
    assert one[0] != other[0] and one[1] != other[1]


def test_impossible_placements_are_refused() -> None:
    with pytest.raises(ValueError, match="too small for 17"):
        seeded(NANO, 17, 1)
    with pytest.raises(ValueError, match="only two warriors"):
        StartPositions(NANO, 3, 1, permuted=True)
    with pytest.raises(ValueError, match="nearer than the distance"):
        fixed(NANO, 2, 4)
    with pytest.raises(ValueError, match="negative"):
        StartPositions(NANO, 2, -1)


# A round that repeats itself: noticed early, and never with another result than the full time gives.


SMALL = Rules(size=80, cycles=3000, processes=8, length=8, distance=8)
STANDARD = Rules()
FOR_EVER = 1 << 60


def assembled(*lines: str, rules: Rules = STANDARD) -> Warrior:
    return load_file.loads("\n".join(lines), rules)


IMP_ECHO = assembled("MOV.I $0, $1")
WAITER = assembled("JMP.B $0, $0")
COUNTER = assembled("ADD.AB #1, $1", "JMP.B $-1, #0")  # comes round when it has counted all of the core
# Counts in its P-space; its core and queue are the same after every five instructions.
LISTENER = assembled(
    "LDP.AB #1, $5",
    "ADD.AB #1, $4",
    "STP.B $3, #1",
    "MOV.AB #0, $2",
    "JMP.B $-4, #0",
    "DAT.F #0, #0",
    rules=SMALL,
)


def both(rules: Rules, warriors: list[Warrior], rounds: int, seed: int) -> tuple[Battle, Battle]:
    """The same battle for the full time and round by round with its short cut."""
    full = Battle(rules, warriors, rounds, seeded(rules, len(warriors), seed))
    full.run(FOR_EVER)
    short = Battle(rules, warriors, rounds, seeded(rules, len(warriors), seed))
    short.run_round()
    while short.next_round():
        short.run_round()
    return full, short


@given(seed=st.integers(0, 2**31 - 2), count=st.integers(2, 4))
@settings(max_examples=300)
def test_stopping_repeating_rounds_early_does_not_change_results(seed: int, count: int) -> None:
    rng = Random(seed)
    soup = RandomCode(operations=ALL, size=80, value_bits=7)
    warriors = [Warrior("", "", soup.cells(1 + rng.below(8), rng), 0) for _ in range(count)]
    full, short = both(SMALL, warriors, 3, seed)
    assert short.results == full.results
    assert short.executed <= full.executed


@pytest.mark.parametrize(
    ("warriors", "share"),
    [
        ([WAITER, WAITER], 0.05),
        ([IMP_ECHO, IMP_ECHO], 0.25),
        ([IMP_ECHO, WAITER], 1.0),
        ([COUNTER, WAITER], 0.6),
    ],
)
def test_loops_are_not_run_to_the_end(warriors: list[Warrior], share: float) -> None:
    full, short = both(STANDARD, warriors, 2, 99)
    assert short.results == full.results
    assert short.executed <= share * full.executed


@pytest.mark.parametrize("count", [1, 2, 3])
def test_warriors_with_more_processes_than_turns_cannot_die(count: int) -> None:
    """Even if all that they execute from now on is DAT; and who has as many or fewer then dies."""
    rules = Rules(size=80, cycles=20, processes=80, length=8, distance=8)
    mars = Mars(rules, [assembled("SPL.B $0, $0", rules=rules)] * count)
    seen = set()
    for ticks in range(1, 20 * count):
        mars.begin([8 * seat for seat in range(count)], 0)
        mars.run(ticks)
        safe = mars.is_safe()
        for address in range(80):
            mars.set_cell(address, EMPTY)
        mars.run(FOR_EVER)
        assert (mars.living == count) == safe
        seen.add(safe)
    assert seen == {False, True}


def test_safe_warriors_are_not_run_to_the_end() -> None:
    counter = assembled("SPL.B $0, >5", "JMP.B $-1, $0")
    full, short = both(STANDARD, [counter, counter], 2, 5)
    assert (short.results, short.executed) == (full.results, full.executed)
    assert b_of(short.mars.cell(5)) != b_of(full.mars.cell(5))


def test_the_pspace_is_part_of_the_state_that_must_repeat() -> None:
    rules = Rules(size=80, cycles=3003, processes=8, length=8, distance=8)
    full, short = both(rules, [LISTENER, WAITER], 2, 7)
    assert full.mars.pspace(0)[1] == 2 * 601 % 80
    assert short.mars.pspace(0) == full.mars.pspace(0)
    assert short.results == full.results
    assert short.executed < full.executed / 2
