"""A plain line of Redcode: a label, an operation and two operands of plain arithmetic. Most lines are.

It is read character by character. What does not fit is left to the assembler proper, which knows every
custom of pMARS; both ways give the same instruction.
"""

from typing import Final, final

from mypy_extensions import i64

from core.corewar.expression import Evaluator, Registers, evaluate
from core.corewar.instruction import (
    A_SHIFT,
    B_SHIFT,
    CMP,
    DAT,
    DIRECT,
    DJN,
    DOT_AB,
    DOT_B,
    DOT_F,
    DOT_I,
    IMMEDIATE,
    JMN,
    JMP,
    JMZ,
    LDP,
    MODES,
    MODIFIERS,
    MOV,
    NOP,
    OPERATIONS,
    SEQ,
    SLT,
    SNE,
    SPL,
    STP,
    pack,
)
from core.corewar.lexer import (
    CLOSE,
    COLON,
    COMMA,
    DOT,
    MINUS,
    OPEN,
    PERCENT,
    PLUS,
    SLASH,
    SPACE,
    STAR,
    TAB,
    after_blanks,
    after_name,
    after_space,
    after_word,
    character,
    is_digit,
    is_word,
)

NUMBERS: Final = {name: number for number, name in enumerate(OPERATIONS)}
MODIFIER_NUMBERS: Final = {name: number for number, name in enumerate(MODIFIERS)}
WORDS: Final = frozenset((*OPERATIONS, "ORG", "END", "PIN", "FOR", "ROF", "EQU"))
RESERVED: Final = WORDS | {"CURLINE"}


@final
class PlainLine:
    """What a plain line says, its names not looked up. `b` is empty when there is one operand.

    The modifier and the modes are -1 where none is written; `code` is the cell without its values.
    """

    def __init__(
        self, label: str, operation: i64, modifier: i64, a_mode: i64, a: str, b_mode: i64, b: str
    ) -> None:
        self.label: Final = label
        self.operation: Final = operation
        self.modifier: Final = modifier
        self.a_mode: Final = a_mode
        self.b_mode: Final = b_mode
        self.a: Final = a
        self.b: Final = b
        if a_mode < 0:
            a_mode = DIRECT
        if b_mode < 0:
            b_mode = DIRECT
        if not b and operation == DAT:  # the operand of a DAT is its second
            a_mode, b_mode = IMMEDIATE, a_mode
        if modifier < 0:
            modifier = default_modifier(operation, a_mode, b_mode)
        self.code: Final = pack(operation, modifier, a_mode, 0, b_mode, 0)

    def text(self) -> str:
        """The instruction as it is written."""
        modifier = "" if self.modifier < 0 else f".{MODIFIERS[self.modifier]}"
        second = f",{mode_text(self.b_mode)}{self.b}" if self.b else ""
        return f"{OPERATIONS[self.operation]}{modifier} {mode_text(self.a_mode)}{self.a}{second}"


def plain_line(text: str) -> PlainLine | None:
    """The line, if it is a plain one."""
    size: i64 = len(text)
    start = after_space(text, 0)
    end = after_name(text, start)
    label = ""
    operation: i64 = NUMBERS.get(text[start:end].upper(), -1)
    if operation < 0:
        label = text[start:end]
        if not label or is_digit(ord(label[0])) or is_reserved(label):
            return None
        start = after_space(text, end + 1 if character(text, end) == COLON else end)
        if start == end:
            return None
        end = after_word(text, start)
        operation = NUMBERS.get(text[start:end].upper(), -1)
        if operation < 0:
            return None
    modifier: i64 = -1
    if character(text, end) == DOT:
        start = end + 1
        end = after_word(text, start)
        modifier = MODIFIER_NUMBERS.get(text[start:end].upper(), -1)
        if modifier < 0:
            return None
    start = after_blanks(text, end)
    if start == end:
        return None
    a_mode = mode_at(text, start)
    if a_mode >= 0:
        start = after_blanks(text, start + 1)
    end = after_arithmetic(text, start)
    if end < 0:
        return None
    a = text[start:end].rstrip()
    b_mode: i64 = -1
    b = ""
    if end < size:
        start = after_blanks(text, end + 1)
        b_mode = mode_at(text, start)
        if b_mode >= 0:
            start = after_blanks(text, start + 1)
        if after_arithmetic(text, start) != size:
            return None
        b = text[start:].rstrip()
    elif operation != DAT and operation != SPL and operation != JMP and operation != NOP:
        return None
    return PlainLine(label, operation, modifier, a_mode, a, b_mode, b)


def is_plain_arithmetic(text: str) -> bool:
    """Whether a text can be put in the place of a name without looking at what is around it."""
    return after_arithmetic(text, 0) == len(text)


def default_modifier(operation: i64, a_mode: i64, b_mode: i64) -> i64:
    """The modifier of an instruction that is written without one."""
    if operation == DAT or operation == NOP:
        return DOT_F
    if operation == SLT or operation == LDP or operation == STP:
        return DOT_AB if a_mode == IMMEDIATE else DOT_B
    if operation == SPL or operation == JMP or operation == JMZ or operation == JMN or operation == DJN:
        return DOT_B
    if a_mode == IMMEDIATE:
        return DOT_AB
    if b_mode == IMMEDIATE:
        return DOT_B
    if operation == MOV or operation == CMP or operation == SEQ or operation == SNE:
        return DOT_I
    return DOT_F


def is_reserved(name: str) -> bool:
    """Whether a name begins with a word of the language, up to an &."""
    return name.partition("&")[0].upper() in RESERVED


def mode_at(text: str, at: i64) -> i64:
    """The addressing mode that a character stands for, -1 when it is none."""
    return MODES.find(text[at]) if at < len(text) else -1


def after_arithmetic(text: str, at: i64) -> i64:
    """The end of the names, numbers, + - * / % and parentheses there, a comma or the end of the text.

    -1 when there is something else, or two words side by side: pMARS joins two numbers.
    """
    first = character(text, at)
    if not (is_word(first) or first == PLUS or first == MINUS or first == OPEN):
        return -1
    after_a_word = False
    while at < len(text):
        following: i64 = ord(text[at])
        if is_word(following):
            end = after_name(text, at)
            if after_a_word or (is_digit(following) and not is_number(text, at, end)):
                return -1
            after_a_word = True
            at = end
            continue
        if following == COMMA:
            return at
        if following != SPACE and following != TAB:
            after_a_word = False
            if not (
                following == PLUS
                or following == MINUS
                or following == STAR
                or following == SLASH
                or following == PERCENT
                or following == OPEN
                or following == CLOSE
            ):
                return -1
        at += 1
    return at


def mode_text(mode: i64) -> str:
    return "" if mode < 0 else MODES[mode]


def is_number(text: str, at: i64, end: i64) -> bool:
    while at < end and is_digit(ord(text[at])):
        at += 1
    return at == end


# Plain lines become cells: names are put in, and their operands computed, without a detour.
#
# What names more than arithmetic is left to the assembler proper.


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
