"""`galapagos pool`: many runs, one file, and on again where it was left."""

from pathlib import Path

import pytest

from engines.protection.pool.pool import Pool
from tools.__main__ import main

CONFIG = """
money = 1
population = 240
trials = 240
saved = 240
candidates = 1
fresh tests = 2
"""


def test_a_pool_is_made_once_and_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config, folder = tmp_path / "small.txt", tmp_path / "pool"
    config.write_text(CONFIG)
    words = ["pool", str(folder), "--config", str(config), "--runs", "1", "--workers", "1"]
    assert main(words) == 0
    text = (folder / "pool.jsonl").read_text()
    pool = Pool.loads(text)
    assert f"pool.jsonl: {pool.hash}, starter " in capfd.readouterr().out
    assert pool.entries[20].provenance["money"] == 2000
    assert main(words) == 0
    assert (folder / "pool.jsonl").read_text() == text


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("saved = 0", "saved must be"),
        ("map = nowhere.apm", "nowhere.apm"),
        ("saved = 4\ncandidates = 4", "5 strings a run are wanted, and 4 saved"),
    ],
)
def test_a_configuration_that_is_no_good(
    settings: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "bad.txt"
    config.write_text(settings)
    assert main(["pool", str(tmp_path / "pool"), "--config", str(config)]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "pool").exists()
