"""The strings that were written by hand are twenty, all different players, and good for what they are."""

from itertools import combinations

from engines.protection.automata import lint, normalised
from engines.protection.pool.handwritten import abouts, handwritten


def test_twenty_players() -> None:
    strings = handwritten()
    assert len(strings) == len(set(map(normalised, strings.values()))) == 20
    assert not any(lint(genome) for genome in strings.values())


def test_each_says_what_it_is() -> None:
    assert all(len(about) > 20 for about in abouts().values())


def test_preferences_and_ways_vary() -> None:
    strings = list(handwritten().values())
    for minion in range(8):
        assert any(genome.preferences[minion] for genome in strings)
        assert (
            len({tuple(normalised(genome).nibbles[minion * 32 : minion * 32 + 32]) for genome in strings}) > 3
        )
    assert all(one.preferences != other.preferences for one, other in combinations(strings, 2))
