"""Games of a match in worker processes, many at a time."""

from collections.abc import Sequence
from typing import Final

from engines.match.match import Add, Batch, Match, MatchPlan
from engines.worker_pool import Workers

PREFETCH: Final = 4  # batches for each worker that are handed out at a time


async def play_in_workers(
    plan: MatchPlan,
    match: Match,
    add: Add,
    *,
    workers: int,
    preload: Sequence[str],
) -> None:
    """Play a match to its end; `add` receives the outcomes and adds them to the match.

    Raises TaskError if a player ends its process.
    """
    async with Workers(workers, preload=preload) as pool:
        while not match.is_over:
            wanted = (match.next_games(plan.batch) for _ in range(PREFETCH * pool.workers))
            batches = [Batch(config=plan.config, games=games) for games in wanted if games]
            for outcomes in await pool.map(plan.play, batches):
                add(outcomes)
