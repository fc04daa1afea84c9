"""The home of a server, the folder with all its data: its parts, its format, and the permissions of its files.

A home has the folders `records`, `profiles`, `hills` and `runs`; the file `format` has the version of the home. Each
store in the folders has a version of its own (engines.storage.FileFormat, the header of a record, the line V of a
profile).
"""

import errno
import logging
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from engines.storage import open_file, write_atomically

FOLDERS: Final = ("records", "profiles", "hills", "runs")
FORMAT_FILE: Final = "format"
FORMAT: Final = re.compile(r"galapagos home ([0-9]{1,9})\n?")
VERSION: Final = 1
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
LOG: Final = logging.getLogger(__name__)


class HomeError(ValueError):
    """A folder is no home, or is the home of a newer program; nothing in the folder was changed."""


def prepare_home(home: Path) -> None:
    """Create the missing folders of a home, and restrict its files and folders to their owner.

    Raises HomeError for the home of a newer program, and OSError if something else has the name of a folder.
    """
    home.mkdir(parents=True, exist_ok=True)
    home_version(home)
    for name in FOLDERS:
        folder = home / name
        if os.path.lexists(folder) and not folder.is_dir():
            reason = "This is not a folder; move it away, or mount what it refers to"
            raise NotADirectoryError(errno.ENOTDIR, reason, str(folder))
        folder.mkdir(exist_ok=True)
    if not os.path.lexists(home / FORMAT_FILE):
        write_atomically(home / FORMAT_FILE, f"galapagos home {VERSION}\n")
    for path, mode in _parts(home):
        _protect(path, mode)


def home_version(home: Path) -> int:
    """Return the version of a home; VERSION if the home has none. Raises HomeError for a newer version."""
    version = _version(home / FORMAT_FILE)
    if version > VERSION:
        raise HomeError(f"{home} has format {version}, of a newer galapagos; this one reads {VERSION}")
    return version


def folder_bytes(folder: Path) -> int:
    """Return the bytes of all files below a folder. Links are not followed; what cannot be read counts as 0."""
    total, waiting = 0, [os.fspath(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # it has just been deleted
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        total += entry.stat(follow_symlinks=False).st_size
    return total


def _version(path: Path) -> int:
    try:
        with open_file(path) as file:
            text = file.read(100).decode(errors="replace")
    except FileNotFoundError:
        return VERSION  # a home from before the file `format`
    except OSError as error:
        LOG.warning("%s cannot be read (%s); move it away or repair it", path, error.strerror)
        return VERSION
    found = FORMAT.fullmatch(text)
    if not found:
        LOG.warning("%s does not contain a version; move it away or repair it", path)
    return int(found[1]) if found else VERSION


def _parts(home: Path) -> Iterator[tuple[Path, int]]:
    """Yield the files and folders of a home with the mode that each should have; links are not followed."""
    yield home, PRIVATE_FOLDER
    waiting = [home]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
                        yield Path(entry.path), PRIVATE_FOLDER
                    elif entry.is_file(follow_symlinks=False):
                        yield Path(entry.path), PRIVATE_FILE
        except OSError as error:
            LOG.warning("the folder %s cannot be read: %s", error.filename, error.strerror)


def _protect(path: Path, mode: int) -> None:
    """Remove all permissions of other users; if that is not allowed, log a warning."""
    try:
        if stat.S_IMODE(path.lstat().st_mode) & 0o077:
            path.chmod(mode)
    except OSError as error:
        LOG.warning("%s can be read by other users, and its mode cannot be changed: %s", path, error.strerror)
