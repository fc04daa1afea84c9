"""`galapagos play protection` as a program: its help, its keyboard, a real terminal, its errors, what it leaves."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.play.sittings import standard_input
from tools.__main__ import main

COMMAND = [sys.executable, "-m", "tools", "play", "protection"]


def test_runs_as_a_program(tmp_path: Path) -> None:
    record, profiles = tmp_path / "game.jsonl", tmp_path / "profiles"
    words = ["--seed", "7", "--name", "Ann", "--record", str(record), "--profiles", str(profiles)]
    typed = "drone 12 0 13 0\ngo\nresign\n\n"
    done = subprocess.run(
        [*COMMAND, *words], input=typed, check=False, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "> drone 12 0 13 0\n" in done.stdout and "How Chaos played you" in done.stdout
    assert "\x1b" not in done.stdout and (profiles / "Ann.apu").read_text().startswith("0\t1\t")
    assert main(["replay", str(record)]) == 0


@pytest.mark.timeout(40)
def test_the_keys_of_a_real_terminal() -> None:
    """The cursor, then the film until q; the terminal is as before."""
    child, master = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        os.execv(sys.executable, [*COMMAND, "--seed", "7"])
    said = b""
    for waited, typed in (
        (b"a phase> ", b"cursor\n"),
        (b"drone at 12 12", b"\x1b[A5 xg"),
        (b"Chaos sends", b""),
        (b"a phase> ", b"film\n"),
        (b"Phase 1 of 50", b"q"),
        (b"a phase> ", b"quit\n"),
        (b"left unfinished", b""),
    ):
        while waited not in said:
            said += os.read(master, 65_536)
        said = said.partition(waited)[2]
        os.write(master, typed)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    os.close(master)


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "protection", "--help"])
    said = capsys.readouterr().out
    for words in ("place drone 5 7 9 7", "salvage", "twenty times", "--profiles", "--target novice"):
        assert words in said
    assert max(map(len, said.splitlines())) <= 110


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--chaos", "nobody"], "chaos:nobody"),
        (["--variant", "go"], "no variant 'go'"),
        (["--seed", "-1"], "seed"),
        (["--target", "2"], "target"),
        (["--name", "a.b", "--profiles", "p"], "a user's name is"),
        (["--record", "/nonexistent/game.jsonl"], "cannot write /nonexistent/game.jsonl: No such file"),
    ],
)
def test_errors_are_one_line(
    words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    keyboard = tmp_path / "keyboard"
    keyboard.touch()
    with keyboard.open() as file, standard_input(file.fileno()):
        assert main(["play", "protection", *words]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("galapagos play: ") and complaint in said.err and said.err.count("\n") == 1
    assert not said.out and sorted(path.name for path in tmp_path.iterdir()) == ["keyboard"]
