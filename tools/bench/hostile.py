"""Benchmark of the server under attack: the duration of a client's pings during 32 hostile connections of one kind.

The server is `galapagos serve` in its own process, and trusts no address. The hostile clients are in a second
process, eight connections to an address, and attack as fast as the server accepts; the client that pings is in this
process. On two processors the hostile process competes with the server and the pings, so the figures are upper
bounds.
"""

import asyncio
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final

from tools.bench.command import Row

CONNECTIONS: Final = 32
CONNECTIONS_OF_ADDRESS: Final = 8
PINGS: Final = 200
PING_SECONDS: Final = 0.08  # between two pings: more than 20 a second would wait for their own limit
LINE_BYTES: Final = 1 << 22
HELLO: Final = b'{"type":"hello","versions":[1]}\n'
NETS: Final = ["evolved-net-seven"] * 6

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Attack = Callable[[Streams], Awaitable[None]]


def hostile() -> Iterator[Row]:
    """Yield the 99th percentile of pings at a quiet server, and during each kind of attack on a new server."""
    for name in ("no attack", *ATTACKS):
        with (
            tempfile.TemporaryDirectory() as home,
            _served(Path(home)) as port,
            _attacked(name, port) if name in ATTACKS else nullcontext(),
        ):
            yield _row(name, asyncio.run(_pings(port)))


def _row(name: str, seconds: list[float]) -> Row:
    note = f"median {median(seconds) * 1000:.2f}, longest {max(seconds) * 1000:.0f} ms, {len(seconds)} pings"
    return Row(
        name=f"ping during {name}, p99", figure=quantiles(seconds, n=100)[98] * 1000, unit="ms", note=note
    )


@contextmanager
def _served(home: Path) -> Iterator[int]:
    command = (
        sys.executable,
        "-m",
        "tools",
        "serve",
        "--proxied",
        "--home",
        str(home),
        "--port",
        "0",
        "--page",
        "0",
    )
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            listening = re.search(r":(\d+) ", process.stdout.readline())
            if listening is None:
                raise RuntimeError("the server has not started")
            yield int(listening[1])
        finally:
            process.terminate()


async def _pings(port: int) -> list[float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.99.1", 0))
    writer.write(HELLO)
    await reader.readline()
    seconds = []
    for number in range(PINGS):
        await asyncio.sleep(PING_SECONDS)
        began = perf_counter()
        writer.write(b'{"type":"ping","id":%d}\n' % number)
        while f'"re":{number}'.encode() not in await reader.readline():
            pass
        seconds.append(perf_counter() - began)
    writer.close()
    return seconds


# -- Hostile clients -------------------------------------------------------------------------------


@contextmanager
def _attacked(name: str, port: int) -> Iterator[None]:
    context = multiprocessing.get_context("spawn")
    begins = context.Event()
    process = context.Process(target=_attack, args=(name, port, begins), daemon=True)
    process.start()
    try:
        begins.wait()
        yield
        if not process.is_alive():
            raise RuntimeError(f"the hostile clients ({name}) have ended early, so nothing was measured")
    finally:
        process.terminate()
        process.join()


def _attack(name: str, port: int, begins: Event) -> None:
    async def attack() -> None:
        begins.set()
        await asyncio.gather(
            *(
                _repeated(ATTACKS[name], port, f"127.0.66.{number // CONNECTIONS_OF_ADDRESS + 1}")
                for number in range(CONNECTIONS)
            )
        )

    with suppress(KeyboardInterrupt):
        asyncio.run(attack())


async def _repeated(attack: Attack, port: int, address: str) -> None:
    """Repeat an attack; open a new connection as soon as the server closes one."""
    while True:
        with suppress(OSError, ValueError, EOFError, asyncio.IncompleteReadError):
            streams = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0), limit=LINE_BYTES
            )
            try:
                await attack(streams)
            finally:
                streams[1].transport.abort()
        await asyncio.sleep(0.01)


