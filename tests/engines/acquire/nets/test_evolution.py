"""An evolution of nets from its configuration to its files: the same with any number of workers, stopped or not."""

import json
from pathlib import Path

import pytest

from engines.acquire.experiment import RUNS, configured
from engines.acquire.net_genome import NetGenome
from engines.acquire.nets.config import NetConfig
from engines.acquire.registry import PlayerSpec, load_genome
from engines.config import ConfigError
from engines.worker_pool import process_pool
from tests.engines.acquire.runs import gone_on
from tests.toy import InlinePool

SMALL = """
evolve = Net   # not programs
samples = 12
tables = 6
chain units = 3
table units = 2
left out = distance, perimeter
opponent = heuristic, random 2
opponent share = 0.6
hall share = 0.3
hall interval = 2
examination interval = 3
panel games = 4
"""
GENERATIONS = 7


@pytest.fixture(params=["players = 2\nrules = thesis-2002\n", "players = 3\n"])
def config(request: pytest.FixtureRequest) -> str:
    return SMALL + str(request.param)


async def test_stops_and_workers_do_not_matter(config: str, tmp_path: Path) -> None:
    whole = await gone_on(tmp_path / "whole", config, GENERATIONS, InlinePool())
    parts = await gone_on(tmp_path / "parts", config, 4, InlinePool())
    async with process_pool(2) as crew:
        parts += await gone_on(tmp_path / "parts", config, GENERATIONS - 4, crew)
    assert [each.hash for each in parts] == [each.hash for each in whole]


async def test_what_is_recorded(config: str, tmp_path: Path) -> None:
    heard = await gone_on(tmp_path / "run", config, GENERATIONS, InlinePool())
    assert [each.generation.born[0].parents for each in heard[:3]] == [(), (0,), (13,)]
    last = heard[-1].generation
    assert len(last.contests) == 12 * 6
    statistics = [json.loads(json.dumps(each.generation.statistics)) for each in heard]
    assert [each["evaluated"] for each in statistics if "examined" in each] == [3]
    champion = PlayerSpec.parse(str(tmp_path / "run"))
    assert champion.genome == heard[3].generation.born[0].genome
    assert isinstance(champion.genome, NetGenome) and "distance" not in champion.genome.shape.chain_inputs
    assert load_genome(champion.genome.dumps()) == champion.genome
    assert last.statistics["hall"] == 3


async def test_it_learns(tmp_path: Path) -> None:
    """To beat the random player, from weights by chance."""
    text = "evolve = net\nrules = thesis-2002\nsamples = 20\ntables = 10\nopponent = random\nopponent share = 1\nhall share = 0\n"
    heard = await gone_on(tmp_path / "run", text, 13, InlinePool())
    means = [each.generation.statistics["fitness"]["mean"] for each in heard[1:]]
    assert sum(means[-3:]) / 3 > sum(means[:3]) / 3 + 0.1


def test_steps_get_smaller() -> None:
    config = NetConfig.loads(f"{SMALL}centre rate = 0.8\nannealing = 5\n")
    assert [config.centre_rate_at(generation) for generation in (0, 5, 15)] == [0.8, 0.4, 0.2]
    assert NetConfig.loads(SMALL).centre_rate_at(99) == 1.0


@pytest.mark.parametrize("path", sorted(RUNS.glob("net-*.txt")), ids=lambda path: str(path.stem))
def test_the_configurations_of_the_program_are_good(path: Path) -> None:
    config = configured(path.read_text())
    assert isinstance(config, NetConfig)
    assert NetConfig.loads(config.dumps()) == config


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("samples = 5", "samples must be even, not 5"),
        ("opponent share = 0.1", "needs an opponent"),
        ("opponent share = 0.9\nhall share = 0.2\nopponent = heuristic", "together"),
        ("left out = size, size", "left out must be none or different names of size, "),
        ("chain units = 65", "chain units must be a whole number from 1 to 64"),
        ("evolve = nets", "evolve must be net"),
    ],
)
def test_what_configures_nothing(line: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        NetConfig.loads(line)
