"""Maps, arrangements and logs as text: round trips, errors that name the line, and evolution against a line of a log."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import Arrangement, Map, generate_map
from core.protection.rules import RULES, SQUARES
from core.random import Random
from engines.config import ConfigError
from engines.protection.boardfiles import (
    ArrangementRecord,
    BoardError,
    dumps_arrangement,
    dumps_map,
    loads_arrangement,
    loads_map,
    read_arrangement_log,
    rules_hash,
)
from engines.protection.ga_config import GaConfig

SEA = f"{'~' * 24}\n" * 24
BYTES = st.binary(min_size=SQUARES, max_size=SQUARES)
MAPS = st.builds(
    lambda codes, gold: Map(bytes(code % 6 for code in codes), tuple(gold)),
    BYTES,
    st.lists(st.integers(0, SQUARES - 1), max_size=20),
)
ARRANGEMENTS = BYTES.map(lambda codes: Arrangement(bytes(code % 9 for code in codes)))
MONEY = st.integers(0, 10**6)
RECORDS = st.builds(
    ArrangementRecord,
    board=MAPS,
    arrangement=ARRANGEMENTS,
    rules_hash=st.text(max_size=10),
    turn=st.integers(1, 60),
    treasury=MONEY,
    chaos_treasury=MONEY,
)
ONE = GaConfig(arrangement="mines", ground=3).target()
LINE = ArrangementRecord(
    board=ONE.board,
    arrangement=ONE.arrangement,
    rules_hash="sha256:0",
    turn=1,
    treasury=0,
    chaos_treasury=2000,
).dumps()


@given(MAPS)
def test_a_map_reads_back(board: Map) -> None:
    assert loads_map(dumps_map(board)) == board


@given(ARRANGEMENTS)
def test_an_arrangement_reads_back(arrangement: Arrangement) -> None:
    assert loads_arrangement(dumps_arrangement(arrangement)) == arrangement


def test_hand_written_maps_with_comments_are_read() -> None:
    board = loads_map(f"# the sea\n\n  {SEA.replace('~', ',', 2)}gold 23 0  # far\ngold 0 1\n")
    assert list(board.codes[:4]) == [1, 1, 0, 0]
    assert board.gold == (23, 24)
    assert loads_map(dumps_map(generate_map(Random(1)))) == generate_map(Random(1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a map has 24 lines of 24 letters, not 0"),
        (SEA[25:], "a map has 24 lines of 24 letters, not 23"),
        (SEA[1:], "line 1: a row has 24 letters, not 23"),
        (SEA[:24] + "~" + SEA[24:], "line 1: a row has 24 letters, not 25"),
        (SEA[:30] + "x" + SEA[31:], "line 2, column 6: 'x' is not a terrain; there are ~,tnM^"),
        (SEA + "gold 24 0", "line 25: a word and X Y, 0 to 23 each, are expected, not 'gold 24 0'"),
        (SEA + "silver 2 0", "line 25: `gold X Y` is expected, not 'silver 2 0'"),
        (SEA + "gold 2 0\ngold 2 0", "line 26: there is gold already at 2 0"),
        (SEA + SEA, "line 25: a word and X Y"),
    ],
)
def test_invalid_maps_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BoardError) as refused:
        loads_map(text)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("drone 1", "line 1: a word and X Y"),
        ("drone 1 24", "line 1: a word and X Y"),
        ("\ntank 1 2", "line 2: no unit is called tank; there are drone, mine"),
        ("drone 1 2\nmine 1 2", "line 2: the square of 'mine 1 2' has a unit already, drone"),
    ],
)
def test_invalid_arrangements_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BoardError) as refused:
        loads_arrangement(text)
    assert reason in str(refused.value)


@given(RECORDS)
def test_an_arrangement_record_reads_back(record: ArrangementRecord) -> None:
    assert ArrangementRecord.loads(record.dumps()) == record
    assert "\n" not in record.dumps()


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
def test_invalid_lines_of_an_arrangement_log_are_refused(
    change: dict[str, object], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{LINE}\n{json.dumps(json.loads(LINE) | change)}\n")
    with pytest.raises(BoardError) as refused:
        read_arrangement_log(path)
    assert str(refused.value).startswith(f"{path}, line 2: ") and reason in str(refused.value)


@given(st.text(max_size=50))
def test_arbitrary_text_is_refused_as_an_arrangement_record(text: str) -> None:
    with pytest.raises(ValueError):
        ArrangementRecord.loads(text)


def test_evolution_may_target_a_line_of_an_arrangement_log(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{LINE}\n" * 2)
    config = GaConfig(arrangement=f"{path}:2")
    assert GaConfig.loads(config.dumps()) == config
    assert config.target() == ONE != GaConfig(arrangement="mines").target()
    assert ONE.board != generate_map(Random(1))
    with pytest.raises(ConfigError, match="has 2 lines, and no line 3"):
        GaConfig(arrangement=f"{path}:3").target()
    with pytest.raises(ConfigError, match="has its own map"):
        GaConfig(arrangement=f"{path}:1", map="lake.apm").target()


def test_the_hash_of_rules_is_fixed_and_depends_on_the_rules() -> None:
    expected = "sha256:10ec151343dd6ca1c583ff444512df144f9a55a045693d002d125c6c89ba0dde"
    assert rules_hash(RULES["improved"]) == expected != rules_hash(RULES["seed"])
