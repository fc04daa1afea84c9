"""A tree as a drawing in SVG: the root at the top, each word above its arguments."""

from collections.abc import Iterator
from html import escape
from typing import Final

from engines.acquire.trees.text import number
from engines.acquire.trees.tree import Tree, arguments, levels

LETTER: Final = 6.6  # width in pixels
GAP: Final = 14  # between brothers
LINE: Final = 46  # from level to level
BOX: Final = 22
MARGIN: Final = 10


def svg(tree: Tree, title: str) -> str:
    """A whole file."""
    width = _width(tree) + 2 * MARGIN
    height = LINE * (levels(tree) - 1) + BOX + 2 * MARGIN
    body = "\n".join(_drawn(tree, MARGIN, MARGIN))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="monospace" font-size="11" text-anchor="middle">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _drawn(tree: Tree, left: float, top: float) -> Iterator[str]:
    """Lines first, so that boxes lie above them."""
    middle, own = left + _width(tree) / 2, _word_width(tree)
    start = left + (_width(tree) - _row_width(tree)) / 2
    for part in arguments(tree):
        below = start + _width(part) / 2
        yield (
            f'<line x1="{middle:.1f}" y1="{top + BOX}" x2="{below:.1f}" y2="{top + LINE}" stroke="#888888"/>'
        )
        yield from _drawn(part, start, top + LINE)
        start += _width(part) + GAP
    fill = "#e8eef7" if arguments(tree) else "#f4f4ea"
    yield (
        f'<rect x="{middle - own / 2:.1f}" y="{top}" width="{own:.1f}" height="{BOX}" rx="4" fill="{fill}" '
        f'stroke="#666666"/><text x="{middle:.1f}" y="{top + 15}">{escape(_word(tree))}</text>'
    )


def _word(tree: Tree) -> str:
    node = tree[0]
    return number(node) if isinstance(node, float) else node


def _word_width(tree: Tree) -> float:
    return LETTER * len(_word(tree)) + 10


def _row_width(tree: Tree) -> float:
    """Of what is below the root."""
    parts = arguments(tree)
    return sum(map(_width, parts)) + GAP * max(len(parts) - 1, 0)


def _width(tree: Tree) -> float:
    return max(_word_width(tree), _row_width(tree))
