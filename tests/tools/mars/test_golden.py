"""Battles and listings of the warriors that come with Galapagos, to the letter as pMARS 0.9.2 prints them.

A warrior that is changed needs its lines in golden.jsonl anew; a change of anything else does not.
"""

import json
from pathlib import Path

import pytest

import engines.corewar
from tests.tools.mars.terminal import answer

WARRIORS = Path(engines.corewar.__file__).parent / "warriors"
GOLDEN = [json.loads(line) for line in Path(__file__).with_name("golden.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: " ".join(row["args"])[:50])
def test_golden(row: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(WARRIORS)
    assert answer(row["args"]) == (row["status"], row["out"], row["err"])  # type: ignore[arg-type]
