"""`galapagos replay`: what it says of games as recorded, of others, and of no games."""

import json
from pathlib import Path

import pytest

from core.acquire.deal import shuffled
from core.acquire.rules import PRESETS
from core.acquire.setting import Setting
from core.random import Random
from engines.acquire.record import written
from tools.__main__ import main


def record(path: Path) -> list[str]:
    setting = Setting(PRESETS["mini"], 2)
    bag = [int(tile) for tile in shuffled(setting, Random(2))]
    lines = list(written(setting, bag, lambda state: state.legal_actions()[-1]))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return lines


def test_games_as_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record(tmp_path / "one.jsonl")
    assert main(["replay", str(tmp_path / "one.jsonl")]) == 0
    assert capsys.readouterr().out.endswith(f"one.jsonl: {len(lines) - 2} decisions as recorded\n")
    assert main(["replay", str(tmp_path / "one.jsonl"), str(tmp_path / "one.jsonl")]) == 0
    assert f"2 games, {2 * len(lines) - 4} decisions" in capsys.readouterr().out


def test_the_first_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record(tmp_path / "one.jsonl")
    lines[2] = json.dumps(json.loads(lines[2]) | {"cash": [1, 2]})
    (tmp_path / "one.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["replay", str(tmp_path / "one.jsonl")]) == 1
    assert "one.jsonl: line 3: cash: recorded [1, 2], ours [" in capsys.readouterr().out


def test_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none").write_text("hello\n", encoding="utf-8")
    assert main(["replay", str(tmp_path / "none")]) == 2
    assert main(["replay", str(tmp_path / "missing")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert "none: line 1: no JSON" in said[0] and "missing" in said[1]
