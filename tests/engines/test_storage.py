"""Files that are whole after any crash, and what both stores do with damaged files."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from engines.config import RUN_FILE
from engines.corewar.hill import HillError
from engines.corewar.hill_store import HillStore
from engines.evolution.run_store import RunStore, StoreError
from engines.storage import connect, database_stamp, transaction, write_atomically
from tests.engines.corewar.made_up import NANO


def test_a_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, "grün\n")
    assert path.read_bytes() == "grün\n".encode()
    write_atomically(path, b"\0")
    assert path.read_bytes() == b"\0"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with pytest.raises(OSError):
        write_atomically(tmp_path / "folder", "text")
    (tmp_path / "file").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "file", "half a character: \ud800")
    assert (tmp_path / "file").read_text() == "old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder"]


def test_concurrent_writers_of_a_process_do_not_interfere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one begins and ends while the first one waits for the disk."""
    path, fsync, texts = tmp_path / "file", os.fsync, ["second"]

    def interrupted(descriptor: int) -> None:
        fsync(descriptor)
        if texts:
            write_atomically(path, texts.pop())

    monkeypatch.setattr(os, "fsync", interrupted)
    write_atomically(path, "first")
    assert path.read_text() == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_the_folder_is_synced_after_a_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(
        os, "fsync", lambda descriptor: synced.append(Path(f"/proc/self/fd/{descriptor}").readlink())
    )
    write_atomically(tmp_path / "file", "text")
    unfinished, folder = synced
    assert unfinished.parent == tmp_path == folder


# -- Stores ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of store."""

    name: str  # of its file
    create: Callable[[Path], object]
    open: Callable[[Path], object]
    error: type[ValueError]


def create_run(path: Path) -> None:
    RunStore.create(path.parent, game="chess", config="", seed=1, version="0").close()


KINDS = [
    Kind(
        name=RUN_FILE,
        create=create_run,
        open=lambda path: RunStore.open(path.parent, writing=True).close(),
        error=StoreError,
    ),
    Kind(
        name="nano.hill",
        create=lambda path: HillStore.create(path, NANO),
        open=HillStore.open,
        error=HillError,
    ),
]


@pytest.fixture(params=KINDS, ids=["run", "hill"])
def kind(request: pytest.FixtureRequest) -> Kind:
    made: Kind = request.param
    return made


@pytest.fixture
def path(kind: Kind, tmp_path: Path) -> Path:
    """A new store's file."""
    kind.create(tmp_path / kind.name)
    return tmp_path / kind.name


def test_a_creation_leaves_one_file(kind: Kind, path: Path) -> None:
    kind.open(path)
    assert {each.name for each in path.parent.iterdir()} - {"lock"} == {kind.name}


def test_creating_a_store_overwrites_nothing(kind: Kind, path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(kind.error, match="already"):
        kind.create(path)
    assert path.read_bytes() == before
    assert {each.name for each in path.parent.iterdir()} - {"lock"} == {kind.name}


def test_the_stamp_of_a_file_that_has_just_changed_is_equal_to_no_other(path: Path) -> None:
    """Another change within the same tick of the kernel's clock may leave the time and the sizes as they are."""
    os.utime(path, (1, 1))
    assert database_stamp(path) == database_stamp(path)
    os.utime(path)
    assert database_stamp(path) != database_stamp(path)


@pytest.mark.parametrize("leftover", [".new", ".99.new", ".99.new-wal"])
def test_leftovers_of_a_killed_creation_do_not_block_a_new_store(
    kind: Kind, leftover: str, tmp_path: Path
) -> None:
    (tmp_path / f"{kind.name}{leftover}").write_bytes(b"SQLite form")
    with pytest.raises(kind.error):
        kind.open(tmp_path / kind.name)
    kind.create(tmp_path / kind.name)
    kind.open(tmp_path / kind.name)


@pytest.mark.parametrize("content", [b"", b"nothing\n" * 500, b"SQLite format 3\0" + b"\xff" * 5000])
def test_another_file_is_refused_and_left_alone(kind: Kind, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(kind.error, match=r"damaged|foreign"):
        kind.open(path)
    assert path.read_bytes() == content


def test_a_missing_file_is_not_made(kind: Kind, tmp_path: Path) -> None:
    for path in (tmp_path / kind.name, tmp_path / "nowhere" / kind.name):
        with pytest.raises(kind.error, match=r"holds no run|there is no hill"):
            kind.open(path)
        assert not path.exists()


@pytest.mark.parametrize("keep", [10, 16, 100, 5000])
def test_a_truncated_file_is_refused(kind: Kind, path: Path, keep: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:keep])
    with pytest.raises(kind.error, match="damaged"):
        kind.open(path)
    path.write_bytes(whole)
    kind.open(path)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [("application_id = 1", "foreign"), ("user_version = 99", r"format 99, but this program reads \d")],
)
def test_another_format_is_refused(kind: Kind, path: Path, statement: str, reason: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"PRAGMA {statement}")
    with pytest.raises(kind.error, match=reason):
        kind.open(path)


def test_a_store_with_missing_tables_is_refused(kind: Kind, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(f"DROP TABLE {'run' if kind.name == RUN_FILE else 'hill'}")
    with pytest.raises(kind.error, match="damaged"):
        kind.open(path)


def test_a_transaction_is_all_or_nothing(path: Path) -> None:
    with closing(connect(path)) as database:
        database.execute("CREATE TABLE number (value INTEGER UNIQUE)")
        with transaction(database):
            database.execute("INSERT INTO number VALUES (1)")
        with pytest.raises(sqlite3.IntegrityError), transaction(database):
            database.execute("INSERT INTO number VALUES (2)")
            database.execute("INSERT INTO number VALUES (1)")
        with pytest.raises(KeyboardInterrupt), transaction(database):
            database.execute("INSERT INTO number VALUES (3)")
            raise KeyboardInterrupt
        assert database.execute("SELECT value FROM number").fetchall() == [(1,)]
    with (
        closing(connect(path, read_only=True)) as database,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
        transaction(database),
    ):
        database.execute("DELETE FROM number")
