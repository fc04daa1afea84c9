"""`galapagos play` as a program."""

import signal
import subprocess
import sys
from pathlib import Path

from tests.tools.play.sittings import moves, read_games


def test_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "tools", "play", "chess", "human", "random"]
    done = subprocess.run(
        command, input="e4\nresign\n", check=False, capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("White resigns: Black wins.\n")


def test_ctrl_c_ends_it_and_keeps_the_game(tmp_path: Path) -> None:
    pgn = tmp_path / "game.pgn"
    command = [sys.executable, "-m", "tools", "play", "chess", "human", "random", "--pgn", str(pgn)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"e4\n")
        said = b""
        while said.count(b"White> ") < 2:
            said += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert process.stdout.read() == b"\nThe game is left unfinished.\n"
        assert process.stderr.read() == b""
    (game,) = read_games(pgn)
    assert moves(game)[0] == "e2e4" and game.headers["Result"] == "*"
