"""The record of a run: one SQLite file, to which every generation is added in one transaction.

The file holds whole generations, and the state that follows from the last of them, whatever happens to the process.
The tables are:

    run          facts by key: game, configuration, seed, version, state, checkpoint of the exports ("mark"), hash
    generation   the number, hash, seconds and statistics of each generation
    individual   every individual on record, with its parents, origin and genome
    contest      every game on record
    fitness      the fitness of individuals, by generation

Hash: each generation carries the SHA-256 of the hash before it, its number, statistics, births with whole genomes,
contests and state. Two runs with equal hashes are equal in all of that. Seconds, the checkpoint and the fitness are
not part of the hash. Seconds differ between two equal runs, and the fitness follows from the rest; it was added later
(version 2 of the format) without a change of any hash. Files of version 1 are read as they are, and get the fitness
table when a writer opens them.

Genomes: a child usually differs little from its first parent. Its text is stored as a difference, that is deflated
with the other text as the dictionary, if that takes at most a quarter of the bytes (WORTHWHILE); else it is stored
whole. The other text is always one that is stored whole: the first parent's if possible, else that which the parent
differs from. So any genome is read in at most two steps, however long its line of ancestors.

Writing: a run is created under another name and gets its own when it is complete, so that a process killed on the way
leaves no run. One process at a time writes, and holds the folder's lock; any number may read meanwhile, because the
journal is a write-ahead log (WAL). `synchronous` is NORMAL, which wrote 9,800 games a second in a trial; a
failure of power may take back the last generations, but leaves the file consistent, and the exports are cut back to
the checkpoint in it.

Forks: a run may repeat the first generations of another one and then take its own course, with another seed or other
values of its configuration. Its `precursors` say which run it repeats: the seed, the configuration and some hashes, up to
the generation of the fork. `seed` and `config` are those of the next generation, so they change at a fork.

Excerpts: engines.evolution.excerpt makes small copies for display. engines.evolution.fork copies whole runs.

Strangers: runs are shared, so a file may be made to do harm. engines.storage compares the tables with the format and
bounds the work of each statement. Here each value must have its type, no text unpacks to more than MAX_UNPACKED, no
statement yields more than the file can hold, and any other content that a reader cannot use raises StoreError with
the name of the file.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from hashlib import sha256
from os.path import lexists
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self, TypeVar

from msgspec import Struct, to_builtins
from msgspec.json import decode as json_decode

from engines.config import RUN_FILE
from engines.evolution.population import Contest, Fitness, Generation, Measurement
from engines.evolution.state import Count
from engines.storage import (
    LOCK,
    FileFormat,
    create_database,
    database_stamp,
    hold,
    near_file,
    open_database,
    storage_error,
    transaction,
    unfinished_name,
)

LEFTOVER_FILES: Final = (LOCK, f"{RUN_FILE}.new", f"{unfinished_name(RUN_FILE, '*')}*")  # by create()
TEXTS: Final = 5000  # in the cache of genomes
ID_BYTES: Final = 8
WORTHWHILE: Final = 4  # a difference must be shorter than the text by this factor
FACTS: Final = ("game", "config", "seed", "version", "state", "mark", "hash")  # keys of the table `run`
CHAMPION: Final = "champion"  # another key, of excerpts only
MEASURE: Final = "fitness"  # another key, once a fitness is on record: its measure, as JSON
PRECURSORS: Final = "precursors"  # another key, of forks only: the runs that they repeat, as JSON
FINISHED: Final = "finished"  # another key, of a run that has reached the end that its configuration sets
MAX_UNPACKED: Final = 4_000_000  # bytes of a genome or a record; the largest genome of a game has 22,000
FREE_BYTES: Final = 65_536  # that any statement may yield, even from a small file
# A genome as text, or as a difference; one of the two is empty.
GENOME: Final = (
    "SELECT iif(typeof(genome) = 'blob', '', genome), iif(typeof(genome) = 'blob', genome, x'')"
    " FROM individual WHERE id = ?"
)
UNUSABLE: Final = (  # errors of readers if types, depths or values are not those of a run
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, zlib.error,
)  # fmt: skip

FITNESS: Final = """
CREATE TABLE fitness (generation INTEGER NOT NULL, individual INTEGER NOT NULL, value REAL NOT NULL,
    games INTEGER NOT NULL, PRIMARY KEY (generation, individual)) WITHOUT ROWID;
