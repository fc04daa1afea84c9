"""Expressions: 64-bit arithmetic with C's operators and 26 registers, as pMARS 0.9.2 computes it, or rightly.

pMARS reads from left to right and hands the operator that ends a stronger part back to whoever waits for it.
It does so wrongly in two ways, which warriors depend upon. After a stronger operator, one as strong as the
waiting one is taken into the part on its right: 8-2*3-1 is 8-(2*3-1) = 3. And the place where the operator
is handed back says "none" by the number that == has: a+b*c==d is a bad expression.
"""

import re
from typing import Final

from protocols.redcode.dialect import Evaluator
from protocols.redcode.tokens import DIGITS, LETTERS

LEAST: Final = -(2**63)
MOST: Final = 2**63 - 1
MOST_DIGITS: Final = 19  # pMARS has room for no more
MOST_PENDING: Final = 200  # operators that wait for their right side: a line of 255 characters has fewer
DEPTH: Final = 64

STRENGTH: Final = {
    "*": 5, "/": 5, "%": 5,
    "+": 4, "-": 4,
    ">": 3, "<": 3, "==": 3, "!=": 3, ">=": 3, "<=": 3,
    "&&": 2,
    "||": 1,
}  # fmt: skip
NOTHING: Final = ""  # the operator before the first part, and the part after the last
ENDS: Final = frozenset((")", NOTHING))
SIGNS: Final = frozenset("+-!")
UNSEEN: Final = frozenset((NOTHING, "=="))  # operators that pMARS takes for none when they are handed back
PART: Final = re.compile(r"[0-9]+|&&|\|\||[=!<>]=|[^\s]", re.ASCII)


class ExpressionError(ValueError):
    """An expression without a value; `column` counts from 1."""

    def __init__(self, text: str, column: int, reason: str = "Bad expression") -> None:
        super().__init__(f"{reason} at column {column}: {text[:80]!r}")
        self.reason = reason
        self.column = column


class DivisionByZeroError(ExpressionError, ZeroDivisionError):
    """A division by zero, or a remainder."""

    def __init__(self, text: str, column: int) -> None:
        super().__init__(text, column, "Division by zero")


class TooDeepError(ExpressionError):
    """More parentheses or longer numbers than the limits allow."""


class Registers:
    """The variables a to z; upper and lower case are the same."""

    def __init__(self) -> None:
        self.values = [0] * 26

    def __getitem__(self, letter: str) -> int:
        return self.values[(ord(letter) | 32) - 97]

    def __setitem__(self, letter: str, value: int) -> None:
        self.values[(ord(letter) | 32) - 97] = value

    def clear(self) -> None:
        self.values = [0] * 26


def evaluate(
    text: str, registers: Registers, evaluator: Evaluator = "0.9.2", depth: int = DEPTH
) -> tuple[int, bool]:
    """The value, and whether it overflowed 64 bits on the way. ExpressionError when there is none."""
    digits = text.strip().removeprefix("-")
    if len(digits) < MOST_DIGITS and digits.isdecimal() and digits.isascii():
        return int(text), False
    reading = (
        _Reading(text, registers, depth) if evaluator == "0.9.2" else _SaneReading(text, registers, depth)
    )
    value = reading.expression(-1, 0, NOTHING)
    if reading.parts[reading.at]:
        reading.wrong()
    if reading.error is DivisionByZeroError:
        raise DivisionByZeroError(text, reading.column(reading.error_at))
    if reading.error:
        raise ExpressionError(text, reading.column(reading.error_at))
    return value, reading.overflow


