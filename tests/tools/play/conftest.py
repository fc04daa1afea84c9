"""Games at a terminal, whose lines are typed by the test."""

from pathlib import Path

import pytest

from tests.tools.play.casual_games import Played, standard_input
from tools.__main__ import main


@pytest.fixture
def played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Played:
    """Type lines, here with blanks between, into `galapagos play chess ...`: (what it prints, its status)."""

    def play(typed: str, *words: str) -> tuple[str, int]:
        keyboard = tmp_path / "keyboard"
        keyboard.write_text(typed.replace(" ", "\n") + "\n" if typed else "")
        with keyboard.open() as file, standard_input(file.fileno()):
            status = main(["play", "chess", *words])
        said = capsys.readouterr()
        return said.out + said.err, status

    return play
