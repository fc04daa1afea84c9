"""Programs as S-expressions: `(define NAME TREE)` forms in and out, `;` begins a comment.

Every word but a number is written in parentheses, also one that takes nothing: `(size-of-chain-1)`; it is
read without them, too. Reference: "Evolving Board Evaluation Functions", Appendix B.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Final

from engines.acquire.trees.tree import CHAINS, MOST_WORK, Node, Tree, arguments, kind, work
from engines.acquire.trees.words.primitive import IT_NAME, Primitive, Type
from engines.acquire.trees.words.sets import PRIMITIVES

LONGEST: Final = 4096  # nodes of a tree
DEEPEST: Final = 64  # levels
TOO_MUCH: Final = (
    f"a program values at most {MOST_WORK:,} nodes, where those inside sum, max-over and best count for each "
    f"of {CHAINS} chains, not {{:,}}"
)
WIDEST: Final = 100  # characters of a line
TOKEN: Final = re.compile(r"[()]|;[^\n]*|\n|[^\s();]+")
NUMBER: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)
NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")


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


def loads(text: str, wanted: Type = Type.NUMBER) -> Tree:
    """The only tree in a text. TreeError."""
    reader = _Reader(text)
    tree = reader.tree(wanted)
    reader.ended()
    return tree


def loads_forms(text: str, truths: Collection[str] = ()) -> dict[str, Tree]:
    """Every `(define NAME TREE)` of a text by its name, in their order; numbers, or truths. TreeError."""
    reader = _Reader(text)
    forms: dict[str, Tree] = {}
    while not reader.is_ended:
        reader.expect("(")
        reader.expect("define")
        name = reader.next("a name")
        if not NAME.fullmatch(name.text):
            raise name.error(f"a name is expected, small letters, digits and -, not {name.text[:60]!r}")
        if name.text in forms:
            raise name.error(f"{name.text} is defined already")
        forms[name.text] = reader.tree(Type.TRUTH if name.text in truths else Type.NUMBER)
        reader.expect(")")
    return forms


def dumps(tree: Tree) -> str:
    """The tree on one line."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return number(node)
    return f"({' '.join([node, *map(dumps, parts)])})"


def dumps_forms(forms: Mapping[str, Tree]) -> str:
    """A file of definitions, broken into lines that people can read."""
    return "\n".join(f"(define {name}\n  {_broken(tree, 2, 1)})\n" for name, tree in forms.items())


def number(value: float) -> str:
    """Text that reads back exactly; 7.0 is 7."""
    return repr(value).removesuffix(".0")


# -- Reading ---------------------------------------------------------------------------------------


class _Reader:
    """Takes tokens from the front of a text; no recursion, since texts come from anybody."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._end = Token(text="", line=text.count("\n") + 1, column=len(text) - text.rfind("\n"))

    @property
    def is_ended(self) -> bool:
        return self._at == len(self._tokens)

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
            token = self._tokens[self._at]
            raise token.error(f"the tree has ended, and {token.text[:60]!r} follows")

    def tree(self, wanted: Type) -> Tree:
        nodes: list[Node] = []
        above: list[_Open] = []
        first = self._tokens[self._at] if not self.is_ended else self._end
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
                _check(token, nodes[-1], kind_wanted, above)
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


def _check(token: Token, node: Node, wanted: Type, above: Sequence[_Open]) -> None:
    if kind(node) is not wanted:
        raise token.error(f"a {wanted.value} is expected, and {token.text[:60]} is a {kind(node).value}")
    if node == IT_NAME and not any(each.primitive.is_over for each in above):
        raise token.error(f"{IT_NAME} stands only inside a form that ranges over chains")


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


# -- Writing ---------------------------------------------------------------------------------------


def _broken(tree: Tree, indent: int, closing: int) -> str:
    """On one line if that holds it and `closing` more parentheses, else an argument a line."""
    line = dumps(tree)
    if indent + len(line) + closing <= WIDEST or len(tree) == 1:
        return line
    parts = arguments(tree)
    last = len(parts) - 1
    inner = [
        _broken(part, indent + 2, closing + 1 if place == last else 0) for place, part in enumerate(parts)
    ]
    margin = "\n" + " " * (indent + 2)
    return f"({tree[0]}{margin}{margin.join(inner)})"
