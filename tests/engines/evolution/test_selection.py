"""Shuffles are fair, pairs use everybody up, and champions of all times stay in the hall of fame."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Self

import pytest

from core.random import Random
from engines.evolution.population import Individual
from engines.evolution.selection import HallOfFame, choice, lexicase, pairs, shuffled, weighted_index


def test_every_order_is_equally_likely() -> None:
    rng = Random(1)
    counts = Counter(tuple(shuffled("abcd", rng)) for _ in range(24_000))
    assert set(counts) == set(permutations("abcd"))
    assert all(850 < count < 1150 for count in counts.values())  # five standard deviations


def test_pairs_contain_every_item_once() -> None:
    items = list(range(10))
    met = pairs(items, Random(2))
    assert sorted(member for pair in met for member in pair) == items
    assert items == list(range(10)), "the items stay as they were"
    with pytest.raises(ValueError):
        pairs([1, 2, 3], Random(1))


def test_every_item_may_be_picked() -> None:
    rng = Random(3)
    assert {choice("abc", rng) for _ in range(50)} == set("abc")
    with pytest.raises(ValueError):
        choice([], rng)


# -- The hall of fame ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """The smallest of genomes."""

    value: float = 0.0

    @classmethod
    def loads(cls, text: str) -> Self:
        return cls(float(text))

    def dumps(self) -> str:
        return repr(self.value)


def champion(id: int) -> Individual[Number]:
    return Individual(id=id, genome=Number(float(id)))


def test_no_champion_enters_the_hall_of_fame_twice() -> None:
    hall: HallOfFame[Number] = HallOfFame(3, [])
    assert hall.pick(Random(1)) is None
    assert hall.add(champion(4))
    assert not hall.add(champion(4))
    assert hall.pick(Random(1)) == champion(4)


def test_a_full_hall_of_fame_keeps_champions_of_all_times() -> None:
    hall: HallOfFame[Number] = HallOfFame(8, [])
    for id in range(0, 1000, 10):
        assert hall.add(champion(id))
        assert len(hall.champions) <= 8
    ids = [each.id for each in hall.champions]
    assert ids == sorted(ids)
    assert ids[-1] == 990
    assert max(later - sooner for sooner, later in pairwise(ids)) <= 300
    assert ids[0] <= 300


def test_indices_are_drawn_in_proportion_to_their_weights() -> None:
    rng = Random(1)
    counts = Counter(weighted_index((1.0, 0.0, 3.0), rng) for _ in range(4000))
    assert counts.keys() == {0, 2}
    assert 900 < counts[0] < 1100
    with pytest.raises(ValueError):
        weighted_index((0.0, 0.0), rng)


def test_lexicase_selects_the_best_in_the_first_case_drawn() -> None:
    """Two specialists and one who is good at both alike: each case decides half of the time."""
    points = [(9.0, 0.0), (0.0, 9.0), (5.0, 5.0), (1.0, 1.0), (0.0, 0.0)]
    choose, rng = lexicase(points), Random(4)
    counts = Counter(choose(rng) for _ in range(2000))
    assert set(counts) == {0, 1} and all(850 < count < 1150 for count in counts.values())


def test_lexicase_treats_deviations_up_to_the_median_as_equal() -> None:
    """Deviations from the median 4 are 4, 1, 0, 1, 1 in the first case: 1, the median, is forgiven."""
    points = [(0.0, 9.0), (3.0, 0.0), (4.0, 7.0), (5.0, 0.0), (5.0, 0.0)]
    choose, rng = lexicase(points), Random(5)
    counts = Counter(choose(rng) for _ in range(1000))
    assert set(counts) == {0, 2} and 400 < counts[2] < 600
