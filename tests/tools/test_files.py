"""Files that users name: bounds, pipes and devices; what of a text is shown to a terminal."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools.files import read_file, visible, visible_bytes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("Jörg, 囲碁, €", "Jörg, 囲碁, €"),
        ("\x1b[31m\x07\x00\r\x7f", "\\x1b[31m\\x07\\x00\\x0d\\x7f"),
        ("\x9b2J\xad", "\\x9b2J\\xad"),
        ("\u202e\u200b\u2066\ufeff\u2028", "\\u202e\\u200b\\u2066\\ufeff\\u2028"),
        ("\U000e0041", "\\U000e0041"),
        ("\udc9b", "\\x9b"),
    ],
)
def test_control_characters_are_shown_as_escapes(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_bytes_keep_their_encoding() -> None:
    assert visible_bytes("É".encode()) == "É".encode()
    assert visible_bytes(b"\xf6 \x9b \xc2\x9b") == b"\xf6 \\x9b \\x9b"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("/dev/zero", "device"), ("folder", "folder"), ("large", "too large"), ("pipe", "pipe")],
)
def test_devices_folders_pipes_and_large_files_are_refused(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tools.files.WRITER_SECONDS", 0.0)
    Path("folder").mkdir()
    Path("large").write_bytes(bytes(101))
    os.mkfifo("pipe")
    with pytest.raises(OSError, match=reason):
        read_file(Path(name), 100)


def test_the_null_device_is_an_empty_file() -> None:
    assert read_file(Path(os.devnull), 100) == b""


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"x" * 200_000,))
    writer.start()
    assert read_file(pipe, 1_000_000) == b"x" * 200_000
    writer.join()


@pytest.mark.parametrize("command", ["rank", "film", "hill"])
@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "folder", "large.red"])
def test_commands_refuse_devices_pipes_and_large_files_in_a_sentence(
    command: str,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from tools.__main__ import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tools.files.WRITER_SECONDS", 0.0)
    Path("folder").mkdir()
    Path("large.red").write_bytes(bytes(2_000_000))
    os.mkfifo("pipe")
    words = {
        "rank": ["rank", name, "--rules", "nano", "--against", name],
        "film": ["film", name, "--out", "film.html"],
        "hill": ["hill", "test", "hill.db", name],
    }[command]
    if command == "hill":
        assert main(["hill", "create", "hill.db", "--empty"]) == 0
    status = main(words)
    shown = capsys.readouterr().err
    if command == "rank" and name == "folder":
        assert status == 2 and "holds no warrior" in shown  # a folder of warriors, and empty
    else:
        assert status == 2 and f"galapagos {command}: {name}: this is" in shown


@pytest.mark.parametrize("command", ["rank", "film", "hill"])
def test_commands_show_the_escapes_of_a_hostile_warrior(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tools.__main__ import main

    monkeypatch.chdir(tmp_path)
    Path("bad.red").write_text(";redcode-nano\n;name \x1b[2J\n\x1b]0!\x07 mov nowhere\n")
    words = {
        "rank": ["rank", "bad.red", "--rules", "nano"],
        "film": ["film", "bad.red", "--rules", "nano", "--out", "film.html"],
        "hill": ["hill", "test", "hill.db", "bad.red"],
    }[command]
    if command == "hill":
        assert main(["hill", "create", "hill.db", "--empty", "--preset", "nano"]) == 0
    assert main(words)
    out, err = capsys.readouterr()
    assert "\\x1b]0!" in out + err and not {"\x1b", "\x07"} & set(out + err)


CUT = """
import sys
from tools.__main__ import main
import tools.{module} as module

def run(args):
    try:
        for _ in range(100_000):
            print("a line of text")
    except OSError as error:
        raise module.CommandError(error) from None
    return 0

module.run = run
sys.exit(main({words}))
"""


@pytest.mark.parametrize(("module", "words"), [("hill", ["hill", "standings", "x"]), ("rank", ["rank", "x"])])
def test_commands_into_head_end_quietly(module: str, words: list[str]) -> None:
    """Also where a command takes the closed pipe for a file that fails."""
    code = CUT.format(module=module, words=words)
    with subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdin is not None
        given = subprocess.run(
            [sys.executable, "-c", code],
            stdout=reader.stdin,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        assert reader.communicate()[0] == b"a line of text\n"
    assert (given.returncode, given.stderr) == (0, "")
