"""The contract of populations: a run is the same with any number of workers, after any stop, and by its known hash."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio

from engines.config import RUN_FILE
from engines.evolution.run import GenerationRecorded
from engines.worker_pool import WorkerPool, Workers
from tests.engines.acquire import runs as acquire
from tests.engines.corewar.evolution import runs as corewar
from tests.engines.protection import runs as protection
from tests.toy import InlinePool

GoneOn = Callable[[Path, str, int, WorkerPool], Awaitable[list[GenerationRecorded]]]

GP: Final = acquire.GP
LEAGUE: Final = acquire.LEAGUE + "doubt = 10\n"
SHARING: Final = "behaviour states = 10\nsharing = 0.5\n"
RUNS: Final[dict[str, tuple[GoneOn, str, str]]] = {  # with the hash that they have had since they exist
    "gp": (acquire.gone_on, GP, "99fc8c5e9394ed2a"),
    "gp-lexicase": (
        acquire.gone_on,
        GP + "evolve = buy\nselection = lexicase\nother decision = same tree\n",
        "5d3a84eb35593ea9",
    ),
    "gp-top-up": (
        acquire.gone_on,
        GP
        + "evolve = place\npairing = top up\nseats = random\nfitness = money\nmoney won = earned\nselection = rank\n",
        "cd82566f1761bee1",
    ),
    "gp-all-more": (
        acquire.gone_on,
        GP
        + "pairing = all more\nfitness = wins\nselection = proportionate\nelite = enlarges\ncopy mutation = 0.3\n"
        "reproduction = 0.05\nrules = thesis-7\n",
        "2c7a55d1a64ce059",
    ),
    "league-functions": (
        acquire.gone_on,
        LEAGUE + acquire.THREE + acquire.FUNCTIONS,
        "26b84afa48e2c8f0",
    ),
    "league-four": (acquire.gone_on, LEAGUE + acquire.FOUR, "dcc2bb8f7f2d9a2f"),
    "league-hall": (
        acquire.gone_on,
        LEAGUE + acquire.THREE + SHARING + "champion share = 0.2\nacceptance games = 6\nmemory = 20\n",
        "2290556203568947",
    ),
    "islands": (acquire.gone_on, LEAGUE + acquire.THREE + SHARING + acquire.ISLANDS, "f7f28801337416f1"),
    "nes-two": (acquire.gone_on, acquire.NES + acquire.THREE + "annealing = 5\n", "fdedcf163820a4fa"),
    "nes-three": (acquire.gone_on, acquire.NES + "players = 3\n", "cbf8c756585a2730"),
    "ga": (protection.gone_on, protection.GA, "051a18b759626cfe"),
    "ga-rank": (
        protection.gone_on,
        protection.GA + "selection = rank\nre evaluate = yes\nreplicates = 2\nelitist = no\n",
        "76244833bf06183f",
    ),
    "ga-growing": (
        protection.gone_on,
        protection.GA + "founders = pool\nre evaluate = yes\nlast replicates = 3\n",
        "463479abeb1dd37d",
    ),
    "ga-gap": (
        protection.gone_on,
        protection.GA + "gap = 0.5\nwindow = 0\nwindow start = zero\nbudget = 3000\n",
        "275f7ba1c836b313",
    ),
    "arms-race": (protection.gone_on, protection.ARMS_RACE, ""),
    "arms-race-written": (
        protection.gone_on,
        protection.ARMS_RACE + "founders = written\nhall size = 2\npast share = 1\n",
        "",
    ),
    # Their hash depends on where their opponents are.
    "tribes-scrimmage": (corewar.gone_on, corewar.SCRIMMAGE, ""),
    "tribes-elite": (corewar.gone_on, corewar.ELITE, ""),
    "tribes-evolved": (corewar.gone_on, corewar.EVOLVED, ""),
    "tribes-red-queen": (corewar.gone_on, corewar.RED_QUEEN, ""),
    "tribes-elected": (corewar.gone_on, corewar.ELECTED, ""),
}
GENERATIONS: Final = 9
LONG: Final = ("arms-race-written", "nes-three", "league-four")  # each is like another that takes less time


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[WorkerPool]:
    """One for all: new workers would import everything again."""
    async with Workers(2) as pool:
        yield pool


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in RUNS]
)
async def test_workers_and_stops_do_not_matter(name: str, pool: WorkerPool, tmp_path: Path) -> None:
    gone_on, config, expected = RUNS[name]
    if name.startswith("tribes"):
        config = corewar.config_in(tmp_path, config)
    whole = await gone_on(tmp_path / "whole", config, GENERATIONS, InlinePool())
    parts: list[GenerationRecorded] = []
    for steps in (1, 3):
        parts += await gone_on(tmp_path / "parts", config, steps, InlinePool())
    parts += await gone_on(tmp_path / "parts", config, GENERATIONS - 4, pool)
    assert [each.hash for each in parts] == [each.hash for each in whole]
    assert whole[-1].hash.startswith(expected)
    assert files(tmp_path / "parts") == files(tmp_path / "whole") != {}


async def test_a_finished_run_is_not_continued(tmp_path: Path) -> None:
    config = protection.GA.replace("trials = 3000", "trials = 900")
    recorded = await protection.gone_on(tmp_path / "run", config, 1000, InlinePool())
    assert 4 < len(recorded) < 1000
    assert not await protection.gone_on(tmp_path / "run", config, 1000, InlinePool())


def files(folder: Path) -> dict[str, bytes]:
    """What a run leaves for people."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.startswith((RUN_FILE, "lock"))
    }
