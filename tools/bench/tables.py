"""The tables' JSON lines over TCP: messages a second through one server process, and the way from action to decide.

The server is a process of its own, this one is its only client; both are on this machine.
"""

import json
import multiprocessing
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from multiprocessing.connection import Connection
from statistics import median
from time import perf_counter
from typing import IO, Any, Final, cast

from tools.bench.row import Row

BATCH: Final = 2000  # messages sent at once
BATCHES: Final = 25
GAMES: Final = 10
HELLO: Final = b'{"type":"hello","versions":[1],"observe":"delta"}\n'
PING: Final = b'{"type":"ping","id":123456}\n'


def tables() -> Iterator[Row]:
    """Pings, whole games, and the time for one decision; the signature is a checksum of the games' results."""
    with _server() as port, socket.create_connection(("127.0.0.1", port)) as connection:
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
            note="as many messages come in as go out",
        )
        yield from _games(connection, lines)


def _games(connection: socket.socket, lines: IO[bytes]) -> Iterator[Row]:
    first: list[float] = []  # seconds from an action to the first line that follows
    last: list[float] = []  # and to the next decide
    results, count, busy = sha256(), 0, 0.0
    for seed in range(GAMES):
        request = {"type": "create", "game": "acquire", "variant": "classic", "seats": ["me", "heuristic"]}
        connection.sendall(json.dumps({**request, "seed": seed}).encode() + b"\n")
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
        note=f"of {len(last)}; the heuristic plays in between; {count / busy:,.0f} messages/s",
    )


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


# -- The server ------------------------------------------------------------------------------------


@contextmanager
def _server() -> Iterator[int]:
    """A server in a process of its own; its port."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), daemon=True)
    process.start()
    try:
        yield here.recv()
    finally:
        process.terminate()
        process.join()


def _serve(parent: Connection) -> None:
    import asyncio

    from engines.engine import Engine, EngineError
    from protocols.limits import Limits
    from protocols.server import Server
    from tools.jsonl import open_host

    async def nothing() -> Engine:
        raise EngineError("only tables here")

    async def run() -> None:
        server = Server(nothing, Limits(), None, open_host(None))
        _, port = await server.start("127.0.0.1", 0)
        parent.send(port)
        await asyncio.Event().wait()

    asyncio.run(run())
