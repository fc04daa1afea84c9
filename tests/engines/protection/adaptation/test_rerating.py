"""What a turn teaches: the pool's ratings go halfway, hybrids are born, tested and kept."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from core.random import Random
from engines.protection.adaptation.hybrids import CHILDREN, KEPT
from engines.protection.adaptation.rerating import hybrids, learned
from engines.protection.ga_config import GaConfig
from engines.protection.genome import BYTES, Genome
from engines.protection.profile.profile import STRINGS, Hybrid, Profile

RNG = Random(8)
POOL = [Genome.random(RNG) for _ in range(STRINGS)]


def ones(packed: bytes) -> list[int]:
    """A stand-in for ratings: the bits that are 1, below 0."""
    rows = [packed[start : start + BYTES] for start in range(0, len(packed), BYTES)]
    return [-sum(byte.bit_count() for byte in row) for row in rows]


def turn(profile: Profile, rate: Callable[[bytes], list[int]], rng: Random) -> Profile:
    tested = hybrids(profile, POOL, rng)
    return learned(profile, tested, rate(b"".join(genome.code for genome in [*POOL, *tested])))


def test_a_turn() -> None:
    """The first one tells which are the best; from then on these have children."""
    first = turn(Profile(), ones, Random(1))
    assert first.ratings == tuple(-(-rating // 2) for rating in ones(b"".join(g.code for g in POOL)))
    assert not first.hybrids
    second = turn(first, ones, Random(1))
    assert len(second.hybrids) == KEPT
    assert [each.rating for each in second.hybrids] == ones(
        b"".join(each.genome.code for each in second.hybrids)
    )
    assert turn(first, ones, Random(1)) == second != turn(first, ones, Random(2))


def test_hybrids_of_before_are_tested_again() -> None:
    old = Hybrid(rating=-10_001, genome=Genome.random(RNG))
    known = Profile(ratings=(1,) * STRINGS, hybrids=(old,))
    tested = hybrids(known, POOL, Random(1))
    assert tested[0] == old.genome and len(tested) == 1 + CHILDREN
    profile = learned(known, tested, [0] * (STRINGS + 1 + CHILDREN))
    assert profile.hybrids[0] == replace(old, rating=-5000)


def test_turns_against_a_real_arrangement_find_what_hurts() -> None:
    target = GaConfig(arrangement="drones").target()
    profile = Profile()
    for number in range(3):
        rate = partial(target.rated, tests=1, seed=number, human_weight=1)
        profile = turn(profile, rate, Random(number))
    assert len(set(profile.ratings)) > 100
    best = b"".join(each.genome.code for each in profile.hybrids)
    fresh = target.rated(best, 20, 99, 1)
    chance = target.rated(b"".join(genome.code for genome in POOL), 2, 99, 1)
    assert sum(fresh) / len(fresh) < sum(chance) / len(chance)
