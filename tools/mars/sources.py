"""Sources: the texts of warriors, from files and from standard input."""

import os
from pathlib import Path
from typing import Final

from tools.mars.command_line.words import Text

LARGEST: Final = 1 << 24  # bytes; pMARS reads what it is given, /dev/zero for ever


class SourceError(OSError):
    """A warrior's text that cannot be had."""


def file_text(name: str) -> str:
    """What stands in a file. SourceError."""
    path = Path(os.fsdecode(name.encode("latin-1")))
    try:
        is_folder = path.is_dir()
        data = b"" if is_folder else _head(path)
    except (OSError, ValueError):  # ValueError: a name with a NUL
        raise SourceError(f"Unable to open file '{name}'") from None
    if is_folder or len(data) > LARGEST:
        raise SourceError(f"Unable to read file '{name}'")
    return data.decode("latin-1")


def rest_of(text: Text) -> str:
    """What is left of a text; not much more than the largest warrior."""
    lines = []
    size = 0
    while size <= LARGEST and (line := text.line()):
        lines.append(line)
        size += len(line)
    return "".join(lines)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)
