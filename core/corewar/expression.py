"""Redcode's expressions: 64-bit arithmetic with C's operators and 26 registers, as in pMARS or corrected.

pMARS reads an expression from left to right. The operator that ends a part with a stronger operator is handed back to
the weaker operator that waits for its right side. pMARS 0.9.2 has three faults in this, on which warriors depend:

- After a stronger operator, an operator as strong as the waiting one is taken into the part on its right: 8-2*3-1 is
  8-(2*3-1) = 3.
- The variable for the operator that is handed back has the number of == for "none": a+b*c==d is a bad expression.
- A single = ! & or | between two parts swallows the next character and counts as ==: 8000=8000 is 8000==000, or 0.

pMARS 0.9.4 and 0.9.5 correct the first, except for comparisons (1<2+3*4<5 is 1<(14<5) = 0), but not the others.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from core.corewar.dialect import Evaluator
from core.corewar.lexer import (
    AMPERSAND,
    BAR,
    CLOSE,
    EQUALS,
    EXCLAMATION,
    GREATER,
    LESS,
    MINUS,
    OPEN,
    PERCENT,
    PLUS,
    SLASH,
    STAR,
    is_digit,
    is_letter,
    is_space,
)

MAX_INT64_TEXT: Final = "9223372036854775807"
HALF: Final = 1 << 31  # the product of two numbers below it does not overflow
MAX_DIGITS: Final = 19  # pMARS has room for no more
MAX_PENDING: Final = 200  # operators waiting for their right side: a line of 255 characters has fewer
DEPTH: Final = 64

# The parts of an expression: the number of a character, or one of these. NOTHING stands before the first part and
# after the last.
NOTHING: Final = 0
NUMBER: Final = 1
EQUAL: Final = 2
UNEQUAL: Final = 3
GREATER_OR_EQUAL: Final = 4
LESS_OR_EQUAL: Final = 5
AND: Final = 6
OR: Final = 7


@mypyc_attr(native_class=False)
class ExpressionError(ValueError):
    """An expression that has no value; `column`, the place of the error, counts from 1."""

    def __init__(self, text: str, column: int, reason: str = "Bad expression") -> None:
        super().__init__(f"{reason} at column {column}: {text[:80]!r}")
        self.reason = reason
        self.column = column


@mypyc_attr(native_class=False)
class DivisionByZeroError(ExpressionError, ZeroDivisionError):
    """A division by zero, or a remainder of one."""

    def __init__(self, text: str, column: int) -> None:
        super().__init__(text, column, "Division by zero")


@mypyc_attr(native_class=False)
class TooDeepError(ExpressionError):
    """More parentheses or longer numbers than the limits allow."""


@final
class Registers:
    """The variables a to z of expressions; upper and lower case are the same."""

    def __init__(self) -> None:
        self.values: list[int] = [0] * 26

    def __getitem__(self, letter: str) -> int:
        return self.values[(ord(letter) | 32) - 97]

    def __setitem__(self, letter: str, value: int) -> None:
        self.values[(ord(letter) | 32) - 97] = value

    def clear(self) -> None:
        self.values = [0] * 26


def evaluate(
    text: str, registers: Registers, evaluator: Evaluator = "0.9.2", depth: i64 = DEPTH
) -> tuple[i64, bool]:
    """Return the value of an expression, and whether the computation overflowed 64 bits.

    Raises ExpressionError if the expression has no value. `depth` is the most parentheses and assignments in one
    another.
    """
    if evaluator == "0.9.2":
        reading = Reading(text, registers, depth)
    elif evaluator == "0.9.4":
        reading = LaterReading(text, registers, depth)
    else:
        reading = SaneReading(text, registers, depth)
    value = reading.expression(-1, 0, NOTHING)
    if reading.part != NOTHING:
        reading.wrong()
    if reading.zero:
        raise DivisionByZeroError(text, reading.error_at + 1)
    if reading.error_at >= 0:
        raise ExpressionError(text, reading.error_at + 1)
    return value, reading.overflow


class Reading:
    """A reading of an expression, from left to right, by the rules of pMARS 0.9.2.

    An error does not end the reading; the last error counts.
    """

    def __init__(self, text: str, registers: Registers, depth: i64) -> None:
        self.text = text
        self.registers = registers
        self.depth = depth
        self.error_at: i64 = -1  # the index of the last error in the text
        self.zero = False  # whether the last error was a division by zero
        self.overflow = False
        self.pending: i64 = 0
        self.handed_back: i64 = NOTHING
        self.part: i64 = NOTHING  # the next part, and the indices at which it starts and ends
        self.start: i64 = 0
        self.end: i64 = 0
        self.advance()

    def advance(self) -> None:
        """Move to the next part."""
        text = self.text
        size: i64 = len(text)
        at = self.end
        while at < size and is_space(ord(text[at])):
            at += 1
        self.start = at
        if at == size:
            self.end, self.part = at, NOTHING
            return
        character: i64 = ord(text[at])
        at += 1
        if is_digit(character):
            while at < size and is_digit(ord(text[at])):
                at += 1
            self.end, self.part = at, NUMBER
            return
        following: i64 = ord(text[at]) if at < size else 0
        part = character
        if following == EQUALS:
            if character == EQUALS:
                part = EQUAL
            elif character == EXCLAMATION:
                part = UNEQUAL
            elif character == GREATER:
                part = GREATER_OR_EQUAL
            elif character == LESS:
                part = LESS_OR_EQUAL
        elif following == character:
            if character == AMPERSAND:
                part = AND
            elif character == BAR:
                part = OR
        self.end, self.part = (at if part == character else at + 1), part

    def expression(self, waiting: i64, left: i64, operator: i64) -> i64:
        """Return the value of `left operator` and the parts that follow.

        `waiting` is the strength of the operator that waits for this value, or -1 if none does.
        """
        self.pending += 1
        if self.pending > MAX_PENDING:
            raise self.too_deep("too many operators wait for their right side")
        strength = strength_of(operator)
        resumed = False
        while True:
            value = self.value()
            following = self.following()
            if following == NOTHING:
                value = self.apply(operator, left, value)
                break
            self.handed_back = NOTHING
            next_strength = strength_of(following)
            if strength >= next_strength:
                value = self.apply(operator, left, value)
                if next_strength < waiting and strength > waiting:
                    self.handed_back = following
                    break
                waiting, left, operator = strength, value, following
            else:
                value = self.apply(operator, left, self.expression(strength, value, following))
                following = self.handed_back
                if following == NOTHING or following == EQUAL or strength_of(following) < waiting:
                    break
                waiting, left, operator, resumed = next_strength, value, following, True
            strength = strength_of(operator)
        if resumed:
            self.handed_back = NOTHING
        self.pending -= 1
        return value

    def following(self) -> i64:
        """Take and return the next operator, or NOTHING at the end of an expression."""
        following = self.part
        if following == NOTHING or following == CLOSE:
            return NOTHING
        if following == EQUALS or following == EXCLAMATION or following == AMPERSAND or following == BAR:
            following = EQUAL
            self.end = min(self.end + 1, len(self.text))
        self.advance()
        return following

    def value(self) -> i64:
        """Return the value of a number, a register or an expression in parentheses, with the signs before it."""
        signs = self.start
        while self.part == PLUS or self.part == MINUS or self.part == EXCLAMATION:
            self.advance()
        before = self.start
        part = self.part
        value: i64 = 1
        if part == NUMBER:
            value = self.number()
            self.advance()
        elif part == OPEN:
            self.advance()
            value = self.nested()
            if self.part == CLOSE:
                self.advance()
            else:
                self.wrong()
        elif is_letter(part):
            value = self.register()
        else:
            self.wrong()
        while before > signs:  # the sign nearest to the value is applied first
            before -= 1
            sign: i64 = ord(self.text[before])
            if sign == MINUS:
                value = -value
            elif sign == EXCLAMATION:
                value = 1 if value == 0 else 0
        return value

    def number(self) -> i64:
        digits = self.end - self.start
        if digits > MAX_DIGITS:
            raise self.too_deep(f"a number of more than {MAX_DIGITS} digits")
        if digits == MAX_DIGITS:
            return int(min(self.text[self.start : self.end], MAX_INT64_TEXT))
        value: i64 = 0
        for at in range(self.start, self.end):
            value = value * 10 + (ord(self.text[at]) - 48)
        return value

    def register(self) -> i64:
        number = (self.part | 32) - 97
        self.advance()
        if self.part == EQUALS:
            self.advance()
            self.registers.values[number] = self.nested()
        return self.registers.values[number]

    def nested(self) -> i64:
        self.depth -= 1
        if self.depth < 0:
            raise self.too_deep("too many parentheses")
        value = self.expression(-1, 0, NOTHING)
        self.depth += 1
        return value

    def apply(self, operator: i64, x: i64, y: i64) -> i64:
        if operator == NOTHING:
            return y
        if operator == PLUS:
            total = x + y
            if ((x ^ total) & (y ^ total)) < 0:
                self.overflow = True
            return total
        if operator == MINUS:
            difference = x - y
            if ((x ^ y) & (x ^ difference)) < 0 and x != 0:  # pMARS misses the overflow of 0 - least
                self.overflow = True
            return difference
        if operator == STAR:
            return self.product(x, y)
        if operator == SLASH or operator == PERCENT:
            if y == 0:
                self.wrong()
                self.zero = True
                return 0
            quotient = quotient_of(x, y)
            return quotient if operator == SLASH else x - quotient * y
        return self.compare(operator, x, y)

    def product(self, x: i64, y: i64) -> i64:
        product = x * y
        if -HALF < x < HALF and -HALF < y < HALF:
            return product
        if x == 0 or x == -1 or y == -1:  # pMARS misses the overflow of -1 * least
            return product
        if product % x != 0 or product // x != y:
            self.overflow = True
        return product

    def compare(self, operator: i64, x: i64, y: i64) -> i64:
        if operator == EQUAL:
            holds = x == y
        elif operator == UNEQUAL:
            holds = x != y
        elif operator == LESS:
            holds = x < y
        elif operator == GREATER:
            holds = x > y
        elif operator == LESS_OR_EQUAL:
            holds = x <= y
        elif operator == GREATER_OR_EQUAL:
            holds = x >= y
        elif operator == AND:
            holds = x != 0 and y != 0
        elif operator == OR:
            holds = x != 0 or y != 0
        else:
            self.wrong()
            holds = False
        return 1 if holds else 0

    def wrong(self) -> None:
        self.error_at = self.start
        self.zero = False

    def too_deep(self, reason: str) -> TooDeepError:
        return TooDeepError(self.text, int(self.start) + 1, reason)


@final
class LaterReading(Reading):
    """A reading by the rules of pMARS 0.9.4 and 0.9.5."""

    def expression(self, waiting: i64, left: i64, operator: i64) -> i64:
        """Return the value of `left operator` and the parts up to an operator that is as weak as the waiting one."""
        self.pending += 1
        if self.pending > MAX_PENDING:
            raise self.too_deep("too many operators wait for their right side")
        while True:
            self.handed_back = NOTHING
            value = self.value()
            following = self.following()
            strength, next_strength = strength_of(operator), strength_of(following)
            if following == NOTHING:
                value = self.apply(operator, left, value)
                break
            if strength < next_strength:
                value = self.apply(operator, left, self.expression(strength, value, following))
                following = self.handed_back
                if following == NOTHING or following == EQUAL or strength_of(following) < waiting:
                    break
            else:
                value = self.apply(operator, left, value)
                if next_strength <= waiting:
                    self.handed_back = following
                    break
            left, operator = value, following
        self.pending -= 1
        return value


@final
class SaneReading(Reading):
    """A reading in which operators bind as in C."""

    def expression(self, waiting: i64, left: i64, operator: i64) -> i64:
        """Return the value of the parts up to the end or a closing parenthesis; the arguments are not used."""
        values: list[i64] = []
        operators: list[i64] = []
        while True:
            values.append(self.value())
            following = self.part
            ended = following == NOTHING or following == CLOSE
            while operators and (ended or strength_of(operators[-1]) >= strength_of(following)):
                right = values.pop()
                values.append(self.apply(operators.pop(), values.pop(), right))
            if ended:
                return values.pop()
            self.advance()
            operators.append(following)


def strength_of(operator: i64) -> i64:
    """Return how strongly an operator binds, from 1 to 5; 0 for a part that is no operator."""
    if operator == PLUS or operator == MINUS:
        return 4
    if operator == STAR or operator == SLASH or operator == PERCENT:
        return 5
    if operator == LESS or operator == GREATER or EQUAL <= operator <= LESS_OR_EQUAL:
        return 3
    if operator == AND:
        return 2
    return 1 if operator == OR else 0


def quotient_of(x: i64, y: i64) -> i64:
    """Return x / y, rounded towards zero; the least number / -1, which stops pMARS, gives the least number."""
    if y == -1:
        return -x
    quotient = x // y
    return quotient + 1 if quotient < 0 and quotient * y != x else quotient
