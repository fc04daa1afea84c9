"""Plain lines become cells: names are put in, and their operands computed, without a detour.

What names more than arithmetic is left to the assembler proper.
"""

from typing import Final, final

from mypy_extensions import i64

from core.corewar.instruction import A_SHIFT, B_SHIFT, DAT
from core.corewar.redcode.characters import after_name, is_digit, is_word
from core.corewar.redcode.expression import Evaluator, Registers, evaluate
from core.corewar.redcode.plain import PlainLine, is_reserved

LONGEST: Final = 110  # characters of an operand: far from where a line of pMARS would overflow

LATER: Final = -1  # a name is not known yet, or there is no value
NOT_PLAIN: Final = -2


@final
class Counter:
    """How many times a FOR block has begun; two digits at least, from any instruction."""

    def __init__(self, value: int) -> None:
        self.digits: Final = f"{value:02}"

    def number(self, instruction: int) -> str:
        return self.digits


# What a name stands for: the address of a label, a text of plain arithmetic, or None: more than that.
Names = dict[str, int | str | Counter | None]


@final
class Encoder:
    """Plain lines into cells, for a core of a size; `names` grows while a text is read."""

    def __init__(self, names: Names, size: i64, evaluator: Evaluator, equ_depth: i64, depth: i64) -> None:
        self.names: Final = names
        self.size: Final = size
        self.evaluator: Final = evaluator
        self.equ_depth: Final = equ_depth
        self.depth: Final = depth
        self.registers: Final = Registers()  # stays empty: a letter that is no name is looked at LATER
        self.is_known = True
        self.a = ""  # the operands of the line before, as far as they are known
        self.b = ""

    def cell(self, line: PlainLine, address: i64) -> i64:
        """The cell of a line at an address, or LATER, or NOT_PLAIN."""
        self.is_known = True
        a = self.substituted(line.a, address, self.equ_depth)
        b = self.substituted(line.b, address, self.equ_depth)
        if a is None or b is None:
            return NOT_PLAIN
        self.a, self.b = a, b
        if not self.is_known:
            return LATER
        try:
            x, x_overflow = evaluate(a, self.registers, self.evaluator, self.depth)
            y, y_overflow = evaluate(b or "0", self.registers, self.evaluator, self.depth)
        except ValueError:
            return LATER
        if x_overflow or y_overflow:
            return LATER
        if not b and line.operation == DAT:
            x, y = 0, x
        return line.code | (x % self.size) << A_SHIFT | (y % self.size) << B_SHIFT

    def partly(self, line: PlainLine) -> PlainLine:
        """The line that cell() was asked for last, with what its names stand for so far."""
        return PlainLine("", line.operation, line.modifier, line.a_mode, self.a, line.b_mode, self.b)

    def substituted(self, operand: str, address: i64, depth: i64) -> str | None:
        """An operand with numbers for the names that are known; `is_known` falls where one is not.

        None when that is not simple: a reserved word, a text that is more than arithmetic, or too much of it.
        """
        size: i64 = len(operand)
        pieces: list[str] = []
        copied: i64 = 0
        at: i64 = 0
        while at < size:
            first: i64 = ord(operand[at])
            if not is_word(first):
                at += 1
                continue
            end = after_name(operand, at)
            if is_digit(first):
                at = end
                continue
            written = operand[at:end]
            name = self.concatenated(written)
            if name is None:
                return None
            text: str | None = name
            if name in self.names:
                text = self.meaning(name, address, depth)
            elif is_reserved(written):
                return None
            else:
                self.is_known = False
            if text is None:
                return None
            pieces.append(operand[copied:at])
            pieces.append(text)
            at = copied = end
        if pieces:
            pieces.append(operand[copied:])
            operand = "".join(pieces)
        return operand if len(operand) <= LONGEST else None

    def concatenated(self, name: str) -> str | None:
        """`name&counter` with the counter's digits; None when that is no counter."""
        if "&" not in name:
            return name
        if is_reserved(name):
            return None
        whole = ""
        for part in name.split("&"):
            if not whole:
                whole = part
                continue
            counter = self.names.get(part)
            if not isinstance(counter, Counter):
                return None
            whole += counter.digits
        return whole

    def meaning(self, name: str, address: i64, depth: i64) -> str | None:
        meaning = self.names[name]
        if isinstance(meaning, int):
            return str(meaning - address)
        if isinstance(meaning, Counter):
            return meaning.digits
        if isinstance(meaning, str) and depth > 0:
            return self.substituted(meaning, address, depth - 1)
        return None
