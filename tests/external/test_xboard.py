"""Debian's xboard lets two galapagos-chess processes play each other, on a virtual screen."""

import contextlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess.pgn
import pytest

PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/games"
XBOARD = shutil.which("xboard", path=PATH)
XVFB_RUN = shutil.which("xvfb-run", path=PATH)
GAME_SECONDS = 60.0
ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not (XBOARD and XVFB_RUN), reason="needs xboard and xvfb-run"),
]

# A short game: White is a queen ahead.
OPENING = "rnb1kbnr/ppp2ppp/8/3pp3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 3"


@pytest.mark.timeout(GAME_SECONDS + 15.0)
@pytest.mark.parametrize("limit", [("-depth", "3"), ("-tc", "1", "-inc", "0", "-depth", "2", "-ponder")])
def test_xboard_plays_a_game_between_two_engines(limit: tuple[str, ...], tmp_path: Path) -> None:
    record, opening = tmp_path / "game.pgn", tmp_path / "opening.fen"
    opening.write_text(f"{OPENING}\n")
    engine = f"{sys.executable} -m tools.chess_engine --hash 1"
    assert XVFB_RUN is not None and XBOARD is not None
    command = [
        XVFB_RUN, "-a", XBOARD, "-noChessProgram", "False", "-fcp", engine, "-scp", f"{engine} --genome unevolved",
        "-fd", str(ROOT), "-sd", str(ROOT), "-matchMode", "true", "-matchGames", "1", "-lpf", str(opening),
        "-lpi", "1", "-saveGameFile", str(record), *limit,
    ]  # fmt: skip
    environment = {**os.environ, "HOME": str(tmp_path), "PATH": PATH}
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        text = _finished(record, process)
    finally:
        _end(process)  # xboard stays on the screen after its match
    assert text, f"no game within {GAME_SECONDS} s"
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    board = game.end().board()
    assert len(board.move_stack) > 5
    assert board.outcome(claim_draw=True) is not None, f"forfeited: {game.end().comment}"
    assert board.result(claim_draw=True) == game.headers["Result"]


def _end(process: subprocess.Popen[str]) -> None:
    """End xvfb-run, the screen and xboard, which may be too busy with a vanished screen to listen."""
    os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(3.0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _finished(record: Path, xboard: subprocess.Popen[str]) -> str:
    """The record of the game once it is over; empty if it does not come to its end."""
    until = time.monotonic() + GAME_SECONDS
    while time.monotonic() < until and xboard.poll() is None:
        text = record.read_text() if record.exists() else ""
        if re.search(r"(1-0|0-1|1/2-1/2|\*)\s*$", text):
            return text
        time.sleep(0.1)
    return ""
