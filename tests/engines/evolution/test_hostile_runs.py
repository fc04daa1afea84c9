"""Runs made by strangers: none hangs a reader or fills its memory, and each fault is a sentence with the file's name."""

import os
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engines.config import RUN_FILE
from engines.evolution.champions import champions
from engines.evolution.life_tree import LifeTree
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import ID_BYTES, MAX_UNPACKED, WITHOUT_FITNESS, RunStore, StoreError
from tests.browser.evolutions import made_up
from tests.toy import Bests

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
TABLES = {
    "view": f"ALTER TABLE generation RENAME TO g; CREATE VIEW generation AS {ENDLESS} i AS number, '' AS hash, "
    "1.0 AS seconds, '{}' AS statistics FROM n;",
    "another view": "CREATE VIEW other AS SELECT 1;",
    "trigger": f"CREATE TRIGGER t AFTER INSERT ON generation BEGIN {ENDLESS} max(i) FROM n; END;",
    "generated column": "ALTER TABLE generation ADD COLUMN more AS (hex(zeroblob(100000000)));",
    "index on an expression": "CREATE INDEX i ON generation (abs(number));",
    "virtual table": "CREATE VIRTUAL TABLE v USING fts4(a);",
    "additional column": "ALTER TABLE run ADD COLUMN more TEXT;",
    "check": "DROP TABLE contest;" + WITHOUT_FITNESS[WITHOUT_FITNESS.index("CREATE TABLE contest") :].replace(
        "remark TEXT NOT NULL", "remark TEXT NOT NULL CHECK (remark <> 'x')"
    ),
}  # fmt: skip


def bomb(wbits: int) -> bytes:
    packer = zlib.compressobj(9, wbits=wbits)
    return packer.compress(bytes(2 * MAX_UNPACKED)) + packer.flush()


