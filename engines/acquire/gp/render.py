"""Trees for display: in English, as a drawing in text or SVG; and the agreement of two trees on random boards.

The English also names the branches that can never be reached. Reference: "Evolving Board Evaluation Functions",
section 4.1.3, which reads two trees in this manner.
"""

from collections.abc import Iterator, Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from core.acquire.ranked_player import ENDS, FEATURES, LEADS, RANKS, SAFE, TILES, ranked
from core.acquire.rules import PRESETS
from core.random import Random
from engines.acquire.gp.primitives import ADF_NAMES, MEMORY_NAMES, PRIMITIVES
from engines.acquire.gp.sexpr import dumps, name_of, number
from engines.acquire.gp.simplify import CALCULATING, TESTED, THESIS_FACTS, Facts, shortest
from engines.acquire.gp.tree import Tree, arguments, compile_tree, levels

# -- English ---------------------------------------------------------------------------------------

COMBINED: Final[Mapping[str, str]] = MappingProxyType({
    "+": "the sum of", "-": "the difference of", "*": "the product of", "div": "the quotient of",
})  # fmt: skip
ADF_HEADS: Final[Mapping[str, str]] = MappingProxyType({
    "rate": "Rate {} of a chain, called it, is",
    "test": "A chain, called it, passes test {} if",
    "mix": "Mix {} of two numbers is",
})  # fmt: skip
HEADS: Final[Mapping[str, str]] = MappingProxyType({  # by the name of the program
    "place": "Place the tile after which this is largest",
    "buy": "Buy the shares after which this is largest",
    "found": "Found the chain after which this is largest",
    "survivor": "Let the chain survive, or be merged away next, after which this is largest",
    "end": "Announce the end of the game, where that is allowed, if",
    "dispose": "Trade and sell none, half or all of the shares, so that this is largest",
    **{name: ADF_HEADS[name[:-2]].format(name[-1]) for name in ADF_NAMES},
    **{name: f"Keep in memory {name[-1]}, after each purchase" for name in MEMORY_NAMES},
})  # fmt: skip


def english(program: str, tree: Tree, facts: Facts = THESIS_FACTS) -> str:
    """Return what the program of this name makes its player do, as lines of English text."""
    lines = [f"{HEADS[program]}:", *_english_lines(shortest(tree, facts), 1)]
    dead = list(unreachable(tree, facts))
    if dead:
        lines += ["Never reached:", *(f"  {each}" for each in dead)]
    return "\n".join(lines) + "\n"


def unreachable(tree: Tree, facts: Facts = THESIS_FACTS) -> Iterator[str]:
    """Yield each branch that no board leads to, with the test that excludes it."""
    parts = arguments(tree)
    feature = TESTED.get(str(tree[0]))
    if feature is None:
        for part in parts:
            yield from unreachable(part, facts)
        return
    truth = facts.truth(feature)
    for part, value in zip(parts, (True, False), strict=True):
        if truth is None or truth is value:
            yield from unreachable(part, facts.with_fact(feature, value))
        else:
            condition = PRIMITIVES[str(tree[0])].text
            yield f"{dumps(part)}, because there it {'always' if truth else 'never'} holds that {condition}"


def _english_lines(tree: Tree, depth: int) -> Iterator[str]:
    """Yield the lines of a tree: branches and the arithmetic above them are indented, each other part is one line."""
    margin = "  " * depth
    node, parts = tree[0], arguments(tree)
    has_branches = any(isinstance(each, str) and (each in TESTED or each == "if") for each in tree)
    if node in TESTED or node == "if":
        yield f"{margin}if {PRIMITIVES[str(node)].text if node in TESTED else _phrase(parts[0])}:"
        yield from _english_lines(parts[-2], depth + 1)
        yield f"{margin}otherwise:"
        yield from _english_lines(parts[-1], depth + 1)
    elif node in COMBINED and has_branches:
        yield f"{margin}{COMBINED[str(node)]}"
        yield from _english_lines(parts[0], depth + 1)
        yield f"{margin}and"
        yield from _english_lines(parts[1], depth + 1)
    else:
        yield margin + _phrase(tree)


