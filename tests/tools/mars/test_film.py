"""The film of a fight: what it marks, how it folds a core, and that it changes nothing."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.corewar.assembler import assemble
from core.corewar.battle import Battle, fixed
from core.corewar.interpreter import DIE, READ, SPLIT, trace
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.recording import record
from tests.tools.mars.fights import CODES, RULES
from tests.tools.mars.fights import battle as recorded_battle
from tools.mars.film import DEAD, EXECUTED, LEGEND, MARKS, SEEN, WRITTEN, Film, Replay, Window

IMP = "mov 0, 1"
DWARF = "bomb dat #0, #0\nstart add.ab #4, bomb\nmov bomb, @bomb\njmp start\nend start"
DIES = "dat 0, 0"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def battle(first: str, second: str, size: int = 800, rounds: int = 1, cycles: int = 800) -> Battle:
    rules = Rules(size=size, cycles=cycles, processes=8, length=20, distance=20)
    warriors = [_warrior(text, name, rules) for text, name in ((first, "First"), (second, "Se\x1bcond"))]
    return Battle(rules, warriors, rounds, fixed(rules, 2, size // 2))


def _warrior(text: str, name: str, rules: Rules) -> Warrior:
    assembly = assemble(f";assert 1\n{text}", rules)
    return Warrior(name, "", assembly.cells, assembly.start)


def core(film: Film) -> str:
    lines = list(film.lines())
    return "".join(lines[lines.index(LEGEND) + 1 :])


def test_an_imp_marks_the_cells_that_it_executed() -> None:
    film = Film(battle(IMP, DIES), Window(columns=100, rows=20, coloured=False))
    assert film.fold == 1 and core(film)[0] == "@" and core(film)[400] == "@"
    film.run(1)
    assert core(film)[:3] == "1@."
    film.run(1)
    assert core(film)[400] == "X"


def test_reading_leaves_no_mark_on_written_cells() -> None:
    film = Film(battle(DWARF, IMP), Window(columns=100, rows=20, coloured=False))
    film.run(7)
    assert core(film)[:9] == "A1@1A...."  # the fourth instruction is done, the bomb lies at 4
    assert "a" not in core(film)


def test_a_new_round_starts_with_an_empty_core() -> None:
    film = Film(battle(IMP, DIES, rounds=2), Window(columns=100, rows=20, coloured=False))
    film.run_round()
    assert "X" in core(film) and next(iter(film.lines())).startswith("Round 1 of 2")
    film.run(0)
    assert "X" not in core(film) and next(iter(film.lines())).startswith("Round 2 of 2")


@given(
    size=st.integers(40, 3000),
    columns=st.integers(1, 120),
    rows=st.integers(1, 40),
    coloured=st.booleans(),
)
def test_any_core_fits_any_window(size: int, columns: int, rows: int, coloured: bool) -> None:
    film = Film(battle(DWARF, IMP, size=size), Window(columns=columns, rows=rows, coloured=coloured))
    film.run(50)
    lines = [ESCAPE.sub("", line) for line in film.lines()]
    assert all(len(line) <= columns for line in lines)
    heading = lines.index(LEGEND[:columns]) + 1
    assert sum(map(len, lines[heading:])) == -(-size // film.fold)
    assert len(lines) <= max(rows, heading + 1)
    assert "\x1b" not in "".join(lines)  # nor from a name


@pytest.mark.parametrize("ticks", [1, 7, 100])
def test_filming_does_not_change_the_results_of_a_battle(ticks: int) -> None:
    watched, unwatched = battle(DWARF, IMP, rounds=3), battle(DWARF, IMP, rounds=3)
    film = Film(watched, Window(columns=80, rows=20, coloured=True))
    while not watched.is_over():
        film.run(ticks)
    unwatched.run(10**9)
    assert watched.results == unwatched.results and watched.executed == unwatched.executed


# A replay shows what the instructions did.


HEAVIER = {READ: SEEN, DIE: DEAD, 0: EXECUTED, SPLIT: None}


@settings(max_examples=30)
@given(st.sampled_from(CODES), st.sampled_from(CODES), st.integers(20, 780))
def test_each_instruction_leaves_its_marks(first: str, second: str, place: int) -> None:
    fight = recorded_battle(first, second, place)
    mars = fight.mars
    replay = Replay(record(recorded_battle(first, second, place)))
    while not mars.over:
        seat, touched = mars.turn, trace(mars)
        expected = list(replay.display.marks)
        for kind, address in touched:
            mark = HEAVIER.get(kind, WRITTEN)
            light = expected[address] == 0 or (expected[address] - 1) % MARKS == SEEN
            if mark is not None and (mark != SEEN or light):
                expected[address] = 1 + mark + MARKS * seat
        mars.run(1)
        assert replay.run(1) == {address for kind, address in touched if kind not in (READ, SPLIT)}
        assert list(replay.display.marks) == expected
        assert replay.processes == [mars.count(0), mars.count(1)]
    assert replay.run(1) == set()


@settings(max_examples=30)
@given(st.sampled_from(CODES), st.lists(st.integers(0, 400)))
def test_a_replay_runs_in_steps_of_any_length(code: str, steps: list[int]) -> None:
    recording = record(recorded_battle(code, CODES[0]))
    whole, pieces = Replay(recording), Replay(recording)
    changed = whole.run(sum(steps))
    assert set().union(*map(pieces.run, steps)) == changed
    assert (pieces.display.marks, pieces.processes) == (whole.display.marks, whole.processes)


def test_a_replay_starts_with_only_the_warriors_in_the_core() -> None:
    replay = Replay(record(recorded_battle(CODES[1], CODES[2])))
    marks = {address: value for address, value in enumerate(replay.display.marks) if value}
    assert marks == {0: 2, 1: 2, 2: 2, 3: 2, 400: 2 + MARKS}
    assert len(replay.display.marks) == RULES.size and replay.processes == [1, 1]
