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
        """Standard output; the exit status is 0 and standard error is empty."""
        assert main([str(word) for word in words]) == 0
        streams = self._capsys.readouterr()
        assert not streams.err
        return streams.out

    def data(self, *words: str | Path) -> dict[str, Any]:
        """The same with --json."""
        read: dict[str, Any] = json.loads(self.printed(*words, "--json"))
        return read

    def refused(self, *words: str | Path) -> str:
        """Standard error; the exit status is 2 and standard output is empty."""
        assert main([str(word) for word in words]) == 2
        streams = self._capsys.readouterr()
        assert not streams.out
        return streams.err
