"""Programs as formulas, written and read: `7 + size-of-chain-1 * 2`, `if-chain-1-is-safe-from-merging(8, -2.5)`.

A minus between two values is written between spaces, because names contain hyphens. `div` is written between its
arguments as well, and has the precedence of `*`.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engines.acquire.gp.primitives import PRIMITIVES, Scope, Type
from engines.acquire.gp.sexpr import TOO_LARGE, TOO_MUCH, TreeError, dumps, loads, number
from engines.acquire.gp.tree import MAX_LEVELS, MAX_NODES, MAX_WORK, Tree, arguments, joined, levels, work

PRECEDENCE: Final[Mapping[str, int]] = MappingProxyType({  # of infix operators
    "or": 1, "and": 2, "<": 3, "=": 3, "+": 4, "-": 4, "*": 5, "div": 5,
})  # fmt: skip
HIGHEST: Final = 6  # the precedence of all else
NUMBER: Final = r"[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?|\.[0-9]+(?:[eE][-+]?[0-9]{1,3})?"
TOKEN: Final = re.compile(rf"{NUMBER}|[a-zA-Z][a-zA-Z0-9-]*|\S")
MAX_TEXT: Final = 1 << 18
MAX_OPEN: Final = 200  # nested operators, parentheses and calls, at most


def formula(tree: Tree) -> str:
    """Return the tree as a formula on one line, without unnecessary parentheses."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return number(node)
    if node not in PRECEDENCE:
        return node + (f"({', '.join(map(formula, parts))})" if parts else "")
    first, second = (_enclosed(part, PRECEDENCE[node], place) for place, part in enumerate(parts))
    return f"{first} {node} {second}"


def from_formula(text: str, type: Type = Type.NUMBER, scope: Scope = Scope.TOP_LEVEL) -> Tree:
    """Read a formula and return its tree. It is the inverse of formula().

    Raises TreeError with the column and the text that was read.
    """
    if len(text) > MAX_TEXT:
        raise TreeError(f"a formula has at most {MAX_TEXT} characters, not {len(text)}")
    reader = _Reader(text)
    tree = reader.expression(1)
    reader.ended()
    if len(tree) > MAX_NODES or levels(tree) > MAX_LEVELS:
        raise TreeError(TOO_LARGE)
    if work(tree) > MAX_WORK:
        raise TreeError(TOO_MUCH.format(work(tree)))
    written = dumps(tree)
    try:
        return loads(written, type, scope)
    except TreeError as error:
        raise TreeError(f"the formula, {written[:200]}, is no program: {error}") from None


def _enclosed(tree: Tree, precedence: int, place: int) -> str:
    """Return the formula of an argument, in parentheses if its operator binds less than `precedence`.

    A second argument (`place` is 1) is also enclosed if its operator has the same precedence.
    """
    own = PRECEDENCE.get(str(tree[0]), HIGHEST)
    text = formula(tree)
    return f"({text})" if own < precedence + place else text


class _Reader:
    """A reader that takes tokens from the front of a formula; each token is a text and its position."""

    def __init__(self, text: str) -> None:
        self._tokens = [(found[0], found.start()) for found in TOKEN.finditer(text)]
        self._end = len(text)
        self._at = 0
        self._open = 0

    def expression(self, least: int) -> Tree:
        """Read an expression whose operators have at least the precedence `least`."""
        self._open += 1
        if self._open > MAX_OPEN:
            raise TreeError(f"a formula has at most {MAX_OPEN} nested expressions")
        tree = self._value()
        while (precedence := PRECEDENCE.get(self._seen, 0)) >= least:
            tree = (self._taken(), *tree, *self.expression(precedence + 1))
            if len(tree) > MAX_NODES:  # checked here, since each operator copies the tree before it
                raise TreeError(TOO_LARGE)
        self._open -= 1
        return tree

    def ended(self) -> None:
        if self._seen:
            raise self._error("the end of the formula is expected")

    def _value(self) -> Tree:
        if self._seen == "(":
            self._taken()
            tree = self.expression(1)
            self._expect(")")
        elif self._seen in ("-", "+"):
            sign = -1.0 if self._taken() == "-" else 1.0
            tree = (sign * self._number(),)
        elif re.fullmatch(NUMBER, self._seen):
            tree = (self._number(),)
        else:
            tree = self._call()
        return tree

    def _number(self) -> float:
        if not re.fullmatch(NUMBER, self._seen):
            raise self._error("a number is expected")
        value = float(self._seen)
        if value == float("inf"):
            raise self._error("a smaller number is expected")
        self._at += 1
        return value

    def _call(self) -> Tree:
        primitive = PRIMITIVES.get(self._seen.lower())
        if primitive is None or self._seen in PRECEDENCE:
            raise self._error("a number, a name or a parenthesis is expected")
        self._at += 1
        parts: list[Tree] = []
        for place in range(len(primitive.arguments)):
            self._expect("," if place else "(")
            parts.append(self.expression(1))
        if parts:
            self._expect(")")
        return joined(primitive.name, parts)

    def _expect(self, text: str) -> None:
        if self._seen != text:
            raise self._error(f"{text!r} is expected")
        self._at += 1

    def _taken(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][0]

    @property
    def _seen(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _error(self, reason: str) -> TreeError:
        at = self._tokens[self._at][1] if self._seen else self._end
        return TreeError(f"column {at + 1}: {reason}, not {self._seen[:60] or 'the end'!r}")
