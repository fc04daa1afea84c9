"""A crew whose only worker is the event loop, and a program that fills a hill until it is done or killed.

    python -m tests.engines.corewar.hill.inline HILL FIRST LAST

The program sends warriors number FIRST to LAST, but for those who were there, and says `acknowledged W5`
once the challenge of number 5 is on the disk.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from engines.corewar.hill.keeper import Arena, Keeper
from engines.corewar.hill.store import HillStore
from engines.executor import Crew
from tests.engines.corewar.hill.made_up import challenger

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class InlineCrew(Crew):
    def __init__(self) -> None:
        """Nothing to start and nothing to end."""

    async def map(self, function: Callable[[Task], Outcome], tasks: Sequence[Task]) -> list[Outcome]:
        await asyncio.sleep(0)
        return [function(task) for task in tasks]


async def fill(store: HillStore, first: int, last: int) -> None:
    keeper = Keeper(store, Arena(InlineCrew()))
    known = {each.warrior.name for each in store.challengers()}
    for number in range(first, last + 1):
        if f"W{number}" not in known:
            challenge = await keeper.challenge(challenger(number))
            print(f"acknowledged {challenge.name}", flush=True)


if __name__ == "__main__":
    asyncio.run(fill(HillStore.open(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])))
