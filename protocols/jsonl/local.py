"""A client in this process, and a game server that nobody else uses: messages go in, messages come out."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

import msgspec

from protocols.accounts import Account
from protocols.jsonl.adapter import GameAdapter, Job
from protocols.jsonl.handlers import receive
from protocols.jsonl.server import Environment, GameServer

Message = dict[str, Any]


class Refused(ValueError):
    """The server's `error`: its text for people, its `data` for programs."""

    def __init__(self, error: Message) -> None:
        self.data: Message = error.get("data") or {}
        path = self.data.get("path", "").removeprefix("$.")
        super().__init__(f"{path}: {error['message']}" if path else error["message"])


class LocalRuntime:
    """Does jobs, and calls what is due at once, when the client waits for an answer. No other timer ever rings."""

    time = staticmethod(monotonic)

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._callbacks: list[Callable[[], object]] = []

    def call_at(self, when: float, callback: Callable[[], object], /) -> None:
        if when <= self.time():
            self._callbacks.append(callback)

    def call_in_turn(self, account: Account | None, callback: Callable[[], object]) -> None:
        self._callbacks.append(callback)

    def submit(self, job: Job) -> None:
        self._jobs.append(job)

    def run(self) -> None:
        """Do all jobs and callbacks, and those that follow from them."""
        while self._jobs or self._callbacks:
            if self._callbacks:
                self._callbacks.pop(0)()
                continue
            job = self._jobs.pop(0)
            began = monotonic()
            outcome = job.function(job.argument)
            job.on_done(outcome, monotonic() - began)


def local_clients(adapters: Mapping[str, GameAdapter], count: int = 1) -> "list[LocalClient]":
    """Return `count` clients of a new server."""
    runtime = LocalRuntime()
    server = GameServer(adapters, Environment(runtime=runtime))
    return [LocalClient(server, runtime) for _ in range(count)]


class LocalClient:
    """One client of a server in this process."""

    def __init__(self, server: GameServer, runtime: LocalRuntime) -> None:
        self._server = server
        self._runtime = runtime
        self._connection = server.connections.open(is_trusted=True, is_silent=True)

    def say(self, **message: Any) -> list[Message]:
        """Everything that is sent until the server waits for us again. Refused if the first of it is an error."""
        receive(self._server, self._connection, msgspec.json.encode(message))
        self._runtime.run()
        received = self.received()
        if received and received[0]["type"] == "error":
            raise Refused(received[0])
        return received

    def received(self) -> list[Message]:
        """Return the messages that have arrived since the last call; other clients of the server can cause some."""
        return [msgspec.json.decode(line) for line in self._connection.data_to_send().splitlines()]

    def record(self, game_id: str) -> list[str]:
        """The lines of a game so far, with all that is hidden in it."""
        return [line.decode().rstrip("\n") for line in self._server.games[game_id].lines.record]
