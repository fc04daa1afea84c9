"""A hill's values as rows of its file, and back."""

import json
import sqlite3
from dataclasses import asdict
from typing import Any, Final

from core.corewar.instruction import pack
from core.corewar.warrior import Warrior
from engines.corewar.battles import Tally, fields
from engines.corewar.hill.hill import Challenge, Challenger, Entry, Hill, Meeting, Row
from engines.corewar.presets import Preset

SCHEMA: Final = """
CREATE TABLE hill (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE warrior (id INTEGER PRIMARY KEY, name TEXT NOT NULL, author TEXT NOT NULL, cells TEXT NOT NULL,
    start INTEGER NOT NULL, pin INTEGER, source TEXT NOT NULL, kills TEXT NOT NULL,
    is_on_hill INTEGER NOT NULL, age INTEGER NOT NULL);
CREATE TABLE battle (first INTEGER NOT NULL, second INTEGER NOT NULL, wins INTEGER NOT NULL,
    losses INTEGER NOT NULL, ties INTEGER NOT NULL, PRIMARY KEY (first, second)) WITHOUT ROWID;
CREATE TABLE challenge (number INTEGER PRIMARY KEY, outcome TEXT NOT NULL);
CREATE TABLE removal (challenges INTEGER NOT NULL, name TEXT NOT NULL, author TEXT NOT NULL);
"""  # `removal`: by the owner, after so many challenges

WARRIOR: Final = "name, author, cells, start, pin"


# -- Writing, within a transaction -----------------------------------------------------------------


def write_challenge(
    database: sqlite3.Connection, challenge: Challenge, challenger: Challenger, after: Hill
) -> None:
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
    database.execute("INSERT INTO challenge VALUES (?, ?)", (challenge.number, json.dumps(asdict(challenge))))
    _write_hill(database, after)


def write_removal(database: sqlite3.Connection, before: Hill, after: Hill) -> None:
    gone = {entry.label: entry.warrior for entry in before.entries if entry not in after.entries}
    database.executemany(
        "INSERT INTO removal VALUES (?, ?, ?)",
        [(before.challenges, warrior.name, warrior.author) for warrior in gone.values()],
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


def read_preset(database: sqlite3.Connection) -> Preset:
    (text,) = database.execute("SELECT value FROM hill WHERE key = 'preset'").fetchone()
    return Preset.loads(json.loads(text))


def read_hill(database: sqlite3.Connection) -> Hill:
    (challenges,) = database.execute("SELECT count(*) FROM challenge").fetchone()
    (last_id,) = database.execute("SELECT max(id) FROM warrior").fetchone()
    members = database.execute(f"SELECT id, age, {WARRIOR} FROM warrior WHERE is_on_hill ORDER BY id")
    battles = database.execute("SELECT first, second, wins, losses, ties FROM battle")
    return Hill(
        preset=read_preset(database),
        challenges=challenges,
        next_id=(last_id or 0) + 1,
        entries=tuple(Entry(id=id, warrior=_warrior(*row), age=age) for id, age, *row in members),
        battles={
            (first, second): Tally.of_two(wins=wins, losses=losses, ties=ties)
            for first, second, wins, losses, ties in battles
        },
    )


def read_challenge(database: sqlite3.Connection, number: int | None) -> Challenge | None:
    """A challenge by its number, or the last; None if there is none."""
    row = database.execute(
        "SELECT outcome FROM challenge WHERE number = coalesce(?, number) ORDER BY number DESC LIMIT 1",
        (number,),
    ).fetchone()
    return None if row is None else _challenge(row[0])


def read_recent(database: sqlite3.Connection, most: int) -> list[Challenge]:
    """The last ones, the newest first."""
    rows = database.execute("SELECT outcome FROM challenge ORDER BY number DESC LIMIT ?", (most,))
    return [_challenge(outcome) for (outcome,) in rows]


def read_challengers(database: sqlite3.Connection) -> list[Challenger]:
    rows = database.execute(f"SELECT source, kills, {WARRIOR} FROM warrior ORDER BY id")
    return [
        Challenger(warrior=_warrior(*row), source=source, kills=tuple(json.loads(kills)))
        for source, kills, *row in rows
    ]


def read_removals(database: sqlite3.Connection) -> list[tuple[int, str, str]]:
    return database.execute("SELECT challenges, name, author FROM removal ORDER BY rowid").fetchall()


def _challenge(outcome: str) -> Challenge:
    data = json.loads(outcome)
    meetings = tuple(Meeting(**each) for each in data["meetings"])
    return Challenge(**(data | {"meetings": meetings, "table": tuple(Row(**each) for each in data["table"])}))


def _warrior(*row: Any) -> Warrior:
    """From the columns WARRIOR."""
    name, author, cells, start, pin = row
    return Warrior(name, author, tuple(pack(*each) for each in json.loads(cells)), start, pin)
