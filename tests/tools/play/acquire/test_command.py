"""`galapagos play acquire` as a program: its help, its keyboard, its errors, the record that it leaves."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.play.sittings import standard_input
from tools.__main__ import main

COMMAND = [sys.executable, "-m", "tools", "play", "acquire"]


def test_runs_as_a_program(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    words = ["heuristic", "--seed", "7", "--name", "Ann", "--record", str(record)]
    done = subprocess.run(
        [*COMMAND, *words], input="4c\nresign\n", check=False, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "Place a tile> 4c\n" in done.stdout and "Ann places 4C" in done.stdout and "\x1b" not in done.stdout
    )
    assert main(["replay", str(record)]) == 0


def test_ctrl_c_leaves_the_game() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        said = b""
        while not said.endswith(b"Place a tile> "):
            said += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stdout.read() == b"\nThe game is left unfinished.\n"
        assert process.stderr.read() == b""


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "acquire", "--help"])
    said = capsys.readouterr().out
    for words in (
        "whoever has most",
        "2l t",
        "trade",
        "--variant",
        "galapagos play acquire mc-10",
        "--hidden",
    ):
        assert words in said
    assert max(map(len, said.splitlines())) <= 110
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert "chess" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nobody"], "nobody"),
        (["random"] * 6, "2 to 6 players"),
        (["--variant", "go"], "no variant 'go'"),
        (["--seed", "-1"], "seed"),
        (["--name", "a/b"], "name"),
        (["--record", "/nonexistent/game.jsonl"], "cannot write /nonexistent/game.jsonl: No such file"),
    ],
)
def test_errors_are_one_line(
    words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard = tmp_path / "keyboard"
    keyboard.touch()
    with keyboard.open() as file, standard_input(file.fileno()):
        assert main(["play", "acquire", *words]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("galapagos play: ") and complaint in said.err and said.err.count("\n") == 1
    assert not said.out
