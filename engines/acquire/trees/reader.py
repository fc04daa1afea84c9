"""The reader of S-expressions: takes trees from the front of a text, and says line, column and what was wrong.

No recursion, since texts come from anybody.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Final

from engines.acquire.trees.tree import CHAINS, DEEPEST, LONGEST, MOST_WORK, Node, Tree, kind, work
from engines.acquire.trees.words.functions import FUNCTIONS, GIVEN, PARAMETERS
from engines.acquire.trees.words.primitive import IT_NAME, Primitive, Scope, Type
from engines.acquire.trees.words.sets import PRIMITIVES

TOO_MUCH: Final = (
    f"a program values at most {MOST_WORK:,} nodes, where those inside sum, max-over and best count for each "
    f"of {CHAINS} chains, not {{:,}}"
)
TOKEN: Final = re.compile(r"[()]|;[^\n]*|\n|[^\s();]+")
NUMBER: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)


class TreeError(ValueError):
    """A text that is no program; it says line, column and what was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word or a parenthesis; line and column count from 1."""

    text: str
    line: int
    column: int

    def error(self, reason: str) -> TreeError:
        return TreeError(f"line {self.line}, column {self.column}: {reason}")


class Reader:
    """Takes tokens from the front of a text; `calls` are those of functions that it has come across."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self.calls: list[Token] = []
        self._at = 0
        self._end = Token(text="", line=text.count("\n") + 1, column=len(text) - text.rfind("\n"))

    @property
    def is_ended(self) -> bool:
        return self._at == len(self._tokens)

    @property
    def ahead(self) -> Token:
        """The next token; at the end one without text."""
        return self._end if self.is_ended else self._tokens[self._at]

    def next(self, wanted: str) -> Token:
        if self.is_ended:
            raise self._end.error(f"{wanted} is expected, not the end of the text")
        self._at += 1
        return self._tokens[self._at - 1]

    def expect(self, text: str) -> None:
        token = self.next(repr(text))
        if token.text != text:
            raise token.error(f"{text!r} is expected, not {token.text[:60]!r}")

    def ended(self) -> None:
        if not self.is_ended:
            raise self.ahead.error(f"the tree has ended, and {self.ahead.text[:60]!r} follows")

    def tree(self, wanted: Type, scope: Scope = Scope.NOTHING) -> Tree:
        """One that gives what is wanted, and is itself given what `scope` says."""
        nodes: list[Node] = []
        above: list[_Open] = []
        first = self.ahead
        while True:
            token = self.next("')'" if above else "a tree")
            if token.text == ")":
                if not above:
                    raise token.error("a tree is expected, not ')'")
                above.pop().check_complete(token)
            else:
                kind_wanted = above[-1].add(token) if above else wanted
                if token.text == "(":
                    token = self.next("a word")
                    primitive = _primitive(token)
                    above.append(_Open(primitive=primitive))
                    nodes.append(primitive.name)
                else:
                    nodes.append(_atom(token))
                _check(token, nodes[-1], kind_wanted, above, scope)
                if nodes[-1] in FUNCTIONS:
                    self.calls.append(token)
            if len(above) > DEEPEST or len(nodes) > LONGEST:
                raise token.error(f"a tree has at most {DEEPEST} levels and {LONGEST} nodes")
            if not above:
                if work(tuple(nodes)) > MOST_WORK:
                    raise first.error(TOO_MUCH.format(work(tuple(nodes))))
                return tuple(nodes)


@dataclass(slots=True, kw_only=True)
class _Open:
    """A word whose arguments are being read."""

    primitive: Primitive
    found: int = 0

    def add(self, token: Token) -> Type:
        """One more argument begins, which is to be of this type. TreeError if that is too many."""
        self.found += 1
        if self.found > len(self.primitive.arguments):
            raise token.error(f"{self._wants()}; ')' is expected, not {token.text[:60]!r}")
        return self.primitive.arguments[self.found - 1]

    def check_complete(self, token: Token) -> None:
        if self.found < len(self.primitive.arguments):
            raise token.error(f"{self._wants()}, and ')' closes it after {self.found}")

    def _wants(self) -> str:
        count = len(self.primitive.arguments)
        return f"{self.primitive.name} takes {count or 'no'} argument{'s' * (count != 1)}"


def _check(token: Token, node: Node, wanted: Type, above: Sequence[_Open], scope: Scope) -> None:
    if kind(node) is not wanted:
        raise token.error(f"a {wanted.value} is expected, and {token.text[:60]} is a {kind(node).value}")
    if any(each.primitive.is_over for each in above):
        scope = Scope.CHAIN
    if node in GIVEN and node not in PARAMETERS[scope]:
        where = "a form that ranges over chains, or a function of one"
        if node != IT_NAME:
            where = "a function of two numbers, and outside of forms that range over chains"
        raise token.error(f"{node} stands only inside {where}")


def _tokens(text: str) -> Iterator[Token]:
    line, begins = 1, 0
    for found in TOKEN.finditer(text):
        if found[0] == "\n":
            line, begins = line + 1, found.end()
        elif not found[0].startswith(";"):
            yield Token(text=found[0].lower(), line=line, column=found.start() - begins + 1)


def _primitive(token: Token) -> Primitive:
    if token.text in PRIMITIVES:
        return PRIMITIVES[token.text]
    near = get_close_matches(token.text[:80], PRIMITIVES, n=1)
    raise token.error(f"no word is {token.text[:60]!r}" + (f"; {near[0]}?" if near else ""))


def _atom(token: Token) -> Node:
    """A number, or a word that takes nothing."""
    if NUMBER.fullmatch(token.text):
        value = float(token.text)
        if isfinite(value):
            return value
        raise token.error(f"the number {token.text[:60]} is too large")
    primitive = _primitive(token)
    if primitive.arguments:
        raise token.error(
            f"{primitive.name} takes {len(primitive.arguments)} arguments: write ({primitive.name} ...)"
        )
    return primitive.name
