"""What a turn teaches: the pool's ratings go halfway, hybrids are born, tested and kept."""

from dataclasses import replace
from functools import partial

import pytest

from core.random import Random
from engines.protection.adaptation.hybrids import CHILDREN, KEPT
from engines.protection.adaptation.rerating import learned
from engines.protection.bit_strings.config import BitStringsConfig
from engines.protection.genome import BYTES, Genome
from engines.protection.profile.profile import STRINGS, Hybrid, Profile

RNG = Random(8)
POOL = [Genome.random(RNG) for _ in range(STRINGS)]


def ones(packed: bytes) -> list[int]:
    """A stand-in for ratings: the bits that are 1, below 0."""
    rows = [packed[start : start + BYTES] for start in range(0, len(packed), BYTES)]
    return [-sum(byte.bit_count() for byte in row) for row in rows]


def test_a_turn() -> None:
    profile = learned(Profile(), POOL, ones, Random(1))
    assert profile.ratings == tuple(-(-rating // 2) for rating in ones(b"".join(g.code for g in POOL)))
    assert len(profile.hybrids) == KEPT
    assert [each.rating for each in profile.hybrids] == ones(
        b"".join(each.genome.code for each in profile.hybrids)
    )
    assert learned(Profile(), POOL, ones, Random(1)) == profile != learned(Profile(), POOL, ones, Random(2))


def test_hybrids_of_before_are_tested_again() -> None:
    old = Hybrid(rating=-10_001, genome=Genome.random(RNG))
    asked: list[int] = []

    def rate(packed: bytes) -> list[int]:
        asked.append(len(packed) // BYTES)
        return [0] * asked[0]

    profile = learned(replace(Profile(), hybrids=(old,)), POOL, rate, Random(1))
    assert asked == [STRINGS + 1 + CHILDREN]
    assert profile.hybrids[0] == replace(old, rating=-5000)
    with pytest.raises(ValueError, match="rates 250 strings, not 249"):
        learned(Profile(), POOL[1:], rate, Random(1))


def test_turns_against_a_real_arrangement_find_what_hurts() -> None:
    target = BitStringsConfig(arrangement="drones").target()
    profile = Profile()
    for turn in range(3):
        profile = learned(
            profile, POOL, partial(target.rated, tests=1, seed=turn, human_weight=1), Random(turn)
        )
    assert len(set(profile.ratings)) > 100
    best = b"".join(each.genome.code for each in profile.hybrids)
    fresh = target.rated(best, 20, 99, 1)
    chance = target.rated(b"".join(genome.code for genome in POOL), 2, 99, 1)
    assert sum(fresh) / len(fresh) < sum(chance) / len(chance)
