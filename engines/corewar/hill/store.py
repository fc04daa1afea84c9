"""The record of a hill: one SQLite file, to which every challenge and every removal is added in one transaction.

What has been written is on the disk (synchronous=FULL) before anybody is told of it, and whatever
happens to the process, the file holds whole challenges. Any number of processes may use a hill: SQLite's
own write lock, held from before the battles until after them, lets one challenge in at a time.
"""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Final, Self

from engines.corewar.hill.hill import Challenge, Challenger, Hill, HillError, removed, standing
from engines.corewar.hill.rows import (
    SCHEMA,
    read_challenge,
    read_challengers,
    read_hill,
    read_preset,
    read_recent,
    read_removals,
    write_challenge,
    write_removal,
)
from engines.corewar.presets import Preset
from engines.thread import in_thread

APPLICATION: Final = 0x47414C48  # "GALH", in the file's header
FORMAT: Final = 2
POLL_SECONDS: Final = 0.05  # while another process has its turn
OPEN_SECONDS: Final = 5.0  # to wait while another process recovers the file, or tidies it up at its end


class Turn:
    """A hill that nobody else changes meanwhile."""

    def __init__(self, database: sqlite3.Connection, hill: Hill) -> None:
        self.hill = hill
        self._database = database

    async def write(self, challenge: Challenge, challenger: Challenger, after: Hill) -> None:
        """Make `challenge` the hill's last; on return it is on the disk. The turn is over."""
        await self._commit(lambda: write_challenge(self._database, challenge, challenger, after))

    async def remove(self, after: Hill) -> None:
        """Send away those who are not on `after`; otherwise as write()."""
        await self._commit(lambda: write_removal(self._database, self.hill, after))

    async def _commit(self, change: Callable[[], None]) -> None:
        def work() -> None:
            change()
            self._database.execute("COMMIT")

        await in_thread(work)


class HillStore:
    """A hill's file. Nothing stays open between two calls."""

    def __init__(self, path: Path, preset: Preset) -> None:
        self.path = path
        self.preset = preset

    @classmethod
    def create(cls, path: Path, preset: Preset) -> Self:
        """A new hill with no warriors. HillError if something is there already, OSError, sqlite3.Error.

        The file gets its name when it is complete.
        """
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            with closing(sqlite3.connect(unfinished, isolation_level=None)) as database:
                database.executescript(
                    f"PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL;"
                    f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; {SCHEMA}"
                )
                database.execute("INSERT INTO hill VALUES ('preset', ?)", (json.dumps(preset.dumps()),))
            os.link(unfinished, path)  # unlike a renaming, it overwrites nothing
        except FileExistsError:
            raise HillError(f"{path} is there already") from None
        finally:
            unfinished.unlink(missing_ok=True)
        return cls(path, preset)

    @classmethod
    def open(cls, path: Path) -> Self:
        """HillError with the reason if the file holds no hill, or a damaged one."""
        if not path.is_file():
            raise HillError(f"there is no hill at {path}; make one with: galapagos hill create {path}")
        try:
            with closing(_connected(path)) as database:
                (application,) = database.execute("PRAGMA application_id").fetchone()
                (version,) = database.execute("PRAGMA user_version").fetchone()
                if application != APPLICATION:
                    raise HillError(f"{path} is foreign: no hill of galapagos")
                if version != FORMAT:
                    raise HillError(f"{path} has format {version}, this program reads {FORMAT}")
                (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
                if verdict != "ok":
                    raise HillError(f"{path} is damaged: {verdict}")
                return cls(path, read_preset(database))
        except sqlite3.DatabaseError as error:
            raise HillError(f"{path} is damaged or foreign: {error}") from None
        except (TypeError, KeyError, json.JSONDecodeError) as error:
            raise HillError(f"{path} is damaged: its preset cannot be read ({error})") from None

    def hill(self) -> Hill:
        """As it is after the last challenge."""
        with _reading(self.path) as database:
            return read_hill(database)

    def standing(self) -> Challenge | None:
        """The last challenge, with what has become of its table since; None before the first."""
        with _reading(self.path) as database:
            last = read_challenge(database, None)
            return standing(last, read_hill(database)) if last else None

    def challenge(self, number: int | None = None) -> Challenge | None:
        """What came of a challenge, by default of the last; None before the first. HillError for no such one."""
        with _reading(self.path) as database:
            challenge = read_challenge(database, number)
        if challenge is None and number is not None:
            raise HillError(f"there is no challenge number {number}")
        return challenge

    def recent(self, most: int) -> list[Challenge]:
        """The last challenges, the newest first."""
        with _reading(self.path) as database:
            return read_recent(database, most)

    def challengers(self) -> list[Challenger]:
        """Those of all challenges, in order."""
        with _reading(self.path) as database:
            return read_challengers(database)

    def removals(self) -> list[tuple[int, str, str]]:
        """(challenges before it, name, author) of each warrior that the hill's owner has sent away."""
        with _reading(self.path) as database:
            return read_removals(database)

    async def remove(self, name: str, author: str = "") -> None:
        """Send away the warriors of this name. HillError if it is nobody's, or several authors'."""
        async with self.turn() as turn:
            await turn.remove(removed(turn.hill, name, author))

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Turn]:
        """Wait until no other process or task has its turn. What is not written leaves no trace."""
        database = await in_thread(lambda: _connected(self.path))
        try:
            await _begin(database)
            yield Turn(database, read_hill(database))
        finally:
            await in_thread(database.close)  # rolls back what was not committed


# -- Connections -----------------------------------------------------------------------------------


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=OPEN_SECONDS,
        check_same_thread=False,  # one at a time, but not always the same
    )
    try:
        database.execute("PRAGMA synchronous = FULL")
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """All that is read is of one moment."""
    with closing(_connected(path)) as database:
        database.execute("BEGIN")
        yield database


async def _begin(database: sqlite3.Connection) -> None:
    """Begin to write, as soon as nobody else does; SQLite would wait for that without the event loop."""
    database.execute("PRAGMA busy_timeout = 0")
    while True:
        try:
            database.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        await asyncio.sleep(POLL_SECONDS)
