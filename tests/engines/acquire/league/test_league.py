"""A league from its configuration to its files: the same with any number of workers, stopped or not."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from engines.acquire.experiment import RUNS
from engines.acquire.genome import DECISIONS, Genome
from engines.acquire.gp.tree import Tree, work
from engines.acquire.league.config import LeagueConfig
from engines.acquire.league.games import points
from engines.acquire.registry import typed_players
from engines.config import ConfigError
from engines.evolution.run import GenerationRecorded
from engines.worker_pool import process_pool
from tests.engines.acquire.runs import gone_on
from tests.toy import InlinePool

SMALL = """
evolve = all decisions
population = 30
elite = 5
first tables = 2
tables = 6
annealing = 3
hall interval = 2
hall tables = 8
opponent = heuristic 3, pair-2
opponent share = 0.4
founders = composed
doubt = 10
examination interval = 3
panel games = 4
"""
GENERATIONS = 8


@pytest.fixture(params=["players = 2\nrules = thesis-2002\n", "players = 4\nrules = thesis-7\ntables = 8\n"])
def config(request: pytest.FixtureRequest) -> str:
    lines = str(request.param)
    return (SMALL.replace("tables = 6\n", "") if "\ntables" in lines else SMALL) + lines


async def test_stops_and_workers_do_not_matter(config: str, tmp_path: Path) -> None:
    whole = await gone_on(tmp_path / "whole", config, GENERATIONS, InlinePool())
    parts = await gone_on(tmp_path / "parts", config, 3, InlinePool())
    async with process_pool(2) as crew:
        parts += await gone_on(tmp_path / "parts", config, GENERATIONS - 3, crew)
    assert [each.hash for each in parts] == [each.hash for each in whole]


async def test_what_is_recorded(config: str, tmp_path: Path) -> None:
    heard = await gone_on(tmp_path / "run", config, GENERATIONS, InlinePool())
    read = LeagueConfig.loads(config)
    last = heard[-1].generation
    assert len(last.born) == 25
    assert len(last.contests) == 30 * read.bags_at(GENERATIONS) * read.players
    assert "examined" in json.loads(json.dumps(heard[-1].generation.statistics))
    assert all(0 <= value <= 1 for contest in last.contests for value in contest.returns)
    champion = Genome.loads((tmp_path / "run" / "champion.lisp").read_text(encoding="utf-8"))
    assert [name for name, _ in champion.programs()] == list(DECISIONS)
    assert last.statistics["hall"] >= 1
    played = [each.generation.statistics["tables"] for each in heard[1:]]
    assert max(played) > read.tables, "the best have played more than one generation"


async def test_named_founders_come_first(config: str, tmp_path: Path) -> None:
    (begun,) = await gone_on(tmp_path / "run", config, 1, InlinePool())
    first, *others = begun.generation.born
    assert (first.origin, first.genome) == ("composed", typed_players()["composed"])
    assert {each.origin for each in others} == {"random"} and len(others) == 29


async def test_no_program_has_more_work_than_is_allowed(config: str, tmp_path: Path) -> None:
    heard = await gone_on(tmp_path / "run", f"{config}most work = 40\n", GENERATIONS, InlinePool())
    changed = [
        tree
        for each in heard[1:]
        for born in each.generation.born
        for (_, tree), before in zip(born.genome.programs(), _programs(heard, born.parents), strict=True)
        if tree not in before
    ]
    assert changed and max(map(work, changed)) <= 40


def _programs(heard: list[GenerationRecorded], ids: tuple[int, ...]) -> list[list[Tree]]:
    """Of each decision, the programs that those have."""
    known = {born.id: born.genome for each in heard for born in each.generation.born}
    return [[tree for _, tree in each] for each in zip(*(known[id].programs() for id in ids), strict=True)]


async def test_doubt_is_for_those_with_few_tables(tmp_path: Path) -> None:
    """The best of many newcomers is mostly lucky: with doubt, fewer of the elite are newcomers."""
    tables = []
    for doubt in (0, 60):
        text = f"{SMALL.replace('doubt = 10', f'doubt = {doubt}')}rules = thesis-2002\n"
        heard = await gone_on(tmp_path / str(doubt), text, 12, InlinePool())
        tables.append(fmean(each.generation.statistics["tables"] for each in heard[6:]))
    assert tables[0] < tables[1]


def test_points_count_the_best_of_the_others() -> None:
    assert points([3000, 1000, 9000], 0.0) == 0.25
    assert points([3000, 1000, 9000], 0.5) == 0.125
    assert points([9000, 3000], 1.0) == 1.0
    assert points([0, 0], 0.3) == 0.5


def test_the_configuration_comes_back() -> None:
    config = LeagueConfig.loads(SMALL)
    assert LeagueConfig.loads(config.dumps()) == config
    assert [config.bags_at(generation) for generation in (0, 1, 2, 3, 99)] == [1, 1, 2, 3, 3]


@pytest.mark.parametrize("path", sorted(RUNS.glob("typed-*.txt")), ids=lambda path: str(path.stem))
def test_the_configurations_of_the_program_are_good(path: Path) -> None:
    config = LeagueConfig.loads(path.read_text())
    assert LeagueConfig.loads(config.dumps()) == config


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("opponent share = 0.9\nhall share = 0.2\nopponent = heuristic", "together"),
        ("opponent share = 0.1", "needs an opponent"),
        ("elite = 200", "less than the population"),
        ("evolve = some decisions", "evolve"),
        ("crossover = 0.9", "together"),
        ("opponent = nobody", "opponent"),
        ("founders = pair-1", "founders must be random or different names of composed"),
        ("founders = composed, composed", "different names"),
        ("most work = 200000", "most work"),
        ("new levels = 7", "new levels"),
    ],
)
def test_what_configures_nothing(line: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        LeagueConfig.loads(line)
