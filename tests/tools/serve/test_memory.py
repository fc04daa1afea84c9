"""What keeps a server's memory as it is for weeks; tests/soak measures it."""

import asyncio
from asyncio import selector_events
from typing import Any

import pytest

from tests.waiting import PATIENCE_SECONDS
from tools.serve import READ_BYTES, _keep_memory_whole


async def test_asyncio_reads_no_more_at_a_time_than_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name that we set is asyncio's own: a Python that has another one shall fail here."""
    transport: Any = selector_events._SelectorTransport  # type: ignore[attr-defined]
    monkeypatch.setattr(transport, "max_size", transport.max_size)
    _keep_memory_whole()
    sizes: list[int] = []
    done = asyncio.Event()

    class Measured(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            sizes.append(len(data))

        def connection_lost(self, error: Exception | None) -> None:
            done.set()

    server = await asyncio.get_running_loop().create_server(Measured, "127.0.0.1", 0)
    async with server:
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(bytes(20 * READ_BYTES))
        writer.close()
        await writer.wait_closed()
        await asyncio.wait_for(done.wait(), PATIENCE_SECONDS)
    assert sum(sizes) == 20 * READ_BYTES and max(sizes) == READ_BYTES
