"""The JSON form of the bus's events, the same for WebSockets and MQTT, and a log file with one event a line.

The file is written in a thread, not on the event loop. Before it would become longer than its bound, it is renamed
and a new file is started.
"""

import asyncio
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct

from engines.events import KEPT, BroadcastLine, Bus, Event
from protocols.incidents import Incidents
from protocols.jsonl.codec import ENCODER, join_objects

VERSION: Final = 1  # of the form of an event; fields and types may be added without a new version
MAX_BYTES: Final = 64 << 20  # of the file; the file before it may have as many
SUFFIX: Final = ".1"  # of the file before it
PAUSE_SECONDS: Final = 0.2  # between two writes
RETRY_SECONDS: Final = 2.0  # after a write that failed


class _Head(Struct, kw_only=True, omit_defaults=True):
    seq: int
    topic: str
    type: str
    is_state: bool = False


def encode_event(event: Event) -> bytes:
    """Return an event as one JSON object, without a line break.

    The object is {"v":1,"seq":..,"topic":..,"type":..} with the fields of the event's news. The public line of a game
    or a match is in the field `line`, an object as it was sent.
    """
    head = _Head(seq=event.seq, topic=event.topic, type=event.news.type, is_state=event.is_state)
    news = event.news
    body = b'{"line":%b}' % news.line if isinstance(news, BroadcastLine) else ENCODER.encode(news)
    return join_objects(b'{"v":%d}' % VERSION, ENCODER.encode(head), body)


class EventLog:
    """A log file of the bus's events with their times, used as an async context manager.

    A gap in `seq` shows that the bus was faster than the file. `seq` restarts with each run of the program. A full
    file is renamed to FILE.1 and replaces an earlier FILE.1. Events that cannot be written are tried again as long as
    the bus keeps them.
    """

    def __init__(
        self, path: Path, bus: Bus, incidents: Incidents | None = None, max_bytes: int = MAX_BYTES
    ) -> None:
        """Create the file if necessary, and subscribe to the bus. Raises OSError if the file cannot be written."""
        self._path = path
        self._bus = bus
        self._max_bytes = max_bytes
        self._woken = asyncio.Event()
        self._subscription = bus.subscribe(self._woken.set, most=KEPT)
        self._writing: asyncio.Task[None] | None = None
        self._written = bus.seq  # the number of the last event in the file
        self._is_failing = False
        self._incidents = incidents or Incidents()
        try:
            _append(path, b"", max_bytes)
        except FileNotFoundError as error:
            raise FileNotFoundError(
                error.errno, "There is no such folder; create it first", str(path.parent)
            ) from None

    async def __aenter__(self) -> Self:
        self._writing = asyncio.create_task(self._write())
        return self

    async def __aexit__(self, *_: Any) -> None:
        self._bus.unsubscribe(self._subscription)
        if self._writing:
            self._writing.cancel()
            await asyncio.wait({self._writing})
        await self._flush()

    async def _write(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            flushing = asyncio.create_task(self._flush())
            try:
                await asyncio.shield(flushing)
            except asyncio.CancelledError:
                await flushing  # a write in a thread cannot be cancelled
                raise
            if self._is_failing:
                self._woken.set()
            await asyncio.sleep(RETRY_SECONDS if self._is_failing else PAUSE_SECONDS)

    async def _flush(self) -> None:
        events = self._subscription.take()
        if self._is_failing:
            events = list(self._bus.history(self._written))
        if not events:
            return
        data = b"".join(map(_line, events))
        try:
            await asyncio.to_thread(_append, self._path, data, self._max_bytes)
        except OSError as error:  # for example a full disk: games continue without a log
            self._incidents.fail(f"the file of events {self._path}", error)
            self._is_failing = True
        else:
            self._is_failing = False
            self._incidents.recover(f"the file of events {self._path}")
            self._written = events[-1].seq


def _line(event: Event) -> bytes:
    """Return the line of an event in the file: the time, in ISO 8601 and UTC, and the fields of encode_event()."""
    time = datetime.fromtimestamp(event.time, UTC).isoformat(timespec="milliseconds")
    return join_objects(b'{"time":"%b"}' % time.encode(), encode_event(event)) + b"\n"


def _append(path: Path, lines: bytes, max_bytes: int) -> None:
    """Append whole lines, all or none, to the file, or to a new one if it would become too long.

    A torn last line, left by a run that was killed, is ended first.
    """
    with path.open("a+b", buffering=0) as file:
        size = file.tell()
        if size:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                lines = b"\n" + lines
        if not size or size + len(lines) <= max_bytes:
            try:
                while lines:
                    lines = lines[file.write(lines) :]
            except OSError:
                with suppress(OSError):
                    file.truncate(size)
                raise
            return
    path.replace(path.with_name(path.name + SUFFIX))
    _append(path, lines.lstrip(b"\n"), max_bytes)
