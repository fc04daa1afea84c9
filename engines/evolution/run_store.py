"""The record of a run: one SQLite file, to which every generation is added in one transaction.

Whatever happens to the process, the file holds whole generations and the state that follows from the
last of them, so that a run goes on bit for bit. Each generation carries a hash of all that it wrote
and of the hash before it: two runs with equal hashes are equal in everything.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final, Self

from engines.config import RUN_FILE
from engines.evolution.population import Contest, Generation
from engines.storage import (
    LOCK,
    FileFormat,
    connect,
    create_database,
    hold,
    near_file,
    open_database,
    transaction,
    unfinished_name,
)

LEFT_BY_A_KILL: Final = (LOCK, f"{RUN_FILE}.new", f"{unfinished_name(RUN_FILE, '*')}*")  # of a creation
TEXTS: Final = 5000  # remembered
ID_BYTES: Final = 8
WORTHWHILE: Final = 4  # times that a difference must be shorter than the text
FACTS: Final = ("game", "config", "seed", "version", "state", "mark", "hash")  # keys of the table `run`
CHAMPION: Final = "champion"  # another one, of excerpts

SCHEMA: Final = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE generation (number INTEGER PRIMARY KEY, hash TEXT NOT NULL, seconds REAL NOT NULL,
    statistics TEXT NOT NULL);
CREATE TABLE individual (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, parents TEXT NOT NULL,
    origin TEXT NOT NULL, genome TEXT NOT NULL);
CREATE TABLE contest (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, niche INTEGER NOT NULL,
    players TEXT NOT NULL, returns TEXT NOT NULL, ending TEXT NOT NULL, length INTEGER NOT NULL,
    record BLOB NOT NULL, remark TEXT NOT NULL);
"""


class StoreError(ValueError):
    """A folder that holds no run, or a run that cannot be used; nothing in it was changed."""


