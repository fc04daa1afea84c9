"""The benchmark: its figures are printed, and its signatures are those of the code."""

import json

import pytest

from tools.__main__ import main


def rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_signatures_are_repeatable(capsys: pytest.CaptureFixture[str]) -> None:
    signatures = []
    for _ in range(2):
        assert main(["bench", "seed", "evaluate", "--json"]) == 0
        signatures.append([row["signature"] for row in rows(capsys)])
    assert signatures[0] == signatures[1] and all(signatures[0])


def test_memory_is_within_its_floor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "memory", "--json"]) == 0
    (row,) = rows(capsys)
    assert isinstance(row["figure"], float) and 20.0 < row["figure"] < 80.0


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "speed"]) == 2
    assert "speed" in capsys.readouterr().err
