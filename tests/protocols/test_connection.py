"""A connection without I/O: lines from bytes, a bounded queue; and the reader that waits for lines."""

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.connection import TEXT_LINES, Connection, DroppableLine, LineReader, LineTooLong
from protocols.limits import MESSAGE_BYTES, TokenBucket
from tests.waiting import counted_turns


def lines_of(connection: Connection) -> list[bytes]:
    return list(iter(connection.next_line, None))


@given(st.lists(st.binary(max_size=12)), st.integers(1, 20))
def test_lines_do_not_depend_on_how_bytes_arrive(parts: list[bytes], most: int) -> None:
    data, whole, parted = b"".join(parts), Connection(1 << 10), Connection(1 << 10)
    whole.receive_data(data or b"\n")
    received = []
    for start in range(0, len(data), most):
        parted.receive_data(data[start : start + most])
        received += lines_of(parted)
    assert received == (lines_of(whole) if data else [])


def test_a_too_long_line_is_reported_after_the_lines_before_it() -> None:
    connection = Connection(16)
    connection.receive_data(b'{"a":1}\n\n{"b"')
    assert lines_of(connection) == [b'{"a":1}', b""]
    connection.receive_data(b":2}\r\n" + b"x" * 15 + b"\n" + b"y" * 16)
    assert [connection.next_line() for _ in range(2)] == [b'{"b":2}\r', b"x" * 15]
    with pytest.raises(LineTooLong):
        connection.next_line()


def test_the_end_of_input_completes_the_last_line() -> None:
    connection = Connection(16)
    connection.receive_data(b"one\ntwo")
    connection.receive_data(b"")
    assert lines_of(connection) == [b"one", b"two"] and connection.has_ended


def test_a_full_queue_drops_only_droppable_lines() -> None:
    calls: list[int] = []
    connection = Connection(16, queue_lines=2, on_writable=lambda: calls.append(1))
    connection.send(b"1\n", DroppableLine(b"2\n"), b"3\n", DroppableLine(b"4\n"))
    assert connection.make_room() and connection.data_to_send() == b"1\n3\n"
    connection.send(b"1\n", b"2\n", b"3\n")
    assert not connection.make_room() and len(calls) == 2


class Bytes:
    """A stream that gives its parts one by one, then waits for ever or ends."""

    def __init__(self, *parts: bytes, ends: bool) -> None:
        self._parts = list(parts)
        self._ends = ends

    async def read(self) -> bytes:
        if self._parts:
            return self._parts.pop(0)
        if not self._ends:
            await asyncio.Event().wait()
        return b""

    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...

    def waiting(self) -> int:
        return 0

    def is_gone(self) -> bool:
        return False

    def close(self) -> None: ...

    def abort(self) -> None: ...


def reader(
    *parts: bytes, ends: bool = True, idle_seconds: float = 5.0, bucket: TokenBucket | None = None
) -> LineReader:
    return LineReader(Bytes(*parts, ends=ends), Connection(1000, bucket), idle_seconds, 100)


async def test_a_reader_gives_lines_until_the_end() -> None:
    lines = reader(b"uci\nis", b"ready\nquit")
    assert [await lines.readline() for _ in range(4)] == [b"uci\n", b"isready\n", b"quit\n", b""]


async def test_only_a_position_may_be_long() -> None:
    lines = reader(b"position " + b"x" * 500 + b"\n" + b"y" * 100 + b"\n")
    assert len(await lines.readline()) == 510
    with pytest.raises(ValueError, match="the line is longer than"):
        await lines.readline()


async def test_a_reader_that_is_ended_stops_waiting() -> None:
    lines = reader(b"one\ntwo\n", ends=False)
    assert await lines.readline() == b"one\n"
    lines.end()
    assert await lines.readline() == b"", "also where lines have come"
    waiting = reader(ends=False)
    task = asyncio.create_task(waiting.readline())
    for _ in range(2):
        await asyncio.sleep(0)
    waiting.end()
    assert await task == b""


async def test_reading_buffered_lines_yields_to_the_event_loop() -> None:
    lines = reader(b"uci\n" * 100)
    async with counted_turns() as turns:
        for _ in range(100):
            await lines.readline()
    assert turns[0] >= 100


@pytest.mark.parametrize("is_late", [False, True])
async def test_lines_of_a_closed_client_that_used_too_much_are_dropped(is_late: bool) -> None:
    async def turn() -> bool:
        return is_late

    stream = Bytes(b"uci\n", ends=True)
    stream.is_gone = lambda: True  # type: ignore[method-assign]
    lines = LineReader(stream, Connection(1000), 1.0, 100, turn)
    assert await lines.readline() == (b"" if is_late else b"uci\n")


async def test_silence_is_a_timeout() -> None:
    with pytest.raises(TimeoutError):
        await reader(ends=False, idle_seconds=0.01).readline()


@pytest.fixture
def clock(virtual_time: Callable[[], float], monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """The virtual clock of the loop, by which buckets are filled too."""
    monkeypatch.setattr("protocols.connection.monotonic", virtual_time)
    return virtual_time


async def test_a_bucket_slows_lines_and_much_less_the_lines_of_a_text(clock: Callable[[], float]) -> None:
    began = clock()
    lines = reader(b"x\n" * 1000, bucket=TokenBucket(100, 10, began))
    for _ in range(15):
        await lines.readline()
    assert clock() - began == pytest.approx(0.05)
    text, began = lines.text(), clock()
    for _ in range(45):
        assert await text.readline() == b"x\n"
    assert clock() == began
    for _ in range(450):
        assert await text.readline() == b"x\n"
    assert clock() - began == pytest.approx(450 / TEXT_LINES / 100, abs=0.02)


async def test_a_long_line_counts_as_several(clock: Callable[[], float]) -> None:
    began = clock()
    connection = Connection(30_000, TokenBucket(100, 1, began))
    lines = LineReader(Bytes(b"x" * 20_000 + b"\nx\n", ends=True), connection, 5.0, 30_000)
    await lines.readline()
    assert await lines.readline() == b"x\n"
    assert clock() - began == pytest.approx(20_001 // MESSAGE_BYTES / 100, abs=0.02)
