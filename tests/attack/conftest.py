"""One server for all attacks that need none of their own: a start takes two seconds of the processor."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest

from tests.attack.served import Running, shared


@pytest.fixture(scope="session")
def _shared() -> Iterator[Running]:
    with shared() as (running, log):
        yield running
        log.seek(0)
        assert b"Traceback" not in log.read()


@pytest.fixture
async def server(_shared: Running) -> AsyncIterator[Running]:
    """A server with which other tests have talked; a test's connections end with it."""
    running = replace(_shared, talks=[])
    yield running
    await running.close()
