"""The command line, run in the process of the test."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools.__main__ import main


class Galapagos:
    """What `galapagos` prints for some words."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def printed(self, *words: str | Path) -> str:
        """All goes well, and nothing else is said."""
        assert main([str(word) for word in words]) == 0
        said = self._capsys.readouterr()
        assert not said.err
        return said.out

    def data(self, *words: str | Path) -> dict[str, Any]:
        """The same with --json."""
        read: dict[str, Any] = json.loads(self.printed(*words, "--json"))
        return read

    def refused(self, *words: str | Path) -> str:
        """The words are wrong; why is all that is said."""
        assert main([str(word) for word in words]) == 2
        said = self._capsys.readouterr()
        assert not said.out
        return said.err
