"""The nearest warriors: what is counted, and the case that the search is for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corewar.instruction import EMPTY, pack
from core.corewar.warrior import Warrior
from engines.corewar.similarity import PADDING, Similarity, in_common, nearest
from tests.engines.corewar.redcode import STANDARD, read, starter, warrior

cells = st.builds(
    pack,
    st.integers(0, 3),
    st.integers(0, 1),
    st.integers(0, 1),
    st.integers(0, 2),
    st.just(1),
    st.integers(0, 2),
)
warriors = st.lists(cells, min_size=1, max_size=30).map(lambda made: Warrior("W", "", tuple(made), 0))


def similarity(first: Warrior, second: Warrior) -> Similarity:
    return nearest(first, [second], 1)[0]


@given(warriors, warriors)
def test_similarity_is_symmetric(first: Warrior, second: Warrior) -> None:
    assert similarity(first, second) == similarity(second, first)


@given(warriors, warriors)
def test_similarity_counts_stay_within_their_bounds(first: Warrior, second: Warrior) -> None:
    found = similarity(first, second)
    assert 0 <= found.share <= 1
    assert found.positions <= found.operations <= found.length
    assert 6 * found.positions <= found.fields <= 6 * found.length
    assert found.positions <= found.instructions_in_order <= found.operations_in_order <= found.length


@given(warriors)
def test_a_warrior_has_similarity_1_to_itself(one: Warrior) -> None:
    assert similarity(one, one).share == 1


@given(st.lists(st.integers(0, 3), max_size=40), st.lists(st.integers(0, 3), max_size=40))
def test_in_common_is_the_length_of_the_longest_common_subsequence(
    first: list[int], second: list[int]
) -> None:
    """Against the table of the textbooks."""
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    assert in_common(first, second) == table[-1][-1]


def test_a_shifted_copy_is_similar_in_order_but_not_by_position() -> None:
    one = warrior("mov 1, 2\nadd #3, 4\njmp -2\nspl 5\ndat 6, 7")
    other = warrior("nop 0\nmov 1, 2\nadd #3, 5\njmp -2\nspl 5\ndat 6, 7")
    found = similarity(one, other)
    assert (found.positions, found.instructions_in_order, found.operations_in_order) == (0, 4, 5)
    assert similarity(one, warrior("mov 1, 2\nadd #3, 5\njmp -2\nspl 5\ndat 6, 7")).fields == 29


def test_padding_does_not_count_as_similarity() -> None:
    first = warrior("mov 1, 2\n" + "dat 0, 0\n" * 90)
    second = warrior("jmp 4, 7\n" + "dat 0, 0\n" * 90)
    assert similarity(first, second).instructions_in_order == 0
    assert similarity(first, second).length == 1
    blank = Warrior("", "", (EMPTY,) * PADDING, 0)
    assert similarity(blank, blank).length == PADDING


def test_the_most_similar_warriors_come_first() -> None:
    known = [starter("imp"), starter("stone"), starter("dwarf"), starter("stone")]
    assert [each.seat for each in nearest(starter("stone"), known, 3)] == [1, 3, 2]


def test_comparing_a_warrior_without_instructions_is_refused() -> None:
    with pytest.raises(ValueError, match="no instruction to compare"):
        nearest(Warrior("Nothing", "", (), 0), [], 1)


def test_e1_is_impfinity_with_some_forty_mutations(shared_data: Path) -> None:
    folder = shared_data / "corewar" / "warriors"
    e1 = read(folder / "e1.red", STANDARD)
    found = sorted(folder.rglob("*.red*"))
    known = [read(path, STANDARD) for path in found if path.parent.name in ("wilmoo", "wilkie")]
    likest, second = nearest(e1, known, 2)
    assert known[likest.seat].name == "Impfinity v4g1"
    assert (likest.positions, likest.operations, likest.fields, likest.length) == (62, 97, 560, 100)
    assert second.share < 0.4
