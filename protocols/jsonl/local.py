"""Clients in the same process as their game server, for the terminal, adapters and tests."""

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
    """An `error` of the server; `data` has its details for programs."""

    def __init__(self, error: Message) -> None:
        self.data: Message = error.get("data") or {}
        path = self.data.get("path", "").removeprefix("$.")
        super().__init__(f"{path}: {error['message']}" if path else error["message"])


class LocalRuntime:
    """A runtime that runs jobs and callbacks when a client waits for an answer. Timers for later are never called."""

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
        """Run all jobs and callbacks, and those that follow from them."""
        while self._jobs or self._callbacks:
            if self._callbacks:
                self._callbacks.pop(0)()
                continue
            job = self._jobs.pop(0)
            began = monotonic()
            outcome = job.function(job.argument)
            job.on_done(outcome, monotonic() - began)


def local_clients(adapters: Mapping[str, GameAdapter], count: int = 1) -> "list[LocalClient]":
    """Return `count` clients of a new server of these games."""
    runtime = LocalRuntime()
    server = GameServer(adapters, Environment(runtime=runtime))
    return [LocalClient(server, runtime) for _ in range(count)]


class LocalClient:
    """A client of a server in this process."""

    def __init__(self, server: GameServer, runtime: LocalRuntime) -> None:
        self._server = server
        self._runtime = runtime
        self._connection = server.connections.open(is_trusted=True, is_silent=True)

    def say(self, **message: Any) -> list[Message]:
        """Send a message, and return all messages that the server sends until it waits for the client again.

        Raises Refused if the first of them is an error.
        """
        receive(self._server, self._connection, msgspec.json.encode(message))
        self._runtime.run()
        received = self.received()
        if received and received[0]["type"] == "error":
            raise Refused(received[0])
        return received

    def received(self) -> list[Message]:
        """Return the messages since the last call; other clients of the server can cause some."""
        return [msgspec.json.decode(line) for line in self._connection.data_to_send().splitlines()]

    def record(self, game_id: str) -> list[str]:
        """Return the record of a game so far, which contains everything that is hidden."""
        return [line.decode().rstrip("\n") for line in self._server.games[game_id].lines.record]
