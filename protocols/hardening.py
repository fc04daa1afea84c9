"""Changes to asyncio, aiohttp and glibc, mostly to private parts, so that remote clients cannot exhaust a server.

The docstring of each function says why the change is needed, and on which part of the library it relies. If another
version of the library has no such part, a warning is logged and the library is used unchanged; the tests of this
module then fail. The part of concurrent.futures that engines.worker_pool needs is changed there.
"""

import ctypes
import logging
from asyncio import selector_events
from typing import Any, Final

from aiohttp import web, web_response, web_ws

LOG: Final = logging.getLogger(__name__)
# Bytes that are read from a connection at a time. Hostile clients send short lines, which take twenty times as many
# bytes of memory.
READ_BYTES: Final = 4096
# aiohttp stops reading from a WebSocket when twice as many bytes of frames wait to be handled; it counts each frame as
# 128 bytes more than the frame has.
UNHANDLED_BYTES: Final = 4096
LARGE_BYTES: Final = 131_072  # a block of this size or more goes back to the system when it is freed
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # as in malloc.h of glibc


def harden_asyncio() -> None:
    """Make asyncio read little at a time, because with 200 clients a process grew by 25 MiB an hour.

    asyncio reserves 256 KiB for each read, then frees all but the line that was received. The freed space next to that
    line is too small for the next read, so the heap becomes fragmented and grows. Relies on
    https://github.com/python/cpython/blob/v3.11.0/Lib/asyncio/selector_events.py (max_size).
    """
    _set(getattr(selector_events, "_SelectorTransport", None), "max_size", READ_BYTES)


def harden_aiohttp() -> None:
    """Make aiohttp read few WebSocket frames ahead, and not send its version.

    Instead of UNHANDLED_BYTES, aiohttp 3.14.5 has 256 KiB, so any peer could make it store 4,000 small frames. Relies
    on https://github.com/aio-libs/aiohttp/blob/v3.14.0/aiohttp/web_ws.py (DEFAULT_CHUNK_SIZE) and web_response.py.
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
    """Make all threads share one heap of glibc, so that memory which one thread frees is used by the others."""
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