def _phrase(tree: Tree) -> str:
    """Return the tree as one line of English."""
    node, parts = tree[0], arguments(tree)
    if isinstance(node, float):
        return number(node)
    text = f"if [{PRIMITIVES[node].text}], [{{}}], else [{{}}]" if node in TESTED else PRIMITIVES[node].text
    phrases = [_phrase(part) for part in parts]
    if node in CALCULATING:
        phrases = [
            f"({phrase})" if part[0] in CALCULATING else phrase
            for part, phrase in zip(parts, phrases, strict=True)
        ]
    return text.format(*phrases)


# -- Drawings --------------------------------------------------------------------------------------

LETTER: Final = 6.6  # width in pixels
GAP: Final = 14  # between siblings
LINE: Final = 46  # from level to level
BOX: Final = 22
MARGIN: Final = 10


def text_tree(tree: Tree) -> str:
    """Return a drawing of the tree as text: one node a line, with the root at the top left."""
    return "".join(f"{line}\n" for line in _tree_lines(tree))


def _tree_lines(tree: Tree) -> Iterator[str]:
    parts = arguments(tree)
    yield name_of(tree[0])
    for place, part in enumerate(parts):
        first, others = ("└─ ", "   ") if place == len(parts) - 1 else ("├─ ", "│  ")
        for count, line in enumerate(_tree_lines(part)):
            yield (others if count else first) + line


def svg(tree: Tree, title: str) -> str:
    """Return a drawing of the tree as a whole SVG file: the root at the top, each node above its arguments."""
    width = _width(tree) + 2 * MARGIN
    height = LINE * (levels(tree) - 1) + BOX + 2 * MARGIN
    body = "\n".join(_boxes(tree, MARGIN, MARGIN))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="monospace" font-size="11" text-anchor="middle">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _boxes(tree: Tree, left: float, top: float) -> Iterator[str]:
    """Yield the elements of a subtree; lines come before boxes, so that boxes are drawn over them."""
    middle, own = left + _width(tree) / 2, _name_width(tree)
    start = left + (_width(tree) - _row_width(tree)) / 2
    for part in arguments(tree):
        below = start + _width(part) / 2
        yield (
            f'<line x1="{middle:.1f}" y1="{top + BOX}" x2="{below:.1f}" y2="{top + LINE}" stroke="#888888"/>'
        )
        yield from _boxes(part, start, top + LINE)
        start += _width(part) + GAP
    fill = "#e8eef7" if arguments(tree) else "#f4f4ea"
    yield (
        f'<rect x="{middle - own / 2:.1f}" y="{top}" width="{own:.1f}" height="{BOX}" rx="4" fill="{fill}" '
        f'stroke="#666666"/><text x="{middle:.1f}" y="{top + 15}">{escape(name_of(tree[0]))}</text>'
    )


def _name_width(tree: Tree) -> float:
    return LETTER * len(name_of(tree[0])) + 10


def _row_width(tree: Tree) -> float:
    """Return the width of the subtrees below the root, in pixels."""
    parts = arguments(tree)
    return sum(map(_width, parts)) + GAP * max(len(parts) - 1, 0)


def _width(tree: Tree) -> float:
    return max(_name_width(tree), _row_width(tree))


# -- Random boards ---------------------------------------------------------------------------------

RULES: Final = PRESETS["thesis-2002"]
LARGEST: Final = 40  # all other features are below it: money in hundreds, shares, squares


def agreement(one: Tree, other: Tree, boards: int, rng: Random) -> float:
    """Return the share of `boards` random boards on which two trees have the same value."""
    first, second = compile_tree(one), compile_tree(other)
    same = 0
    for _ in range(boards):
        for slot, value in enumerate(features(rng)):
            first.set(slot, value)
            second.set(slot, value)
        same += first.value() == second.value()
    return same / boards


def features(rng: Random) -> list[float]:
    """Return the features of a random board, by slot; the facts that simplification assumes hold on it."""
    values = [float(rng.below(LARGEST)) for _ in range(FEATURES)]
    left, sizes = RULES.squares, []
    for _ in range(RANKS):
        sizes.append(int(rng.below(min(left, RULES.squares // 2) + 1)))
        left -= sizes[-1]
    for rank, size in enumerate(sorted(sizes, reverse=True)):
        values[ranked(TILES, rank)] = float(size)
        values[ranked(SAFE, rank)] = float(size >= RULES.safe)
        values[ranked(ENDS, rank)] = float(size >= RULES.end)
        values[ranked(LEADS, rank)] = float(rng.chance(0.5))
    return values
