"""Backups of a home while a server uses it, as one tar archive packed by gzip, and the restoring of a new home.

A backup has everything that was acknowledged before the backup started. Databases (hills, runs) are copied by
SQLite's own backup, each as it is after some transaction. Records of games and matches are only appended to, and are
copied up to their last whole line. Other files are replaced atomically, and are copied as they are. Locks and the
files that SQLite keeps next to a database are left out. A restored home is new: nothing is overwritten, and an
archive can neither write outside its folder nor contain links.
"""

import errno
import gzip
import io
import json
import os
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO, Final

from engines.home import FOLDERS, PRIVATE_FILE, PRIVATE_FOLDER, HomeError, home_version
from engines.home import VERSION as HOME_VERSION
from engines.storage import LOCK, SIDECARS, SQLITE_HEADER, connect, open_file
from engines.version import VERSION

FORMAT: Final = "galapagos-backup/1"
MANIFEST: Final = "galapagos-backup.json"  # the first member of an archive
TOP: Final = "home"  # the folder of all other members
LINES: Final = (".jsonl", ".match")  # files to which only whole lines are appended
LEFT_OUT: Final = (*SIDECARS, f".{LOCK}", ".tmp", ".new")
DEEPEST: Final = 20  # parts of the name of a member
PIECE: Final = 1 << 20


class BackupError(ValueError):
    """A file is no backup, or a damaged or hostile one; nothing was restored."""


def back_up(home: Path, file: Path, warn: Callable[[str], object]) -> int:
    """Copy a home into a new file, and return the number of files copied.

    `warn` is called with a sentence for each file that cannot be copied. Raises HomeError if the folder is no home,
    FileExistsError if the new file exists, and OSError.
    """
    if not home.is_dir() or not any((home / name).is_dir() for name in FOLDERS):
        raise HomeError(f"{home} is not a home: it has none of the folders {', '.join(FOLDERS)}")
    if file.absolute().resolve().is_relative_to(home.resolve()):
        raise HomeError(f"{file} is inside the home; name a file outside it")
    unfinished = file.with_name(f".{file.name}.{os.urandom(8).hex()}.tmp")
    if os.path.lexists(file):
        raise FileExistsError(errno.EEXIST, "This file exists already; name another one", str(file))
    try:
        with open(unfinished, "xb", opener=_open_private) as raw:
            with (
                gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed,
                tarfile.open(fileobj=packed, mode="w|") as archive,
            ):
                manifest = {"format": FORMAT, "home": home_version(home), "version": VERSION}
                _add(archive, MANIFEST, json.dumps(manifest).encode() + b"\n")
                count = _add_folder(archive, home, unfinished.with_suffix(".sqlite.tmp"), warn)
            raw.flush()
            os.fsync(raw.fileno())
        os.link(unfinished, file)  # unlike a renaming, it overwrites nothing
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def restore(file: Path, home: Path) -> int:
    """Create a new home from a backup, and return its number of files.

    Raises BackupError if the file is no sound backup, FileExistsError if the folder is not empty, and OSError.
    """
    given, home = home, Path(os.path.realpath(home))  # a link to the new folder stays
    if os.path.lexists(home) and not (home.is_dir() and not any(home.iterdir())):
        raise FileExistsError(errno.EEXIST, "This is not an empty folder; name a new one", str(given))
    home.parent.mkdir(parents=True, exist_ok=True)
    unfinished = home.with_name(f".{home.name}.{os.urandom(8).hex()}.tmp")
    unfinished.mkdir(PRIVATE_FOLDER)
    try:
        with open_file(file) as raw, gzip.GzipFile(fileobj=raw) as packed:
            count = _extract(packed, unfinished)
        unfinished.rename(home)  # over an empty folder, if there is one
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, UnicodeError) as error:
        raise BackupError(f"{file} is not a backup of galapagos, or is damaged: {error}") from None
    except BackupError as error:
        raise BackupError(f"{file}: {error}") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return count


# -- Writing ---------------------------------------------------------------------------------------


def _open_private(name: str, flags: int) -> int:
    return os.open(name, flags, PRIVATE_FILE)


def _add_folder(archive: tarfile.TarFile, home: Path, copy: Path, warn: Callable[[str], object]) -> int:
    """Add the files of a home, and return their number; `copy` is the path of temporary copies of databases."""
    count = 0
    for path in _files(home, warn):
        name = f"{TOP}/{path.relative_to(home).as_posix()}"
        try:
            if path.is_dir():
                info = tarfile.TarInfo(name)
                info.type, info.mode = tarfile.DIRTYPE, PRIVATE_FOLDER
                archive.addfile(info)
                continue
            with open_file(path) as file:
                is_database = file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
                file.seek(0)
                if not (is_database and _add_database(archive, name, path, copy, warn)):
                    _add_file(archive, name, file, path.suffix in LINES)
            count += 1
        except FileNotFoundError:  # a game that was cancelled, or a profile that was deleted
            continue
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            warn(f"{path} is left out: {error.strerror}")
    return count


