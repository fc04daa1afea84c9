"""The twenty strings that were written by hand: varied preferences and ways of walking, `strings/NAME.aps`."""

from pathlib import Path
from typing import Final

from engines.protection.genome import Genome

STRINGS: Final = Path(__file__).parents[1] / "strings"


def handwritten() -> dict[str, Genome]:
    """All of them by name, in alphabetical order, in which a pool begins with them."""
    return {path.stem: Genome.loads(path.read_text(encoding="utf-8")) for path in _files()}


def abouts() -> dict[str, str]:
    """What each is, in its author's words."""
    return {path.stem: about(path.read_text(encoding="utf-8")) for path in _files()}


def about(text: str) -> str:
    """The comment that a file begins with."""
    first = text.partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def _files() -> list[Path]:
    return sorted(STRINGS.glob("*.aps"))
