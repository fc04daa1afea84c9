"""The shelf of Core War: warriors that were bred, with their cards, and those that were written by hand."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from engines.exhibit import Exhibit, measured

HERE: Final = Path(__file__).parent
# Of each that was bred: for whom it is, the row of its card with warriors it had never met, and the column.
EVOLVED: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType({
    "large": ("67 instructions for the core of 8,000", "101 warriors", "score"),
    "switcher": ("chooses between two warriors by what P-space remembers", "131 others", "switcher"),
    "tiny": ("10 instructions for the tiny core of 800", "the other 66", "score"),
    "nano": ("5 instructions for the nano core of 80", "55 nano warriors", "score"),
})  # fmt: skip
STRATEGY: Final = ";strategy "


def shelf() -> list[Exhibit]:
    written = sorted((HERE / "warriors").glob("*.red"))
    return [*map(_evolved, EVOLVED), *map(_written, written)]


def _evolved(name: str) -> Exhibit:
    title, row, column = EVOLVED[name]
    card = HERE / "evolved" / name / "README.md"
    score = measured(card, row, column).partition(" (")[0]
    strength = f"{score} points against warriors it had never met"
    return Exhibit(name=name, title=title, strength=strength, is_evolved=True, card=card)


def _written(path: Path) -> Exhibit:
    lines = path.read_text(encoding="utf-8").splitlines()
    told = [line.removeprefix(STRATEGY) for line in lines if line.startswith(STRATEGY)]
    return Exhibit(name=path.stem, title=" ".join(told), card=path)
