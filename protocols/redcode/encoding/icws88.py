"""What ICWS'88 does not have: modifiers, later modes and operations, some operands."""

from collections.abc import Iterator
from typing import Final

from core.corewar.instruction import (
    ADD,
    B_DECREMENT,
    B_INCREMENT,
    CMP,
    DAT,
    DJN,
    IMMEDIATE,
    JMN,
    JMP,
    JMZ,
    MODES,
    MOV,
    OPERATIONS,
    SLT,
    SPL,
    SUB,
)
from protocols.redcode.messages import Problem

MODES_94: Final = frozenset("*{}")


def is_mode_94(mode: int) -> bool:
    """Whether a mode is refused as soon as it is read."""
    return MODES[mode] in MODES_94


def complaints(operation: int, modifier: int, a_mode: int, b_mode: int) -> Iterator[tuple[Problem, str]]:
    """What is wrong with a whole instruction; a modifier of -1 is not written."""
    name = OPERATIONS[operation]
    modes = (a_mode, b_mode)
    if operation == DAT:
        if not set(modes) <= {IMMEDIATE, B_DECREMENT}:
            yield Problem.INVALID_88, "DAT [#<] [#<]"
    elif operation in (MOV, ADD, SUB, CMP):
        if b_mode == IMMEDIATE:
            yield Problem.INVALID_88, f"{name} [#$@<] [$@<]"
    elif operation in (JMP, JMZ, JMN, DJN, SPL):
        if a_mode == IMMEDIATE:
            yield Problem.INVALID_88, f"{name} [$@<] [#$@<]"
    elif operation != SLT:
        yield Problem.BAD_88, name
    if modifier >= 0:
        yield Problem.BAD_88, "."
    if B_INCREMENT in modes:
        yield Problem.BAD_88, ">"
