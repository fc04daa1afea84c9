"""The film of a fight: what it marks, how it folds a core, and that it changes nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.battle import Battle
from core.corewar.placement import fixed
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from protocols.redcode.assemble import assemble
from tools.mars.screen.film import LEGEND, Film, Window

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


def test_an_imp_leaves_what_it_executed_behind_it() -> None:
    film = Film(battle(IMP, DIES), Window(columns=100, rows=20, coloured=False))
    assert film.fold == 1 and core(film)[0] == "@" and core(film)[400] == "@"
    film.run(1)
    assert core(film)[:3] == "1@."
    film.run(1)
    assert core(film)[400] == "X"


def test_reading_leaves_no_mark_on_what_was_written() -> None:
    film = Film(battle(DWARF, IMP), Window(columns=100, rows=20, coloured=False))
    film.run(7)
    assert core(film)[:9] == "A1@1A...."  # the fourth instruction is done, the bomb lies at 4
    assert "a" not in core(film)


def test_a_new_round_begins_with_an_empty_core() -> None:
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
def test_watching_changes_nothing(ticks: int) -> None:
    watched, unwatched = battle(DWARF, IMP, rounds=3), battle(DWARF, IMP, rounds=3)
    film = Film(watched, Window(columns=80, rows=20, coloured=True))
    while not watched.is_over():
        film.run(ticks)
    unwatched.run(10**9)
    assert watched.results == unwatched.results and watched.executed == unwatched.executed
