"""Warriors read from texts, and those that come with the program: written by hand, or evolved."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import engines.corewar
from core.corewar.assembler import assemble
from core.corewar.dialect import Dialect, Limits
from core.corewar.warrior import Warrior
from engines.corewar.presets import Preset
from protocols.redcode.listing import display
from protocols.redcode.messages import messages_text

LARGEST: Final = 1 << 20  # bytes
LIMITS: Final = Limits(characters=LARGEST, expression_depth=200, labels=5_000, steps=200_000)
BUNDLED: Final = Path(engines.corewar.__path__[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A warrior and the file that it comes from."""

    source: str  # path
    warrior: Warrior
    strategy: tuple[str, ...] = ()  # lines

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
    """The warriors written for the program that fit the rules."""
    return list(_fitting(sorted((BUNDLED / "warriors").glob("*.red")), preset))


def evolved_warriors(preset: Preset) -> list[Named]:
    """The evolved warriors that fit the rules."""
    return list(_fitting(sorted((BUNDLED / "evolved").glob("*/*.red")), preset))


def bundled_text(source: str) -> str:
    """The text of a starter or an evolved warrior, by its file's name. KeyError if there is none."""
    for path in (*(BUNDLED / "warriors").glob("*.red"), *(BUNDLED / "evolved").glob("*/*.red")):
        if path.name == source:
            return path.read_text("iso-8859-1")
    raise KeyError(source)


def _fitting(paths: list[Path], preset: Preset) -> Iterator[Named]:
    for path in paths:
        try:
            yield parse(path.read_text("iso-8859-1"), preset, path.name)
        except ValueError:
            continue
