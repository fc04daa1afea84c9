"""The fight under the debugger comes to the same whether it is watched at every instruction or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.rules import Rules
from tests.protocols.cdb.fights import debugger, heard, warrior_text

NAMES = st.sampled_from(["imp", "dwarf", "paper", "switch", "dies"])


def shown(warriors: list[str], lines: list[str], cycles: int = 300) -> str:
    """What is said to the last of the lines."""
    built, _ = debugger(map(warrior_text, warriors), Rules(cycles=cycles, processes=20), place=500, rounds=9)
    said = heard(built.start())
    for line in lines:
        said = heard(built.receive(line))
    return said


@given(st.lists(NAMES, min_size=2, max_size=2), st.integers(0, 2000))
def test_watched_and_unwatched(warriors: list[str], ticks: int) -> None:
    """A trace that nobody comes to makes the fight look at every instruction."""
    lines = [f"skip {ticks}", "registers"]
    assert shown(warriors, lines) == shown(warriors, ["trace 7777", *lines])


@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(st.integers(0, 60), min_size=1, max_size=6))
def test_many_skips_are_one(warriors: list[str], parts: list[int]) -> None:
    """Each skip ends with the instruction that is shown."""
    whole = sum(parts) + len(parts) - 1
    assert shown(warriors, [*(f"skip {part}" for part in parts), "registers"]) == shown(
        warriors, [f"skip {whole}", "registers"]
    )


@pytest.mark.parametrize("cycles", [1, 2, 3, 50])
def test_steps_are_all_ticks(cycles: int) -> None:
    """A round of two imps has so many halts as instructions."""
    said = shown(["imp", "imp"], [f"skip {2 * cycles}", "registers"], cycles)
    assert said.startswith(f"Round 2   of 9          Cycle {cycles}\n")
