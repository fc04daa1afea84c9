"""Phrases: what they say about P-space, when a core executes them."""

from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import OPERATIONS, a_of, b_of, operation_of
from core.corewar.rules import Rules
from core.random import Random
from engines.corewar import load_file
from engines.corewar.tribes.breeding.phrases import LONGEST, NUMBERS, phrase

RULES = Rules(size=80, length=5, distance=5)


def test_all_that_can_be_said() -> None:
    rng = Random(1)
    said = {" ".join(OPERATIONS[operation_of(cell)] for cell in phrase([7], 80, rng)) for _ in range(300)}
    assert said == {
        "LDP JMZ", "LDP JMN", "LDP SEQ JMP", "LDP SNE JMP", "LDP SLT JMP", "LDP ADD STP", "LDP SUB STP", "STP", "JMP",
    }  # fmt: skip


@given(st.integers(0, 2**32), st.integers(-20, 20))
def test_it_goes_on_where_it_is_told_and_reads_what_it_loaded(seed: int, place: int) -> None:
    cells = phrase([place], 80, Random(seed))
    assert 1 <= len(cells) <= LONGEST
    for at, cell in enumerate(cells):
        name = OPERATIONS[operation_of(cell)]
        if name in ("JMZ", "JMN", "JMP"):
            assert (at + a_of(cell)) % 80 == place % 80
        if name in ("JMZ", "JMN", "SEQ", "SNE", "SLT", "ADD", "SUB"):
            assert (at + b_of(cell)) % 80 == 0
        if name in ("LDP", "SEQ", "SNE", "SLT", "ADD", "SUB"):
            assert a_of(cell) < NUMBERS


def test_the_oldest_of_all_switches_is_one_of_them() -> None:
    """Another way after a defeat: two phrases in thousands are no rarity."""
    wanted = load_file.loads("LDP.AB #0, #0\nJMZ.B $8, $-1", RULES).cells
    rng = Random(2)
    assert sum(phrase(range(20), 80, rng) == wanted for _ in range(20_000)) > 5
