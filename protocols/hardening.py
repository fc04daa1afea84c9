"""Settings of asyncio, aiohttp and glibc, mostly not public ones, so that remote clients cannot exhaust a server.

Each function says why, and what it relies on. A version of a library that has no such part is used as it is, and a
warning is logged; the tests of this module fail then. The part of concurrent.futures that engines.worker_pool needs
is set there.
"""

import ctypes
import logging
from asyncio import selector_events
from typing import Any, Final

from aiohttp import web, web_response, web_ws

LOG: Final = logging.getLogger(__name__)
READ_BYTES: Final = (
    4096  # read from a connection at a time: hostile short lines take twenty times as much memory
)
UNHANDLED_BYTES: Final = (
    4096  # of WebSocket frames that wait to be handled; each counts as 128 bytes more than it has
)
LARGE_BYTES: Final = 131_072  # a block of memory of this size returns to the system when it is freed
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of glibc's malloc.h


def harden_asyncio() -> None:
    """Make asyncio read little at a time, because with 200 clients a process grew by 25 MiB an hour.

    asyncio reserves 256 KiB for each read, and frees all but the line that was received; the next read finds no block
    of that size next to the line. Relies on
    https://github.com/python/cpython/blob/v3.11.0/Lib/asyncio/selector_events.py (max_size).
    """
    _set(getattr(selector_events, "_SelectorTransport", None), "max_size", READ_BYTES)


def harden_aiohttp() -> None:
    """Make aiohttp read few WebSocket frames ahead, and not send its version.

    Its own limit is sixteen times UNHANDLED_BYTES: a thousand small frames of any peer. Relies on
    https://github.com/aio-libs/aiohttp/blob/v3.14.0/aiohttp/web_ws.py (DEFAULT_CHUNK_SIZE) and web_response.py.
    """
    _set(web_ws, "DEFAULT_CHUNK_SIZE", UNHANDLED_BYTES)
    _set(web_response, "SERVER_SOFTWARE", "galapagos")


def drop_frames(socket: web.WebSocketResponse) -> None:
    """Drop the unread frames of a closed WebSocket.

    The socket is part of a reference cycle, so thousands of frames would wait for the next garbage collection. Relies
    on https://github.com/aio-libs/aiohttp/blob/v3.14.0/aiohttp/web_ws.py (_reader, a queue with a _buffer).
    """
    reader: Any = getattr(socket, "_reader", None)
    if reader is not None:  # None for a socket that was never open
        buffer = getattr(reader, "_buffer", None)
        if buffer is None:
            _warn(type(reader), "_buffer")
        else:
            buffer.clear()


def harden_malloc() -> None:
    """Make all threads use one heap of glibc; with a heap each, no thread could use what another has freed."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # only glibc has it
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


def return_memory() -> None:
    """Return free memory to the system, if the C library is glibc."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _set(owner: Any, name: str, value: object) -> None:
    if hasattr(owner, name):
        setattr(owner, name, value)
    else:
        _warn(owner, name)


def _warn(owner: Any, name: str) -> None:
    LOG.warning(
        "%s has no attribute %s; this version of the library is used without that protection", owner, name
    )
