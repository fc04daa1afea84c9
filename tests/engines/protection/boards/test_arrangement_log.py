"""Logs of arrangements: round trips, what is refused, and evolution against one line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import generate_map
from core.random import Random
from engines.config import ConfigError
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.boards.arrangement_log import Logged, read
from engines.protection.boards.map_file import BoardError
from tests.engines.protection.boards.test_boards import ARRANGEMENTS, MAPS

MONEY = st.integers(0, 10**6)
LOGGED = st.builds(
    Logged,
    board=MAPS,
    arrangement=ARRANGEMENTS,
    rules_hash=st.text(max_size=10),
    turn=st.integers(1, 60),
    treasury=MONEY,
    chaos_treasury=MONEY,
)
ONE = BitStringsConfig(arrangement="mines", ground=3).target()
LINE = Logged(
    board=ONE.board,
    arrangement=ONE.arrangement,
    rules_hash="sha256:0",
    turn=1,
    treasury=0,
    chaos_treasury=2000,
).dumps()


@given(LOGGED)
def test_a_line_reads_back(logged: Logged) -> None:
    assert Logged.loads(logged.dumps()) == logged
    assert "\n" not in logged.dumps()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"format": "galapagos-arrangement/2"},
            "an object of the format galapagos-arrangement/1 is expected",
        ),
        ({"map": ["~" * 23]}, "a row has 24 letters, not 23"),
        ({"map": [["~"]]}, "map must be a list of str"),
        ({"map": 5}, "map must be a list of str"),
        ({"gold": [[24, 0]]}, "a word and X Y, 0 to 23 each, are expected, not 'gold 24 0'"),
        ({"units": [["tank", 0, 0]]}, "no unit is called tank"),
        ({"units": [["drone", 0]]}, "a word and X Y"),
        ({"units": ["drone"]}, "units must be a list of list"),
        ({"turn": True}, "turn must be a whole number"),
    ],
)
def test_what_is_no_line(change: dict[str, object], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{LINE}\n{json.dumps(json.loads(LINE) | change)}\n")
    with pytest.raises(BoardError) as refused:
        read(path)
    assert str(refused.value).startswith(f"{path}, line 2: ") and reason in str(refused.value)


@given(st.text(max_size=50))
def test_no_text_raises_anything_else(text: str) -> None:
    with pytest.raises(ValueError):
        Logged.loads(text)


def test_strings_are_tried_on_a_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{LINE}\n" * 2)
    config = BitStringsConfig(arrangement=f"{path}:2")
    assert BitStringsConfig.loads(config.dumps()) == config
    assert config.target() == ONE != BitStringsConfig(arrangement="mines").target()
    assert ONE.board != generate_map(Random(1))
    with pytest.raises(ConfigError, match="has 2 lines, and no line 3"):
        BitStringsConfig(arrangement=f"{path}:3").target()
    with pytest.raises(ConfigError, match="has its own map"):
        BitStringsConfig(arrangement=f"{path}:1", map="lake.apm").target()
