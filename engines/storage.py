"""Files that are complete after any crash: text replaced atomically, SQLite files; and locks of files and folders.

A file may be damaged, or made to do harm. open_file() opens regular files only, so that nothing waits for a FIFO.
open_database() compares the tables with those of the format before it reads them, because a view, a trigger or a
generated column could contain an endless query. The work of a statement that reads is limited in proportion to the
size of the file, because pages that refer to each other could otherwise be read for ever.
"""

import errno
import fcntl
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Final

from engines.names import near

SQLITE_HEADER: Final = b"SQLite format 3\0"
SIDECARS: Final = ("-wal", "-shm", "-journal")  # what SQLite keeps next to a database
DAMAGED: Final = frozenset((  # SQLite's primary error codes for content that cannot be used
    sqlite3.SQLITE_ERROR, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_NOTADB,
))  # fmt: skip
LITTLE_ROOM: Final = 65_536  # free bytes; SQLite needs 32 KiB next to a database to open it
STEPS: Final = 10_000  # of SQLite's virtual machine, between two checks of the work of a statement
STEPS_PER_BYTE: Final = 4  # allowed per byte of the file; reading a whole table takes less than 1
FREE_STEPS: Final = 1_000_000  # allowed in addition
SHORTEST_LIMIT: Final = 1_000_000  # bytes of a value that are allowed in small files, too
ASKING_SECONDS: Final = 0.02  # between attempts to lock; is_held() has the lock for an instant
UNSETTLED_NS: Final = 100_000_000  # after a change of a file, in which another may get the same time
LOCK: Final = "lock"  # the file by which a process holds a folder


class InUseError(OSError):
    """Another process has locked the file or folder for writing; a later attempt may succeed."""


def hold(path: Path) -> IO[str]:
    """Lock a folder or a file for writing, until the returned lock is closed or the process ends.

    The kernel releases the lock, however the process ends. The lock is a file that names its process. Raises
    InUseError if another process has the lock, and OSError.
    """
    name = _lock_of(path)
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    lock = os.fdopen(_regular(descriptor, name), "r+", encoding="utf-8")
    for tries_left in (2, 1, 0):  # another process may be in is_held()
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
    """Return whether a process has locked a folder or a file for writing."""
    try:
        with open_file(_lock_of(path)) as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)  # for an instant
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _lock_of(path: Path) -> Path:
    return path / LOCK if path.is_dir() else path.with_name(f"{path.name}.{LOCK}")


def open_file(path: Path) -> IO[bytes]:
    """Open a regular file for reading. Raises OSError for anything else, without waiting for a FIFO or a device."""
    return os.fdopen(_regular(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), path), "rb")


def _regular(descriptor: int, path: Path) -> int:
    """Return a descriptor of a regular file. Closes any other descriptor, and raises OSError."""
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "This is not a regular file", str(path))
    return descriptor


def read_text(path: Path) -> str:
    """Return the content of a text file. Raises ValueError if it is not UTF-8, and OSError."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a text file") from None


def near_file(path: Path) -> str:
    """Return `; did you mean NAME?` for a path that is missing, or "" if no file of its folder has a similar name.

    The clause shows names of files, so it must be shown to users of this machine only.
    """
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return ""
    clause = near(path.name, names)
    return f"; {clause}" if clause.startswith("did") and path.name not in names else ""


Stamp = tuple[tuple[int, int, int], ...]  # for each file of a database: inode, bytes, nanoseconds


def write_atomically(path: Path, data: str | bytes, mode: int = 0o666) -> None:
    """Replace a file; the new file has `mode` less the umask. Raises OSError.

    Readers find the old content or the new content, even after a crash.
    """
    unfinished = path.with_name(f".{path.name}.{os.urandom(8).hex()}.tmp")
    try:
        with open(unfinished, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data.encode() if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # or a crash may lose the new name
    finally:
        os.close(folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFormat:
    """A kind of SQLite file."""

    content: str  # the name of its content, for people
    application_id: int  # in the header of the file, as is the version
    version: int
    schema: str
    error: type[ValueError]  # raised for a file that is damaged or of another kind
    upgrade: tuple[str, ...] = ()  # statements that upgrade a file of the version before
    previous: str = (
        ""  # the schema of the version before, if readers accept its files and only writers upgrade them
    )


def create_database(path: Path, form: FileFormat, fill: Callable[[sqlite3.Connection], object]) -> None:
    """Create a file with the tables of its format, to which `fill` adds the first rows.

    The file gets its name when it is complete; a process that is killed before leaves a file with unfinished_name().
    Raises FileExistsError if the file exists, OSError and sqlite3.Error.
    """
    path.parent.stat()  # names a folder that is missing, which sqlite3 does not
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
    """Return the name of a file while a process creates it; "*" stands for any process."""
    return f"{name}.{process}.new"


def open_database(
    path: Path, form: FileFormat, *, thorough: bool = True, read_only: bool = False
) -> sqlite3.Connection:
    """Check a file, upgrade it if it is of the version before, and return a connection to it.

    With `thorough`, all pages are checked. Raises `form.error` with the reason if it is damaged, of another kind, or
    has other tables than its format, and OSError if it cannot be read or the disk is full.
    """
    with open_file(path) as file:  # SQLite takes an empty file for an empty database
        if file.read(len(SQLITE_HEADER)) != SQLITE_HEADER:
            raise form.error(f"{path} is damaged or foreign: it is not a file of SQLite")
    try:
        with ExitStack() as stack:
            database = stack.enter_context(closing(connect(path, read_only=read_only)))
            _check(database, path, form, thorough=thorough, read_only=read_only)
            stack.pop_all()
    except sqlite3.Error as error:
        raise storage_error(error, path, form.error) from None
    return database


def storage_error(error: sqlite3.Error, path: Path, damaged: type[ValueError]) -> Exception:
    """Return the exception to raise for an error of SQLite: `damaged` for bad content, OSError for the disk."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_INTERRUPT:
        return damaged(f"{path} is damaged: reading it takes more work than its size allows")
    if code in DAMAGED:
        return damaged(f"{path} is damaged: {error}")
    if code == sqlite3.SQLITE_FULL or free_bytes(path.parent) < LITTLE_ROOM:
        return OSError(errno.ENOSPC, "The disk is full; free some space and try again", str(path))
    return OSError(errno.EIO, f"SQLite cannot use this file: {error}", str(path))


