"""The bundled players of a game, for visitors: each with its card and its measured strength.

A game's catalogue() lists the players, the strongest evolved player first; tools/games has the place of catalogue().
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.names import near

ROW: Final = re.compile(r"\|(.*)\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerInfo:
    """A bundled player of a game."""

    name: str  # in the protocols of the game
    title: str  # a line for people
    strength: str = ""  # measured, with its interval
    is_evolved: bool = False
    card: Path | None = None  # Markdown, or a file with its description in comments


def measured(card: Path, row: str, column: str) -> str:
    """Return a cell of a table of a card, in the first row that starts with `row`. Raises ValueError without one."""
    heads: list[str] = []
    for line in card.read_text(encoding="utf-8").splitlines():
        cells = _cells(line)
        if column in cells:
            heads = cells
        elif heads and cells and cells[0].startswith(row):
            return cells[heads.index(column)]
    raise ValueError(f"{card.name} has no row {row!r} with a column {column!r}")


def unknown(kind: str, name: str, known: Iterable[str], listing: str = "") -> str:
    """Return the message that a name is neither a file nor bundled, with similar names or a list of names."""
    return f"{name[:100]!r} is neither a file nor a bundled {kind}; {near(name, known, listing)}"


def first_sentence(text: str) -> str:
    """Return the first sentence of the comment at the start of a text, marked by # or ;."""
    comment = []
    for line in text.splitlines():
        if not line.startswith(("#", ";")):
            break
        comment.append(line.lstrip("#; ").strip())
    return " ".join(comment).partition(". ")[0].removesuffix(".")


def _cells(line: str) -> list[str]:
    """Return the cells of a line of a table, which may be in a comment; empty for any other line."""
    row = ROW.fullmatch(line.lstrip("#; ").strip())
    return [cell.strip() for cell in row[1].split("|")] if row else []