def _lines(*lines: bytes, hello: bytes = HELLO, at_once: int = 100) -> Attack:
    """Return an attack that sends the same lines repeatedly, as fast as possible, and discards the answers."""

    async def attack(streams: Streams) -> None:
        reader, writer = streams
        reading = asyncio.create_task(_swallow(reader))
        try:
            writer.write(hello)
            data = b"".join(lines) * at_once
            while not reading.done():
                writer.write(data)
                await writer.drain()
                await asyncio.sleep(0)
        finally:
            reading.cancel()

    return attack


async def _swallow(reader: asyncio.StreamReader) -> None:
    while await reader.read(65_536):
        pass


async def _reconnect(streams: Streams) -> None:
    """Connect, wait for the greeting, and disconnect."""
    reader, writer = streams
    writer.write(HELLO)
    await reader.readline()


async def _message(reader: asyncio.StreamReader, *types: str) -> dict[str, Any]:
    while True:
        line = await reader.readline()
        if not line:
            raise EOFError
        message: dict[str, Any] = json.loads(line)
        if message["type"] in types:
            return message


def _line(**message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


async def _resume(streams: Streams) -> None:
    """Resume the same games repeatedly."""
    reader, writer = streams
    writer.write(HELLO)
    token = (await _message(reader, "welcome"))["resume"]
    games = []
    for seed in range(8):
        writer.write(_line(type="create", game="acquire", seats=["me", "heuristic"], seed=seed))
        created = await _message(reader, "created", "error")
        games += [{"game_id": created["game_id"], "from_seq": 0}] * 8 if "game_id" in created else []
    await _lines(_line(type="resume", token=token, games=games), hello=b"", at_once=1)(streams)


async def _replay(streams: Streams) -> None:
    """Play a turn of Advanced Protection, and request its replay repeatedly."""
    reader, writer = streams
    writer.write(HELLO)
    options = {"money": {"human": 10_000, "chaos": 10_000}}
    writer.write(_line(type="create", game="protection", seats=["me", "chaos:pilot"], options=options))
    decide = await _message(reader, "decide", "error")
    if decide["type"] == "decide":
        setup = {"kind": "setup", "place": [], "salvage": []}
        writer.write(_line(type="action", re=decide["id"], game_id=decide["game_id"], action=setup))
        await _message(reader, "decide", "end")
        await _lines(_line(type="replay", game_id=decide["game_id"], turn=1), hello=b"", at_once=1)(streams)


async def _record(streams: Streams) -> None:
    """Create a game of agents, and request its record repeatedly."""
    reader, writer = streams
    writer.write(HELLO + _line(type="create", game="acquire", seats=NETS))
    created = await _message(reader, "created", "error")
    if created["type"] == "created":
        await _lines(_line(type="record", game_id=created["game_id"]), hello=b"", at_once=10)(streams)


ATTACKS: Final[dict[str, Attack]] = {
    "pings": _lines(b'{"type":"ping"}\n'),
    "blank lines": _lines(b"\n", at_once=2000),
    "malformed lines": _lines(b'{"type":[[[[\n'),
    "long lines": _lines(b'{"type":"ping","id":"' + b"\\" * 60_000 + b'"}\n', at_once=1),
    "nested lines": _lines(b"{" + b"[" * 40 + b'"' + b'\\"' * 30_000 + b"\n", at_once=1),
    "created games": _lines(_line(type="create", game="acquire", seats=["me", *NETS[1:]])),
    "agents' games": _lines(_line(type="create", game="acquire", seats=NETS)),
    "reconnections": _reconnect,
    "resumed games": _resume,
    "replayed turns": _replay,
    "records": _record,
    "endless searches": _lines(b"go infinite\n", b"stop\n", hello=b"uci\n"),
    "positions": _lines(b"position startpos moves" + b" g1f3 g8f6 f3g1 f6g8" * 1600 + b"\n", hello=b"uci\n", at_once=1),
    "warriors": _lines(b";redcode-nano test\n" + b"mov 0, 1\n" * 5 + b"end\n", hello=b""),
}  # fmt: skip
