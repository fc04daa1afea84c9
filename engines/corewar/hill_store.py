"""The record of a hill: one SQLite file, to which every challenge and every removal is added in one transaction.

What has been written is on the disk (synchronous=FULL) before anybody learns of it, and whatever happens to the
process, the file holds whole challenges. Any number of processes may use a hill: SQLite's own write lock, held from
before the battles until after them, lets one challenge in at a time.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
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
"""  # `given`: the tokens for its kills; `removal`: without a challenge, after so many of them
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
CHECKED: Final = 100  # challenges that are read when a hill is opened
POLL_SECONDS: Final = 0.05  # while another process has its turn


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
        row = ("preset", json.dumps(preset.dumps()))
        try:
            create_database(
                path, FORMAT, lambda database: database.execute("INSERT INTO hill VALUES (?, ?)", row)
            )
        except FileExistsError:
            raise HillError(f"{path} is there already") from None
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
        """As it is after the last challenge."""
        with _reading(self.path) as database:
            return _read_hill(database)

    def standing(self) -> ChallengeResult | None:
        """The last challenge, with what has become of its table since; None before the first."""
        with _reading(self.path) as database:
            last = _read_challenge(database, None)
            return with_removals(last, _read_hill(database)) if last else None

    def challenge(self, number: int | None = None) -> ChallengeResult | None:
        """The result of a challenge, by default of the last; None before the first. HillError for no such one."""
        with _reading(self.path) as database:
            challenge = _read_challenge(database, number)
        if challenge is None and number is not None:
            raise HillError(f"there is no challenge number {number}")
        return challenge

    def recent(self, most: int) -> list[ChallengeResult]:
        """The last challenges, the newest first."""
        with _reading(self.path) as database:
            return _read_recent(database, most)

    def challengers(self) -> list[Challenger]:
        """Those of all challenges, in order."""
        with _reading(self.path) as database:
            return _read_challengers(database)

    def removals(self) -> list[tuple[int, str, str, str]]:
        """(challenges before it, name, author, token) of each warrior removed without a challenge."""
        with _reading(self.path) as database:
            return _read_removals(database)

    async def remove(self, name: str, author: str = "", token: str | None = None) -> None:
        """Remove warriors by the hill's owner. HillError as removed()."""
        async with self.transaction() as transaction:
            await transaction.remove(removed(transaction.hill, name, author, token))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["HillTransaction"]:
        """Wait until no other process or task has its turn. What is not written leaves no trace."""
        database = await run_in_thread(lambda: connect(self.path))
        try:
            await _begin(database)
            yield HillTransaction(database, _read_hill(database))
        finally:
            await run_in_thread(database.close)  # rolls back what was not committed


class HillTransaction:
    """A hill that nobody else changes meanwhile."""

    def __init__(self, database: sqlite3.Connection, hill: Hill) -> None:
        self.hill = hill
        self._database = database

    async def write(self, challenge: ChallengeResult, challenger: Challenger, after: Hill) -> None:
        """Make `challenge` the hill's last; on return it is on the disk, and the transaction is over."""
        await self._commit(lambda: _write_challenge(self._database, challenge, challenger, after))

    async def remove(self, after: Hill) -> None:
        """Remove those who are not on `after`; otherwise as write()."""
        await self._commit(lambda: _write_removal(self._database, self.hill, after))

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


def _write_removal(database: sqlite3.Connection, before: Hill, after: Hill) -> None:
    gone = [entry for entry in before.entries if entry not in after.entries]
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
    """A challenge by its number, or the last; None if there is none."""
    row = database.execute(
        "SELECT outcome FROM challenge WHERE number = coalesce(?, number) ORDER BY number DESC LIMIT 1",
        (number,),
    ).fetchone()
    return None if row is None else _challenge(row[0])


def _read_recent(database: sqlite3.Connection, most: int) -> list[ChallengeResult]:
    """The last ones, the newest first."""
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
    """From the columns WARRIOR."""
    name, author, cells, start, pin = row
    return Warrior(name, author, tuple(pack(*cell) for cell in json.loads(cells)), start, pin)


# -- Connections -----------------------------------------------------------------------------------


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """All that is read is of one moment."""
    with closing(connect(path, read_only=True)) as database, _checking(path):
        database.execute("BEGIN")
        yield database


@contextmanager
def _checking(path: Path) -> Iterator[None]:
    """Raise HillError, which names the file, for content that no hill has."""
    try:
        yield
    except HillError:
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise HillError(
            f"{path} is damaged: its content cannot be used ({type(error).__name__}: {error})"[:400]
        ) from error


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
