"""A warrior's text as people send it, and a hill behind a TCP port."""

from contextlib import AbstractAsyncContextManager
from typing import Any

from engines.corewar.hill_store import HillStore
from engines.worker_pool import WorkerPool
from protocols.hill.service import HillService
from protocols.limits import HourlyQuota
from protocols.server import Server
from tests.servers import Connect, listening, no_engine
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


def served(
    *stores: HillStore, pool: WorkerPool | None = None, per_hour: int = 6, **limits: Any
) -> AbstractAsyncContextManager[tuple[Connect, Server]]:
    """Hills at a server whose battles are fought in this process, or in those of a pool."""
    service = HillService(stores, pool or InlinePool(), quota=HourlyQuota(per_hour))
    return listening(no_engine, service, **limits)
