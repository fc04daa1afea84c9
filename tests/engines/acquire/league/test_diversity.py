"""Islands, shared fitness and the rules for champions: repeatable, and nothing of it where it is not asked for."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.acquire.rules import PRESETS
from engines.acquire.conduct import Conduct
from engines.acquire.genome import Genome, typed_players
from engines.acquire.league.config import LeagueConfig
from engines.acquire.league.games import Heat
from engines.acquire.league.league import League
from engines.acquire.league.niches import shared, variety
from engines.acquire.league.trial import Acceptance
from engines.config import ConfigError
from engines.evolution.population import Individual
from engines.worker_pool import process_pool
from tests.engines.acquire.runs import gone_on
from tests.toy import InlinePool

SMALL = """
evolve = all decisions
rules = thesis-2002
population = 24
elite = 6
first tables = 4
tables = 4
hall interval = 2
hall tables = 4
hall share = 0.3
opponent = random
opponent share = 0.3
founders = composed
examination interval = 4
panel games = 4
"""
ISLANDS = "islands = 3\nmigration interval = 2\nmigrants = 1\n"
SHARING = "behaviour states = 10\nsharing = 0.5\n"
CHAMPIONS = "champion share = 0.4\nacceptance games = 6\n"
GENERATIONS = 7


@pytest.mark.parametrize("lines", [ISLANDS + SHARING, SHARING + CHAMPIONS], ids=["islands", "champions"])
async def test_stops_and_workers_do_not_matter(lines: str, tmp_path: Path) -> None:
    config = SMALL + lines
    whole = await gone_on(tmp_path / "whole", config, GENERATIONS, InlinePool())
    parts = await gone_on(tmp_path / "parts", config, 4, InlinePool())
    async with process_pool(2) as crew:
        parts += await gone_on(tmp_path / "parts", config, GENERATIONS - 4, crew)
    assert [each.hash for each in parts] == [each.hash for each in whole]


async def test_islands_are_parts_that_exchange_their_best(tmp_path: Path) -> None:
    heard = await gone_on(
        tmp_path / "run", SMALL + ISLANDS + "behaviour states = 10\n", GENERATIONS, InlinePool()
    )
    ids = [born.id for each in heard for born in each.generation.born]
    assert ids == list(range(len(ids)))
    assert len(heard[0].generation.born) == 24 and len(heard[1].generation.born) == 18
    homes = {born.id: born.id % 3 for each in heard for born in each.generation.born}
    strangers = [
        sum(homes[parent] != homes[born.id] for born in each.generation.born for parent in born.parents)
        for each in heard
    ]
    assert strangers[:3] == [0, 0, 0] and sum(strangers[3:]) > 0, (
        "generation 2 sends, 3 is the first that breeds"
    )
    last = heard[-1].generation
    assert {contest.niche for contest in last.contests} == {0, 1, 2}
    statistics = json.loads(json.dumps(last.statistics))
    assert statistics["fitness"]["best"] == max(statistics["islands"])
    assert 1 <= statistics["behaviours"]["distinct"] <= 24


async def test_looking_on_changes_nothing(tmp_path: Path) -> None:
    plain = await gone_on(tmp_path / "plain", SMALL, 4, InlinePool())
    watched = await gone_on(tmp_path / "watched", SMALL + "behaviour states = 10\n", 4, InlinePool())
    assert [each.generation.born for each in plain] == [each.generation.born for each in watched]
    shares = await gone_on(tmp_path / "shares", SMALL + SHARING, 4, InlinePool())
    assert [each.generation.born for each in plain] != [each.generation.born for each in shares]


def test_a_champion_share_of_1_is_the_best_of_the_generation_before() -> None:
    config = LeagueConfig.loads(
        SMALL.replace("opponent share = 0.3", "opponent share = 0").replace(
            "hall share = 0.3", "hall share = 0"
        )
        + "champion share = 1\n"
    )
    league = League(config, 1, lambda id: Individual(id=id, genome=Genome()))
    league.step([])
    heat = next(task for task in league.tasks() if isinstance(task, Heat))
    assert set(heat.others) == {league.living[0].genome}


def test_who_is_accepted() -> None:
    composed, evolved = (typed_players()[name] for name in ("composed", "evolved-three"))
    random = Genome(place=(1.0,))

    def tally(genome: Genome, *former: Genome) -> tuple[int, int, int]:
        return Acceptance(
            rules=PRESETS["thesis-2002"],
            conduct=Conduct(),
            players=2,
            genome=genome,
            former=former,
            games=40,
            seed=5,
        ).play()

    losses, _, wins = tally(evolved, random, composed)
    assert wins > losses and wins + losses <= 40
    losses, _, wins = tally(random, composed, evolved)
    assert wins < losses


@given(st.lists(st.tuples(st.floats(0, 1), st.tuples(*[st.integers(0, 2)] * 4)), min_size=2, max_size=12))
def test_sharing_is_by_niches(players: list[tuple[float, tuple[int, ...]]]) -> None:
    fitness, chosen = [value for value, _ in players], [each for _, each in players]
    found = shared(fitness, chosen, 1e-9)
    for value, each, part in zip(fitness, chosen, found, strict=True):
        assert part == pytest.approx((value - min(fitness)) / chosen.count(each))
    assert variety(chosen)["distinct"] == len(set(chosen))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("sharing = 0.2", "sharing needs behaviour states"),
        ("islands = 5", "the same for all islands"),
        ("islands = 6\nmigrants = 2", "migrants must not be more than an island's elite"),
        ("champion share = 0.5", "must not be above 1 together"),
    ],
)
def test_what_configures_nothing(line: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        LeagueConfig.loads(SMALL + line)
