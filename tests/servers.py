"""Servers for tests: inside the test's loop, or `galapagos serve` as a process.

GALAPAGOS_CHECKOUT names another checkout whose processes are tested, with its own Python in .venv.
"""

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from engines.engine import Engine, EngineError
from engines.events import Bus
from protocols.hill.service import HillService
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.runtime import AsyncRuntime
from protocols.jsonl.server import Environment, GameServer
from protocols.limits import GameLimits, Limits
from protocols.server import Server
from tests.protocols.wire import Wire
from tests.waiting import PATIENCE_SECONDS
from tools.games import game_adapters

# -- In the test's loop ----------------------------------------------------------------------------

Connect = Callable[[], Awaitable[Wire]]


@asynccontextmanager
async def listening(
    open_engine: Callable[[], Awaitable[Engine]],
    hills: HillService | None = None,
    games: GameServer | None = None,
    *,
    is_proxied: bool = False,
    **limits: Any,
) -> AsyncIterator[tuple[Connect, Server]]:
    """Run a server on a port of this machine; yield a function that connects to it, and the server."""
    server = Server(open_engine, Limits(**limits), hills, games, is_proxied=is_proxied)
    host, port = await server.start("127.0.0.1", 0)
    wires: list[Wire] = []

    async def connect() -> Wire:
        wires.append(await Wire.open(host, port))
        return wires[-1]

    try:
        yield connect, server
    finally:
        for wire in wires:
            await wire.close()
        await server.stop()


async def no_engine() -> Engine:
    raise EngineError("out of engines")


@asynccontextmanager
async def game_server(
    adapters: Mapping[str, GameAdapter] | None = None, bus: Bus | None = None, token: str = "", **limits: Any
) -> AsyncIterator[GameServer]:
    """Run a server of all games, or of these, without a port; it must not report any fault."""
    faults: list[str] = []
    game_limits = GameLimits(**limits)
    async with AsyncRuntime(game_limits.workers) as runtime:
        environment = Environment(runtime=runtime, bus=bus, log=faults.append)
        yield GameServer(adapters or game_adapters(), environment, limits=game_limits, token=token)
    assert not faults


# -- As a process ----------------------------------------------------------------------------------

CHECKOUT: Final = Path(os.environ.get("GALAPAGOS_CHECKOUT", Path(__file__).parents[1]))
_ADDRESSES: Final = (f"127.1.{number // 250}.{number % 250 + 1}" for number in count())  # of this machine


def command(*words: object) -> tuple[str, ...]:
    python = str(CHECKOUT / ".venv/bin/python") if "GALAPAGOS_CHECKOUT" in os.environ else sys.executable
    return (python, "-m", "tools", *map(str, words))


def fresh(count: int) -> list[str]:
    """Return addresses of clients that have not connected to any server of this process."""
    return [next(_ADDRESSES) for _ in range(count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A server in a process, and the connections to it."""

    pid: int
    port: int  # of engines and games
    page: int  # its port
    greeting: str  # the two lines that name these ports
    wires: list[Wire] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.page}/"

    async def connect(self, address: str = "", port: int = 0) -> Wire:
        """Connect to the port of engines and games, or another one; `address` is the client's, by default a new one."""
        local = (address or next(_ADDRESSES), 0)
        self.wires.append(await Wire.open("127.0.0.1", port or self.port, local_addr=local))
        return self.wires[-1]

    async def close(self) -> None:
        """Abort all connections of connect()."""
        for wire in self.wires:
            wire.writer.transport.abort()
        await asyncio.gather(*(wire.writer.wait_closed() for wire in self.wires), return_exceptions=True)

    def open_socket(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)

    def submit(self, text: bytes) -> str:
        """Return the answer to a text. Raises ConnectionError if the answer is cut off."""
        with self.open_socket() as line, line.makefile(encoding="iso-8859-1", newline="\n") as file:
            line.sendall(text)
            line.shutdown(socket.SHUT_WR)
            answer = file.read()
        if not answer.endswith(".\n"):
            raise ConnectionError(f"no whole answer: {answer[-100:]!r}")
        return answer.removesuffix(".\n")

    def cpu_seconds(self) -> dict[int, float]:
        """Return the processor time of the server and each of its workers so far, by process."""
        second = os.sysconf("SC_CLK_TCK")
        return {
            pid: (int(fields[11]) + int(fields[12])) / second  # utime, stime
            for pid, fields in _family(self.pid)
        }

    def most_memory(self) -> int:
        """Return the resident bytes of the largest of its processes, at its largest."""
        return max(_high_water(pid) for pid, _ in _family(self.pid))


@dataclass(frozen=True, slots=True, kw_only=True)
class Served(Running):
    """A server of an asynchronous test, which may end it."""

    process: asyncio.subprocess.Process


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedSync(Running):
    """A server of a test without a loop, which may end it."""

    process: "subprocess.Popen[bytes]"


@asynccontextmanager
async def served(*words: object, program: Sequence[str] = command(), **options: Any) -> AsyncIterator[Served]:
    """Run `galapagos serve`, or another program with the same words; `options` are those of the process.

    Raises AssertionError with the lines of the process, and with its errors if they are piped, if it does not start.
    """
    process = await asyncio.create_subprocess_exec(*_serve(program, words), **(_OPTIONS | options))
    assert process.stdout
    lines = [await process.stdout.readline(), await process.stdout.readline()]
    if not lines[1] and process.stderr:
        lines.append(await process.stderr.read())
    server = Served(process=process, pid=process.pid, **_addresses(lines))
    try:
        yield server
    finally:
        await server.close()
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
        # To the end of its pipes, which its own processes close a moment later.
        await asyncio.wait_for(process.communicate(), PATIENCE_SECONDS)


@contextmanager
def served_sync(*words: object, program: Sequence[str] = command(), **options: Any) -> Iterator[ServedSync]:
    """Do what served() does, without a loop."""
    process: subprocess.Popen[bytes]
    with subprocess.Popen(_serve(program, words), **(_OPTIONS | options)) as process:
        try:
            assert process.stdout
            lines = [process.stdout.readline(), process.stdout.readline()]
            yield ServedSync(process=process, pid=process.pid, **_addresses(lines))
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


_OPTIONS: Final[dict[str, Any]] = {"cwd": CHECKOUT, "stdout": subprocess.PIPE}


def _serve(program: Sequence[str], words: Sequence[object]) -> list[str]:
    return [*program, "serve", "--port", "0", "--page", "0", "--workers", "1", *map(str, words)]


def _addresses(lines: Sequence[bytes]) -> dict[str, Any]:
    greeting = b"".join(lines).decode()
    found = re.match(r".*listening on 127\.0\.0\.1:(\d+) .*\n.*http://127\.0\.0\.1:(\d+)/", greeting)
    assert found, greeting
    return {"port": int(found[1]), "page": int(found[2]), "greeting": greeting}


def _family(pid: int) -> Iterator[tuple[int, list[str]]]:
    """Yield a process and its descendants, each with the fields of its stat after the name."""
    stats = {int(path.parent.name): _stat(path) for path in Path("/proc").glob("[0-9]*/stat")}
    family = {pid}
    for each in sorted(stats):
        if stats[each] and int(stats[each][1]) in family:
            family.add(each)
    return ((each, stats[each]) for each in sorted(family) if stats.get(each))


def _stat(path: Path) -> list[str]:
    try:
        return path.read_text().rpartition(")")[2].split()
    except OSError:  # it has just ended
        return []


def _high_water(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return sum(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))
