"""`galapagos backup` and `galapagos restore`: nothing acknowledged is missing, nothing is overwritten, no archive does harm."""

import asyncio
import gzip
import io
import os
import sqlite3
import stat
import tarfile
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from engines.backup import MANIFEST, TOP, back_up, restore
from engines.corewar.hill_store import HillStore
from engines.home import prepare_home
from protocols.jsonl.journal import Journal
from tests.golden.disk import unpacked
from tests.protocols.jsonl.fakes import FakeServer
from tests.protocols.wire import Wire
from tests.servers import CHECKOUT, command, served
from tests.tools.galapagos import Galapagos
from tests.tools.test_home import GAMES, HILLS, PROFILES, opened
from tools.games import game_adapters


def write_archive(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


FIRST = (member(MANIFEST), b'{"format": "galapagos-backup/1", "home": 1}\n')


def test_a_backup_of_running_games_has_every_acknowledged_line(tmp_path: Path, galapagos: Galapagos) -> None:
    """The server has the records open, a line is being written, and a hill is in the middle of a transaction."""
    home, file, new = unpacked("home", tmp_path), tmp_path / "home.tar.gz", tmp_path / "new"
    HillStore.open(home / "hills" / "tiny.hill")  # it is of an older format, which this upgrades
    server = FakeServer(game_adapters(), journal=Journal(home / "records"))
    director = server.player(role="director")
    director.ask(type="match", game="acquire", players=["random", "heuristic"], games=4, seed=3)
    created = server.player().create(game="acquire", seats=["me", "random"])[0]
    record = home / "records" / f"{created['game_id']}.jsonl"
    acknowledged = record.read_bytes()
    with record.open("ab") as torn:
        torn.write(b'{"type":"act')
    with closing(sqlite3.connect(home / "hills" / "tiny.hill", isolation_level=None)) as writer:
        writer.execute(
            "INSERT INTO removal VALUES (0, 'Imp', 'Ann', '')"
        )  # acknowledged, and in the -wal only
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM removal")
        assert "files" in galapagos.printed("backup", home, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "files" in galapagos.printed("restore", file, new)
    for path in (new, *new.rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    assert (new / "records" / record.name).read_bytes() == acknowledged
    assert HillStore.open(new / "hills" / "tiny.hill").removals() == [(0, "Imp", "Ann", "")]
    assert opened(new) == (HILLS, PROFILES, GAMES | {created["game_id"]})
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")]


def test_backup_and_restore_overwrite_nothing(tmp_path: Path, galapagos: Galapagos) -> None:
    home, file = tmp_path / "home", tmp_path / "file"
    prepare_home(home)
    galapagos.printed("backup", home, file)
    before = file.read_bytes()
    with pytest.raises(FileExistsError):
        back_up(home, file, print)
    assert file.read_bytes() == before
    assert "not an empty folder" in galapagos.refused("restore", file, home)
    assert "not a home" in galapagos.refused("backup", tmp_path / "nowhere", tmp_path / "other")
    assert "is inside the home" in galapagos.refused("backup", home, home / "file")
    (tmp_path / "empty").mkdir()
    galapagos.printed("restore", file, tmp_path / "empty")
    assert (tmp_path / "empty" / "records").is_dir()


def test_a_backup_is_restored_through_a_link_to_an_empty_folder(tmp_path: Path, galapagos: Galapagos) -> None:
    """As /var/lib/galapagos is one under systemd."""
    home, file, link = tmp_path / "home", tmp_path / "file", tmp_path / "link"
    prepare_home(home)
    galapagos.printed("backup", home, file)
    (tmp_path / "private").mkdir()
    link.symlink_to("private")
    galapagos.printed("restore", file, link)
    assert link.is_symlink() and (tmp_path / "private" / "format").is_file()
    assert f"{link}: This is not an empty folder" in galapagos.refused("restore", file, link)
    (tmp_path / "private").rename(tmp_path / "old")  # the link leads nowhere now
    galapagos.printed("restore", file, link)
    assert (tmp_path / "private" / "format").is_file()


def test_files_that_cannot_be_copied_are_reported_and_the_rest_is_copied(tmp_path: Path) -> None:
    home, warnings = tmp_path / "home", list[str]()
    prepare_home(home)
    os.mkfifo(home / "records" / "fifo.jsonl")
    (home / "records" / "link.jsonl").symlink_to("/etc/passwd")
    (home / "hills" / "bad.hill").write_bytes(b"SQLite format 3\0" + b"\xff" * 3000)
    (home / "profiles" / "Ann.apu").write_text("1")
    assert back_up(home, tmp_path / "file", warnings.append) == 3
    assert [text.split(" ")[0].rpartition("/")[2] for text in sorted(warnings)] == [
        "bad.hill", "fifo.jsonl", "link.jsonl",
    ]  # fmt: skip


HOSTILE: dict[str, tuple[tuple[tarfile.TarInfo, bytes], ...]] = {
    "above": (FIRST, (member(f"{TOP}/../../evil"), b"x")),
    "absolute": (FIRST, (member("/tmp/home/evil"), b"x")),
    "elsewhere": (FIRST, (member("other/evil"), b"x")),
    "symbolic link": (FIRST, (member(f"{TOP}/records", tarfile.SYMTYPE, "/tmp"), b"")),
    "hard link": (FIRST, (member(f"{TOP}/x", tarfile.LNKTYPE, "/etc/passwd"), b"")),
    "FIFO": (FIRST, (member(f"{TOP}/x", tarfile.FIFOTYPE), b"")),
    "device": (FIRST, (member(f"{TOP}/x", tarfile.CHRTYPE), b"")),
    "twice": (FIRST, (member(f"{TOP}/x"), b"1"), (member(f"{TOP}/x"), b"2")),
    "a file as a folder": (FIRST, (member(f"{TOP}/x"), b"1"), (member(f"{TOP}/x/y"), b"2")),
    "deep": (FIRST, (member(TOP + "/x" * 30), b"1")),
    "no manifest": ((member(f"{TOP}/x"), b"1"),),
    "newer": ((member(MANIFEST), b'{"format": "galapagos-backup/1", "home": 2}'),),
    "other": ((member(MANIFEST), b'{"format": "x", "home": 1}'),),
    "nested": ((member(MANIFEST), b"[" * 5000 + b"]" * 5000),),
    "empty": (),
}


@pytest.mark.parametrize("members", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_archive_is_refused_and_leaves_nothing(
    tmp_path: Path, galapagos: Galapagos, members: tuple[tuple[tarfile.TarInfo, bytes], ...]
) -> None:
    write_archive(tmp_path / "file", *members)
    galapagos.refused("restore", tmp_path / "file", tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "text", "header", "fifo"])
def test_a_damaged_archive_is_refused_and_leaves_nothing(
    tmp_path: Path, galapagos: Galapagos, damage: str
) -> None:
    file = tmp_path / "file"
    write_archive(file, FIRST, (member(f"{TOP}/x"), os.urandom(3000)))
    data = file.read_bytes()
    file.unlink()
    if damage == "fifo":
        os.mkfifo(file)
    else:
        file.write_bytes({
            "cut": data[:-5],
            "flipped": data[:1500] + bytes([data[1500] ^ 4]) + data[1501:],
            "text": b"no archive",
            "header": gzip.compress(b"\xff" * 2000),
        }[damage])  # fmt: skip
    galapagos.refused("restore", file, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


async def test_a_backup_of_a_busy_server_restores_all_acknowledged_changes(tmp_path: Path) -> None:
    """The server is killed after that, and another one goes on in the new home."""
    home, file, new = tmp_path / "home", tmp_path / "home.tar.gz", tmp_path / "new"

    async def submit(author: Wire, name: str, field: int) -> str:
        code = f"SPL {field % 80}, {field // 80 + 3}"
        author.say(";redcode-nano quiet json", f";name {name}", ";author Ann", code, "MOV 0, 1", "END")
        return await author.line()

    async def submit_for_ever(author: Wire) -> None:
        for number in count():
            await submit(author, f"Late {number}", number)

    async def play_for_ever(client: Wire) -> None:
        while True:
            decide = await client.message("decide")
            client.say(
                type="action", re=decide["id"], game_id=decide["game_id"], seq=decide["seq"],
                action=decide["legal"]["actions"][0],
            )  # fmt: skip

    async with served("--home", home) as server:
        author, client = await server.connect("127.0.0.1"), await server.connect("127.0.0.1")
        assert '"Early"' in await submit(author, "Early", 79)
        resume = (await client.hello())["resume"]
        client.say(type="create", game="acquire", seats=["me", "random"])
        game = (await client.message("created"))["game_id"]
        await client.message("decide")
        acknowledged = (home / "records" / f"{game}.jsonl").read_bytes()
        busy = [asyncio.create_task(submit_for_ever(author)), asyncio.create_task(play_for_ever(client))]
        process = await asyncio.create_subprocess_exec(*command("backup", home, file), cwd=CHECKOUT)
        assert await process.wait() == 0
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        server.process.kill()
        await server.process.wait()
    assert restore(file, new)
    assert (new / "records" / f"{game}.jsonl").read_bytes().startswith(acknowledged)
    async with served("--home", new) as server:
        author, client = await server.connect("127.0.0.1"), await server.connect("127.0.0.1")
        author.say(";redcode-nano standings json", ".")
        assert '"Early"' in await author.line()
        await client.hello()
        client.say(type="resume", token=resume)
        assert [each["game_id"] for each in (await client.message("resumed"))["games"]] == [game]
