"""Scripted engines for the tests of this folder."""

from pathlib import Path

import pytest

from tests.protocols.external.scripted import Script, Write, write_script


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the test's engine; the second one gets a folder of its own."""

    def write(body: str) -> Script:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return write_script(folder, body)

    return write