"""
WITHOUT_FITNESS: Final = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE generation (number INTEGER PRIMARY KEY, hash TEXT NOT NULL, seconds REAL NOT NULL,
    statistics TEXT NOT NULL);
CREATE TABLE individual (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, parents TEXT NOT NULL,
    origin TEXT NOT NULL, genome TEXT NOT NULL);
CREATE TABLE contest (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, niche INTEGER NOT NULL,
    players TEXT NOT NULL, returns TEXT NOT NULL, ending TEXT NOT NULL, length INTEGER NOT NULL,
    record BLOB NOT NULL, remark TEXT NOT NULL);
"""
SCHEMA: Final = WITHOUT_FITNESS + FITNESS


Number = TypeVar("Number", int, float)


class StoreError(ValueError):
    """Raised for a folder that holds no run, or a run that cannot be used; nothing in it was changed."""


FORMAT: Final = FileFormat(
    content="run",
    application_id=0x47414C41,  # "GALA"
    version=2,
    schema=SCHEMA,
    upgrade=(FITNESS,),
    previous=WITHOUT_FITNESS,
    error=StoreError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Birth:
    """A stored individual without its genome, which is the costliest part to read."""

    id: int
    generation: int
    parents: tuple[int, ...]
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredIndividual(Birth):
    """A stored individual."""

    genome: str  # as text


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGeneration:
    """A stored generation.

    `seconds` is the time that it took: the only value in which two equal runs may differ.
    """

    number: int
    hash: str
    seconds: float
    statistics: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The measure of fitness of a run, in words, and its direction."""

    name: str
    is_lower_better: bool


class Precursor(Struct, frozen=True, kw_only=True):
    """The run whose generations a fork repeats, up to the generation of the fork."""

    generation: Count  # the last one that the fork repeats
    seed: Count
    config: str
    hashes: Mapping[int, str]  # of some generations, the last one among them


class RunStore:
    """The folder of a run, opened. One process at a time may write; any number may read."""

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: IO[str] | None) -> None:
        self.folder = folder
        self.path = folder / RUN_FILE
        self._database = database
        self._lock = lock
        self._texts: dict[int, str] = {}  # genomes that others differ from, by ID

    @classmethod
    def create(
        cls,
        folder: Path,
        *,
        game: str,
        config: str,
        seed: int,
        version: str,
        precursors: Sequence[Precursor] = (),
        fill: Callable[[sqlite3.Connection], None] | None = None,
    ) -> Self:
        """Create a run in a folder that is empty or does not exist, and open it for writing.

        A fork has `precursors`; `fill` may write its first generations and their state to the tables.

        The file gets its name when it is complete, so a process that is killed before leaves no run. Raises
        StoreError if the folder holds anything else; InUseError, OSError and sqlite3.Error are possible, too.
        """
        names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
        leftovers = {name for name in names if any(fnmatch(name, pattern) for pattern in LEFTOVER_FILES)}
        if RUN_FILE not in names and names != leftovers:
            raise StoreError(f"{folder} is not empty and holds no run; name another folder")
        folder.mkdir(parents=True, exist_ok=True)
        facts = dict.fromkeys(FACTS, "") | {
            "game": game,
            "config": config,
            "seed": str(seed),
            "version": version,
        }
        if precursors:
            facts[PRECURSORS] = json.dumps([to_builtins(each, str_keys=True) for each in precursors])

        def begin(database: sqlite3.Connection) -> None:
            write_facts(database, facts)
            if fill is not None:
                fill(database)

        with hold(folder):
            for name in leftovers - {LOCK}:
                (folder / name).unlink(missing_ok=True)
            try:
                create_database(folder / RUN_FILE, FORMAT, begin)
            except FileExistsError:
                raise StoreError(
                    f"{folder} holds a run already; continue it with --resume, or name another folder"
                ) from None
        return cls.open(folder, writing=True)

    @classmethod
    def open(cls, folder: Path, *, writing: bool = False) -> Self:
        """Open the run of a folder.

        Raises StoreError with the reason if the folder holds no run or a damaged one, and InUseError if another
        process writes to it.
        """
        path = folder / RUN_FILE
        if not lexists(path):
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store.

        After reading, raises StoreError with the file's name in place of an error that the content of the file has
        caused.
        """
        self.close()
        if self._lock is not None:
            return
        if isinstance(error, UNUSABLE):
            what = f"{type(error).__name__}: {error}"[:200]
            raise StoreError(f"{self.path} is damaged: its content cannot be used ({what})") from error
        if isinstance(error, ValueError) and str(self.folder) not in str(error):
            raise StoreError(f"{self.path}: {error}") from error

    # -- Writing -----------------------------------------------------------------------------------

    def write(self, generation: Generation[Any], state: str, checkpoint: str, seconds: float) -> str:
        """Add a generation, the state after it and the `checkpoint` of the exports; return the new hash.

        sqlite3.Error (a full disk, say) leaves the generation before it intact.
        """
        statistics = json.dumps(generation.statistics, sort_keys=True)
        born = [
            (each.id, each.generation, words_of(each.parents), each.origin, each.genome.dumps())
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
            write_facts(self._database, {"state": state, "mark": checkpoint, "hash": digest})
            if generation.fitness:
                self._write_fitness(generation.number, generation.fitness)
        return digest

    def set_finished(self, *, is_finished: bool) -> None:
        """Record whether the run has reached the end that its configuration sets."""
        if is_finished != self.is_finished:
            with transaction(self._database):
                write_facts(self._database, {FINISHED: "yes" if is_finished else ""})

    # -- Reading -----------------------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all reads in the block see the same state of the run, even if another process writes meanwhile."""
        self._database.execute("BEGIN")
        try:
            yield
        finally:
            self._database.execute("ROLLBACK")

    @property
    def champion(self) -> int | None:
        """The individual that an excerpt was made for; None for a whole run."""
        for (value,) in self._rows("SELECT value FROM run WHERE key = ?", (CHAMPION,), (str,)):
            return self._int(value)
        return None

    @property
    def game(self) -> str:
        return self.fact("game")

    @property
    def config(self) -> str:
        """The configuration of the next generation."""
        return self.settings_of(self._next_generation())[0]

    @property
    def seed(self) -> int:
        """The seed of the next generation."""
        return self.settings_of(self._next_generation())[1]

    def settings_of(self, generation: int) -> tuple[str, int]:
        """Return the configuration and the seed of a generation, on record or to come."""
        precursor = self._precursor_at(generation)
        if precursor is not None:
            return precursor.config, precursor.seed
        return self.fact("config"), self._int(self.fact("seed"))

    @property
    def precursors(self) -> tuple[Precursor, ...]:
        """The runs that a fork repeats, each up to a later generation; empty for other runs."""
        for (text,) in self._rows("SELECT value FROM run WHERE key = ?", (PRECURSORS,), (str,)):
            try:
                return json_decode(text, type=tuple[Precursor, ...])
            except (ValueError, RecursionError):
                raise StoreError(f"{self.path} is damaged: its precursors cannot be read") from None
        return ()

    @property
    def precursor(self) -> Precursor | None:
        """The run that the next generation repeats; None if the run takes its own course."""
        return self._precursor_at(self._next_generation())

    @property
    def last_generation(self) -> int:
        """The number of the last generation on record; -1 before the first."""
        for (number,) in self._rows("SELECT number FROM generation ORDER BY number DESC LIMIT 1", (), (int,)):
            return int(number)
        return -1

    @property
    def is_finished(self) -> bool:
        """Whether the run has reached the end that its configuration sets."""
        return any(
            value for (value,) in self._rows("SELECT value FROM run WHERE key = ?", (FINISHED,), (str,))
        )

    @property
    def state(self) -> str:
        """The state of the population after the last generation; empty before the first."""
        return self.fact("state")

    @property
    def checkpoint(self) -> str:
        """The checkpoint of the exports after the last generation, in the format of their writer."""
        return self.fact("mark")

    @property
    def hash(self) -> str:
        """The hash of everything up to the last generation; empty before the first."""
        return self.fact("hash")

    def generations(self, after: int = -1) -> Iterator[StoredGeneration]:
        """Return the generations after a number, in order; by default all."""
        return self._generations("WHERE number > ? ORDER BY number", after)

    def generation(self, number: int) -> StoredGeneration:
        """Return the generation with this number. Raises KeyError if there is none."""
        for generation in self._generations("WHERE number = ?", number):
            return generation
        raise KeyError(number)

    def individual(self, id: int) -> StoredIndividual:
        """Return the individual with this ID. Raises KeyError if there is none."""
        birth = self.birth(id)
        genome = self._genome(id)
        assert genome is not None
        return StoredIndividual(
            id=id,
            generation=birth.generation,
            parents=birth.parents,
            origin=birth.origin,
            genome=self._unpacked(genome),
        )

    def birth(self, id: int) -> Birth:
        """Return the individual with this ID, without its genome. Raises KeyError if there is none."""
        for generation, parents, origin in self._rows(
            "SELECT generation, parents, origin FROM individual WHERE id = ?", (id,), (int, str, str)
        ):
            return Birth(id=id, generation=generation, parents=self._numbers(parents, int), origin=origin)
        raise KeyError(id)

    def births(self, after: int = -1) -> Iterator[Birth]:
        """Yield the individuals whose ID is above a number, in the order of their IDs, without their genomes."""
        statement = "SELECT id, generation, parents, origin FROM individual WHERE id > ? ORDER BY id"
        for id, generation, parents, origin in self._rows(statement, (after,), (int, int, str, str)):
            yield Birth(id=id, generation=generation, parents=self._numbers(parents, int), origin=origin)

    def contests(self, record_step: int = 1) -> Iterator[tuple[int, Contest]]:
        """Yield all contests with their generations, in the order of play.

        Only every `record_step`-th contest is read with its record; the others have an empty one.
        """
        for index, row in enumerate(
            self._rows(
                "SELECT generation, niche, players, returns, ending, length, record, remark FROM contest"
                " ORDER BY id",
                (),
                (int, int, str, str, str, int, bytes, str),
            )
        ):
            number, *facts, record, remark = row
            yield number, self._contest(facts, None if index % record_step else record, remark)

    def contests_of(self, id: int, at_most: int) -> Iterator[tuple[int, int, bool, Contest]]:
        """Yield contests of an individual, the last ones first: number, generation, whether it has a record, contest.

        The contests are without their records; contest() has them. All contests are searched.
        """
        statement = (
            "SELECT id, generation, length(record) > ?, niche, players, returns, ending, length, remark FROM contest"
            " WHERE ' ' || players || ' ' LIKE ? ORDER BY id DESC LIMIT ?"
        )
        values = len(zlib.compress(b"")), f"% {id} %", at_most
        for row in self._rows(statement, values, (int, int, int, int, str, str, str, int, str)):
            number, generation, has_record, *facts, remark = row
            yield number, generation, bool(has_record), self._contest(facts, None, remark)

    def contest(self, number: int) -> Contest:
        """Return the contest with this number, with its record. Raises KeyError if there is none."""
        statement = "SELECT niche, players, returns, ending, length, record, remark FROM contest WHERE id = ?"
        for *facts, record, remark in self._rows(statement, (number,), (int, str, str, str, int, bytes, str)):
            return self._contest(facts, record, remark)
        raise KeyError(number)

    @property
    def measure(self) -> Measure | None:
        """The measure of fitness of the run; None if no fitness is on record, as in runs of older versions."""
        for (text,) in self._rows("SELECT value FROM run WHERE key = ?", (MEASURE,), (str,)):
            try:
                data = json.loads(text)
                return Measure(name=str(data["name"]), is_lower_better=bool(data["is_lower_better"]))
            except (ValueError, TypeError, KeyError, RecursionError):
                raise StoreError(f"{self.path} is damaged: its measure of fitness is missing") from None
        return None

    def fitness(self, after: int = -1) -> Iterator[tuple[int, Fitness]]:
        """Yield each fitness on record with its generation, in the order of generations and IDs.

        Only the generations after the given number are read.
        """
        if self.measure is None:  # a file of version 1 may not have the table
            return
        statement = (
            "SELECT generation, individual, value, games FROM fitness WHERE generation > ?"
            " ORDER BY generation, individual"
        )
        for generation, id, value, games in self._rows(statement, (after,), (int, int, float, int)):
            yield generation, Fitness(id=id, value=value, games=games)

    @property
    def has_parents(self) -> bool:
        """Whether any individual has its parents on record."""
        return any(self._rows("SELECT 1 FROM individual WHERE parents != '' LIMIT 1", (), (int,)))

    def ids(self) -> list[int]:
        """Return the IDs of all individuals on record, in order.

        A population may leave out individuals that have left no descendants.
        """
        return [id for (id,) in self._rows("SELECT id FROM individual ORDER BY id", (), (int,))]

    @property
    def newest(self) -> int | None:
        """The ID of the last individual on record; None if there is none."""
        for (id,) in self._rows("SELECT id FROM individual ORDER BY id DESC LIMIT 1", (), (int,)):
            return int(id)
        return None

    @property
    def seconds(self) -> float:
        """The time that all generations took together."""
        ((seconds,),) = self._rows("SELECT total(seconds) FROM generation", (), (float,))
        return float(seconds)

    def count(self, table: str) -> int:
        """Return the number of rows of the table "generation", "individual" or "contest"."""
        key = "number" if table == "generation" else "id"
        # Not count(*), which is a single step of SQLite: it could not be interrupted in a file with a cycle of pages.
        ((number,),) = self._rows(f"SELECT count({key}) FROM {table} WHERE {key} IS NOT NULL", (), (int,))
        return int(number)

    def fact(self, key: str) -> str:
        """Return a fact of the table `run` as text. Raises StoreError if it is missing."""
        for (value,) in self._rows("SELECT value FROM run WHERE key = ?", (key,), (str,)):
            return str(value)
        raise StoreError(f"{self.path} is damaged: its {key} is missing")

    def stored_rows(self, table: str) -> sqlite3.Cursor:
        """Return all columns and rows of a table as they are stored, unchecked."""
        return self._database.execute(f"SELECT * FROM {table}")

    # -- Helpers -----------------------------------------------------------------------------------

    def _next_generation(self) -> int:
        return self.last_generation + 1

    def _precursor_at(self, generation: int) -> Precursor | None:
        return next((each for each in self.precursors if each.generation >= generation), None)

    def _contest(self, facts: Sequence[Any], record: bytes | None, remark: str) -> Contest:
        """Return a contest from its columns; without a compressed record it has an empty one."""
        niche, players, returns, ending, length = facts
        return Contest(
            niche=niche,
            players=self._numbers(players, int),
            returns=self._numbers(returns, float),
            ending=ending,
            length=length,
            record=b"" if record is None else self._decompressed(record),
            remark=remark,
        )

    def _write_fitness(self, generation: int, measurement: Measurement) -> None:
        self._database.executemany(
            "INSERT INTO fitness VALUES (?, ?, ?, ?)",
            [(generation, each.id, float(each.value), each.games) for each in measurement.values],
        )
        text = measure_text(measurement.name, is_lower_better=measurement.is_lower_better)
        write_facts(self._database, {MEASURE: text})

    def _rows(
        self, statement: str, values: tuple[object, ...], kinds: tuple[type, ...]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement, whose values must be of these kinds.

        Raises StoreError for a value of another type, or if the rows are more than a file of this size can hold.
        """
        left: int | None = None
        try:
            for row in self._database.execute(statement, values):
                if any(type(value) is not kind for value, kind in zip(row, kinds, strict=True)):
                    raise StoreError(f"{self.path} is damaged: a value has the wrong type")
                if left is None:
                    left = self._size()
                left -= 1 + sum(len(value) for value in row if isinstance(value, str | bytes))
                if left < 0:
                    raise StoreError(f"{self.path} is damaged: it yields more data than its size allows")
                yield row
        except sqlite3.Error as error:
            raise storage_error(error, self.path, StoreError) from None

    def _size(self) -> int:
        """Return a number of bytes that no reading of a whole table can exceed."""
        return 2 * sum(bytes for _, bytes, _ in database_stamp(self.path)) + FREE_BYTES

    def _numbers(self, words: str, kind: type[Number]) -> tuple[Number, ...]:
        try:
            return tuple(map(kind, words.split()))
        except ValueError:
            raise StoreError(f"{self.path} is damaged: {words[:40]!r} are not numbers") from None

    def _int(self, word: str) -> int:
        try:
            return int(word)
        except ValueError:
            raise StoreError(f"{self.path} is damaged: {word[:40]!r} is not a number") from None

    def _decompressed(self, packed: bytes) -> bytes:
        unpacker = zlib.decompressobj()
        try:
            return _bounded(unpacker, packed)
        except ValueError as error:
            raise StoreError(f"{self.path} is damaged: {error}") from None

    def _unpacked(self, kept: str | bytes) -> str:
        try:
            return full_text(kept, self._text_of)
        except StoreError:
            raise
        except ValueError as error:
            raise StoreError(f"{self.path} is damaged: {error}") from None

    def _generations(self, which: str, *values: int) -> Iterator[StoredGeneration]:
        for number, digest, seconds, statistics in self._rows(
            f"SELECT number, hash, seconds, statistics FROM generation {which}",
            values,
            (int, str, float, str),
        ):
            try:
                read = json.loads(statistics)
            except (ValueError, RecursionError):
                read = None
            if not isinstance(read, dict):
                raise StoreError(
                    f"{self.path} is damaged: the statistics of generation {number} cannot be read"
                )
            yield StoredGeneration(number=number, hash=digest, seconds=seconds, statistics=read)

    def _kept(self, born: Sequence[tuple[int, tuple[int, ...], str]]) -> list[str | bytes]:
        """Return the form in which the text of each offspring is stored: as it is, or as a difference.

        `born` has the ID, the first parent and the text of each.
        """
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
        """Return the genome of an individual that is stored whole, from a cache if possible.

        Raises StoreError if it is not stored whole.
        """
        if id not in self._texts:
            if len(self._texts) >= TEXTS:
                self._texts.clear()
            genome = self._genome(id)
            if not isinstance(genome, str):
                raise StoreError(
                    f"{self.path} is damaged: a genome is stored as a difference from that of {id}, which is not stored whole"
                )
            self._texts[id] = genome
        return self._texts[id]

    def _genome(self, id: int) -> str | bytes | None:
        """Return the stored genome of an individual, or None if the run has no such ID."""
        text: str
        blob: bytes
        for text, blob in self._rows(GENOME, (id,), (str, bytes)):
            return blob or text
        return None


def write_facts(database: sqlite3.Connection, facts: Mapping[str, str]) -> None:
    """Write facts to the table `run`, by key."""
    database.executemany("INSERT OR REPLACE INTO run VALUES (?, ?)", facts.items())


def measure_text(name: str, *, is_lower_better: bool) -> str:
    """Return the value of the fact MEASURE: the measure of fitness as JSON."""
    return json.dumps({"name": name, "is_lower_better": is_lower_better})


def _check_content(database: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError unless the tables hold a whole run."""
    try:
        facts = {key for (key,) in database.execute("SELECT key FROM run LIMIT ?", (2 * len(FACTS),))}
        # Both in one statement, because another process may write a generation between two statements.
        state_hash, last_hash = database.execute(
            "SELECT (SELECT value FROM run WHERE key = 'hash'), "
            "coalesce((SELECT hash FROM generation ORDER BY number DESC LIMIT 1), '')"
        ).fetchone()
    except sqlite3.Error as error:
        raise storage_error(error, path, StoreError) from None
    if missing := set(FACTS) - facts:
        raise StoreError(f"{path} is damaged: its {min(missing)} is missing")
    if state_hash != last_hash:
        raise StoreError(f"{path} is damaged: its state is not that of its last generation")


def _row(generation: int, contest: Contest) -> tuple[int, int, str, str, str, int, bytes, str]:
    return (
        generation,
        contest.niche,
        words_of(contest.players),
        " ".join(f"{each:g}" for each in contest.returns),
        contest.ending,
        contest.length,
        contest.record,
        contest.remark,
    )


def words_of(ids: tuple[int, ...]) -> str:
    """Return IDs as the tables have them: with blanks between them."""
    return " ".join(map(str, ids))


# -- Texts as differences --------------------------------------------------------------------------


def difference(text: str, other_id: int, other: str) -> bytes | None:
    """Return the bytes from which full_text() makes `text` out of `other`.

    Returns None if they are more than a quarter (WORTHWHILE) of the text itself.
    """
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=other.encode())
    raw = text.encode()
    packed = packer.compress(raw) + packer.flush()
    if WORTHWHILE * (ID_BYTES + len(packed)) > len(raw):
        return None
    return other_id.to_bytes(ID_BYTES, "big") + packed


def other_id(difference: bytes) -> int:
    """Return the ID of the individual that a stored difference refers to."""
    return int.from_bytes(difference[:ID_BYTES], "big")


def full_text(kept: str | bytes, text_of: Callable[[int], str]) -> str:
    """Return the text of a stored genome, which is the text itself or its difference from that of another ID.

    Raises ValueError for a difference that is damaged or unpacks to more than MAX_UNPACKED bytes.
    """
    if isinstance(kept, str):
        return kept
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=text_of(other_id(kept)).encode())
    return _bounded(unpacker, kept[ID_BYTES:]).decode()


def _bounded(unpacker: "zlib._Decompress", packed: bytes) -> bytes:
    """Return the unpacked bytes. Raises ValueError if they are damaged, or more than MAX_UNPACKED."""
    try:
        data = unpacker.decompress(packed, MAX_UNPACKED)
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked ({error})") from None
    if not unpacker.eof:
        too_long = len(data) == MAX_UNPACKED
        raise ValueError(
            f"a text unpacks to more than {MAX_UNPACKED:,} bytes" if too_long else "a packed text is cut off"
        )
    return data
