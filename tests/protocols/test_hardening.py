"""The parts of libraries that are not public are there, and do what they are set for; tests/soak measures the memory."""

import asyncio
import logging
from asyncio import selector_events
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp import web

from protocols import hardening
from protocols.hardening import READ_BYTES, drop_frames, harden_aiohttp, harden_asyncio
from protocols.web.websocket import open_socket
from tests.protocols.web.support import served, visited
from tests.waiting import PATIENCE_SECONDS


async def test_asyncio_reads_at_most_the_configured_number_of_bytes_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    transport: Any = selector_events._SelectorTransport  # type: ignore[attr-defined]
    monkeypatch.setattr(transport, "max_size", transport.max_size)
    harden_asyncio()
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


async def test_aiohttp_reads_few_frames_ahead_and_forgets_them_at_the_end() -> None:
    harden_aiohttp()
    waiting: list[int] = []
    is_counted = asyncio.Event()

    async def deaf(request: web.Request) -> web.WebSocketResponse:
        socket = await open_socket(request)
        frames = cast(Any, socket)._reader._buffer
        await asyncio.sleep(0.5)
        waiting.append(len(frames))
        drop_frames(socket)
        waiting.append(len(frames))
        is_counted.set()
        await socket.close()
        return socket

    async with (
        served([web.get("/deaf", deaf)]) as api,
        api.session.ws_connect(api.address + "/deaf") as socket,
    ):
        with suppress(ConnectionError):
            for _ in range(5000):
                await socket.send_str("")
        await asyncio.wait_for(is_counted.wait(), PATIENCE_SECONDS)
    assert 0 < waiting[0] < 300 and waiting[1] == 0


async def test_the_server_header_does_not_reveal_the_version_of_aiohttp() -> None:
    async with visited() as visit, visit.client.get(visit.address + "/healthz") as answer:
        assert answer.headers["Server"] == "galapagos"


def test_missing_private_parts_of_libraries_are_logged_and_tolerated(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hardening, "web_ws", SimpleNamespace())
    with caplog.at_level(logging.WARNING):
        harden_aiohttp()
        drop_frames(cast(Any, SimpleNamespace(_reader=SimpleNamespace())))
    first, second = [record.getMessage() for record in caplog.records]
    assert "has no attribute DEFAULT_CHUNK_SIZE" in first and "has no attribute _buffer" in second


def test_the_installed_libraries_have_all_private_parts_that_are_used(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        harden_aiohttp()
        drop_frames(web.WebSocketResponse())
        hardening.harden_malloc()
        hardening.return_memory()
    assert not caplog.records
