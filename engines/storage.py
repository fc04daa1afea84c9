"""Files that are whole after any crash: text replaced atomically, SQLite files; and folders that one process writes."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from engines.names import near

SQLITE_HEADER: Final = b"SQLite format 3\0"
ASKING_SECONDS: Final = 0.02
LOCK: Final = "lock"  # the file by which a process holds a folder


class InUseError(OSError):
    """Another process writes there; it can be opened later."""


def hold(path: Path) -> IO[str]:
    """Hold a folder or a file for writing, until the lock is closed or the process ends. InUseError, OSError.

    The kernel releases the lock, however the process ends. The lock is a file that says who holds it.
    """
    lock = os.fdopen(os.open(_lock_of(path), os.O_RDWR | os.O_CREAT, 0o644), "r+", encoding="utf-8")
    for tries_left in (2, 1, 0):  # somebody may only be asking
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            if tries_left:
                time.sleep(ASKING_SECONDS)
                continue
            holder = lock.read(200).strip()
            lock.close()
            raise InUseError(f"{path} is in use by {holder or 'another process'}") from None
    lock.truncate()
    lock.write(f"process {os.getpid()}\n")
    lock.flush()
    return lock


def is_held(path: Path) -> bool:
    """Whether a process holds it for writing."""
    try:
        with _lock_of(path).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)  # for an instant
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _lock_of(path: Path) -> Path:
    return path / LOCK if path.is_dir() else path.with_name(f"{path.name}.{LOCK}")


def read_text(path: Path) -> str:
    """The whole of a text file. ValueError if it is none, OSError."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text file") from None


def near_file(path: Path) -> str:
    """Return `; did you mean NAME?` for a path that is missing, or "" if no file of its folder has a similar name.

    For users of this machine only: the clause shows names of files.
    """
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return ""
    clause = near(path.name, names)
    return f"; {clause}" if clause.startswith("did") and path.name not in names else ""


Stamp = tuple[tuple[int, int, int], ...]  # of the files of a database: inode, bytes, nanoseconds


def write_atomically(path: Path, data: str | bytes) -> None:
    """Replace a file: whoever reads it, even after a crash, finds the old content or the new one. OSError."""
    unfinished = path.with_name(f".{path.name}.{os.urandom(8).hex()}.tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or the new name is lost in a crash
    finally:
        os.close(folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """One kind of SQLite file."""

    content: str  # what such a file holds, for people
    application_id: int  # in the file's header, as the version
    version: int
    schema: str
    error: type[ValueError]  # raised for a file that is damaged or of another kind
    upgrade: tuple[str, ...] = ()  # statements that make it of a file of the version before


def create_database(path: Path, form: FileFormat, fill: Callable[[sqlite3.Connection], object]) -> None:
    """Make a file with the tables of its format, to which `fill` adds the first rows.

    It gets its name when it is complete; a process that is killed before leaves a file with unfinished_name().
    FileExistsError if the name is taken, OSError, sqlite3.Error.
    """
    unfinished = path.with_name(unfinished_name(path.name, os.getpid()))
    unfinished.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as database:
            database.executescript(
                f"PRAGMA journal_mode = MEMORY; PRAGMA application_id = {form.application_id};"
                f"PRAGMA user_version = {form.version}; {form.schema}"
            )
            with transaction(database):
                fill(database)
            database.execute("PRAGMA journal_mode = WAL")
        os.link(unfinished, path)  # unlike a renaming, it overwrites nothing
    finally:
        unfinished.unlink(missing_ok=True)


def unfinished_name(name: str, process: int | str) -> str:
    """What a file is called while a process creates it; "*" for any process."""
    return f"{name}.{process}.new"


def open_database(
    path: Path, form: FileFormat, *, thorough: bool = True, read_only: bool = False
) -> sqlite3.Connection:
    """Connect to a file once it has been checked, `thorough`ly page by page, and upgraded.

    `form.error` with the reason if it is damaged or of another kind. OSError if it cannot be read.
    """
    with path.open("rb") as file:  # SQLite takes an empty file for an empty database
        if file.read(len(SQLITE_HEADER)) != SQLITE_HEADER:
            raise form.error(f"{path} is damaged or foreign: it is no SQLite file")
    try:
        with ExitStack() as stack:
            database = stack.enter_context(closing(connect(path, read_only=read_only)))
            _check(database, path, form, thorough=thorough)
            stack.pop_all()
    except sqlite3.DatabaseError as error:
        raise form.error(f"{path} is damaged: {error}") from None
    return database


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Connect to an existing file of ours without looking at its content. sqlite3.Error.

    It may block for seconds, while another process recovers the file or tidies it up at its end. Nothing begins
    a transaction by itself; one thread at a time may use the connection, each time another.
    """
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )
    with ExitStack() as stack:
        stack.callback(database.close)
        database.execute("PRAGMA synchronous = FULL")
        if read_only:
            database.execute("PRAGMA query_only = 1")  # mode=ro would leave -wal and -shm behind
        stack.pop_all()
    return database


def database_stamp(path: Path) -> Stamp:
    """Changes with every transaction on a database. Asking SQLite itself would need a connection that stays open.

    FileNotFoundError, OSError.
    """
    stamps = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except FileNotFoundError:
            if each is path:
                raise
            continue
        if status.st_size:  # whoever reads makes an empty one
            stamps.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(stamps)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing; sqlite3's own context manager begins no transaction."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # a full disk may have rolled back already
            database.execute("ROLLBACK")
        raise


def _check(database: sqlite3.Connection, path: Path, form: FileFormat, *, thorough: bool) -> None:
    (application_id,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if application_id != form.application_id:
        raise form.error(f"{path} is foreign: no {form.content} of galapagos")
    is_older = bool(form.upgrade) and version == form.version - 1
    if version != form.version and not is_older:
        raise form.error(f"{path} has format {version}, this program reads {form.version}")
    if thorough:
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise form.error(f"{path} is damaged: {verdict}")
    if is_older:
        _upgrade(path, form)


def _upgrade(path: Path, form: FileFormat) -> None:
    """Unless another process has just done it."""
    with closing(connect(path)) as database, transaction(database):
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == form.version - 1:
            for statement in (*form.upgrade, f"PRAGMA user_version = {form.version}"):
                database.execute(statement)
