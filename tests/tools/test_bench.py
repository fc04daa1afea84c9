"""`galapagos bench`: its figures are printed, and its signatures are those of the code (tests/golden)."""

import json

import pytest

from tests.tools.galapagos import Galapagos
from tools.__main__ import main


def test_signatures_are_repeatable(galapagos: Galapagos) -> None:
    first, second = (
        [json.loads(line) for line in galapagos.printed("bench", "seed", "evaluate", "--json").splitlines()]
        for _ in range(2)
    )
    signatures = [row["signature"] for row in first]
    assert signatures == [row["signature"] for row in second] and all(signatures)


@pytest.mark.slow  # it searches for three seconds
def test_memory_is_within_its_floor(galapagos: Galapagos) -> None:
    row = galapagos.data("bench", "memory")
    assert 20.0 < row["figure"] < 80.0


def test_the_table(galapagos: Galapagos) -> None:
    head, row = galapagos.printed("bench", "seed").splitlines()
    assert head.split() == ["benchmark", "figure", "unit", "signature", "ratio"]
    assert row.startswith("seed search, 8 genes ") and " k nodes/s " in row


def test_unknown_names_are_refused(galapagos: Galapagos) -> None:
    assert galapagos.refused("bench", "speed").startswith("galapagos bench: 'speed' is none of perft")


def test_what_cannot_be_measured_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The warriors of the benchmark are not part of the program."""
    monkeypatch.delenv("GALAPAGOS_DATA", raising=False)
    assert main(["bench", "nano", "--json"]) == 0
    streams = capsys.readouterr()
    assert not streams.out
    assert streams.err.startswith("galapagos bench: nano: ") and "GALAPAGOS_DATA" in streams.err