class _Reading:
    """One reading of an expression, from left to right, by pMARS's rules.

    An error does not end it: the last one counts.
    """

    def __init__(self, text: str, registers: Registers, depth: int) -> None:
        self.text = text
        self.parts: list[str] = PART.findall(text)
        self.parts.append(NOTHING)
        self.at = 0
        self.error: type[ExpressionError] | None = None  # the last one, and the part where it was
        self.error_at = 0
        self.overflow = False
        self.registers = registers
        self.depth = depth
        self.pending = 0
        self.handed_back = NOTHING

    def expression(self, waiting: int, left: int, operator: str) -> int:
        """`left operator` and what follows; `waiting` is the strength of who waits for it, -1 for nobody."""
        self.pending += 1
        if self.pending > MOST_PENDING:
            raise self.too_deep("too many operators wait for their right side")
        parts = self.parts
        strength = STRENGTH.get(operator, 0)
        resumed = False
        while True:
            part = parts[self.at]
            if part.isdecimal() and len(part) < MOST_DIGITS:
                self.at += 1
                value = int(part)
            else:
                value = self.value()
            following = parts[self.at]
            if following in ENDS:
                value = self.apply(operator, left, value)
                break
            self.at += 1
            self.handed_back = NOTHING
            next_strength = STRENGTH.get(following, 0)
            if strength >= next_strength:
                value = self.apply(operator, left, value)
                if next_strength < waiting and strength > waiting:
                    self.handed_back = following
                    break
                waiting, left, operator = strength, value, following
            else:
                value = self.apply(operator, left, self.expression(strength, value, following))
                following = self.handed_back
                if following in UNSEEN or STRENGTH.get(following, 0) < waiting:
                    break
                waiting, left, operator, resumed = next_strength, value, following, True
            strength = STRENGTH.get(operator, 0)
        if resumed:
            self.handed_back = NOTHING
        self.pending -= 1
        return value

    def value(self) -> int:
        """A number, a register, or an expression in parentheses, with the signs before it."""
        parts = self.parts
        start = self.at
        while parts[self.at] in SIGNS:
            self.at += 1
        signs = parts[start : self.at]
        part = parts[self.at]
        if part == "(":
            self.at += 1
            value = self.nested()
            if parts[self.at] == ")":
                self.at += 1
            else:
                self.wrong()
        elif part in LETTERS:
            self.at += 1
            value = self.register(part)
        elif part[:1] in DIGITS:
            if len(part) > MOST_DIGITS:
                raise self.too_deep(f"a number of more than {MOST_DIGITS} digits")
            self.at += 1
            value = min(int(part), MOST)
        else:
            self.wrong()
            value = 1
        for sign in reversed(signs):
            if sign == "-":
                value = _wrapped(-value)
            elif sign == "!":
                value = int(not value)
        return value

    def register(self, letter: str) -> int:
        if self.parts[self.at] == "=":
            self.at += 1
            self.registers[letter] = self.nested()
        return self.registers[letter]

    def nested(self) -> int:
        self.depth -= 1
        if self.depth < 0:
            raise self.too_deep("too many parentheses")
        value = self.expression(-1, 0, NOTHING)
        self.depth += 1
        return value

    def apply(self, operator: str, x: int, y: int) -> int:
        if operator == NOTHING:
            return y
        if operator == "+":
            exact = x + y
        elif operator == "-":
            exact = x - y
        elif operator == "*":
            exact = x * y
        elif operator in ("/", "%"):
            if y == 0:
                self.wrong(DivisionByZeroError)
                return 0
            quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
            exact = quotient if operator == "/" else x - quotient * y
        else:
            return self.compare(operator, x, y)
        if LEAST <= exact <= MOST:
            return exact
        self.overflow |= _notices(operator, x, y)
        return _wrapped(exact)

    def compare(self, operator: str, x: int, y: int) -> int:
        match operator:
            case "==":
                return int(x == y)
            case "!=":
                return int(x != y)
            case "<":
                return int(x < y)
            case ">":
                return int(x > y)
            case "<=":
                return int(x <= y)
            case ">=":
                return int(x >= y)
            case "&&":
                return int(x != 0 and y != 0)
            case "||":
                return int(x != 0 or y != 0)
        self.wrong()
        return 0

    def wrong(self, error: type[ExpressionError] = ExpressionError) -> None:
        self.error, self.error_at = error, self.at

    def too_deep(self, reason: str) -> TooDeepError:
        return TooDeepError(self.text, self.column(self.at), reason)

    def column(self, part: int) -> int:
        """Where a part begins, from 1."""
        places = [found.start() for found in PART.finditer(self.text)]
        return ([*places, len(self.text)])[part] + 1


class _SaneReading(_Reading):
    """The same language, where an operator binds as it does in C."""

    def expression(self, waiting: int, left: int, operator: str) -> int:
        """The value of all that follows, up to a closing parenthesis."""
        values: list[int] = []
        operators: list[str] = []
        while True:
            values.append(self.value())
            following = self.parts[self.at]
            ended = following in ENDS
            while operators and (ended or STRENGTH.get(operators[-1], 0) >= STRENGTH.get(following, 0)):
                right = values.pop()
                values.append(self.apply(operators.pop(), values.pop(), right))
            if ended:
                return values.pop()
            self.at += 1
            operators.append(following)


def _wrapped(value: int) -> int:
    return ((value - LEAST) & (2**64 - 1)) + LEAST


def _notices(operator: str, x: int, y: int) -> bool:
    """Whether pMARS sees an overflow: not in 0 - least, nor in -1 * least; and least / -1 stops it."""
    if operator == "-":
        return x != 0
    return operator == "+" or (operator == "*" and -1 not in (x, y))
