"""A home with damaged, foreign and strange files starts; what is sound is served, and the log names the rest."""

import os
import random
import shutil
import socket
import stat
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engines.home import FORMAT_FILE, HomeError
from engines.storage import InUseError, hold
from protocols.jsonl.journal import Journal
from tests.golden.disk import unpacked
from tests.protocols.jsonl.fakes import FakeRuntime, FakeServer
from tools.games import game_adapters
from tools.jsonl import open_server
from tools.serve import Home, open_home

HILLS = {"tiny.hill"}
PROFILES = {"golden"}
GAMES = {"g-e4f9e11e-2", "g-e4f9e11e-3", "m-1"}  # the last one is a match
STRANGER = 65_534  # the user nobody
KINDS = ("hills/tiny.hill", "profiles/golden.apu", "records/g-e4f9e11e-2.jsonl", "records/m-1.match")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A hill, a profile, three games of which two go on, and a match."""
    folder = unpacked("home", tmp_path)
    director = FakeServer(game_adapters(), journal=Journal(folder / "records")).player(role="director")
    matched = director.ask(type="match", game="acquire", players=["random", "heuristic"], games=4, seed=3)
    assert matched["type"] == "matched"
    return folder


def opened_home(home: Path) -> Home:
    return open_home(Namespace(home=home, records=None, profiles=None, runs=[], hill=[]))


def opened(home: Path) -> tuple[set[str], set[str], set[str]]:
    """Open a home as the server does: the names of its hills, profiles, and games and matches that go on."""
    kept = opened_home(home)
    with open_server(kept.records, kept.profiles, FakeRuntime()) as server:
        profiles = server.adapters["protection"].profiles
        assert profiles is not None
        hills = {each.path.name for each in kept.hills if each.hill().preset}
        usable = set()
        for name in profiles.names():  # that of a damaged one stays taken
            with suppress(ValueError, OSError):
                usable |= {name} if profiles.owner(name) is not None else set()
        return hills, usable, {*server.games, *server.matches.runners}


def test_a_sound_home_is_served_without_a_warning(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert opened(home) == (HILLS, PROFILES, GAMES)
    assert not caplog.records


def fifo(path: Path) -> None:
    os.mkfifo(path)


def bound_socket(path: Path) -> None:
    folder = os.open(path.parent, os.O_RDONLY)
    try:  # a name of more than 108 bytes cannot be bound
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        os.close(folder)


STRANGE: dict[str, Callable[[Path], object]] = {
    "empty": Path.touch,
    "text": lambda path: path.write_text("nothing of ours\n"),
    "bytes": lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 3000),
    "deep": lambda path: path.write_text('{"type":' + "[" * 5000 + "]" * 5000 + "}\n"),
    "folder": Path.mkdir,
    "fifo": fifo,
    "socket": bound_socket,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "dangling": lambda path: path.symlink_to("nowhere"),
    "loop": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("name", KINDS)
def test_foreign_files_in_a_home_are_left_out_with_a_warning(
    home: Path, name: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = home / name
    path.unlink()
    STRANGE[kind](path)
    before = path.lstat()
    hills, profiles, games = opened(home)
    assert (hills | profiles | games) == (HILLS | PROFILES | GAMES) - {path.name, path.stem}
    assert path.lstat().st_ino == before.st_ino and path.lstat().st_size == before.st_size, "it is left alone"
    if (kind, path.suffix) != ("empty", ".jsonl"):  # a record that was about to be written
        assert str(path) in caplog.text and "move it away" in caplog.text


@pytest.mark.parametrize("name", KINDS)
def test_damaged_files_do_not_keep_other_files_from_being_served(home: Path, name: str) -> None:
    """A change may be without effect; whatever it is, the other files are served."""
    path, rng = home / name, random.Random(name)
    whole = path.read_bytes()
    for number in range(40):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 1, 3, 30))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data if number % 4 else whole[: rng.randrange(len(whole))])
        copy = home.with_name(f"home-{number}")
        shutil.copytree(home, copy)
        hills, profiles, games = opened(copy)
        others = (HILLS | PROFILES | GAMES) - {path.name, path.stem}
        assert others <= hills | profiles | games
        shutil.rmtree(copy)


def test_a_second_hill_with_the_same_first_line_is_left_out(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.copy(home / "hills/tiny.hill", home / "hills/tiny2.hill")
    assert opened(home) == (HILLS, PROFILES, GAMES)
    assert "tiny2.hill" in caplog.text


def test_a_record_not_named_after_its_game_is_left_out(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    shutil.copy(home / "records/g-e4f9e11e-3.jsonl", home / "records/copy.jsonl")
    assert opened(home) == (HILLS, PROFILES, GAMES)
    assert "copy.jsonl" in caplog.text


def test_opening_a_home_makes_it_readable_by_its_owner_only(home: Path) -> None:
    for path in (home, *home.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    outside = home.with_name("outside")
    outside.write_text("of others")
    outside.chmod(0o644)
    (home / "runs" / "link").symlink_to(outside)
    before = [home, *home.rglob("*")]
    opened_home(home)
    for path in before:
        if not path.is_symlink():
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


@pytest.mark.parametrize("name", ["records", "profiles", "hills", "runs"])
@pytest.mark.parametrize("kind", ["empty", "fifo", "dangling", "loop"])
def test_a_file_in_place_of_a_folder_of_the_home_is_named(tmp_path: Path, name: str, kind: str) -> None:
    """A link may be to a disk that is not mounted: records must not go elsewhere."""
    (tmp_path / "home").mkdir()
    STRANGE[kind](tmp_path / "home" / name)
    with pytest.raises(OSError, match="not a folder") as caught:
        opened_home(tmp_path / "home")
    assert caught.value.filename == str(tmp_path / "home" / name)


def test_a_file_in_place_of_the_home_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(ValueError, match="home is a file; name a folder"):
        opened_home(tmp_path / "home")


def test_a_home_in_use_is_named_with_the_process_that_uses_it(home: Path) -> None:
    with (
        hold(home / "records"),
        pytest.raises(
            InUseError, match=f"the home {home} is in use by the server with process {os.getpid()};"
        ),
    ):
        opened_home(home)


@pytest.fixture
def of_root() -> Iterator[Path]:
    """A home of root in a folder that others may enter, and the process is another user's."""
    if os.geteuid():
        pytest.skip("only root can become another user")
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        home = unpacked("home", Path(folder))
        opened_home(home)
        try:
            yield home
        finally:
            os.seteuid(0)


def test_a_home_of_another_user_is_refused_with_its_owner(of_root: Path) -> None:
    os.seteuid(STRANGER)
    with pytest.raises(ValueError, match="it belongs to root; start the server as that user, or chown"):
        opened_home(of_root)


def test_a_hill_of_another_user_is_left_out_with_its_owner(
    of_root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for path in (of_root, *of_root.rglob("*")):
        if path.suffix != ".hill":
            os.chown(path, STRANGER, STRANGER)
    os.seteuid(STRANGER)
    assert not opened_home(of_root).hills
    hills = of_root / "hills"
    assert "tiny.hill: Permission denied; it belongs to root; give it to the server's user: " in caplog.text
    assert f"chown --reference={hills} {hills}/tiny.hill*" in caplog.text


def test_the_home_of_a_newer_program_is_refused(home: Path) -> None:
    opened_home(home)
    assert (home / FORMAT_FILE).read_text() == "galapagos home 1\n"
    (home / FORMAT_FILE).write_text("galapagos home 2\n")
    with pytest.raises(HomeError, match="has format 2, of a newer galapagos; this one reads format 1"):
        opened_home(home)
    (home / FORMAT_FILE).write_text("something else")
    opened_home(home)
