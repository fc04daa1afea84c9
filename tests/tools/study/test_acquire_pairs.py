"""All pairs: everybody plays as often, what luck gives is the binomial, and the first ones meet again."""

import pytest

from core.random import Random
from engines.acquire.gp_config import GpConfig
from engines.acquire.gp_evolution import Breeder
from tests.toy import InlinePool
from tools.study.acquire_pairs import GAMES, TOP, Pairs

CONFIG = GpConfig(population=20)
GENOMES = Breeder(CONFIG).founders(Random(1))


async def test_all_pairs_meet_and_the_best_meet_again() -> None:
    pairs = await Pairs.played(CONFIG, GENOMES[:7], GENOMES[7:12], 40, 1, InlinePool())
    assert pairs.names[:6] == ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0))
    assert len(pairs.names) == 34, "an even number"
    assert sum(pairs.counts) == 34
    decided = sum(pairs.wins)
    assert decided == pytest.approx(34 * GAMES / 2 * (1 - pairs.tied))
    assert len(pairs.top) == len(pairs.ratings) == TOP
    assert min(pairs.wins[place] for place in pairs.top) >= max(
        pairs.wins[place] for place in range(34) if place not in pairs.top
    )
    assert 6000 < pairs.worth < 60_000
    values = [rating.value for rating in pairs.ratings]
    assert values == sorted(values, reverse=True)
    assert {score.games for score in pairs.retests} == {(TOP - 1) * 2}


def test_expected_wins_of_equal_pairs_are_binomial() -> None:
    """The text's case: 2,500 equal pairs, of which 2.44 win all ten games and 110 win eight."""
    pairs = Pairs(
        names=((0, 0),) * 2500, wins=(0,) * 2500, tied=0.0, worth=0.0, top=(), ratings=(), retests=()
    )
    assert pairs.expected[10] == pytest.approx(2.44, abs=0.005)
    assert pairs.expected[8] == pytest.approx(110, abs=0.5)
    assert sum(pairs.expected) == pytest.approx(2500)


async def test_too_few_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="4 pairs are too few"):
        await Pairs.played(CONFIG, GENOMES[:2], GENOMES[:2], 40, 1, InlinePool())
