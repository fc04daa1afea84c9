"""Opponents of a league: names with weights, in and out of a configuration, and drawn as often as they weigh."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.acquire.league.opponents import Opponents
from engines.acquire.registry import PLAYERS

WEIGHTS = (
    st.floats(0.001, 1000).map(lambda weight: float(f"{weight:.6g}")).filter(lambda weight: weight <= 1000)
)


@given(st.dictionaries(st.sampled_from(sorted(PLAYERS)), WEIGHTS, min_size=1))
def test_they_come_back(weights: dict[str, float]) -> None:
    opponents = Opponents(names=tuple(weights), weights=tuple(weights.values()))
    assert Opponents.loads(str(opponents)) == opponents


def test_a_weight_that_is_not_said_is_1() -> None:
    assert str(Opponents.loads("Heuristic  4, pair-1 1.0,pair-2")) == "heuristic 4, pair-1, pair-2"


def test_they_are_drawn_as_often_as_they_weigh() -> None:
    rng = Random(5)
    opponents = Opponents.loads("heuristic 6, pair-1 3, random")
    found = Counter(opponents.drawn(rng) for _ in range(10_000))
    shares = [found[name] / 10_000 for name in opponents.names]
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.02)


def test_nothing_is_drawn_for_a_single_one() -> None:
    rng, fresh = Random(5), Random(5)
    assert Opponents.loads("pair-3 7").drawn(rng) == "pair-3"
    assert rng.bits() == fresh.bits()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nobody", "of random, heuristic"),
        ("heuristic, heuristic 2", "different names"),
        ("heuristic,", "different names"),
        ("heuristic 1 2", "a weight behind each"),
        ("heuristic x", "weights of 0.001 to 1000"),
        ("heuristic 0", "weights of 0.001 to 1000"),
        ("", "different names"),
    ],
)
def test_what_names_nobody(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Opponents.loads(text)
