"""A program in English: what it wants, and which of its branches can never be reached.

Reference: "Evolving Board Evaluation Functions", section 4.1.3, which reads two trees in this manner.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engines.acquire.trees.facts import Facts
from engines.acquire.trees.simplify import TESTED, simplified
from engines.acquire.trees.text import dumps, number
from engines.acquire.trees.tree import Tree, arguments

CHAINS: Final = ("the largest chain", "the second chain", "the third chain")
WORDS: Final[Mapping[str, str]] = MappingProxyType({
    "dist-to-nearest-neighbor-of-chain": "the distance from {} to the nearest other chain",
    "merger-value-of-chain": "the majority bonus of {}",
    "payoff-value-to-player-of-chain": "what I would get if {} were taken over now",
    "perimeter-of-chain": "the empty squares beside {}",
    "price-of-chain": "the price of {}",
    "size-of-chain": "the size of {}",
    "stock-held-by-player-in-chain": "my shares of {}",
    "stocks-left-of-chain": "the bank's shares of {}",
    "if-i-am-maj-stockholder-in-chain": "I hold more shares of {} than anybody else",
    "if-chain-is-of-maximum-size": "{} has the maximum size",
    "if-chain-is-safe-from-merging": "{} is safe from merging",
})  # fmt: skip
SIGNS: Final[Mapping[str, str]] = MappingProxyType({"+": "plus", "-": "minus", "*": "times", "div": "divided by"})
TOGETHER: Final[Mapping[str, str]] = MappingProxyType({
    "+": "the sum of", "-": "the difference of", "*": "the product of", "div": "the quotient of",
})  # fmt: skip
CHOICES: Final[Mapping[str, str]] = MappingProxyType({"place": "Place the tile", "buy": "Buy the shares"})


def explained(decision: str, tree: Tree) -> str:
    """What the program makes its player do, in lines of text."""
    lines = [f"{CHOICES[decision]} after which this is largest:", *_lines(simplified(tree), 1)]
    dead = list(unreachable(tree))
    if dead:
        lines += ["Never reached:", *(f"  {each}" for each in dead)]
    return "\n".join(lines) + "\n"


def unreachable(tree: Tree, facts: Facts | None = None) -> Iterator[str]:
    """Each branch that no board leads to, with the test that keeps it out."""
    facts = facts or Facts()
    parts = arguments(tree)
    feature = TESTED.get(str(tree[0]))
    if feature is None:
        for part in parts:
            yield from unreachable(part, facts)
        return
    truth = facts.truth(feature)
    for part, value in zip(parts, (True, False), strict=True):
        if truth is None or truth is value:
            yield from unreachable(part, facts.knowing(feature, value))
        else:
            yield f"{dumps(part)}, for there it is {'always' if truth else 'never'} so that {_word(tree)}"


def _lines(tree: Tree, depth: int) -> Iterator[str]:
    margin = "  " * depth
    node, parts = tree[0], arguments(tree)
    if not any(isinstance(each, str) and each in TESTED for each in tree):
        yield margin + _phrase(tree)
    elif node in TESTED:
        yield f"{margin}if {_word(tree)}:"
        yield from _lines(parts[0], depth + 1)
        yield f"{margin}otherwise:"
        yield from _lines(parts[1], depth + 1)
    else:
        yield f"{margin}{TOGETHER[str(node)]}"
        yield from _lines(parts[0], depth + 1)
        yield f"{margin}and"
        yield from _lines(parts[1], depth + 1)


def _phrase(tree: Tree) -> str:
    """A tree without tests, in one line."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return number(node)
    if not parts:
        return _word(tree)
    return f" {SIGNS[node]} ".join(_enclosed(part) for part in parts)


def _enclosed(tree: Tree) -> str:
    return f"({_phrase(tree)})" if arguments(tree) else _phrase(tree)


def _word(tree: Tree) -> str:
    """The root alone."""
    name = str(tree[0])
    if name == "cash-held-by-player":
        return "my cash"
    if name == "how-many-opponents":
        return "the number of opponents"
    rank = next(letter for letter in name if letter.isdigit())
    return WORDS[name.replace(f"chain-{rank}", "chain")].format(CHAINS[int(rank) - 1])
