"""Warriors from files and folders, as commands name them: Redcode, load files, and the ones that come with us."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from core.corewar.warrior import Warrior
from engines.corewar.presets import PRESETS, Preset
from protocols.hill.submission import display
from protocols.redcode.assemble import assemble
from protocols.redcode.dialect import Dialect, Limits
from protocols.redcode.messages import Severity, messages_text

ENDINGS: Final = {".red", ".redcode", ".rc", ".war", ".txt"}  # of warriors' files in a folder, in any case
LARGEST: Final = 1 << 20  # bytes
LIMITS: Final = Limits(characters=LARGEST, expression_depth=200, labels=5_000, steps=200_000)


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


def read(source: Path, preset: Preset) -> Named:
    """ValueError, with the assembler's messages, for a file that holds no warrior for these rules; OSError."""
    return parse(read_text(source), preset, str(source))


def read_text(source: Path) -> str:
    """In the encoding that keeps every byte. ValueError for more than a warrior can be, OSError."""
    with source.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"{source} is too large for a warrior")
    return data.decode("iso-8859-1")


def parse(text: str, preset: Preset, source: str) -> Named:
    """The warrior in a text. ValueError."""
    dialect = Dialect(icws88=preset.is_88, friendly=True, limits=LIMITS)
    assembly = assemble(text, preset.rules, dialect, warriors=2, rounds=preset.rounds)
    warrior = assembly.warrior
    if warrior is None:
        errors = [each for each in assembly.messages if each.severity is Severity.ERROR]
        reasons = messages_text(errors) or "no instruction"
        raise ValueError(f"{source} is no warrior for the {preset.name} rules:\n{reasons}".rstrip())
    return Named(source=source, warrior=warrior, strategy=assembly.strategy)


def collect(sources: Sequence[Path], preset: Preset, skipped: list[str]) -> list[Named]:
    """The warriors of files and, at any depth, of folders, these by name.

    What a folder holds beside them is noted in `skipped`, a line each; a file that is named must be one. ValueError, OSError.
    """
    warriors = []
    for source in sources:
        if not source.is_dir():
            warriors.append(read(source, preset))
            continue
        before = len(warriors)
        for path in _texts(source):
            try:
                warriors.append(read(path, preset))
            except ValueError:
                skipped.append(f"{path} is no warrior for the {preset.name} rules")
        if len(warriors) == before:
            raise ValueError(f"{source} holds no warrior for the {preset.name} rules")
    return warriors


def starters(preset: Preset) -> list[Named]:
    """The warriors that come with the program, those of them that fit the rules."""
    found = []
    for path in sorted((files("engines.corewar") / "warriors").iterdir(), key=lambda each: each.name):
        try:
            found.append(parse(path.read_text("iso-8859-1"), preset, path.name))
        except ValueError:
            continue
    return found


def preset_for(text: str) -> Preset:
    """The hill that a text is written for, by its ;redcode line or the core it asserts; else '94 without P-space."""
    lines = [line.strip().lower() for line in text.splitlines()]
    for line in lines:
        if line.startswith(";redcode-") and (tag := line.removeprefix(";redcode-").partition(" ")[0]):
            if tag in PRESETS:
                return PRESETS[tag]
        elif line.startswith(";assert") and "==" in line:
            size = line.rpartition("==")[2].strip()
            for name in ("94nop", "94x", "tiny", "nano", "icws"):
                if size == str(PRESETS[name].rules.size):
                    return PRESETS[name]
    return PRESETS["94nop"]


def _texts(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in ENDINGS and path.is_file() and path.name.lower() != "readme.txt":
            yield path
