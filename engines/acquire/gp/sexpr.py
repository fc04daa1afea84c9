"""Programs as S-expressions, written and read: `(define NAME TREE)` forms; `;` begins a comment.

An ADF names its parameters: `(define (rate-1 it) TREE)`, `(define (mix-1 a b) TREE)`. Everything except numbers is
written in parentheses, terminals as well: `(size-of-chain-1)`; terminals are read without parentheses, too. Errors
contain the line, the column and the text that was read. The reader does not recurse, since texts may come from
untrusted sources. Reference: "Evolving Board Evaluation Functions", Appendix B.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from engines.acquire.gp.primitives import (
    ADF_NAMES,
    BOUND_IN,
    LOOP_CHAIN_NAME,
    PARAMETERS,
    PRIMITIVES,
    Primitive,
    Scope,
    Type,
    callable_in,
    parameters,
    scope_of,
)
from engines.acquire.gp.tree import (
    MAX_CHAINS,
    MAX_LEVELS,
    MAX_NODES,
    MAX_WORK,
    Cost,
    Node,
    Tree,
    arguments,
    costs,
    type_of,
    work,
)
from engines.names import near

LINE_LENGTH: Final = 100
TOO_MUCH: Final = (
    f"a program evaluates at most {MAX_WORK:,} nodes, not {{:,}}; nodes inside sum, max-over and best count for "
    f"each of {MAX_CHAINS} chains"
)
TOO_LARGE: Final = f"a tree has at most {MAX_LEVELS} levels and {MAX_NODES} nodes"
TOKEN: Final = re.compile(r"[()]|;[^\n]*|\n|[^\s();]+")
NUMBER: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)
NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")
IN_ORDER: Final = ", ".join(ADF_NAMES)


class TreeError(ValueError):
    """Raised for a text that is no program; the message contains line, column and the text that was read."""


def loads(text: str, type: Type = Type.NUMBER, scope: Scope = Scope.TOP_LEVEL) -> Tree:
    """Return the only tree in a text, which may call any ADFs. Raises TreeError if there is no such tree."""
    reader = _Reader(text)
    tree = reader.tree(type, scope)
    if not reader.is_ended:
        raise reader.ahead.error(f"the tree has ended, and {reader.ahead.text[:60]!r} follows")
    return tree


def loads_forms(text: str, truths: Collection[str] = ()) -> dict[str, Tree]:
    """Return the programs of a text by name, in their order. Raises TreeError if the text is not valid.

    Programs are numbers, except those named in `truths`. ADFs may be defined before or after the programs that call
    them. With all ADFs expanded, no program may be larger than a tree may be.
    """
    reader = _Reader(text)
    forms: dict[str, Tree] = {}
    names: dict[str, Token] = {}
    while not reader.is_ended:
        reader.expect("(")
        reader.expect("define")
        name = reader.defined()
        if name.text in forms:
            raise name.error(f"{name.text} is defined already")
        calls = len(reader.calls)
        truth = Type.TRUTH if name.text in truths else Type.NUMBER
        type = PRIMITIVES[name.text].result if name.text in ADF_NAMES else truth
        forms[name.text] = reader.tree(type, scope_of(name.text))
        reader.expect(")")
        names[name.text] = name
        for call in reader.calls[calls:]:
            if call.text not in callable_in(name.text):
                raise call.error(f"{name.text} may call only the functions before it in {IN_ORDER}")
    for call in reader.calls:
        if call.text not in forms:
            raise call.error(f"{call.text} is not defined: (define {_head(call.text)} ...) is missing")
    for program, cost in costs(forms).items():
        _check_cost(names[program], cost)
    return forms


def dumps(tree: Tree) -> str:
    """Return the tree as text on one line."""
    node = tree[0]
    return number(node) if isinstance(node, float) else f"({' '.join([node, *map(dumps, arguments(tree))])})"


def dumps_forms(forms: Mapping[str, Tree]) -> str:
    """Return the definitions as the text of a file, broken into lines of LINE_LENGTH columns where possible."""
    return "\n".join(f"(define {_head(name)}\n  {_broken(tree, 2, 1)})\n" for name, tree in forms.items())


def number(value: float) -> str:
    """Return a text that reads back as exactly this number; 7.0 is written as 7."""
    return repr(value).removesuffix(".0")


def name_of(node: Node) -> str:
    """Return the text of a node without its arguments."""
    return node if isinstance(node, str) else number(node)


# -- Writing ---------------------------------------------------------------------------------------


def _head(name: str) -> str:
    return f"({' '.join((name, *parameters(name)))})" if name in ADF_NAMES else name


def _broken(tree: Tree, indent: int, closing: int) -> str:
    """Return a tree on one line if it fits there with `closing` more parentheses, else with one argument a line."""
    line = dumps(tree)
    if indent + len(line) + closing <= LINE_LENGTH or len(tree) == 1:
        return line
    parts = arguments(tree)
    last = len(parts) - 1
    inner = [
        _broken(part, indent + 2, closing + 1 if place == last else 0) for place, part in enumerate(parts)
    ]
    margin = "\n" + " " * (indent + 2)
    return f"({tree[0]}{margin}{margin.join(inner)})"


# -- Reading ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word or a parenthesis; line and column count from 1."""

    text: str
    line: int
    column: int

    def error(self, reason: str) -> TreeError:
        return TreeError(f"line {self.line}, column {self.column}: {reason}")