DIFFERENCE = (0).to_bytes(ID_BYTES, "big")
VALUES: list[tuple[str, object]] = [
    ("individual SET genome", DIFFERENCE + bomb(-zlib.MAX_WBITS)),
    ("individual SET genome", DIFFERENCE + b"\xff\xff\xff"),
    ("individual SET genome", DIFFERENCE),
    ("individual SET genome", (10**12).to_bytes(ID_BYTES, "big") + b"x"),
    ("individual SET genome", 7),
    ("individual SET parents", "1 2 three"),
    ("individual SET parents", b"1 2"),
    ("individual SET parents", "9" * 5000),
    ("individual SET origin", b"\xff"),
    ("individual SET generation", "last"),
    ("individual SET generation", 1 << 40),
    ("generation SET statistics", "[" * 5000 + "]" * 5000),
    ("generation SET statistics", "[]"),
    ("generation SET statistics", "{"),
    ("generation SET statistics", b"{}"),
    ("generation SET seconds", "long"),
    ("contest SET record", bomb(zlib.MAX_WBITS)),
    ("contest SET record", zlib.compress(b"record")[:-4]),
    ("contest SET record", "no record"),
    ("contest SET players", "1 x"),
    ("contest SET returns", "1 x"),
    ("contest SET length", "long"),
    ("run SET value = 'many' WHERE key = 'seed' --", None),
    ("run SET value = x'00' WHERE key = 'config' --", None),
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    made_up(tmp_path / "run")
    return tmp_path / "run"


def change(run: Path, statements: str, *values: object) -> None:
    with closing(sqlite3.connect(run / RUN_FILE, isolation_level=None)) as database:
        if values:
            database.execute(statements, values)
        else:
            database.executescript(statements)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def read_all(run: Path) -> None:
    with RunStore.open(run) as store:
        assert (
            store.seed >= 0 and store.config is not None and store.count("generation") and store.seconds >= 0
        )
        for past in store.generations():
            assert past.statistics is not None
        for id in store.ids():
            assert RunHistory(store).ancestors(id, 3, 9) and store.individual(id).genome
        for _ in store.contests():
            pass
        for number, *_ in store.contests_of(0, 9):
            store.contest(number)
        assert LifeTree().extend(store) and champions(store, Bests())


def test_a_sound_run_is_read(run: Path) -> None:
    read_all(run)


@pytest.mark.parametrize("statements", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("writing", [False, True])
def test_other_tables_are_refused_before_they_are_read(run: Path, statements: str, writing: bool) -> None:
    change(run, statements)
    with pytest.raises(StoreError, match=r"run\.sqlite is damaged or foreign"):
        RunStore.open(run, writing=writing)


@pytest.mark.parametrize(("column", "value"), VALUES, ids=lambda each: str(each)[:30])
def test_unusable_content_raises_an_error_that_names_the_file(run: Path, column: str, value: object) -> None:
    if value is None:
        change(run, f"UPDATE {column} = 0")
    else:
        change(run, "INSERT INTO contest VALUES (NULL, 0, 0, '1', '1', '', 1, x'', '')")
        change(run, f"UPDATE {column} = ?", value)
    with pytest.raises(StoreError, match=r"run\.sqlite is damaged"):
        read_all(run)


def test_errors_in_code_that_uses_a_run_name_its_file(run: Path) -> None:
    for error in (TypeError("x"), KeyError("x"), RecursionError(), ZeroDivisionError(), ValueError("line 3")):
        with pytest.raises(StoreError, match=r"run\.sqlite"), RunStore.open(run):
            raise error


def write_cross_referring_pages(run: Path) -> None:
    """Give the table of generations 18 levels of pages, each with hundreds of references to the next level."""
    change(run, "DELETE FROM generation; UPDATE run SET value = '' WHERE key = 'hash'")
    with closing(sqlite3.connect(run / RUN_FILE)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'generation'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
        database.execute("PRAGMA journal_mode = DELETE")
    data = bytearray((run / RUN_FILE).read_bytes())
    count = len(data) // size
    row = bytes((9, 1, 5, 13, 7, 17)) + b"x"  # a short record of four columns; what it holds is of no account
    leaf = bytearray(size)
    leaf[0:8] = bytes((13, 0, 0, 0, 1)) + (size - len(row)).to_bytes(2, "big") + b"\0"
    leaf[8:10] = (size - len(row)).to_bytes(2, "big")
    leaf[-len(row) :] = row

    def interior(child: int) -> bytes:
        cells = 500
        page = bytearray(size)
        start = size - 5 * cells
        page[0:12] = (
            bytes((5, 0, 0))
            + cells.to_bytes(2, "big")
            + start.to_bytes(2, "big")
            + b"\0"
            + child.to_bytes(4, "big")
        )
        for cell in range(cells):
            at = start + 5 * cell
            page[12 + 2 * cell : 14 + 2 * cell] = at.to_bytes(2, "big")
            page[at : at + 5] = child.to_bytes(4, "big") + b"\x01"
        return bytes(page)

    levels = 17
    for level in range(1, levels):
        data += interior(count + level + 1)
    data += leaf
    data[(root - 1) * size : root * size] = interior(count + 1)
    data[28:32] = (len(data) // size).to_bytes(4, "big")
    (run / RUN_FILE).write_bytes(data)


@pytest.mark.parametrize(
    "read",
    [
        lambda store: store.count("generation"),
        lambda store: store.seconds,
        lambda store: list(store.generations()),
    ],
    ids=["count", "total", "rows"],
)
def test_pages_that_refer_to_each_other_are_not_read_for_ever(
    run: Path, read: Callable[[RunStore], object]
) -> None:
    write_cross_referring_pages(run)
    with pytest.raises(StoreError, match=r"run\.sqlite is damaged"), RunStore.open(run) as store:
        read(store)


@pytest.mark.parametrize("name", [RUN_FILE, *(RUN_FILE + suffix for suffix in ("-wal", "-shm", "-journal"))])
@pytest.mark.parametrize("kind", ["fifo", "folder", "link"])
def test_pipes_folders_and_links_in_place_of_files_are_not_opened(
    run: Path, tmp_path: Path, name: str, kind: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (run / name).unlink(missing_ok=True)
    if kind == "fifo":
        os.mkfifo(run / name)
    elif kind == "folder":
        (run / name).mkdir()
    else:
        (run / name).symlink_to(victim)
    with pytest.raises((StoreError, OSError)) as caught:
        RunStore.open(run)
    assert name in str(caught.value) and victim.read_text() == "precious"


def test_a_foreign_journal_is_not_replayed(run: Path) -> None:
    """SQLite would restore its pages, and delete the file that its last bytes name."""
    journal = run / f"{RUN_FILE}-journal"
    journal.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(2000))
    with pytest.raises(OSError, match="unfinished change"):
        RunStore.open(run)
    assert journal.exists()
