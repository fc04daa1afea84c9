"""Challenges to a hill: one at a time, their battles fought by worker processes within bounds of time and memory."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from engines.corewar.battles import fight_battle
from engines.corewar.hill import (
    Challenger,
    ChallengeResult,
    HillError,
    Kills,
    battle_tasks,
    conclude,
    without_killed,
)
from engines.corewar.hill_store import HillStore
from engines.worker_pool import WorkerPool, bounded

START_SECONDS: Final = 10.0  # of the processor, for whatever it is
SLOWEST: Final = 5_000_000  # instructions in a second of a battle, a twentieth of the usual

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")


class BoundedPool:
    """A pool of workers that several hills share: it does one list of tasks at a time, within bounds."""

    def __init__(self, pool: WorkerPool) -> None:
        self._pool = pool
        self._lock = asyncio.Lock()

    async def map(
        self, function: Callable[[Task], Outcome], tasks: Sequence[Task], seconds: float = START_SECONDS
    ) -> list[Outcome]:
        """As WorkerPool.map(), but TaskError for a task that takes more of the processor or too much memory."""
        async with self._lock:
            return await self._pool.map(partial(bounded, seconds, function), tasks)


class ChallengeQueue:
    """The challenges to one hill, first come, first served."""

    def __init__(self, store: HillStore, pool: BoundedPool) -> None:
        self.store = store
        self._pool = pool
        self._lock = asyncio.Lock()

    async def challenge(self, challenger: Challenger) -> ChallengeResult:
        """Fight everybody on the hill. The result is on the disk before it is returned, unless it is a test.

        HillError as opponents(), TaskError for battles that cannot be fought.
        """
        async with self._lock, self.store.transaction() as transaction:
            tasks = battle_tasks(transaction.hill, challenger)
            seconds = START_SECONDS + max((task.instructions for task in tasks), default=0) / SLOWEST
            tallies = await self._pool.map(fight_battle, tasks, seconds)
            result, after = conclude(transaction.hill, challenger, tallies, time.time())
            if not challenger.is_test:
                await transaction.write(result, challenger, after)
            return result

    async def kill(self, kills: Kills) -> None:
        """Remove warriors without a challenge. HillError as without_killed()."""
        async with self._lock, self.store.transaction() as transaction:
            await transaction.remove(without_killed(transaction.hill, kills))

    async def replay(self, past: HillStore) -> None:
        """Let all who have challenged another hill challenge this one, and remove them when they were removed there.

        Who cannot, since under these rules his twin is still on the hill, or whom he had no token to kill, stays away.
        """
        removals = past.removals()
        for number, challenger in enumerate(past.challengers(), 1):
            with suppress(HillError):
                await self.challenge(challenger)
            for after, name, author, token in removals:
                if after == number:
                    with suppress(HillError):
                        await self.store.remove(name, author, token)
