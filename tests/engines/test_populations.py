"""The contract of populations: a run is the same with any number of workers, stopped and resumed or not."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest

from engines.config import RUN_FILE
from engines.evolution.run import GenerationRecorded
from engines.worker_pool import WorkerPool, process_pool
from tests.engines.acquire import runs as acquire
from tests.engines.corewar.evolution import runs as corewar
from tests.engines.protection import runs as protection
from tests.toy import InlinePool

GoneOn = Callable[[Path, str, int, WorkerPool], Awaitable[list[GenerationRecorded]]]

LEAGUE: Final = acquire.LEAGUE + "doubt = 10\n"
SHARING: Final = "behaviour states = 10\nsharing = 0.5\n"
RUNS: Final[dict[str, tuple[GoneOn, str]]] = {
    **{f"gp-{each}": (acquire.gone_on, f"{acquire.GP}evolve = {each}\n") for each in ("pair", "place", "buy")},
    "league-functions": (acquire.gone_on, LEAGUE + acquire.THREE + acquire.FUNCTIONS),
    "league-four": (acquire.gone_on, LEAGUE + acquire.FOUR),
    "league-hall": (acquire.gone_on, LEAGUE + acquire.THREE + SHARING + "champion share = 0.2\nacceptance games = 6\n"),
    "islands": (acquire.gone_on, LEAGUE + acquire.THREE + SHARING + acquire.ISLANDS),
    "nes-two": (acquire.gone_on, acquire.NES + acquire.THREE),
    "nes-three": (acquire.gone_on, acquire.NES + "players = 3\n"),
    "ga": (protection.gone_on, protection.GA),
    "ga-rank": (
        protection.gone_on,
        protection.GA + "selection = rank\nre evaluate = yes\nreplicates = 2\nelitist = no\n",
    ),
    "ga-growing": (protection.gone_on, protection.GA + "founders = pool\nre evaluate = yes\nlast replicates = 3\n"),
    "ga-gap": (protection.gone_on, protection.GA + "gap = 0.5\nwindow = 0\nwindow start = zero\nbudget = 3000\n"),
    "tribes-scrimmage": (corewar.gone_on, corewar.SCRIMMAGE),
    "tribes-elite": (corewar.gone_on, corewar.ELITE),
    "tribes-evolved": (corewar.gone_on, corewar.EVOLVED),
}  # fmt: skip
GENERATIONS: Final = 9


@pytest.mark.parametrize("name", RUNS)
async def test_workers_and_stops_do_not_matter(name: str, tmp_path: Path) -> None:
    gone_on, config = RUNS[name]
    if name.startswith("tribes"):
        config = corewar.config_in(tmp_path, config)
    whole = await gone_on(tmp_path / "whole", config, GENERATIONS, InlinePool())
    parts: list[GenerationRecorded] = []
    for steps in (1, 3):
        parts += await gone_on(tmp_path / "parts", config, steps, InlinePool())
    async with process_pool(2) as pool:
        parts += await gone_on(tmp_path / "parts", config, GENERATIONS - 4, pool)
    assert [each.hash for each in parts] == [each.hash for each in whole]
    assert files(tmp_path / "parts") == files(tmp_path / "whole") != {}


async def test_what_is_over_stays_over(tmp_path: Path) -> None:
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
