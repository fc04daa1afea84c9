"""A warrior's text as people send it, and a hill behind a TCP port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from engines.corewar.challenge_queue import BoundedPool
from engines.corewar.hill_store import HillStore
from engines.worker_pool import WorkerPool
from protocols.hill.service import HillService
from protocols.limits import HourlyQuota
from protocols.server import Server
from tests.protocols.wire import Connect, listening, no_engine
from tests.toy import InlinePool

BOMBER = """\
;redcode-nano{words}
;name {name}
;author {author}
;strategy Throws a DAT every {step} cells.
;assert CORESIZE == 80
loop    ADD.AB  #{step}, bomb
        MOV.I   bomb, @bomb
        JMP     loop
bomb    DAT     #0, #0
        END     loop
"""


def bomber(step: int, name: str = "", author: str = "Ann", words: str = "") -> str:
    return BOMBER.format(step=step, name=name or f"Every {step}", author=author, words=words)


@asynccontextmanager
async def served(
    *stores: HillStore, pool: WorkerPool | None = None, per_hour: int = 6, **limits: Any
) -> AsyncIterator[tuple[Connect, Server]]:
    """Hills at a server whose battles are fought in this process, or in those of a pool."""
    service = HillService(stores, BoundedPool(pool or InlinePool()), quota=HourlyQuota(per_hour))
    async with listening(no_engine, service, **limits) as both:
        yield both
