"""The players of a game that a visitor is shown, each with its card and what was measured of it.

A game's catalogue() lists them, the strongest evolved player first; tools/games says where it is.
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
    """A player of a game."""

    name: str  # as the game's protocols call it
    title: str  # a line for people
    strength: str = ""  # measured, with its interval
    is_evolved: bool = False
    card: Path | None = None  # Markdown, or a file whose comments tell


def measured(card: Path, row: str, column: str) -> str:
    """The cell of a card's first table in the row that begins with `row`. ValueError if there is none."""
    heads: list[str] = []
    for line in card.read_text(encoding="utf-8").splitlines():
        cells = _cells(line)
        if column in cells:
            heads = cells
        elif heads and cells and cells[0].startswith(row):
            return cells[heads.index(column)]
    raise ValueError(f"{card.name} has no row {row!r} with a column {column!r}")


def unknown(kind: str, name: str, known: Iterable[str], listing: str = "") -> str:
    """Return the sentence that a name is neither a file nor bundled, with what is near, or what there is."""
    return f"{name[:100]!r} is neither a file nor a bundled {kind}; {near(name, known, listing)}"


def first_sentence(text: str) -> str:
    """The first sentence of the comment that a text begins with, marked by # or ;."""
    comment = []
    for line in text.splitlines():
        if not line.startswith(("#", ";")):
            break
        comment.append(line.lstrip("#; ").strip())
    return " ".join(comment).partition(". ")[0].removesuffix(".")


def _cells(line: str) -> list[str]:
    """The cells of a line of a table, which may stand in a comment."""
    row = ROW.fullmatch(line.lstrip("#; ").strip())
    return [cell.strip() for cell in row[1].split("|")] if row else []
