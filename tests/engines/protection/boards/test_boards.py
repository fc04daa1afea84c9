"""Maps and arrangements as text: round trips, and errors that name the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.protection.board import Arrangement, Map, generate_map
from core.protection.rules import SQUARES
from core.random import Random
from engines.protection.boards import arrangement_file, map_file
from engines.protection.boards.map_file import BoardError

SEA = f"{'~' * 24}\n" * 24
BYTES = st.binary(min_size=SQUARES, max_size=SQUARES)
MAPS = st.builds(
    lambda codes, gold: Map(bytes(code % 6 for code in codes), tuple(gold)),
    BYTES,
    st.lists(st.integers(0, SQUARES - 1), max_size=20),
)
ARRANGEMENTS = BYTES.map(lambda codes: Arrangement(bytes(code % 9 for code in codes)))


@given(MAPS)
def test_a_map_reads_back(board: Map) -> None:
    assert map_file.loads(map_file.dumps(board)) == board


@given(ARRANGEMENTS)
def test_an_arrangement_reads_back(arrangement: Arrangement) -> None:
    assert arrangement_file.loads(arrangement_file.dumps(arrangement)) == arrangement


def test_a_map_as_people_write_it() -> None:
    board = map_file.loads(f"# the sea\n\n  {SEA.replace('~', ',', 2)}gold 23 0  # far\ngold 0 1\n")
    assert list(board.codes[:4]) == [1, 1, 0, 0]
    assert board.gold == (23, 24)
    assert map_file.loads(map_file.dumps(generate_map(Random(1)))) == generate_map(Random(1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a map has 24 lines of 24 letters, not 0"),
        (SEA[25:], "a map has 24 lines of 24 letters, not 23"),
        (SEA[1:], "line 1: a row has 24 letters, not 23"),
        (SEA[:24] + "~" + SEA[24:], "line 1: a row has 24 letters, not 25"),
        (SEA[:30] + "x" + SEA[31:], "line 2, column 6: 'x' is no terrain; there are ~,tnM^"),
        (SEA + "gold 24 0", "line 25: a word and X Y, 0 to 23 each, are expected, not 'gold 24 0'"),
        (SEA + "silver 2 0", "line 25: `gold X Y` is expected, not 'silver 2 0'"),
        (SEA + "gold 2 0\ngold 2 0", "line 26: there is gold already, in 2 0"),
        (SEA + SEA, "line 25: a word and X Y"),
    ],
)
def test_what_is_no_map(text: str, reason: str) -> None:
    with pytest.raises(BoardError) as refused:
        map_file.loads(text)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("drone 1", "line 1: a word and X Y"),
        ("drone 1 24", "line 1: a word and X Y"),
        ("\ntank 1 2", "line 2: no unit is called tank; there are drone, mine"),
        ("drone 1 2\nmine 1 2", "line 2: a drone is there already, in mine 1 2"),
    ],
)
def test_what_is_no_arrangement(text: str, reason: str) -> None:
    with pytest.raises(BoardError) as refused:
        arrangement_file.loads(text)
    assert reason in str(refused.value)