FORMAT: Final = FileFormat(
    content="run",
    application_id=0x47414C41,  # "GALA"
    version=1,
    schema=SCHEMA,
    error=StoreError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Birth:
    """An individual as the store keeps it, without its genome, which costs most to read."""

    id: int
    generation: int
    parents: tuple[int, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredIndividual(Birth):
    """An individual as the store keeps it."""

    genome: str  # its text


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGeneration:
    """A generation as the store keeps it. `seconds` is what it took, and all that a run may differ in."""

    number: int
    hash: str
    seconds: float
    statistics: Mapping[str, Any]


class RunStore:
    """A run's folder, open. One process at a time may write; any number may look on."""

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: IO[str] | None) -> None:
        self.folder = folder
        self._database = database
        self._lock = lock
        self._texts: dict[int, str] = {}  # of those from whom others differ

    @classmethod
    def create(cls, folder: Path, *, game: str, config: str, seed: int, version: str) -> Self:
        """A new run in a folder that is empty or does not exist. StoreError, InUseError, OSError, sqlite3.Error.

        The file gets its name when it is complete: a process that is killed on the way leaves no run.
        """
        names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        leftovers = {name for name in names if any(fnmatch(name, pattern) for pattern in LEFT_BY_A_KILL)}
        if RUN_FILE not in names and names != leftovers:
            raise StoreError(f"{folder} is not empty and holds no run; name another folder")
        folder.mkdir(parents=True, exist_ok=True)
        facts = dict.fromkeys(FACTS, "") | {
            "game": game,
            "config": config,
            "seed": str(seed),
            "version": version,
        }
        with hold(folder):
            for name in leftovers - {LOCK}:
                (folder / name).unlink(missing_ok=True)
            try:
                create_database(folder / RUN_FILE, FORMAT, lambda database: _write_facts(database, facts))
            except FileExistsError:
                raise StoreError(
                    f"{folder} holds a run already; go on with --resume, or name another folder"
                ) from None
        return cls.open(folder, writing=True)

    @classmethod
    def open(cls, folder: Path, *, writing: bool = False) -> Self:
        """The run of a folder. StoreError with the reason if it holds none, or a damaged one; InUseError."""
        path = folder / RUN_FILE
        if not path.is_file():
            raise StoreError(f"{folder} holds no run: {RUN_FILE} is missing{near_file(folder)}")
        with ExitStack() as stack:
            lock = stack.enter_context(hold(folder)) if writing else None
            database = open_database(path, FORMAT, thorough=writing, read_only=not writing)
            stack.callback(database.close)
            _check_content(database, path)
            if writing:
                database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            stack.pop_all()
        return cls(folder, database, lock)

    def close(self) -> None:
        self._database.close()
        if self._lock:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- Writing -----------------------------------------------------------------------------------

    def write(self, generation: Generation[Any], state: str, checkpoint: str, seconds: float) -> str:
        """Add a generation, with the state after it and the `checkpoint` of the exports; the new hash.

        sqlite3.Error (a full disk, say) leaves the generation before it intact.
        """
        statistics = json.dumps(generation.statistics, sort_keys=True)
        born = [
            (each.id, each.generation, _words(each.parents), each.origin, each.genome.dumps())
            for each in generation.born
        ]
        kept = self._kept(
            [(each.id, each.parents[:1], row[-1]) for each, row in zip(generation.born, born, strict=True)]
        )
        contests = [_row(generation.number, contest) for contest in generation.contests]
        hasher = sha256(self.hash.encode())
        for part in (generation.number, statistics, born, contests, state):
            hasher.update(repr(part).encode())
        digest = hasher.hexdigest()
        with transaction(self._database):
            self._database.executemany(
                "INSERT INTO individual VALUES (?, ?, ?, ?, ?)",
                [(*facts, genome) for (*facts, _), genome in zip(born, kept, strict=True)],
            )
            self._database.executemany(
                "INSERT INTO contest (generation, niche, players, returns, ending, length, record, remark)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(*facts, zlib.compress(record), remark) for *facts, record, remark in contests],
            )
            self._database.execute(
                "INSERT INTO generation VALUES (?, ?, ?, ?)", (generation.number, digest, seconds, statistics)
            )
            _write_facts(self._database, {"state": state, "mark": checkpoint, "hash": digest})
        return digest

    def write_excerpt(
        self, folder: Path, champion: int, ids: Iterable[int], generations: Iterable[int]
    ) -> None:
        """A small copy in a new folder, to be looked at: some generations, the last among them, and some individuals.

        It cannot go on. It is one file that can be read where nothing can be written. KeyError for an ID that nobody
        has; FileExistsError, OSError, sqlite3.Error.
        """
        facts = {name: self._fact(name) for name in FACTS} | {
            "state": "",
            "mark": "",
            CHAMPION: str(champion),
        }
        people = [self.individual(id) for id in sorted({*ids, champion})]
        past = [self.generation(number) for number in sorted({*generations, self.count("generation") - 1})]

        def fill(database: sqlite3.Connection) -> None:
            _write_facts(database, facts)
            database.executemany(
                "INSERT INTO generation VALUES (?, ?, ?, ?)",
                [
                    (each.number, each.hash, each.seconds, json.dumps(each.statistics, sort_keys=True))
                    for each in past
                ],
            )
            database.executemany(
                "INSERT INTO individual VALUES (?, ?, ?, ?, ?)",
                [
                    (each.id, each.generation, _words(each.parents), each.origin, each.genome)
                    for each in people
                ],
            )

        folder.mkdir(parents=True, exist_ok=True)
        create_database(folder / RUN_FILE, FORMAT, fill)
        with closing(connect(folder / RUN_FILE)) as database:
            database.execute("PRAGMA journal_mode = DELETE")
            database.execute("VACUUM")

    # -- Reading -----------------------------------------------------------------------------------

    @property
    def champion(self) -> int | None:
        """Of an excerpt, the individual that it was made for; None of a whole run."""
        row = self._database.execute("SELECT value FROM run WHERE key = ?", (CHAMPION,)).fetchone()
        return int(row[0]) if row else None

    @property
    def game(self) -> str:
        return self._fact("game")

    @property
    def config(self) -> str:
        return self._fact("config")

    @property
    def seed(self) -> int:
        return int(self._fact("seed"))

    @property
    def state(self) -> str:
        """The population after the last generation; empty before the first."""
        return self._fact("state")

    @property
    def checkpoint(self) -> str:
        """How far the exports had come, in their own words."""
        return self._fact("mark")

    @property
    def hash(self) -> str:
        """Of everything up to the last generation."""
        return self._fact("hash")

    def generations(self, after: int = -1) -> Iterator[StoredGeneration]:
        """Those after a number, in order; by default all."""
        return self._generations("WHERE number > ? ORDER BY number", after)

    def generation(self, number: int) -> StoredGeneration:
        """KeyError if there is none with this number."""
        for generation in self._generations("WHERE number = ?", number):
            return generation
        raise KeyError(number)

    def individual(self, id: int) -> StoredIndividual:
        """KeyError if none has this ID."""
        for generation, parents, origin, genome in self._database.execute(
            "SELECT generation, parents, origin, genome FROM individual WHERE id = ?", (id,)
        ):
            return StoredIndividual(
                id=id,
                generation=generation,
                parents=tuple(map(int, parents.split())),
                origin=origin,
                genome=whole(genome, self._text_of),
            )
        raise KeyError(id)

    def birth(self, id: int) -> Birth:
        """KeyError if none has this ID."""
        for generation, parents, origin in self._database.execute(
            "SELECT generation, parents, origin FROM individual WHERE id = ?", (id,)
        ):
            return Birth(
                id=id, generation=generation, parents=tuple(map(int, parents.split())), origin=origin
            )
        raise KeyError(id)

    def contests(self, record_step: int = 1) -> Iterator[tuple[int, Contest]]:
        """All, each with its generation, in the order of play; one of so many with its record."""
        for index, row in enumerate(
            self._database.execute(
                "SELECT generation, niche, players, returns, ending, length, record, remark FROM contest"
                " ORDER BY id"
            )
        ):
            number, niche, players, returns, ending, length, record, remark = row
            yield (
                number,
                Contest(
                    niche=niche,
                    players=tuple(map(int, players.split())),
                    returns=tuple(map(float, returns.split())),
                    ending=ending,
                    length=length,
                    record=b"" if index % record_step else zlib.decompress(record),
                    remark=remark,
                ),
            )

    def ids(self) -> list[int]:
        """Of all individuals on record; a population may leave out some that have left nobody behind."""
        return [id for (id,) in self._database.execute("SELECT id FROM individual ORDER BY id")]

    @property
    def newest(self) -> int | None:
        """The ID of the last individual on record."""
        (id,) = self._database.execute("SELECT max(id) FROM individual").fetchone()
        return None if id is None else int(id)

    @property
    def seconds(self) -> float:
        """What all generations took."""
        (seconds,) = self._database.execute("SELECT total(seconds) FROM generation").fetchone()
        return float(seconds)

    def count(self, table: str) -> int:
        """Rows of "generation", "individual" or "contest"."""
        (number,) = self._database.execute(f"SELECT count(*) FROM {table}").fetchone()
        return int(number)

    # -- Helpers -----------------------------------------------------------------------------------

    def _generations(self, which: str, *values: int) -> Iterator[StoredGeneration]:
        for number, digest, seconds, statistics in self._database.execute(
            f"SELECT number, hash, seconds, statistics FROM generation {which}", values
        ):
            yield StoredGeneration(
                number=number, hash=digest, seconds=seconds, statistics=json.loads(statistics)
            )

    def _kept(self, born: Sequence[tuple[int, tuple[int, ...], str]]) -> list[str | bytes]:
        """How the texts of newborn are kept, given their IDs and first parents: as they are, or as a difference."""
        kept: dict[int, str | bytes] = {}
        for id, parents, text in born:
            kept[id] = text
            for parent in parents:
                found = kept.get(parent) or self._genome(parent)
                if found is None:  # not on record
                    continue
                other = parent if isinstance(found, str) else other_id(found)
                base = kept.get(other) or self._text_of(other)
                kept[id] = difference(text, other, str(base)) or text
        return list(kept.values())

    def _text_of(self, id: int) -> str:
        """Of one whose genome is kept whole; it is wanted again and again."""
        if id not in self._texts:
            if len(self._texts) >= TEXTS:
                self._texts.clear()
            self._texts[id] = str(self._genome(id))
        return self._texts[id]

    def _genome(self, id: int) -> str | bytes | None:
        """As it is kept; None if there is none of this ID."""
        for (genome,) in self._database.execute("SELECT genome FROM individual WHERE id = ?", (id,)):
            kept: str | bytes = genome
            return kept
        return None

    def _fact(self, key: str) -> str:
        (value,) = self._database.execute("SELECT value FROM run WHERE key = ?", (key,)).fetchone()
        return str(value)


def _write_facts(database: sqlite3.Connection, facts: Mapping[str, str]) -> None:
    database.executemany("INSERT OR REPLACE INTO run VALUES (?, ?)", facts.items())


def _check_content(database: sqlite3.Connection, path: Path) -> None:
    """StoreError unless the tables hold a whole run."""
    try:
        facts = dict(database.execute("SELECT key, value FROM run"))
        # Both in one statement: between two another process may write a generation.
        state_hash, last_hash = database.execute(
            "SELECT (SELECT value FROM run WHERE key = 'hash'), "
            "coalesce((SELECT hash FROM generation ORDER BY number DESC LIMIT 1), '')"
        ).fetchone()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} is damaged: {error}") from None
    if missing := set(FACTS) - facts.keys():
        raise StoreError(f"{path} is damaged: it does not say its {min(missing)}")
    if state_hash != last_hash:
        raise StoreError(f"{path} is damaged: its state is not that of its last generation")


