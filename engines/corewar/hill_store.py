"""The record of a hill: one SQLite file, to which every challenge and every removal is added in one transaction.

A result is on the disk (synchronous=FULL) before it is reported, and the file contains whole challenges only, however
the process ends. Any number of processes may use a hill: SQLite's write lock, held from before the battles until
after them, admits one challenge at a time.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import asdict
from os.path import lexists
from pathlib import Path
from typing import Any, Final, Self

from core.corewar.instruction import pack
from core.corewar.warrior import Warrior
from engines.corewar.battles import Tally, fields
from engines.corewar.hill import (
    Challenger,
    ChallengeResult,
    Entry,
    Hill,
    HillError,
    HillRow,
    Kills,
    PairResult,
    removed,
    with_removals,
)
from engines.corewar.presets import Preset
from engines.storage import FileFormat, connect, create_database, near_file, open_database, storage_error
from engines.threads import run_in_thread

SCHEMA: Final = """
CREATE TABLE hill (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE warrior (id INTEGER PRIMARY KEY, name TEXT NOT NULL, author TEXT NOT NULL, cells TEXT NOT NULL,
    start INTEGER NOT NULL, pin INTEGER, source TEXT NOT NULL, kills TEXT NOT NULL,
    is_on_hill INTEGER NOT NULL, age INTEGER NOT NULL, token TEXT NOT NULL DEFAULT '',
    given TEXT NOT NULL DEFAULT 'null');
CREATE TABLE battle (first INTEGER NOT NULL, second INTEGER NOT NULL, wins INTEGER NOT NULL,
    losses INTEGER NOT NULL, ties INTEGER NOT NULL, PRIMARY KEY (first, second)) WITHOUT ROWID;
CREATE TABLE challenge (number INTEGER PRIMARY KEY, outcome TEXT NOT NULL);
CREATE TABLE removal (challenges INTEGER NOT NULL, name TEXT NOT NULL, author TEXT NOT NULL,
    token TEXT NOT NULL DEFAULT '');
"""  # `given`: the tokens for its kills; `removal`: without a challenge, with the number of challenges before it
UPGRADE: Final = (
    "ALTER TABLE warrior ADD COLUMN token TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE warrior ADD COLUMN given TEXT NOT NULL DEFAULT 'null'",  # the author's name was enough
    "ALTER TABLE removal ADD COLUMN token TEXT NOT NULL DEFAULT ''",
)

WARRIOR: Final = "name, author, cells, start, pin"
FORMAT: Final = FileFormat(
    content="hill",
    application_id=0x47414C48,  # "GALH"
    version=3,
    schema=SCHEMA,
    upgrade=UPGRADE,
    error=HillError,
)
CHECKED: Final = 100  # challenges that are read to check a hill when it is opened
POLL_SECONDS: Final = 0.05  # between two tries, while another process holds the write lock


class HillStore:
    """The file of a hill. No connection stays open between two calls."""

    def __init__(self, path: Path, preset: Preset) -> None:
        self.path = path
        self.preset = preset

    @classmethod
    def create(cls, path: Path, preset: Preset) -> Self:
        """Create a hill without warriors; the file gets its name when it is complete.

        Raises HillError if the path exists already, and OSError or sqlite3.Error if the file cannot be written.
        """
        row = ("preset", json.dumps(preset.dumps()))
        try:
            create_database(
                path, FORMAT, lambda database: database.execute("INSERT INTO hill VALUES (?, ?)", row)
            )
        except FileExistsError:
            raise HillError(f"{path} exists already") from None
        return cls(path, preset)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a hill whose members and last challenges can be read.

        Raises HillError with the reason if the file holds no hill, or a damaged one; OSError if it cannot be read.
        """
        if not lexists(path):
            raise HillError(
                f"there is no hill at {path}{near_file(path)}; make one with: galapagos hill create {path}"
            )
        with closing(open_database(path, FORMAT, read_only=True)) as database, _checking(path):
            try:
                hill = _read_hill(database)
                for last in _read_recent(database, CHECKED):
                    with_removals(last, hill)
            except sqlite3.Error as error:
                raise storage_error(error, path, HillError) from None
            return cls(path, hill.preset)

    def hill(self) -> Hill:
        """Return the hill as it is after the last challenge or removal."""
        with _reading(self.path) as database:
            return _read_hill(database)

    def standing(self) -> ChallengeResult | None:
        """Return the last challenge, its table updated by later removals, or None if there was no challenge yet."""
        with _reading(self.path) as database:
            last = _read_challenge(database, None)
            return with_removals(last, _read_hill(database)) if last else None

    def challenge(self, number: int | None = None) -> ChallengeResult | None:
        """Return the result of a challenge, by default of the last one, or None if there was no challenge yet.

        Raises HillError if there is no challenge with the given number.
        """
        with _reading(self.path) as database:
            challenge = _read_challenge(database, number)
        if challenge is None and number is not None:
            raise HillError(f"there is no challenge number {number}")
        return challenge

    def recent(self, most: int) -> list[ChallengeResult]:
        """Return the last challenges, at most `most`, the newest first."""
        with _reading(self.path) as database:
            return _read_recent(database, most)

    def following(self, number: int, most: int) -> list[ChallengeResult]:
        """Return the challenge with this number and those after it, at most `most`, the oldest first."""
        with _reading(self.path) as database:
            rows = database.execute(
                "SELECT outcome FROM challenge WHERE number >= ? ORDER BY number LIMIT ?", (number, most)
            )
            return [_challenge(outcome) for (outcome,) in rows]

    def challengers(self) -> list[Challenger]:
        """Return the challengers of all challenges, in order."""
        with _reading(self.path) as database:
            return _read_challengers(database)

    def removals(self) -> list[tuple[int, str, str, str]]:
        """Return (number of challenges before, name, author, token) for each warrior removed without a challenge."""
        with _reading(self.path) as database:
            return _read_removals(database)

    async def remove(self, name: str, author: str = "", token: str | None = None) -> tuple[int, ...]:
        """Remove warriors, as the hill's owner, and return their IDs.

        Raises HillError under the conditions of removed().
        """
        async with self.transaction() as transaction:
            return await transaction.remove(removed(transaction.hill, name, author, token))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["HillTransaction"]:
        """Wait for the hill's write lock, and yield a transaction; it is rolled back if it is not written."""
        database = await run_in_thread(lambda: connect(self.path))
        try:
            await _begin(database)
            yield HillTransaction(database, _read_hill(database))
        finally:
            await run_in_thread(database.close)  # rolls back what was not committed


class HillTransaction:
    """A hill under its write lock, so that no other process or task changes it."""

    def __init__(self, database: sqlite3.Connection, hill: Hill) -> None:
        self.hill = hill
        self._database = database

    async def write(self, challenge: ChallengeResult, challenger: Challenger, after: Hill) -> None:
        """Add a challenge and make `after` the state of the hill; on return both are on the disk.

        This ends the transaction.
        """
        await self._commit(lambda: _write_challenge(self._database, challenge, challenger, after))

    async def remove(self, after: Hill) -> tuple[int, ...]:
        """Make `after` the state of the hill, and record the warriors that are missing there as removed.

        This ends the transaction; on return the change is on the disk. Returns the IDs of these warriors.
        """
        gone = [entry for entry in self.hill.entries if entry not in after.entries]
        await self._commit(lambda: _write_removal(self._database, self.hill, gone, after))
        return tuple(entry.id for entry in gone)

    async def _commit(self, change: Callable[[], None]) -> None:
        def work() -> None:
            change()
            self._database.execute("COMMIT")

        await run_in_thread(work)


# -- Writing, within a transaction -----------------------------------------------------------------


def _write_challenge(
    database: sqlite3.Connection, challenge: ChallengeResult, challenger: Challenger, after: Hill
) -> None:
    warrior = challenger.warrior
    database.execute(
        "INSERT INTO warrior VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
        (
            challenge.challenger,
            warrior.name,
            warrior.author,
            json.dumps([fields(cell) for cell in warrior.cells]),
            warrior.start,
            warrior.pin,
            challenger.source,
            json.dumps(challenger.kills.names),
            challenger.token,
            json.dumps(challenger.kills.tokens),
        ),
    )
    database.execute("INSERT INTO challenge VALUES (?, ?)", (challenge.number, json.dumps(asdict(challenge))))
    _write_hill(database, after)


def _write_removal(database: sqlite3.Connection, before: Hill, gone: Sequence[Entry], after: Hill) -> None:
    database.executemany(
        "INSERT INTO removal VALUES (?, ?, ?, ?)",
        [(before.challenges, each.warrior.name, each.warrior.author, each.token) for each in gone],
    )
    _write_hill(database, after)


def _write_hill(database: sqlite3.Connection, hill: Hill) -> None:
    database.execute("UPDATE warrior SET is_on_hill = 0 WHERE is_on_hill")
    database.executemany(
        "UPDATE warrior SET is_on_hill = 1, age = ? WHERE id = ?",
        [(entry.age, entry.id) for entry in hill.entries],
    )
    database.execute("DELETE FROM battle")
    database.executemany(
        "INSERT INTO battle VALUES (?, ?, ?, ?, ?)",
        [(*pair, tally.wins, tally.losses, tally.ties) for pair, tally in hill.battles.items()],
    )


# -- Reading ---------------------------------------------------------------------------------------


def _read_preset(database: sqlite3.Connection) -> Preset:
    (text,) = database.execute("SELECT value FROM hill WHERE key = 'preset'").fetchone()
    return Preset.loads(json.loads(text))


def _read_hill(database: sqlite3.Connection) -> Hill:
    (challenges,) = database.execute("SELECT count(*) FROM challenge").fetchone()
    (last_id,) = database.execute("SELECT max(id) FROM warrior").fetchone()
    members = database.execute(f"SELECT id, age, token, {WARRIOR} FROM warrior WHERE is_on_hill ORDER BY id")
    battles = database.execute("SELECT first, second, wins, losses, ties FROM battle")
    return Hill(
        preset=_read_preset(database),
        challenges=challenges,
        next_id=(last_id or 0) + 1,
        entries=tuple(
            Entry(id=id, warrior=_warrior(*row), age=age, token=token) for id, age, token, *row in members
        ),
        battles={
            (first, second): Tally.of_two(wins=wins, losses=losses, ties=ties)
            for first, second, wins, losses, ties in battles
        },
    )


def _read_challenge(database: sqlite3.Connection, number: int | None) -> ChallengeResult | None:
    """Return a challenge by its number, or the last one if the number is None; None if there is none."""
    row = database.execute(
        "SELECT outcome FROM challenge WHERE number = coalesce(?, number) ORDER BY number DESC LIMIT 1",
        (number,),
    ).fetchone()
    return None if row is None else _challenge(row[0])


def _read_recent(database: sqlite3.Connection, most: int) -> list[ChallengeResult]:
    """Return the last challenges, at most `most`, the newest first."""
    rows = database.execute("SELECT outcome FROM challenge ORDER BY number DESC LIMIT ?", (most,))
    return [_challenge(outcome) for (outcome,) in rows]


def _read_challengers(database: sqlite3.Connection) -> list[Challenger]:
    rows = database.execute(f"SELECT source, token, kills, given, {WARRIOR} FROM warrior ORDER BY id")
    return [_challenger(*row) for row in rows]


def _read_removals(database: sqlite3.Connection) -> list[tuple[int, str, str, str]]:
    return database.execute("SELECT challenges, name, author, token FROM removal ORDER BY rowid").fetchall()


def _challenge(outcome: str) -> ChallengeResult:
    data = json.loads(outcome)
    data["meetings"] = tuple(PairResult(**meeting) for meeting in data["meetings"])
    data["table"] = tuple(HillRow(**row) for row in data["table"])
    return ChallengeResult(**data)


def _challenger(source: str, token: str, names: str, given: str, *row: Any) -> Challenger:
    warrior, tokens = _warrior(*row), json.loads(given)
    kills = Kills(
        author=warrior.author,
        names=tuple(json.loads(names)),
        tokens=None if tokens is None else tuple(tokens),
    )
    return Challenger(warrior=warrior, source=source, kills=kills, token=token)


def _warrior(*row: Any) -> Warrior:
    """Return the warrior in a row of the columns WARRIOR."""
    name, author, cells, start, pin = row
    return Warrior(name, author, tuple(pack(*cell) for cell in json.loads(cells)), start, pin)


# -- Connections -----------------------------------------------------------------------------------


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection on which all reads see the same state of the file."""
    with closing(connect(path, read_only=True)) as database, _checking(path):
        database.execute("BEGIN")
        yield database


@contextmanager
def _checking(path: Path) -> Iterator[None]:
    """Convert errors of decoding within the context to HillError, which names the damaged file."""
    try:
        yield
    except HillError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise HillError(
            f"{path} is damaged: its content cannot be used ({type(error).__name__}: {error})"[:400]
        ) from error


async def _begin(database: sqlite3.Connection) -> None:
    """Start a write transaction as soon as the lock is free, by polling: SQLite's own wait blocks the event loop."""
    database.execute("PRAGMA busy_timeout = 0")
    while True:
        try:
            database.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        await asyncio.sleep(POLL_SECONDS)
