"""Primordial soup: instructions whose parts are all there, each as often as the others."""

from collections import Counter

from core.corewar.instruction import (
    CMP,
    DJN,
    DOT_F,
    DOT_I,
    LDP,
    MOV,
    STP,
    a_of,
    b_of,
    modifier_of,
    operation_of,
    signed,
)  # fmt: skip
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


def test_common_instructions_are_drawn_as_often_as_they_are_listed() -> None:
    soup = Soup.of(TribesConfig(instructions="MOV.I MOV.I MOV DJN.F"))
    rng = Random(3)
    drawn = Counter((operation_of(cell), modifier_of(cell)) for cell in soup.cells(4000, rng))
    assert {operation for operation, _ in drawn} == {MOV, DJN}
    assert {modifier for operation, modifier in drawn if operation == DJN} == {DOT_F}
    assert 900 < drawn[DJN, DOT_F] < 1100
    assert 2000 < drawn[MOV, DOT_I] < 2300, "twice by name, and a seventh of the third"
    assert len(drawn) == 8


def test_a_share_of_the_values_is_near() -> None:
    soup = Soup.of(TribesConfig(near=0.5, reach=3))
    values = [
        signed(value, 8000) for cell in soup.cells(2000, Random(4)) for value in (a_of(cell), b_of(cell))
    ]
    near = [value for value in values if -3 <= value <= 3]
    assert 1900 < len(near) < 2150
    assert set(near) == set(range(-3, 4))
    assert max(values) > 3900


def test_a_redrawn_part_is_common_too() -> None:
    soup = Soup.of(TribesConfig(instructions="MOV", near=1, reach=1))
    rng = Random(5)
    assert {soup.operations[soup.drawn(0, rng)] for _ in range(50)} == {MOV}
    assert {soup.drawn(4, rng) for _ in range(100)} == {0, 1, 7999}
