"""What the tests of the commands share: the command line, and the fifth game in the table of games as any other."""

from pathlib import Path

import pytest

from tests.tools import hazard
from tests.tools.galapagos import Galapagos
from tools import progress
from tools.games import GAMES

SQUARES = "size = 8\nseed = 1\n"


@pytest.fixture(autouse=True)
def clock_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of progress lines stands still, since a command that takes long on a busy machine would print some."""
    monkeypatch.setattr(progress, "monotonic", lambda: 0.0)


@pytest.fixture
def galapagos(capsys: pytest.CaptureFixture[str]) -> Galapagos:
    return Galapagos(capsys)


@pytest.fixture
def squares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration of tic-tac-toe's evolution, which this test's process knows."""
    monkeypatch.setitem(GAMES, "tic-tac-toe", hazard.ENTRY)
    path = tmp_path / "squares.txt"
    path.write_text(SQUARES, encoding="utf-8")
    return path
