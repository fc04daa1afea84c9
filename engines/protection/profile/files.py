"""Profiles in a folder: one file a user, by a name that is never a path, replaced as a whole."""

from pathlib import Path
from typing import Final
from unicodedata import normalize

from engines.protection.profile.apu import dumps, loads
from engines.protection.profile.profile import Profile
from engines.storage import write_atomically

SUFFIX: Final = ".apu"
LONGEST: Final = 40
MARKS: Final = " _-"


def file_name(user: str) -> str:
    """NAME.apu. ValueError unless the name is 1 to 40 letters, digits, spaces, `_` and `-`."""
    name = normalize("NFC", user).strip(" ")
    strange = sorted({mark for mark in name if not (mark.isalnum() or mark in MARKS)})
    if strange or not 0 < len(name) <= LONGEST:
        reason = f"no {strange[0]!r}" if strange else f"not {len(name)}"
        raise ValueError(f"a user's name is 1 to {LONGEST} letters, digits, spaces, _ and -, {reason}")
    return name + SUFFIX


def read_profile(folder: Path, user: str) -> Profile | None:
    """None for a user who was never here. ProfileError or OSError for a file that cannot be used."""
    path = folder / file_name(user)
    try:
        return loads(path.read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        return None


def write_profile(folder: Path, user: str, profile: Profile) -> Path:
    """Replace the user's file: whatever happens, it is the old one or the new one. OSError."""
    path = folder / file_name(user)
    write_atomically(path, dumps(profile))
    return path
