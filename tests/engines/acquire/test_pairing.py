"""Who plays whom: everybody as often as it should be, and never itself."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.pairing import alternated, exact, full_round_pairs, top_up


@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 2**32))
def test_exact_pairing_gives_each_individual_the_same_number_of_games(
    games: int, more: int, seed: int
) -> None:
    size = 2 * games + 2 * more + 2 * (games == 0)
    played = list(exact(size, games, Random(seed)))
    assert set(Counter(slot for pair in played for slot in pair).values()) == {games}
    assert len({frozenset(pair) for pair in played}) == len(played) == size * games // 2
    assert all(one != other for one, other in played)


@pytest.mark.parametrize(("pairing", "games", "most"), [(top_up, 6337, 23), (full_round_pairs, 8980, None)])
def test_other_pairing_methods_need_more_games(pairing: object, games: int, most: int | None) -> None:
    """The counts that were found for a thousand individuals and ten games."""
    assert callable(pairing)
    played = list(pairing(1000, 10, Random(1)))
    counts = Counter(slot for pair in played for slot in pair)
    assert len(played) == pytest.approx(games, rel=0.02)
    assert min(counts.values()) == 10
    assert most is None or max(counts.values()) <= most + 5
    assert all(one != other for one, other in played)


@given(st.integers(2, 20).map(lambda half: 2 * half), st.integers(0, 2**32))
def test_seats_alternate(size: int, seed: int) -> None:
    games = list(exact(size, size // 2, Random(seed)))
    seated = list(alternated(games, size))
    assert [frozenset(pair) for pair in seated] == [frozenset(pair) for pair in games]
    first = Counter(one for one, _ in seated)
    assert all(abs(2 * first[slot] - size // 2) <= 4 for slot in range(size))


def test_exact_pairing_depends_only_on_the_random_source() -> None:
    assert list(exact(40, 10, Random(1))) == list(exact(40, 10, Random(1))) != list(exact(40, 10, Random(2)))