def _row(generation: int, contest: Contest) -> tuple[int, int, str, str, str, int, bytes, str]:
    return (
        generation,
        contest.niche,
        _words(contest.players),
        " ".join(f"{each:g}" for each in contest.returns),
        contest.ending,
        contest.length,
        contest.record,
        contest.remark,
    )


def _words(ids: tuple[int, ...]) -> str:
    return " ".join(map(str, ids))


# -- Texts as differences --------------------------------------------------------------------------


def difference(text: str, other_id: int, other: str) -> bytes | None:
    """How to make `text` of `other`; None if that takes much of the text itself."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=other.encode())
    raw = text.encode()
    packed = packer.compress(raw) + packer.flush()
    if WORTHWHILE * (ID_BYTES + len(packed)) > len(raw):
        return None
    return other_id.to_bytes(ID_BYTES, "big") + packed


def other_id(difference: bytes) -> int:
    """Whose text it differs from."""
    return int.from_bytes(difference[:ID_BYTES], "big")


def whole(kept: str | bytes, text_of: Callable[[int], str]) -> str:
    """The text, of what was kept: itself, or its difference from that of another ID."""
    if isinstance(kept, str):
        return kept
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=text_of(other_id(kept)).encode())
    return (unpacker.decompress(kept[ID_BYTES:]) + unpacker.flush()).decode()
