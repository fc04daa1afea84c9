"""Programs as formulas: `7 + size-of-chain-1 * 2`, `if-chain-1-is-safe-from-merging(8, -2.5)`, in and out.

A minus between two values stands between spaces: names have hyphens. `div` is written between its arguments,
too, and binds as `*` does.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engines.acquire.trees.reader import TOO_MUCH, TreeError
from engines.acquire.trees.text import dumps, loads, number
from engines.acquire.trees.tree import DEEPEST, LONGEST, MOST_WORK, Tree, arguments, levels, work
from engines.acquire.trees.words.primitive import Scope, Type
from engines.acquire.trees.words.sets import PRIMITIVES

STRENGTHS: Final[Mapping[str, int]] = MappingProxyType({  # how words bind that stand between their arguments
    "or": 1, "and": 2, "<": 3, "=": 3, "+": 4, "-": 4, "*": 5, "div": 5,
})  # fmt: skip
STRONGEST: Final = 6  # of all else
NUMBER: Final = r"[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?|\.[0-9]+(?:[eE][-+]?[0-9]{1,3})?"
TOKEN: Final = re.compile(rf"\s*(?:({NUMBER}(?![a-zA-Z]))|([a-zA-Z][a-zA-Z0-9-]*)|([-+*(),<=])|(\S))")
LONGEST_TEXT: Final = 1 << 18
MOST_OPEN: Final = 200  # parentheses and signs that wait for their end


def formula(tree: Tree) -> str:
    """The tree on one line, with no parentheses that are not needed."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return number(node)
    if node not in STRENGTHS:
        return node + (f"({', '.join(map(formula, parts))})" if parts else "")
    first, second = (_enclosed(part, STRENGTHS[node], place) for place, part in enumerate(parts))
    return f"{first} {node} {second}"


def from_formula(text: str, wanted: Type = Type.NUMBER, scope: Scope = Scope.NOTHING) -> Tree:
    """The tree of a formula: from_formula(formula(tree)) == tree. TreeError says the column and what was read."""
    if len(text) > LONGEST_TEXT:
        raise TreeError(f"a formula has at most {LONGEST_TEXT} characters, not {len(text)}")
    reader = _Reader(text)
    tree = reader.expression(1)
    reader.ended()
    if len(tree) > LONGEST or levels(tree) > DEEPEST:
        raise TreeError(f"a tree has at most {DEEPEST} levels and {LONGEST} nodes")
    if work(tree) > MOST_WORK:
        raise TreeError(TOO_MUCH.format(work(tree)))
    written = dumps(tree)
    try:
        return loads(written, wanted, scope)
    except TreeError as error:
        raise TreeError(f"the formula, {written[:200]}, is no program: {error}") from None


def _enclosed(tree: Tree, strength: int, place: int) -> str:
    """In parentheses where it would be taken apart: a second argument also where it binds as strongly."""
    own = STRENGTHS.get(str(tree[0]), STRONGEST)
    text = formula(tree)
    return f"({text})" if own < strength + place else text


class _Reader:
    """Takes tokens from the front: a word and where it begins."""

    def __init__(self, text: str) -> None:
        self._tokens = [
            (found[found.lastindex or 0], found.start(found.lastindex or 0)) for found in TOKEN.finditer(text)
        ]
        self._end = len(text)
        self._at = 0
        self._open = 0

    def expression(self, least: int) -> Tree:
        """Whatever binds at least so strongly."""
        tree = self._value()
        while (strength := STRENGTHS.get(self._seen, 0)) >= least:
            word = self._taken()
            tree = (word, *tree, *self.expression(strength + 1))
        return tree

    def ended(self) -> None:
        if self._seen:
            raise self._error("the formula has ended")

    def _value(self) -> Tree:
        self._open += 1
        if self._open > MOST_OPEN:
            raise self._error(f"at most {MOST_OPEN} values may be open")
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
        self._open -= 1
        return tree

    def _number(self) -> float:
        if not re.fullmatch(NUMBER, self._seen):
            raise self._error("a number is expected")
        value = float(self._seen)
        if value == float("inf"):
            raise self._error("the number is too large")
        self._at += 1
        return value

    def _call(self) -> Tree:
        primitive = PRIMITIVES.get(self._seen.lower())
        if primitive is None or self._seen in STRENGTHS:
            raise self._error("a number, a word or a parenthesis is expected")
        self._at += 1
        parts: list[Tree] = []
        for place in range(len(primitive.arguments)):
            self._expect("," if place else "(")
            parts.append(self.expression(1))
        if parts:
            self._expect(")")
        return (primitive.name, *(node for part in parts for node in part))

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
