"""An instruction of Redcode as one integer, the content of a cell of the core.

    B value << 38 | A value << 14 | operation << 9 | modifier << 6 | A mode << 3 | B mode

The four small fields are the code of the cell. The B value is in the highest bits, so a shift extracts it without a
mask. Values are unsigned, 0 to size - 1. With 24 bits for each value, a cell stays below 2**62, where mypyc keeps
integers unboxed; the largest core has 2**24 cells. The numbers of operations, modifiers and modes are those of pMARS,
because its checksum of warriors depends on them.
"""

from typing import Final

from mypy_extensions import i64

OPERATIONS: Final = (
    "MOV", "ADD", "SUB", "MUL", "DIV", "MOD", "JMZ", "JMN", "DJN", "CMP",
    "SLT", "SPL", "DAT", "JMP", "SEQ", "SNE", "NOP", "LDP", "STP",
)  # fmt: skip
MODIFIERS: Final = ("A", "B", "AB", "BA", "F", "X", "I")
MODES: Final = "#$@<>*{}"

LARGEST_CORE: Final = 1 << 24

MOV: Final = 0
ADD: Final = 1
SUB: Final = 2
MUL: Final = 3
DIV: Final = 4
MOD: Final = 5
JMZ: Final = 6
JMN: Final = 7
DJN: Final = 8
CMP: Final = 9
SLT: Final = 10
SPL: Final = 11
DAT: Final = 12
JMP: Final = 13
SEQ: Final = 14
SNE: Final = 15
NOP: Final = 16
LDP: Final = 17
STP: Final = 18

DOT_A: Final = 0
DOT_B: Final = 1
DOT_AB: Final = 2
DOT_BA: Final = 3
DOT_F: Final = 4
DOT_X: Final = 5
DOT_I: Final = 6

IMMEDIATE: Final = 0  # '#'
DIRECT: Final = 1  # '$'
B_INDIRECT: Final = 2  # '@'
B_DECREMENT: Final = 3  # '<'
B_INCREMENT: Final = 4  # '>'
A_INDIRECT: Final = 5  # '*'
A_DECREMENT: Final = 6  # '{'
A_INCREMENT: Final = 7  # '}'

OPERATION_SHIFT: Final = 9
MODIFIER_SHIFT: Final = 6
A_MODE_SHIFT: Final = 3
A_SHIFT: Final = 14
B_SHIFT: Final = 38

VALUE: Final = LARGEST_CORE - 1
B_MODE: Final = 7  # masks of the parts of a cell
A_MODE: Final = 7 << A_MODE_SHIFT
CODE: Final = (1 << A_SHIFT) - 1
A_VALUE: Final = VALUE << A_SHIFT
B_VALUE: Final = VALUE << B_SHIFT
NOT_A: Final = ~A_VALUE
NOT_B: Final = ~B_VALUE
VALUES: Final = A_VALUE | B_VALUE
ONE_A: Final = 1 << A_SHIFT  # an A value of 1
ONE_B: Final = 1 << B_SHIFT

EMPTY: Final = (12 << 9) | (4 << 6) | (1 << 3) | 1  # DAT.F $0, $0, the cells of an empty core


def pack(operation: i64, modifier: i64, a_mode: i64, a: i64, b_mode: i64, b: i64) -> i64:
    """Return the cell with these six fields; raises ValueError if a field is out of its range."""
    if (
        not 0 <= operation < 19
        or not 0 <= modifier < 7
        or not 0 <= a_mode < 8
        or not 0 <= b_mode < 8
        or not 0 <= a < LARGEST_CORE
        or not 0 <= b < LARGEST_CORE
    ):
        raise ValueError(
            f"these are not the fields of an instruction: {operation} {modifier} {a_mode} {a} {b_mode} {b}"
        )
    code = (operation << OPERATION_SHIFT) | (modifier << MODIFIER_SHIFT) | (a_mode << A_MODE_SHIFT) | b_mode
    return (b << B_SHIFT) | (a << A_SHIFT) | code


def operation_of(cell: i64) -> i64:
    return (cell >> OPERATION_SHIFT) & 31


def modifier_of(cell: i64) -> i64:
    return (cell >> MODIFIER_SHIFT) & 7


def a_mode_of(cell: i64) -> i64:
    return (cell >> A_MODE_SHIFT) & 7


def b_mode_of(cell: i64) -> i64:
    return cell & B_MODE


def a_of(cell: i64) -> i64:
    return (cell >> A_SHIFT) & VALUE


def b_of(cell: i64) -> i64:
    return cell >> B_SHIFT


def signed(value: i64, size: i64) -> i64:
    """Return the value of a field as a signed number: values above half the core's size become negative."""
    return value - size if value > size // 2 else value
