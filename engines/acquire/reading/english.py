"""A program in English: what it wants, and which of its branches can never be reached.

Reference: "Evolving Board Evaluation Functions", section 4.1.3, which reads two trees in this manner.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from core.acquire.typed_features import REGISTERS
from engines.acquire.trees.shorter.facts import THESIS_FACTS, Facts
from engines.acquire.trees.shorter.simplify import TESTED
from engines.acquire.trees.shorter.sums import shortest
from engines.acquire.trees.text import dumps, number
from engines.acquire.trees.tree import Tree, arguments
from engines.acquire.trees.words.functions import EACH

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
TYPED: Final[Mapping[str, str]] = MappingProxyType({
    "cash": "my cash",
    "opponents": "the number of opponents",
    "bag-left": "the number of tiles in the bag",
    "chains-on-board": "the number of chains on the board",
    "my-worth": "my worth if the game ended now",
    "best-opp-worth": "the worth of the best opponent if the game ended now",
    "best-opp-cash": "the cash of the richest opponent",
    "my-found-tiles": "the number of my tiles that would found a chain",
    "can-end": "the end may be announced",
    "i-lead": "I am worth more than anybody else",
    "largest": "the largest chain",
    "second-largest": "the second chain",
    "smallest": "the smallest chain",
    "founded": "the chain that is founded",
    "grown": "the chain that the tile joins",
    "survivor": "the chain that survives",
    "defunct": "the chain that is merged away",
    "bought": "the chain that a share is bought of",
    "it": "it",
    "size": "the size of {}",
    "price": "the price of {}",
    "start-price": "the price at two tiles of {}",
    "held": "my shares of {}",
    "left": "the bank's shares of {}",
    "lead": "my lead in shares of {}",
    "opp-best": "the best opponent's shares of {}",
    "bonus": "the majority bonus of {}",
    "payoff": "what I would get if it were taken over now for {}",
    "gain": "my bonus less the best opponent's, if it were taken over now, for {}",
    "perimeter": "the empty squares beside {}",
    "distance": "the distance to the nearest other chain from {}",
    "merge-squares": "the empty squares between another chain and {}",
    "my-merge-tiles": "my tiles that would merge {}",
    "my-grow-tiles": "my tiles that would add to {}",
    "majority": "I hold more than anybody else of {}",
    "second": "I would get a bonus, but not of the first, for {}",
    "safe": "safe from merging is {}",
    "max-size": "of the maximum size is {}",
    "on-board": "on the board is {}",
    "kth": "the chain of rank [{}]",
    "sum": "the sum over all chains on the board of [{}]",
    "max-over": "the highest of all chains on the board of [{}]",
    "best": "the chain on the board with the highest [{}]",
    "min": "the lesser of [{}] and [{}]",
    "max": "the greater of [{}] and [{}]",
    "and": "both [{}] and [{}]",
    "or": "[{}] or [{}]",
    "not": "not [{}]",
    "<": "[{}] is less than [{}]",
    "=": "[{}] equals [{}]",
    "if-chain": "(if [{}], {}, else {})",
    "others-bought": "the shares that others bought in their last turns of {}",
    **{f"memory-{number}": f"memory {number}" for number in range(1, REGISTERS + 1)},
    **{f"rate-{number}": f"rate {number} of {{}}" for number in range(1, EACH + 1)},
    **{f"test-{number}": f"test {number} is passed by {{}}" for number in range(1, EACH + 1)},
    **{f"mix-{number}": f"mix {number} of [{{}}] and [{{}}]" for number in range(1, EACH + 1)},
    "a": "the first number",
    "b": "the second number",
})  # fmt: skip
SIGNS: Final[Mapping[str, str]] = MappingProxyType(
    {"+": "plus", "-": "minus", "*": "times", "div": "divided by"}
)
TOGETHER: Final[Mapping[str, str]] = MappingProxyType({
    "+": "the sum of", "-": "the difference of", "*": "the product of", "div": "the quotient of",
})  # fmt: skip
CHOICES: Final[Mapping[str, str]] = MappingProxyType({
    "place": "Place the tile after which this is largest",
    "buy": "Buy the shares after which this is largest",
    "found": "Found the chain after which this is largest",
    "survivor": "Let that chain survive, or be merged away next, after which this is largest",
    "end": "Announce the end, where it may be, if",
    "dispose": "Trade and sell of nothing, half and all what makes this largest",
    **{f"rate-{number}": f"Rate {number} of a chain, called it, is" for number in range(1, EACH + 1)},
    **{f"test-{number}": f"Test {number} is passed by a chain, called it, if" for number in range(1, EACH + 1)},
    **{f"mix-{number}": f"Mix {number} of two numbers is" for number in range(1, EACH + 1)},
    **{
        f"remember-{number}": f"Keep in memory {number}, after each purchase"
        for number in range(1, REGISTERS + 1)
    },
})  # fmt: skip


def explained(program: str, tree: Tree, facts: Facts = THESIS_FACTS) -> str:
    """What the program of this name makes its player do, in lines of text."""
    lines = [f"{CHOICES[program]}:", *_lines(shortest(tree, facts), 1)]
    dead = list(unreachable(tree, facts))
    if dead:
        lines += ["Never reached:", *(f"  {each}" for each in dead)]
    return "\n".join(lines) + "\n"


def unreachable(tree: Tree, facts: Facts = THESIS_FACTS) -> Iterator[str]:
    """Each branch that no board leads to, with the test that keeps it out."""
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
    if not any(isinstance(each, str) and (each in TESTED or each == "if") for each in tree):
        yield margin + _phrase(tree)
    elif node in TESTED or node == "if":
        yield f"{margin}if {_word(tree) if node in TESTED else _phrase(parts[0])}:"
        yield from _lines(parts[-2], depth + 1)
        yield f"{margin}otherwise:"
        yield from _lines(parts[-1], depth + 1)
    elif node not in TOGETHER:
        yield margin + _phrase(tree)
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
    if node == "if":
        return "if [{}], [{}], else [{}]".format(*map(_phrase, parts))
    if node in TYPED:
        return TYPED[node].format(*map(_phrase, parts))
    if not parts:
        return _word(tree)
    return f" {SIGNS[node]} ".join(_enclosed(part) for part in parts)


def _enclosed(tree: Tree) -> str:
    return f"({_phrase(tree)})" if tree[0] in SIGNS else _phrase(tree)


def _word(tree: Tree) -> str:
    """The root alone."""
    name = str(tree[0])
    if name == "cash-held-by-player":
        return "my cash"
    if name == "how-many-opponents":
        return "the number of opponents"
    rank = next(letter for letter in name if letter.isdigit())
    return WORDS[name.replace(f"chain-{rank}", "chain")].format(CHAINS[int(rank) - 1])
