"""What `galapagos study` does with runs of programs: fresh games, then a report, tables and figures."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from engines.worker_pool import WorkerPool, process_pool
from tools.plot.canvas import check
from tools.study.acquire.champions import report as champions
from tools.study.acquire.figures import figures
from tools.study.acquire.games import GroupGames, all_pairs
from tools.study.acquire.pairs import FEWEST, Pairs
from tools.study.acquire.report import text
from tools.study.acquire.runs import Group, Run, grouped
from tools.study.acquire.tables import tables

REPORT = "report.txt"


def study(folders: Sequence[Path], out: Path, form: str, games: int, workers: int) -> str:
    """The report; it, the tables and the figures are in `out`. ValueError or OSError where that cannot be."""
    check()
    groups = grouped([Run.read(folder) for folder in folders])
    out.mkdir(parents=True, exist_ok=True)
    studied, pairs = asyncio.run(_played(groups, games, process_pool(workers)))
    report = text(studied, games, pairs)
    (out / REPORT).write_text(f"{report}\n", encoding="utf-8")
    for name, table in tables(studied, pairs).items():
        (out / name).write_text(table, encoding="utf-8")
    for figure in figures(studied, pairs):
        figure.save(out, form)
    return report


def compare(folders: Sequence[Path], games: int, workers: int) -> str:
    """What the runs' champions are worth against the panel. ValueError or OSError where that cannot be."""
    return asyncio.run(_compared(folders, games, process_pool(workers)))


async def _compared(folders: Sequence[Path], games: int, crew: WorkerPool) -> str:
    async with crew:
        return await champions(folders, games, crew)


async def _played(
    groups: Sequence[Group], games: int, crew: WorkerPool
) -> tuple[list[GroupGames], tuple[Run, Run, Pairs] | None]:
    async with crew:
        studied = [await GroupGames.played(group, games, crew) for group in groups]
        halves = {group.config.evolve: group.runs[0] for group in reversed(groups)}
        places, buys = halves.get("place"), halves.get("buy")
        if not places or not buys or len(places.bests) * len(buys.bests) < FEWEST:
            return studied, None
        return studied, (places, buys, await all_pairs(places, buys, games, crew))
