"""Warriors assembled from text, and the bundled warriors, written by hand or evolved."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import engines.corewar
from core.corewar.assembler import assemble
from core.corewar.diagnostics import Message, Problem
from core.corewar.dialect import Dialect, Limits
from core.corewar.warrior import Warrior
from engines.corewar.presets import Preset
from protocols.redcode.listing import display_name, messages_text

MAX_BYTES: Final = 1 << 20  # of a warrior's text
LIMITS: Final = Limits(characters=MAX_BYTES, expression_depth=200, labels=5_000, steps=200_000)
BUNDLED: Final = Path(engines.corewar.__path__[0])
HAND_WRITTEN: Final = "warriors/*.red"
EVOLVED: Final = "evolved/*/*.red"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedWarrior:
    """A warrior and its file."""

    source: str  # the file's path, or its name for a bundled one
    warrior: Warrior
    strategy: tuple[str, ...] = ()  # lines

    @property
    def label(self) -> str:
        """The warrior's name as display_name() shows it, or "Unknown"."""
        return display_name(self.warrior.name) or "Unknown"

    @property
    def author(self) -> str:
        return display_name(self.warrior.author) or "Anonymous"


def parse(text: str, preset: Preset, source: str) -> NamedWarrior:
    """Assemble `text`. Raises ValueError, with the assembler's messages, if it is not a warrior for these rules."""
    dialect = Dialect(icws88=preset.is_88, friendly=True, limits=LIMITS)
    assembly = assemble(text, preset.rules, dialect, warriors=2, rounds=preset.rounds)
    warrior = assembly.warrior
    if warrior is None:
        reasons = messages_text(assembly.errors) or "the text has no instruction"
        problem = f"{source} is not a warrior for the {preset.name} rules:\n{reasons}".rstrip()
        raise ValueError(f"{problem}\n{failed_assertions(assembly.errors, preset)}".rstrip())
    return NamedWarrior(source=source, warrior=warrior, strategy=assembly.strategy)


def failed_assertions(messages: Iterable[Message], preset: Preset) -> str:
    """Return a sentence with the values, under these rules, of the names in assertions that fail, or ""."""
    failed = [message.source for message in messages if message.problem is Problem.ASSERTION]
    rules = preset.rules
    values = {
        "CORESIZE": rules.size,
        "MAXCYCLES": rules.cycles,
        "MAXPROCESSES": rules.processes,
        "MAXLENGTH": rules.length,
        "MINDISTANCE": rules.distance,
        "PSPACESIZE": rules.pspace,
        "ROUNDS": preset.rounds,
    }
    named = (f"{name} is {value}" for name, value in values.items() if any(name in line for line in failed))
    text = ", ".join(named)
    return f"Under the {preset.name} rules {text}." if text else ""


def starters(preset: Preset) -> list[NamedWarrior]:
    """Return the bundled warriors written by hand that fit the rules."""
    return _fitting(HAND_WRITTEN, preset)


def evolved_warriors(preset: Preset) -> list[NamedWarrior]:
    """Return the bundled evolved warriors that fit the rules."""
    return _fitting(EVOLVED, preset)


def bundled_names() -> list[str]:
    """Return the names of the bundled warriors, without the ending of their files: evolved ones first."""
    return [path.stem for pattern in (EVOLVED, HAND_WRITTEN) for path in sorted(BUNDLED.glob(pattern))]


def bundled_text(source: str) -> str:
    """Return the text of a bundled warrior by its file's name. Raises KeyError if there is none."""
    for pattern in (HAND_WRITTEN, EVOLVED):
        for path in BUNDLED.glob(pattern):
            if path.name == source:
                return path.read_text("iso-8859-1")
    raise KeyError(source)


def _fitting(pattern: str, preset: Preset) -> list[NamedWarrior]:
    fitting = []
    for path in sorted(BUNDLED.glob(pattern)):
        with suppress(ValueError):
            fitting.append(parse(path.read_text("iso-8859-1"), preset, path.name))
    return fitting
