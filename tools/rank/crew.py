"""Bouts fought by workers, with a bar for whoever watches."""

import asyncio
import sys
from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.battles import Tally
from engines.corewar.ranking.bouts import Draw, fight, tasks
from engines.run.executor import Crew

PRELOAD: Final = ("engines.corewar.ranking.bouts",)
POLL_SECONDS: Final = 0.1


async def fought(
    crew: Crew, rules: Rules, draw: Draw, pairs: Sequence[tuple[Warrior, Warrior]], title: str
) -> list[Tally]:
    """What came of the pairs, in their order. TaskError."""
    work = list(tasks(rules, draw, pairs))
    with _bar() as bar:
        shown = bar.add_task(title, total=len(work))
        fights = asyncio.ensure_future(crew.map(fight, work))
        while not fights.done():
            await asyncio.wait([fights], timeout=POLL_SECONDS)
            bar.update(shown, completed=crew.done)
    return [tally for tallies in fights.result() for tally in tallies]


def _bar() -> Progress:
    """Progress on stderr, silent where nobody watches."""
    return Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
