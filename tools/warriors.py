"""Warriors from the files and folders that commands name: Redcode and load files."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from core.corewar.diagnostics import Problem
from engines.corewar.presets import PRESETS, Preset
from protocols.redcode.library import MAX_BYTES, NamedWarrior, parse
from tools.files import read_file

ENDINGS: Final = {".red", ".redcode", ".rc", ".war", ".txt"}  # of warriors in folders, in upper or lower case


def read(source: Path, preset: Preset) -> NamedWarrior:
    """Read the warrior of a file.

    Raises ValueError, with the assembler's messages, if the file has no warrior for these rules, and OSError if the
    file cannot be read.
    """
    return assembled(read_text(source), preset, str(source))


def assembled(text: str, preset: Preset, source: str) -> NamedWarrior:
    """Return the warrior of a text.

    Raises ValueError if it is none for these rules. If an assertion fails and the text names another hill, the message
    names the option that chooses its rules.
    """
    try:
        return parse(text, preset, source)
    except ValueError as error:
        own = named_preset(text)
        if own and own is not preset and Problem.ASSERTION.value[0] in str(error):
            raise ValueError(
                f"{error}\nIt is written for the {own.name} hill: try --rules {own.name}"
            ) from None
        raise


def read_text(source: Path) -> str:
    """Return the text of a warrior, in the encoding that keeps every byte. Raises OSError as read_file() does."""
    return read_file(source, MAX_BYTES).decode("iso-8859-1")


def collect(sources: Sequence[Path], preset: Preset, skipped: list[str]) -> list[NamedWarrior]:
    """Return the warriors of files, and those of folders at any depth, sorted by path within a folder.

    Files of a folder that have no warrior are added to `skipped`, one line each. Raises ValueError if a file in
    `sources` or all files of a folder have no warrior, and OSError if a file cannot be read.
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
                skipped.append(f"{path} is left out, because it is not a warrior for the {preset.name} rules")
        if len(warriors) == before:
            raise ValueError(f"{source} holds no warrior for the {preset.name} rules")
    return warriors


def preset_for(text: str) -> Preset:
    """Return the hill that a text is written for, as named_preset() does; the default is '94 without P-space."""
    return named_preset(text) or PRESETS["94nop"]


def named_preset(text: str) -> Preset | None:
    """Return the hill that a text names by its ;redcode line, or by the core size of its ;assert line, if any."""
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
    return None


def preset_of_source(source: Path) -> Preset:
    """Return the hill of a file, or of the first file of a folder, as preset_for() does, but never that of a melee.

    Raises ValueError or OSError if the file cannot be read.
    """
    path = next(_texts(source), None) if source.is_dir() else source
    preset = PRESETS["94nop"] if path is None else preset_for(read_text(path))
    return PRESETS["94nop"] if preset.is_melee else preset


def _texts(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in ENDINGS and path.is_file() and path.name.lower() != "readme.txt":
            yield path