def _files(home: Path, warn: Callable[[str], object]) -> Iterator[Path]:
    """Yield the folders and files below a home, each after its folder; links and special files are left out."""
    waiting = [home]
    while waiting:
        for entry in sorted(os.scandir(waiting.pop()), key=lambda entry: entry.name):
            path = Path(entry.path)
            if entry.name == LOCK or entry.name.endswith(LEFT_OUT):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif not entry.is_file(follow_symlinks=False):
                if not path.is_socket():  # of `galapagos admin`; a server makes a new one
                    warn(f"{path} is left out: it is not a regular file")
                continue
            yield path


def _add_database(
    archive: tarfile.TarFile, name: str, path: Path, copy: Path, warn: Callable[[str], object]
) -> bool:
    """Add a database as it is after some transaction, and return whether that was possible."""
    try:
        with closing(connect(path, read_only=True)) as database, closing(sqlite3.connect(copy)) as target:
            database.backup(target)
        with open_file(copy) as file:
            _add_file(archive, name, file, is_lines=False)
    except sqlite3.Error as error:
        warn(f"{path} is damaged and is copied as it is: {error}")
        return False
    finally:
        copy.unlink(missing_ok=True)
    return True


def _add_file(archive: tarfile.TarFile, name: str, file: IO[bytes], is_lines: bool) -> None:
    """Add a file with its present length; with `is_lines`, up to its last whole line."""
    if is_lines:
        data = file.read()
        _add(archive, name, data[: data.rfind(b"\n") + 1])
        return
    info = tarfile.TarInfo(name)
    info.size, info.mode = os.fstat(file.fileno()).st_size, PRIVATE_FILE
    archive.addfile(info, file)


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), PRIVATE_FILE
    archive.addfile(info, io.BytesIO(data))


# -- Reading ---------------------------------------------------------------------------------------


def _extract(packed: gzip.GzipFile, folder: Path) -> int:
    """Write the members of an archive below a folder, and return the number of files.

    Raises BackupError, or the errors of tarfile and gzip for damage.
    """
    count = 0
    with tarfile.open(fileobj=packed, mode="r|") as archive:
        first = archive.next()
        if first is None or first.name != MANIFEST or not first.isreg() or first.size > PIECE:
            raise BackupError("this is not a backup of galapagos")
        content = archive.extractfile(first)
        assert content
        _check_manifest(content.read())
        while (member := archive.next()) is not None:
            path = folder / _path_in_home(member.name)
            if member.isdir():
                path.mkdir(PRIVATE_FOLDER, exist_ok=True)
                continue
            content = archive.extractfile(member) if member.isreg() else None
            if content is None:
                raise BackupError(f"{member.name[:200]!r} is neither a file nor a folder")
            if member.size > shutil.disk_usage(folder).free:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
            try:
                path.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
                with open(path, "xb", opener=_open_private) as file:
                    shutil.copyfileobj(content, file, PIECE)
            except (FileExistsError, NotADirectoryError):
                raise BackupError(f"the archive contains {member.name[:200]!r} twice") from None
            count += 1
    while packed.read(PIECE):  # so that gzip compares the checksum
        pass
    return count


def _check_manifest(data: bytes) -> None:
    try:
        manifest = json.loads(data)
        form, home = manifest["format"], int(manifest["home"])
    except (ValueError, TypeError, LookupError, RecursionError):
        raise BackupError("this is not a backup of galapagos") from None
    if form != FORMAT or home > HOME_VERSION:
        raise BackupError(
            f"its format is {str(form)[:40]!r} with a home of version {home}, but this program reads "
            f"{FORMAT!r} with homes up to version {HOME_VERSION}"
        )


def _path_in_home(name: str) -> PurePosixPath:
    """Return the path of a member in the new home. Raises BackupError if the path is outside the home."""
    path = PurePosixPath(name)
    if (
        path.is_absolute()
        or ".." in path.parts
        or "\0" in name
        or path.parts[:1] != (TOP,)
        or len(path.parts) > DEEPEST
    ):
        raise BackupError(f"{name[:200]!r} is not the path of a file in a home")
    return path.relative_to(TOP)
