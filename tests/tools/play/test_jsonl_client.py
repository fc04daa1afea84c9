"""`galapagos play acquire` and `protection` as programs: help, keyboard, a real terminal, errors, what they leave."""

import os
import pty
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tools.play.casual_games import standard_input
from tests.waiting import PATIENCE_SECONDS
from tools.__main__ import main

PLAY = [sys.executable, "-m", "tools", "play"]


def played(typed: str, *words: str) -> str:
    done = subprocess.run(
        [*PLAY, *words], input=typed, check=False, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    return done.stdout


def test_an_acquire_game_is_played_and_its_record_replayed(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    said = played(
        "4c\nresign\n", "acquire", "heuristic", "--seed", "7", "--name", "Ann", "--record", str(record)
    )
    assert "Place a tile> 4c\n" in said and "Ann places 4C" in said
    assert main(["replay", str(record)]) == 0


def test_a_protection_game_is_played_and_its_record_replayed(tmp_path: Path) -> None:
    record, profiles = tmp_path / "game.jsonl", tmp_path / "profiles"
    words = ["--seed", "7", "--name", "Ann", "--record", str(record), "--profiles", str(profiles)]
    said = played("drone 12 0 13 0\ngo\nresign\n\n", "protection", *words)
    assert "> drone 12 0 13 0\n" in said and "How Chaos played" in said
    assert (profiles / "Ann.apu").read_text().startswith("0\t1\t")
    assert main(["replay", str(record)]) == 0


@pytest.mark.parametrize(
    ("game", "typed"),
    [("acquire", "4c\nquit\n"), ("acquire", "4c\n"), ("protection", "drone 12 0 13 0\ngo\n\nquit\n")],
)
def test_an_unfinished_game_is_recorded_and_not_overwritten(
    game: str, typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And no second game takes its place."""
    record = tmp_path / "game.jsonl"
    said = played(typed, game, "--seed", "7", "--record", str(record))
    assert "left unfinished" in said
    assert main(["replay", str(record)]) == 0
    assert "events as recorded; the record stops before the end of the game" in capsys.readouterr().out
    kept = record.read_text()
    assert main(["play", game, "--record", str(record)]) == 2
    assert "is not empty" in capsys.readouterr().err and record.read_text() == kept


def test_ctrl_c_leaves_the_game_with_status_130() -> None:
    with subprocess.Popen(
        [*PLAY, "acquire"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        said = b""
        while not said.endswith(b"Place a tile> "):
            said += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 130
        assert process.stdout.read() == b"\nThe game is left unfinished.\n"
        assert process.stderr.read() == b""


@pytest.mark.parametrize("game", ["acquire", "protection", "chess"])
@pytest.mark.parametrize("input", ["</dev/null", "<&-", "< <(printf help)"])
def test_every_end_of_input_leaves_the_game_with_a_sentence_and_status_0(game: str, input: str) -> None:
    """It is empty, closed, or ends within a line."""
    done = subprocess.run(
        ["bash", "-c", f'"$0" -m tools play {game} {input}', sys.executable],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("> \nThe game is left unfinished.\n")


def test_an_input_that_does_not_block_is_waited_for() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        with subprocess.Popen(
            [*PLAY, "acquire"], stdin=theirs.fileno(), stdout=subprocess.PIPE, text=True
        ) as process:
            theirs.close()
            assert process.stdout
            said = ""
            while not said.endswith("Place a tile> "):
                said += process.stdout.read(1)
            ours.sendall(b"quit\n")
            assert process.stdout.read() == "quit\nThe game is left unfinished.\n"
        assert process.returncode == 0


@pytest.mark.timeout(40)
def test_a_game_is_played_at_a_real_terminal_with_colours() -> None:
    """With colours, and as wide as the terminal says."""
    child, master = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        os.execv(sys.executable, [*PLAY, "protection", "--seed", "7"])
    said = b""
    for waited, typed in (
        (b"\x1b[", b""),
        (b"a phase> ", b"drone 12 12 0 0 1 1 2 2 3 3\n"),
        (b"a phase> ", b"go\n"),
        (b"Chaos sends", b""),
        (b"a phase> ", b"log\n"),
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


HELP = {
    "acquire": (
        "the player with most",
        "2l t",
        "trade",
        "--variant",
        "galapagos play acquire mc-10",
        "--hidden",
    ),
    "protection": ("place drone 5 7 9 7", "salvage", "twenty times", "--profiles", "--target hard"),
}


@pytest.mark.parametrize("game", HELP)
def test_help_explains_the_commands_and_options_of_each_game(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["play", game, "--help"])
    said = capsys.readouterr().out
    assert all(words in said for words in HELP[game]) and max(map(len, said.splitlines())) <= 110
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert game in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("acquire nobody", "nobody"),
        ("acquire" + " random" * 6, "2 to 6 players"),
        ("acquire --variant go", "no variant 'go'"),
        ("acquire --name a/b", "name"),
        ("acquire --record /nonexistent/game.jsonl", "cannot write /nonexistent/game.jsonl: No such file"),
        ("protection --chaos nobody", "chaos:nobody"),
        ("protection --variant go", "no variant 'go'"),
        ("protection --target 2", "target"),
        ("protection --study", "--study needs --profiles and --record"),
        ("protection --name a.b --profiles p", "a user's name is"),
        ("protection --record /nonexistent/game.jsonl", "cannot write /nonexistent/game.jsonl: No such file"),
    ],
)
def test_errors_are_one_line(
    words: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    keyboard = tmp_path / "keyboard"
    keyboard.touch()
    with keyboard.open() as file, standard_input(file.fileno()):
        assert main(["play", *words.split()]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("galapagos play: ") and complaint in said.err and said.err.count("\n") == 1
    assert not said.out and sorted(path.name for path in tmp_path.iterdir()) == ["keyboard"]
