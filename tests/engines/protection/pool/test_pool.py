"""Pools: text and back, the hash, what is refused, and how the strings of runs are chosen."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.protection.ga_config import GaConfig
from engines.protection.genome import Genome
from engines.protection.pool.gathering import Harvest, gathered, spread
from engines.protection.pool.handwritten import handwritten
from engines.protection.pool.pool import Entry, Pool, PoolError
from engines.protection.reading.difference import bits_apart

RNG = Random(1)
ENTRIES = tuple(
    Entry(name=f"string-{number}", genome=Genome.random(RNG), provenance={"seed": number})
    for number in range(250)
)
POOL = Pool(entries=ENTRIES, starter=3)


def test_a_pool_reads_back() -> None:
    assert Pool.loads(POOL.dumps()) == POOL
    assert POOL.packed[132:264] == ENTRIES[1].genome.code


def test_the_hash_is_of_strings_and_their_order() -> None:
    renamed = Entry(name="other", genome=ENTRIES[0].genome)
    assert Pool(entries=(renamed, *ENTRIES[1:]), starter=0).hash == POOL.hash
    assert Pool(entries=ENTRIES[::-1], starter=0).hash != POOL.hash
    changed = Entry(name="other", genome=ENTRIES[0].genome.mutate(Random(1)))
    assert Pool(entries=(changed, *ENTRIES[1:]), starter=0).hash != POOL.hash


LINES = POOL.dumps().splitlines()


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "line 1: the head of a pool"),
        (LINES[1:], "line 1: the head of a pool"),
        (LINES[:-1], "a pool has 250 strings and one starter, not 249"),
        ([LINES[0], LINES[2], LINES[1], *LINES[3:]], "the strings are not those of the hash: theirs is"),
        ([*LINES[:-1], LINES[-2]], "the strings of a pool are all different"),
        ([*LINES[:3], "{", *LINES[4:]], "line 4: no JSON"),
        ([*LINES[:3], "[]", *LINES[4:]], "line 4: an object is expected"),
        ([*LINES[:3], "{}", *LINES[4:]], "line 4: a string has a name"),
        (
            [*LINES[:3], json.dumps({"name": "x", "string": "00"}), *LINES[4:]],
            "line 4: line 1: a string has 264 hex digits, not 2",
        ),
    ],
)
def test_what_is_no_pool(lines: list[str], reason: str) -> None:
    with pytest.raises(PoolError) as refused:
        Pool.loads("\n".join(lines))
    assert reason in str(refused.value)


@given(st.text(max_size=50))
def test_no_text_raises_anything_else(text: str) -> None:
    with pytest.raises(PoolError):
        Pool.loads(text)


def test_those_who_are_much_alike_stand_back() -> None:
    strings = handwritten()
    one, other = strings["militia"], strings["quilt"]
    twin = Genome.of([*one.nibbles[:-1], one.nibbles[-1] ^ 1])
    ranked = [(one, -9), (twin, -8), (other, -7), (one, -6)]
    assert spread(ranked, 2) == [(one, -9), (other, -7)]
    assert spread(ranked, 3) == [(one, -9), (other, -7), (twin, -8)]
    assert len(spread(ranked, 4)) == 4
    assert bits_apart(one, twin) == 1 and bits_apart(one, other) > 30


def test_a_pool_is_gathered() -> None:
    rng = Random(5)
    config = GaConfig(money=100, fresh_tests=2)
    strings = tuple((Genome.random(rng), -number) for number in range(230))
    harvest = Harvest(
        name="run-1", config=config, seed=4, trials=50, champion=strings[0][0], rating=0, strings=strings
    )
    pool = gathered([harvest])
    assert [each.name for each in pool.entries[:20]] == sorted(handwritten())
    assert pool.starter < 20
    last = pool.entries[-1].provenance
    assert (last["origin"], last["seed"], last["trials"], last["money"]) == ("evolved", 4, 50, 100)
    assert {"performance", "fresh", "fresh_error", "budget", "ground"} <= last.keys()
    assert gathered([harvest]) == pool
    with pytest.raises(ValueError, match="230 strings cannot be shared by 3 runs"):
        gathered([harvest] * 3)
