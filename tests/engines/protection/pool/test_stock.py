"""The bundled pool: 20 by hand, 230 that evolution has found, each with where it comes from."""

from collections import Counter

import pytest

from engines.protection.pool.handwritten import handwritten
from engines.protection.pool.stock import bundled, named
from engines.protection.users.first import BUILDERS


def test_what_is_in_it() -> None:
    pool = bundled()
    origins = Counter(each.provenance["origin"] for each in pool.entries)
    assert origins == {"by hand": 20, "evolved": 230}
    assert [each.genome for each in pool.entries[:20]] == list(handwritten().values())
    assert pool.starter < 20, "who knows nothing of a user plays what a person has written"


def test_it_was_bred_against_all_users_with_little_and_much_money() -> None:
    evolved = [each.provenance for each in bundled().entries[20:]]
    assert {facts["arrangement"] for facts in evolved} == set(BUILDERS)
    assert {facts["money"] for facts in evolved} == {2000, 4000, 9000, 18_000}
    assert sum(facts["fresh"] < 0 for facts in evolved) > 180


def test_strings_have_numbers_and_names() -> None:
    entry = bundled().entries[40]
    assert named("pool:40") is named(f"pool:{entry.name}") is entry
    with pytest.raises(ValueError, match="none called 'nobody'"):
        named("pool:nobody")