class _Reader:
    """A reader that takes tokens from the front of a text; `calls` holds the calls of ADFs read so far."""

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
        """The next token; at the end of the text a token without text."""
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

    def defined(self) -> Token:
        """Read the name that a form defines, with the parameters if it is an ADF."""
        has_parameters = self.ahead.text == "("
        if has_parameters:
            self.expect("(")
        name = self.next("a name")
        if not NAME.fullmatch(name.text):
            raise name.error(f"a name is expected, small letters, digits and -, not {name.text[:60]!r}")
        if has_parameters:
            if name.text not in ADF_NAMES:
                raise name.error(f"no function is called {name.text[:60]}; there are {IN_ORDER}")
            for each in (*parameters(name.text), ")"):
                self.expect(each)
        elif name.text in ADF_NAMES:
            raise name.error(f"{name.text} is a function: write (define {_head(name.text)} ...)")
        return name

    def tree(self, wanted: Type, scope: Scope) -> Tree:
        """Read a tree of the wanted type in this scope."""
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
                type = above[-1].add(token) if above else wanted
                if token.text == "(":
                    token = self.next("a name")
                    primitive = _primitive(token)
                    above.append(_Open(primitive=primitive))
                    nodes.append(primitive.name)
                else:
                    nodes.append(_atom(token))
                _check_node(token, nodes[-1], type, above, scope)
                if nodes[-1] in ADF_NAMES:
                    self.calls.append(token)
            if len(above) > MAX_LEVELS or len(nodes) > MAX_NODES:
                raise token.error(TOO_LARGE)
            if not above:
                if work(tuple(nodes)) > MAX_WORK:
                    raise first.error(TOO_MUCH.format(work(tuple(nodes))))
                return tuple(nodes)


@dataclass(slots=True, kw_only=True)
class _Open:
    """A function whose arguments are being read."""

    primitive: Primitive
    found: int = 0

    def add(self, token: Token) -> Type:
        """Count the argument that starts at this token, and return the type that it must have.

        Raises TreeError if the function takes fewer arguments.
        """
        self.found += 1
        if self.found > len(self.primitive.arguments):
            raise token.error(f"{self._takes()}; ')' is expected, not {token.text[:60]!r}")
        return self.primitive.arguments[self.found - 1]

    def check_complete(self, token: Token) -> None:
        if self.found < len(self.primitive.arguments):
            raise token.error(f"{self._takes()}, and ')' closes it after {self.found}")

    def _takes(self) -> str:
        count = len(self.primitive.arguments)
        return f"{self.primitive.name} takes {count or 'no'} argument{'s' * (count != 1)}"


def _check_node(token: Token, node: Node, wanted: Type, above: Sequence[_Open], scope: Scope) -> None:
    """Raise TreeError if a node has another type than the wanted one, or a name is not bound in its scope."""
    if type_of(node) is not wanted:
        raise token.error(f"a {wanted.value} is expected, and {token.text[:60]} is a {type_of(node).value}")
    if any(each.primitive.binds_chain for each in above):
        scope = Scope.CHAIN
    if node in BOUND_IN and node not in PARAMETERS[scope]:
        where = "a form that ranges over chains, or a function of a chain"
        if node != LOOP_CHAIN_NAME:
            where = "a function of two numbers, and outside of forms that range over chains"
        raise token.error(f"{node} is allowed only inside {where}")


def _check_cost(name: Token, cost: Cost) -> None:
    if cost.nodes > MAX_NODES or cost.levels > MAX_LEVELS:
        raise name.error(
            f"with all calls expanded, {name.text} has {cost.levels:,} levels and {cost.nodes:,} nodes; {TOO_LARGE}"
        )
    if cost.work > MAX_WORK:
        raise name.error(f"{name.text}, with all calls expanded: {TOO_MUCH.format(cost.work)}")


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
    raise token.error(f"unknown name {token.text[:60]!r}; {near(token.text, PRIMITIVES)}")


def _atom(token: Token) -> Node:
    """Return the number or terminal that a token stands for."""
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
