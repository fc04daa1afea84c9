"""An instruction from the register does what the MARS does with the same one from the core."""

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import EMPTY, pack
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from protocols.cdb.register import execute, pointers

SIZE = 11
RULES = Rules(size=SIZE, cycles=10, length=SIZE // 2, distance=SIZE // 2, pspace=3)
VALUES = st.integers(0, SIZE - 1)
CELLS = st.builds(
    pack,
    st.integers(0, 18),
    st.integers(0, 6),
    st.integers(0, 7),
    VALUES,
    st.integers(0, 7),
    VALUES,
)
CORES = st.lists(CELLS, min_size=SIZE, max_size=SIZE)


def loaded(cells: list[int]) -> Mars:
    """A core with these cells, and a warrior whose process is at 0."""
    mars = Mars(RULES, [Warrior("a", "b", (EMPTY,), 0), Warrior("c", "d", (EMPTY,), 0)])
    mars.begin([0, 5], 0)
    for address, cell in enumerate(cells):
        mars.set_cell(address, cell)
    for index in range(3):
        mars.set_pspace(0, index, index + 4)
    return mars


@given(CORES)
def test_execute(cells: list[int]) -> None:
    expected, found = loaded(cells), loaded(cells)
    expected.run(1)
    followers = execute(found, 0, cells[0], 0)
    assert [found.cell(address) for address in range(SIZE)] == [
        expected.cell(address) for address in range(SIZE)
    ]
    assert followers == expected.processes(0)
    if followers:  # else the round is over, and cell 0 tells
        assert found.pspace(0) == expected.pspace(0)


@given(CORES)
def test_pointers_leave_the_core_alone(cells: list[int]) -> None:
    mars = loaded(cells)
    x, y = pointers(mars, cells[0], 0)
    assert [mars.cell(address) for address in range(SIZE)] == cells
    assert 0 <= x < SIZE
    assert 0 <= y < SIZE
