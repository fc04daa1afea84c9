"""Programs as S-expressions: `(define NAME TREE)` forms in and out, `;` begins a comment.

A function says what its arguments are called: `(define (rate-1 it) TREE)`, `(define (mix-1 a b) TREE)`. Every word
but a number is written in parentheses, also one that takes nothing: `(size-of-chain-1)`; it is read without
them, too. Reference: "Evolving Board Evaluation Functions", Appendix B.
"""

import re
from collections.abc import Collection, Mapping
from typing import Final

from engines.acquire.trees.calls import Cost, costs
from engines.acquire.trees.reader import TOO_MUCH, Reader, Token
from engines.acquire.trees.tree import DEEPEST, LONGEST, MOST_WORK, Tree, arguments
from engines.acquire.trees.words.functions import FUNCTIONS, callable_in, parameters, scope_of
from engines.acquire.trees.words.primitive import Scope, Type
from engines.acquire.trees.words.sets import PRIMITIVES

WIDEST: Final = 100  # characters of a line
NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,63}")


def loads(text: str, wanted: Type = Type.NUMBER, scope: Scope = Scope.NOTHING) -> Tree:
    """The only tree in a text, which may call any functions. TreeError."""
    reader = Reader(text)
    tree = reader.tree(wanted, scope)
    reader.ended()
    return tree


def loads_forms(text: str, truths: Collection[str] = ()) -> dict[str, Tree]:
    """Every program of a text by its name, in their order; numbers, or truths. TreeError.

    Functions are defined before or behind those who call them, and all is no larger when calls are expanded than a
    program may be.
    """
    reader = Reader(text)
    forms: dict[str, Tree] = {}
    names: dict[str, Token] = {}
    while not reader.is_ended:
        reader.expect("(")
        reader.expect("define")
        name = _named(reader)
        if name.text in forms:
            raise name.error(f"{name.text} is defined already")
        calls = len(reader.calls)
        forms[name.text] = reader.tree(_result(name.text, truths), scope_of(name.text))
        reader.expect(")")
        names[name.text] = name
        for call in reader.calls[calls:]:
            if call.text not in callable_in(name.text):
                raise call.error(f"{name.text} may call no function but those before it in {_in_order()}")
    for call in reader.calls:
        if call.text not in forms:
            raise call.error(f"{call.text} is not defined: (define {_head(call.text)} ...) is missing")
    for program, cost in costs(forms).items():
        _check(names[program], cost)
    return forms


def dumps(tree: Tree) -> str:
    """The tree on one line."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return number(node)
    return f"({' '.join([node, *map(dumps, parts)])})"


def dumps_forms(forms: Mapping[str, Tree]) -> str:
    """A file of definitions, broken into lines that people can read."""
    return "\n".join(f"(define {_head(name)}\n  {_broken(tree, 2, 1)})\n" for name, tree in forms.items())


def number(value: float) -> str:
    """Text that reads back exactly; 7.0 is 7."""
    return repr(value).removesuffix(".0")


# -- Reading ---------------------------------------------------------------------------------------


def _named(reader: Reader) -> Token:
    """The name that is defined; with its arguments where it is a function."""
    has_arguments = reader.ahead.text == "("
    if has_arguments:
        reader.expect("(")
    name = reader.next("a name")
    if not NAME.fullmatch(name.text):
        raise name.error(f"a name is expected, small letters, digits and -, not {name.text[:60]!r}")
    if has_arguments:
        if name.text not in FUNCTIONS:
            raise name.error(f"no function is called {name.text[:60]}; there are {_in_order()}")
        for each in (*parameters(name.text), ")"):
            reader.expect(each)
    elif name.text in FUNCTIONS:
        raise name.error(f"{name.text} is a function: write (define {_head(name.text)} ...)")
    return name


def _result(name: str, truths: Collection[str]) -> Type:
    if name in FUNCTIONS:
        return PRIMITIVES[name].result
    return Type.TRUTH if name in truths else Type.NUMBER


def _check(name: Token, cost: Cost) -> None:
    if cost.nodes > LONGEST or cost.levels > DEEPEST:
        raise name.error(
            f"with all calls expanded, {name.text} has {cost.levels:,} levels and {cost.nodes:,} nodes; "
            f"a tree has at most {DEEPEST} levels and {LONGEST} nodes"
        )
    if cost.work > MOST_WORK:
        raise name.error(f"{name.text}, with all calls expanded: {TOO_MUCH.format(cost.work)}")


def _in_order() -> str:
    return ", ".join(FUNCTIONS)


# -- Writing ---------------------------------------------------------------------------------------


def _head(name: str) -> str:
    return f"({' '.join((name, *parameters(name)))})" if name in FUNCTIONS else name


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
