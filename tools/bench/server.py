"""Benchmarks of the programs through their protocols: `galapagos-chess` over stdio, and JSON lines over TCP.

The server of the JSON lines runs in its own process and its clients in this one, on the same machine.
"""

import asyncio
import json
import multiprocessing
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time, sleep
from typing import IO, Any, Final, cast

from tools.bench.command import Row

COMMAND: Final = (sys.executable, "-m", "tools.chess_engine")
POSITION: Final = "position fen r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 2 12"
ROUNDS: Final = 9
QUESTIONS: Final = 300

BATCH: Final = 2000  # messages sent at once
BATCHES: Final = 25
GAMES: Final = 10
CLIENTS: Final = 100  # at once
LINE_BYTES: Final = 1 << 20
HELLO: Final = b'{"type":"hello","versions":[1]}\n'
PING: Final = b'{"type":"ping","id":123456}\n'


def startup() -> Iterator[Row]:
    """Measure the time from the start of the process to uciok, and to CECP's done=1."""
    for question, answer in (("uci", "uciok"), ("xboard\nprotover 2", "feature done=1")):
        seconds = []
        for _ in range(ROUNDS):
            started = perf_counter()
            with _engine() as gui:
                gui.send(question)
                seconds.append(gui.wait_for(answer) - started)
        yield Row(name=f"ready ({answer})", figure=median(seconds) * 1000, unit="ms", note="median of 9")


def memory() -> Iterator[Row]:
    """Measure resident memory after a search of three seconds with a hash of 16 MB."""
    with _engine() as gui:
        gui.send("uci")
        gui.wait_for("uciok")
        gui.send("setoption name Hash value 16")
        gui.send(POSITION)
        gui.send("go movetime 3000")
        gui.wait_for("bestmove")
        status = Path(f"/proc/{gui.pid}/status").read_text()
        kilobytes = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        yield Row(name="resident memory, 16 MB hash", figure=kilobytes / 1024, unit="MiB")


def latency() -> Iterator[Row]:
    """Measure the time to answer isready in a search and ping in an analysis, and from stop and ? to the move."""
    with _engine() as gui:
        gui.send("uci")
        gui.send(POSITION)
        gui.send("go infinite")
        yield _slowest(
            "isready while searching, p99", [_ask(gui, "isready", "readyok") for _ in range(QUESTIONS)]
        )
        gui.send("stop")
        gui.wait_for("bestmove")
        yield _slowest(
            "stop to bestmove, p99", [_stop(gui, "go infinite", "stop", "bestmove") for _ in range(100)]
        )
    with _engine() as gui:
        gui.send("xboard\nprotover 2\nforce\nanalyze")
        yield _slowest("ping while analysing, p99", [_ask(gui, "ping 1", "pong 1") for _ in range(QUESTIONS)])
        gui.send("exit")
        waits = [_stop(gui, "new\nforce\nst 30\ngo", "?", "move") for _ in range(100)]
        yield _slowest("? to move, p99", waits)


def tables() -> Iterator[Row]:
    """Measure messages a second through one server, and the time from an action to the next decide.

    The signature is a checksum of the results.
    """
    with _server() as (port, server), socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = cast(IO[bytes], connection.makefile("rb", buffering=1 << 16))
        connection.sendall(HELLO)
        lines.readline()
        started = perf_counter()
        for _ in range(BATCHES):
            connection.sendall(PING * BATCH)
            for _ in range(BATCH):
                lines.readline()
        seconds = perf_counter() - started
        yield Row(
            name="JSON lines: ping over TCP",
            figure=BATCH * BATCHES / seconds,
            unit="answers/s",
            note="each answer is to one message",
        )
        yield from _games(connection, lines)
        yield asyncio.run(_many_clients(port, server))


# -- An engine on stdio ------------------------------------------------------------------------------


