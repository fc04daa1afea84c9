"""A program that fills a hill until it is done or killed.

    python -m tests.engines.corewar.filling HILL FIRST LAST

The program sends warriors number FIRST to LAST, but for those who were there, and says `acknowledged W5`
once the challenge of number 5 is on the disk.
"""

import asyncio
import sys
from pathlib import Path

from engines.corewar.challenge_queue import ChallengeQueue
from engines.corewar.hill import HillRow
from engines.corewar.hill_store import HillStore
from tests.engines.corewar.made_up import challenger
from tests.toy import InlinePool


async def fill(store: HillStore, first: int, last: int) -> None:
    queue = ChallengeQueue(store, InlinePool())
    known = {each.warrior.name for each in store.challengers()}
    for number in range(first, last + 1):
        if f"W{number}" not in known:
            challenge = await queue.challenge(challenger(number))
            print(f"acknowledged {challenge.name}", flush=True)


def record(store: HillStore) -> list[tuple[str, float, tuple[HillRow, ...]]]:
    """All challenges, without their time."""
    rows = []
    for number in range(1, store.hill().challenges + 1):
        result = store.challenge(number)
        assert result is not None
        rows.append((result.name, result.score, result.table))
    return rows


if __name__ == "__main__":
    asyncio.run(fill(HillStore.open(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])))
