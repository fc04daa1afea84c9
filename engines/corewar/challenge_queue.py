"""Challenges to a hill: one at a time, their battles fought by worker processes within bounds of time and memory."""

import asyncio
import time
from contextlib import suppress
from typing import Final

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
from engines.worker_pool import WorkerPool

START_SECONDS: Final = 10.0  # of the processor, for whatever it is
SLOWEST: Final = 5_000_000  # instructions in a second of a battle, a twentieth of the usual


class ChallengeQueue:
    """The challenges to one hill, first come, first served."""

    def __init__(self, store: HillStore, pool: WorkerPool) -> None:
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
