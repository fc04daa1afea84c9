"""Pools: text and back, the hash, what is refused; the hand-written strings, and the bundled pool."""

import json
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.random import Random
from engines.protection.automata import lint, normalised
from engines.protection.bots import BUILDERS
from engines.protection.genome import Genome
from engines.protection.pool import (
    Entry,
    Pool,
    PoolError,
    bundled_pool,
    descriptions,
    find_entry,
    handwritten,
)

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
        ([], "line 1: the first line of a pool"),
        (LINES[1:], "line 1: the first line of a pool"),
        (LINES[:-1], "a pool has 250 strings, not 249"),
        (['{"starter": 999}', *LINES[1:]], "the starter must be 0 to 249, not 999"),
        ([LINES[0], LINES[2], LINES[1], *LINES[3:]], "the hash of the strings is"),
        ([*LINES[:-1], LINES[-2]], "the strings of a pool must all be different"),
        ([*LINES[:3], "{", *LINES[4:]], "line 4 is not JSON"),
        ([*LINES[:3], "[]", *LINES[4:]], "line 4: an object is expected"),
        ([*LINES[:3], "{}", *LINES[4:]], "line 4: a string must have a name"),
        (
            [*LINES[:3], json.dumps({"name": "x", "string": "00"}), *LINES[4:]],
            "line 4: line 1: a string has 264 hex digits, not 2",
        ),
    ],
)
def test_invalid_pools_are_refused(lines: list[str], reason: str) -> None:
    with pytest.raises(PoolError) as refused:
        Pool.loads("\n".join(lines))
    assert reason in str(refused.value)


@given(st.text(max_size=50))
def test_arbitrary_text_is_refused_as_a_pool(text: str) -> None:
    with pytest.raises(PoolError):
        Pool.loads(text)


# -- What comes with the program -------------------------------------------------------------------


def test_the_twenty_handwritten_strings_differ_and_pass_lint() -> None:
    strings = handwritten()
    assert len(strings) == len(set(map(normalised, strings.values()))) == 20
    assert not any(lint(genome) for genome in strings.values())


def test_every_handwritten_string_has_a_description() -> None:
    assert all(len(about) > 20 for about in descriptions().values())


def test_handwritten_strings_vary_in_preferences_and_automata() -> None:
    strings = list(handwritten().values())
    for minion in range(8):
        assert any(genome.preferences[minion] for genome in strings)
        assert (
            len({tuple(normalised(genome).nibbles[minion * 32 : minion * 32 + 32]) for genome in strings}) > 3
        )
    assert all(one.preferences != other.preferences for one, other in combinations(strings, 2))


def test_the_bundled_pool_has_handwritten_and_evolved_strings() -> None:
    pool = bundled_pool()
    origins = Counter(each.provenance["origin"] for each in pool.entries)
    assert origins == {"by hand": 20, "evolved": 230}
    assert [each.genome for each in pool.entries[:20]] == list(handwritten().values())
    assert pool.starter < 20, "who knows nothing of a user plays what a person has written"


def test_the_bundled_pool_was_bred_against_all_builders_and_budgets() -> None:
    evolved = [each.provenance for each in bundled_pool().entries[20:]]
    assert {facts["arrangement"] for facts in evolved} == set(BUILDERS)
    assert {facts["money"] for facts in evolved} == {2000, 4000, 9000, 18_000}
    assert sum(facts["fresh"] < 0 for facts in evolved) > 180


def test_pool_strings_are_found_by_number_and_name() -> None:
    entry = bundled_pool().entries[40]
    assert find_entry("pool:40") is find_entry(f"pool:{entry.name}") is entry
    with pytest.raises(ValueError, match="none called 'nobody'"):
        find_entry("pool:nobody")
