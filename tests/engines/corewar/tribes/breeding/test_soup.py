"""Primordial soup: instructions whose parts are all there, each as often as the others."""

from collections import Counter

from core.corewar.instruction import CMP, LDP, STP, operation_of
from core.random import Random
from engines.corewar.tribes.breeding.soup import Soup
from engines.corewar.tribes.config import TribesConfig


def test_sixteen_operations_without_pspace() -> None:
    soup = Soup.of(TribesConfig())
    rng = Random(1)
    counts = Counter(operation_of(soup.instruction(rng)) for _ in range(16_000))
    assert len(counts) == 16 and not {CMP, LDP, STP} & counts.keys()
    assert all(800 < count < 1200 for count in counts.values())
    assert soup.value_bits == 13


def test_two_more_with_it() -> None:
    soup = Soup.of(TribesConfig(pspace="on"))
    rng = Random(1)
    assert {LDP, STP} < {operation_of(soup.instruction(rng)) for _ in range(1000)}


def test_parts_make_the_instruction_again() -> None:
    soup = Soup.of(TribesConfig(pspace="on"))
    rng = Random(2)
    for cell in soup.cells(200, rng):
        parts = soup.parts(cell)
        assert soup.joined(parts) == cell
        assert all(0 <= part < choices for part, choices in zip(parts, soup.choices, strict=True))
