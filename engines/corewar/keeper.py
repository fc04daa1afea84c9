"""A hill's keeper: lets challengers in, one at a time, and their battles be fought by worker processes."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from engines.corewar import battles
from engines.corewar.hill import Challenge, Challenger, concluded, fights
from engines.corewar.hill_store import HillStore
from engines.executor import Crew

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class Arena:
    """A crew that several hills share: it does one list of tasks at a time."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._lock = asyncio.Lock()

    async def map(self, function: Callable[[Task], Outcome], tasks: Sequence[Task]) -> list[Outcome]:
        """As Crew.map()."""
        async with self._lock:
            return await self._crew.map(function, tasks)


class Keeper:
    """The keeper of one hill."""

    def __init__(self, store: HillStore, arena: Arena) -> None:
        self.store = store
        self._arena = arena
        self._queue = asyncio.Lock()  # first come, first served

    async def challenge(self, challenger: Challenger) -> Challenge:
        """Fight everybody on the hill; what came of it is on the disk before it is told, unless it is a test.

        HillError for a code that is on the hill already.
        """
        async with self._queue, self.store.turn() as turn:
            tallies = await self._arena.map(battles.play, fights(turn.hill, challenger))
            challenge, after = concluded(turn.hill, challenger, tallies, time.time())
            if not challenger.is_test:
                await turn.write(challenge, challenger, after)
            return challenge
