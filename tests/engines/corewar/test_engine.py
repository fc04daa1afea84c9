"""The engine of Core War: what it writes lives under any rules."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.corewar.battle import Battle, seeded
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.engine import CorewarEngine, dwarf_step


def written(rules: Rules) -> Warrior:
    return asyncio.run(CorewarEngine().write(rules))


@settings(max_examples=60)
@given(st.integers(5, 700), st.integers(1, 5))
def test_it_survives_alone(size: int, length: int) -> None:
    rules = Rules(size=size, cycles=4 * size, processes=8, length=length, distance=length)
    warrior = written(rules)
    assert 1 <= len(warrior.cells) <= length
    battle = Battle(rules, [warrior], 1, seeded(rules, 1, 1))
    assert battle.run(10 * size)
    assert battle.mars.is_alive(0)


@pytest.mark.parametrize(("size", "step"), [(8000, 4), (55_440, 4), (4095, 5), (7, 0), (8191, 0), (1, 0)])
def test_the_step_comes_round(size: int, step: int) -> None:
    assert dwarf_step(size) == step


def test_too_little_room_for_a_dwarf() -> None:
    assert written(Rules(length=3)).name == "Imp"
    assert written(Rules(size=8191)).name == "Imp"
    assert written(Rules()).name == "Dwarf"