class _Gui:
    """The GUI's end of the pipes to an engine."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None and process.stdout is not None
        self._input, self._output = process.stdin, process.stdout
        self.pid = process.pid

    def send(self, line: str) -> None:
        self._input.write(line + "\n")
        self._input.flush()

    def wait_for(self, start: str) -> float:
        """Wait for a line that starts with `start` and return the time of its arrival."""
        while not self._output.readline().startswith(start):
            pass
        return perf_counter()


@contextmanager
def _engine() -> Iterator[_Gui]:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        gui = _Gui(process)
        try:
            yield gui
        finally:
            gui.send("quit")


def _ask(gui: _Gui, question: str, answer: str) -> float:
    sleep(0.003)
    started = perf_counter()
    gui.send(question)
    return gui.wait_for(answer) - started


def _stop(gui: _Gui, start: str, stop: str, answer: str) -> float:
    gui.send(start)
    sleep(0.02)
    started = perf_counter()
    gui.send(stop)
    return gui.wait_for(answer) - started


def _slowest(name: str, seconds: list[float]) -> Row:
    return Row(
        name=name,
        figure=quantiles(seconds, n=100)[98] * 1000,
        unit="ms",
        note=f"median {median(seconds) * 1000:.2f} ms of {len(seconds)}",
    )


# -- Clients and server over TCP ---------------------------------------------------------------------


def _games(connection: socket.socket, lines: IO[bytes]) -> Iterator[Row]:
    first: list[float] = []  # seconds from an action to the next line
    last: list[float] = []  # seconds from an action to the next decide
    results, count, busy = sha256(), 0, 0.0
    for seed in range(GAMES):
        connection.sendall(_create(seed))
        sent = 0.0
        is_answered = True
        while True:
            line = lines.readline()
            count += 1
            if not is_answered:
                first.append(perf_counter() - sent)
                is_answered = True
            if line.startswith(b'{"type":"decide"'):
                if sent:
                    last.append(perf_counter() - sent)
                    busy += last[-1]
                action = _answer(json.loads(line))
                sent, is_answered = perf_counter(), False
                connection.sendall(action)
                count += 1
            elif line.startswith(b'{"type":"end"'):
                results.update(json.dumps(json.loads(line)["result"]).encode())
                break
    signature = results.hexdigest()[:8]
    yield Row(name="JSON lines: action to event", figure=median(first) * 1000, unit="ms", signature=signature)
    yield Row(
        name="JSON lines: action to next decide",
        figure=median(last) * 1000,
        unit="ms",
        signature=signature,
        note=f"of {len(last)} decisions; the heuristic plays in between; {count / busy:,.0f} messages/s",
    )


async def _many_clients(port: int, server: Connection) -> Row:
    """Measure messages in both directions while many clients each play a game, all at once."""
    started, used = perf_counter(), _cpu_seconds(server)
    games = await asyncio.gather(*(_game(port, seed) for seed in range(CLIENTS)))
    seconds, cpu_seconds = perf_counter() - started, _cpu_seconds(server) - used
    messages = sum(count for count, _ in games)
    results = sha256()
    for _, result in games:
        results.update(json.dumps(result).encode())
    return Row(
        name=f"JSON lines: {CLIENTS} clients at once",
        figure=messages / cpu_seconds,
        unit="/CPU-s",
        signature=results.hexdigest()[:8],
        note=f"messages while the server plays whole games; {messages / seconds:,.0f} a second of wall time",
    )


async def _game(port: int, seed: int) -> tuple[int, Any]:
    """Play a game and return its number of messages and its result."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LINE_BYTES)
    writer.write(HELLO + _create(seed))
    count = 2
    while line := await reader.readline():
        count += 1
        if line.startswith(b'{"type":"decide"'):
            writer.write(_answer(json.loads(line)))
            count += 1
        elif line.startswith(b'{"type":"end"'):
            writer.close()
            return count, json.loads(line)["result"]
    raise ConnectionError("the server has closed the connection")


def _create(seed: int) -> bytes:
    request = {"type": "create", "game": "acquire", "variant": "classic", "seats": ["me", "heuristic"]}
    return json.dumps({**request, "seed": seed}).encode() + b"\n"


def _answer(decide: dict[str, Any]) -> bytes:
    actions = decide["legal"]["actions"]
    message = {
        "type": "action",
        "re": decide["id"],
        "game_id": decide["game_id"],
        "seq": decide["seq"],
        "action": actions[decide["seq"] % len(actions)],
    }
    return json.dumps(message).encode() + b"\n"


@contextmanager
def _server() -> Iterator[tuple[int, Connection]]:
    """Start a server in its own process; yield its port and the pipe for _cpu_seconds()."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), daemon=True)
    process.start()
    there.close()  # so that recv() fails if the server does
    try:
        yield here.recv(), here
    finally:
        process.terminate()
        process.join()


def _cpu_seconds(server: Connection) -> float:
    """Return the CPU seconds of the server so far."""
    server.send("used?")
    seconds: float = server.recv()
    return seconds


def _serve(parent: Connection) -> None:
    from engines.engine import Engine, EngineError
    from protocols.jsonl.runtime import AsyncRuntime
    from protocols.limits import Limits
    from protocols.server import Server
    from tools.jsonl import open_server

    async def no_engine() -> Engine:
        raise EngineError("this server has no engines, only games")

    def send_usage() -> None:
        parent.recv()
        parent.send(process_time())

    async def run() -> None:
        limits = Limits(connections=CLIENTS + 1, connections_per_address=CLIENTS + 1)
        with open_server(None, None, AsyncRuntime(1)) as games:
            server = Server(no_engine, limits, None, games)
            _, port = await server.start("127.0.0.1", 0)
            parent.send(port)
            asyncio.get_running_loop().add_reader(parent.fileno(), send_usage)
            await asyncio.Event().wait()

    asyncio.run(run())
