"""The record of a hill: one SQLite file, to which every challenge is added in one transaction.

What has been written is on the disk (synchronous=FULL) before anybody is told of it, and whatever
happens to the process, the file holds whole challenges. Any number of processes may use a hill: SQLite's
own write lock, held from before the battles until after them, lets one challenge in at a time.
"""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from core.corewar.instruction import pack
from core.corewar.warrior import Warrior
from engines.corewar.battles import Tally, fields
from engines.corewar.hill import Challenge, Challenger, Entry, Hill, HillError, Meeting, Row
from engines.corewar.presets import Preset

APPLICATION: Final = 0x47414C48  # "GALH", in the file's header
FORMAT: Final = 1
POLL_SECONDS: Final = 0.05  # while another process has its turn
OPEN_SECONDS: Final = 5.0  # to wait while another process recovers the file, or tidies it up at its end

SCHEMA: Final = """
CREATE TABLE hill (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE warrior (id INTEGER PRIMARY KEY, name TEXT NOT NULL, author TEXT NOT NULL, cells TEXT NOT NULL,
    start INTEGER NOT NULL, pin INTEGER, source TEXT NOT NULL, kills TEXT NOT NULL,
    is_on_hill INTEGER NOT NULL, age INTEGER NOT NULL);
CREATE TABLE battle (first INTEGER NOT NULL, second INTEGER NOT NULL, wins INTEGER NOT NULL,
    losses INTEGER NOT NULL, ties INTEGER NOT NULL, PRIMARY KEY (first, second)) WITHOUT ROWID;
CREATE TABLE challenge (number INTEGER PRIMARY KEY, outcome TEXT NOT NULL);
"""

Answer = TypeVar("Answer")


class Turn:
    """A hill that nobody else changes meanwhile."""

    def __init__(self, database: sqlite3.Connection, hill: Hill) -> None:
        self.hill = hill
        self._database = database

    async def write(self, challenge: Challenge, challenger: Challenger, after: Hill) -> None:
        """Make `challenge` the hill's last; on return it is on the disk. The turn is over."""
        await _in_thread(lambda: _write(self._database, challenge, challenger, after))


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
                return cls(path, _preset(database))
        except sqlite3.DatabaseError as error:
            raise HillError(f"{path} is damaged or foreign: {error}") from None
        except (TypeError, KeyError, json.JSONDecodeError) as error:
            raise HillError(f"{path} is damaged: its preset cannot be read ({error})") from None

    def hill(self) -> Hill:
        """As it is after the last challenge."""
        with closing(_connected(self.path)) as database:
            database.execute("BEGIN")  # all that is read is of one moment
            return _hill(database)

    def challenge(self, number: int | None = None) -> Challenge | None:
        """What came of a challenge, by default of the last; None before the first. HillError for no such one."""
        with closing(_connected(self.path)) as database:
            row = database.execute(
                "SELECT outcome FROM challenge WHERE number = ?1 OR ?1 IS NULL ORDER BY number DESC LIMIT 1",
                (number,),
            ).fetchone()
        if row is None and number is not None:
            raise HillError(f"there is no challenge number {number}")
        return _challenge(json.loads(row[0])) if row else None

    def challengers(self) -> list[Challenger]:
        """All there have been, in order: to play the hill again."""
        with closing(_connected(self.path)) as database:
            return [
                Challenger(
                    warrior=_warrior(name, author, cells, start, pin),
                    source=source,
                    kills=tuple(json.loads(kills)),
                )
                for name, author, cells, start, pin, source, kills in database.execute(
                    "SELECT name, author, cells, start, pin, source, kills FROM warrior ORDER BY id"
                )
            ]

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Turn]:
        """Wait until no other process or task has its turn. What is not written leaves no trace."""
        database = await _in_thread(lambda: _connected(self.path))
        try:
            await _begin(database)
            yield Turn(database, _hill(database))
        finally:
            await _in_thread(database.close)  # rolls back what was not committed


# -- Connections -----------------------------------------------------------------------------------


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        timeout=OPEN_SECONDS,
        check_same_thread=False,  # one at a time, but not always the same
    )
    database.execute("PRAGMA synchronous = FULL")
    return database


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


async def _in_thread(work: Callable[[], Answer]) -> Answer:
    """Let the disk block a thread. A thread cannot be cancelled: whoever is, waits for it."""
    task = asyncio.create_task(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


# -- Values and rows -------------------------------------------------------------------------------


def _write(database: sqlite3.Connection, challenge: Challenge, challenger: Challenger, after: Hill) -> None:
    warrior = challenger.warrior
    database.execute(
        "INSERT INTO warrior VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)",
        (
            challenge.challenger,
            warrior.name,
            warrior.author,
            json.dumps([fields(cell) for cell in warrior.cells]),
            warrior.start,
            warrior.pin,
            challenger.source,
            json.dumps(challenger.kills),
        ),
    )
    database.execute("UPDATE warrior SET is_on_hill = 0 WHERE is_on_hill")
    database.executemany(
        "UPDATE warrior SET is_on_hill = 1, age = ? WHERE id = ?",
        [(entry.age, entry.id) for entry in after.entries],
    )
    database.execute("DELETE FROM battle")
    database.executemany(
        "INSERT INTO battle VALUES (?, ?, ?, ?, ?)",
        [(*pair, tally.wins, tally.losses, tally.ties) for pair, tally in after.battles.items()],
    )
    database.execute("INSERT INTO challenge VALUES (?, ?)", (challenge.number, json.dumps(asdict(challenge))))
    database.execute("COMMIT")


def _hill(database: sqlite3.Connection) -> Hill:
    (challenges,) = database.execute("SELECT count(*) FROM challenge").fetchone()
    (last_id,) = database.execute("SELECT max(id) FROM warrior").fetchone()
    members = database.execute(
        "SELECT id, name, author, cells, start, pin, age FROM warrior WHERE is_on_hill ORDER BY id"
    )
    battles = database.execute("SELECT first, second, wins, losses, ties FROM battle")
    return Hill(
        preset=_preset(database),
        challenges=challenges,
        next_id=(last_id or 0) + 1,
        entries=tuple(
            Entry(id=id, warrior=_warrior(name, author, cells, start, pin), age=age)
            for id, name, author, cells, start, pin, age in members
        ),
        battles={
            (first, second): Tally.of_two(wins=wins, losses=losses, ties=ties)
            for first, second, wins, losses, ties in battles
        },
    )


def _preset(database: sqlite3.Connection) -> Preset:
    (text,) = database.execute("SELECT value FROM hill WHERE key = 'preset'").fetchone()
    return Preset.loads(json.loads(text))


def _warrior(name: str, author: str, cells: str, start: int, pin: int | None) -> Warrior:
    return Warrior(name, author, tuple(pack(*each) for each in json.loads(cells)), start, pin)


def _challenge(data: dict[str, Any]) -> Challenge:
    meetings = tuple(Meeting(**each) for each in data["meetings"])
    return Challenge(**(data | {"meetings": meetings, "table": tuple(Row(**row) for row in data["table"])}))
