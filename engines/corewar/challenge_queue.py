"""Challenges to a hill, one at a time; worker processes fight their battles within limits of time and memory."""

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

START_SECONDS: Final = 10.0  # of processor time, in addition to the time for the battles
SLOWEST: Final = 5_000_000  # instructions that a battle must execute in a second, a twentieth of the usual


class ChallengeQueue:
    """The challenges to one hill, served in the order in which they arrive."""

    def __init__(self, store: HillStore, pool: WorkerPool) -> None:
        self.store = store
        self._pool = pool
        self._lock = asyncio.Lock()

    async def challenge(self, challenger: Challenger) -> ChallengeResult:
        """Let a challenger fight all warriors of the hill, and return the result.

        The result is on the disk before it is returned; a test changes nothing. Raises HillError under the conditions
        of hill.opponents(), and TaskError if the battles cannot be fought.
        """
        async with self._lock, self.store.transaction() as transaction:
            tasks = battle_tasks(transaction.hill, challenger)
            seconds = START_SECONDS + max((task.instructions for task in tasks), default=0) / SLOWEST
            tallies = await self._pool.map(fight_battle, tasks, seconds)
            result, after = conclude(transaction.hill, challenger, tallies, time.time())
            if not challenger.is_test:
                await transaction.write(result, challenger, after)
            return result

    async def kill(self, kills: Kills) -> tuple[int, ...]:
        """Remove warriors without a challenge, and return their IDs.

        Raises HillError under the conditions of hill.without_killed().
        """
        async with self._lock, self.store.transaction() as transaction:
            return await transaction.remove(without_killed(transaction.hill, kills))

    async def replay(self, past: HillStore) -> None:
        """Repeat all challenges and removals of another hill on this one, in their order.

        A challenge or removal that this hill refuses is skipped. A challenge is refused if the rules of this hill
        have kept a warrior with the same code, or one that the challenger wants to kill without a token for it.
        """
        removals = past.removals()
        for number, challenger in enumerate(past.challengers(), 1):
            with suppress(HillError):
                await self.challenge(challenger)
            for after, name, author, token in removals:
                if after == number:
                    with suppress(HillError):
                        await self.store.remove(name, author, token)
