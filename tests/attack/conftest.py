"""One server for all attacks that need none of their own: a start takes two seconds of the processor."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from tempfile import TemporaryFile

import pytest

from tests.servers import Running, served_sync


@pytest.fixture(scope="session")
def _shared() -> Iterator[Running]:
    with TemporaryFile() as log, served_sync("--proxied", stderr=log) as running:
        yield running
        log.seek(0)
        assert b"Traceback" not in log.read()


@pytest.fixture
async def server(_shared: Running) -> AsyncIterator[Running]:
    """A server with which other tests have talked; a test's connections end with it."""
    running = replace(_shared, wires=[])
    yield running
    await running.close()
