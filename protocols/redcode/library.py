"""Warriors from texts, and those that come with the program: the starters and the ones that were bred."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from core.corewar.assembler import assemble
from core.corewar.dialect import Dialect, Limits
from core.corewar.warrior import Warrior
from engines.corewar.presets import Preset
from protocols.redcode.listing import display
from protocols.redcode.messages import messages_text

LARGEST: Final = 1 << 20  # bytes
LIMITS: Final = Limits(characters=LARGEST, expression_depth=200, labels=5_000, steps=200_000)
OURS: Final = Path(str(files("engines.corewar")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A warrior and where it comes from."""

    source: str  # a path
    warrior: Warrior
    strategy: tuple[str, ...] = ()  # lines, as its author tells it

    @property
    def label(self) -> str:
        """Its name, fit for a terminal."""
        return display(self.warrior.name) or "Unknown"

    @property
    def author(self) -> str:
        return display(self.warrior.author) or "Anonymous"


def parse(text: str, preset: Preset, source: str) -> Named:
    """The warrior in a text. ValueError."""
    dialect = Dialect(icws88=preset.is_88, friendly=True, limits=LIMITS)
    assembly = assemble(text, preset.rules, dialect, warriors=2, rounds=preset.rounds)
    warrior = assembly.warrior
    if warrior is None:
        reasons = messages_text(assembly.errors) or "no instruction"
        raise ValueError(f"{source} is no warrior for the {preset.name} rules:\n{reasons}".rstrip())
    return Named(source=source, warrior=warrior, strategy=assembly.strategy)


def starters(preset: Preset) -> list[Named]:
    """The warriors that were written for the program, those of them that fit the rules."""
    return list(_fitting(sorted((OURS / "warriors").glob("*.red")), preset))


def bred(preset: Preset) -> list[Named]:
    """The warriors that were bred, those of them that fit the rules."""
    return list(_fitting(sorted((OURS / "evolved").glob("*/*.red")), preset))


def text_of_ours(source: str) -> str:
    """The text of a starter or of one that was bred, by its file's name. KeyError if there is none."""
    for path in (*(OURS / "warriors").glob("*.red"), *(OURS / "evolved").glob("*/*.red")):
        if path.name == source:
            return path.read_text("iso-8859-1")
    raise KeyError(source)


def _fitting(paths: list[Path], preset: Preset) -> Iterator[Named]:
    for path in paths:
        try:
            yield parse(path.read_text("iso-8859-1"), preset, path.name)
        except ValueError:
            continue