def free_bytes(folder: Path) -> int:
    """Return the free bytes, for unprivileged programs, of the file system of a folder. Raises OSError."""
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Connect to an existing file without checking its content. Raises sqlite3.Error and OSError.

    The call may block for seconds, while another process recovers the file or finishes its work on it. No statement
    starts a transaction by itself. Different threads may use the connection, one at a time.
    """
    _check_sidecars(path, read_only=read_only)
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False,
        factory=_Reader if read_only else sqlite3.Connection,
    )  # fmt: skip
    with ExitStack() as stack:
        stack.callback(database.close)
        if isinstance(database, _Reader):
            database.bound_work(path.stat().st_size)
        database.execute("PRAGMA trusted_schema = 0")
        database.execute("PRAGMA synchronous = FULL")
        if read_only:
            database.execute("PRAGMA query_only = 1")  # mode=ro would leave -wal and -shm files
        stack.pop_all()
    return database


def _check_sidecars(path: Path, *, read_only: bool) -> None:
    """Raise OSError for sidecars that SQLite would open or wait for, or that could make it delete other files."""
    for suffix in SIDECARS:
        sidecar = path.with_name(path.name + suffix)
        try:
            status = sidecar.lstat()
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "This is not a regular file", str(sidecar))
        if read_only and suffix == "-journal" and status.st_size:
            raise OSError(
                errno.EINVAL,
                "This belongs to an unfinished change, which only a process that writes may undo",
                str(sidecar),
            )


class _Reader(sqlite3.Connection):
    """A connection for reading, each statement of which is limited to work in proportion to the size of the file."""

    _looks = 0  # checks that a statement may need
    _looks_left = 0

    def bound_work(self, file_bytes: int) -> None:
        self._looks = (FREE_STEPS + STEPS_PER_BYTE * file_bytes) // STEPS
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(2 * file_bytes, SHORTEST_LIMIT))
        self.set_progress_handler(self._is_too_much, STEPS)

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self._looks_left = self._looks
        return super().execute(sql, parameters)

    def _is_too_much(self) -> bool:
        self._looks_left -= 1
        return self._looks_left < 0


def database_stamp(path: Path) -> Stamp:
    """Return a value that changes with every transaction on a database.

    The kernel's clock of files ticks every few milliseconds, and a transaction may leave the sizes as they are. So a
    stamp of files that have just changed is equal to no other: the next call returns another one. Asking SQLite itself
    would need a connection that stays open. Raises FileNotFoundError and OSError.
    """
    stamps = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except FileNotFoundError:
            if each is path:
                raise
            continue
        if status.st_size:  # readers create an empty one
            stamps.append((status.st_ino, status.st_size, status.st_mtime_ns))
    now = time.time_ns()
    if any(abs(now - changed) < UNSETTLED_NS for _, _, changed in stamps):
        stamps.append((0, 0, now))
    return tuple(stamps)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Commit all changes of a block or none; sqlite3's own context manager starts no transaction."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # a full disk may have rolled it back already
            database.execute("ROLLBACK")
        raise


def _check(
    database: sqlite3.Connection, path: Path, form: FileFormat, *, thorough: bool, read_only: bool
) -> None:
    (application_id,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if application_id != form.application_id:
        raise form.error(f"{path} is foreign: it is not a {form.content} of galapagos")
    is_older = bool(form.upgrade) and version == form.version - 1
    if version != form.version and not is_older:
        newer = "; it was written by a newer galapagos" if version > form.version else ""
        raise form.error(f"{path} has format {version}, but this program reads {form.version}{newer}")
    expected = _schema(form.schema)
    if is_older and read_only and form.previous:
        expected = _schema(form.previous)
    elif is_older:
        if any(not sql.upper().startswith("CREATETABLE") for _, _, sql in _objects(database, len(expected))):
            raise form.error(f"{path} is damaged or foreign: it contains objects other than tables")
        _upgrade(path, form)
    if found := _objects(database, len(expected)) ^ expected:
        names = ", ".join(sorted({name for _, name, _ in found})[:3])
        raise form.error(
            f"{path} is damaged or foreign: its tables are not those of a {form.content} ({names[:100]!r} differ)"
        )
    if thorough:
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise form.error(f"{path} is damaged: {verdict}")


@cache
def _schema(script: str) -> frozenset[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(script)
        return _objects(database, -1)


def _objects(database: sqlite3.Connection, most: int) -> frozenset[tuple[str, str, str]]:
    """Return type, name and definition, without white space, of the objects of a database, at most `most` + 1."""
    rows = database.execute(
        "SELECT type, name, sql FROM sqlite_master LIMIT ?", (most + 1 if most >= 0 else -1,)
    )
    return frozenset((str(kind), str(name), "".join(str(sql).split())) for kind, name, sql in rows)


def _upgrade(path: Path, form: FileFormat) -> None:
    """Upgrade a file, unless another process has just done so."""
    with closing(connect(path)) as database, transaction(database):
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version == form.version - 1:
            for statement in (*form.upgrade, f"PRAGMA user_version = {form.version}"):
                database.execute(statement)
