"""A game server with fixed ids and a clock that only tests move, and clients that talk to it."""

import heapq
import json
import pickle
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from engines.events import Bus
from engines.protection.profile import ProfileStore
from engines.seeds import SeededStreams
from protocols.accounts import Account, Accounts
from protocols.jsonl.adapter import GameAdapter, Job
from protocols.jsonl.calls import attempt
from protocols.jsonl.handlers import receive
from protocols.jsonl.journal import Journal
from protocols.jsonl.server import Environment, GameServer, IdGenerator
from protocols.jsonl.session import ClientConnection
from protocols.limits import Limits
from tests.fifth_game.adapter import tic_tac_toe

SEED = SeededStreams(42, "9f2c4e0b7d1a55c3a1e6b87f20d4c913")  # of the protocol's examples


class FixedIds(IdGenerator):
    """Ids counted from where a test begins."""

    def __init__(self, first_game: int = 12, first_session: int = 1, seed: SeededStreams = SEED) -> None:
        self.first_decide = 101
        self._counts = {"s": first_session, "r": first_session, "g": first_game, "m": 1, "p": 1}
        self._seed = seed

    def _next(self, letter: str) -> str:
        self._counts[letter] += 1
        return f"{letter}-{self._counts[letter] - 1}"

    def session(self) -> str:
        return self._next("s")

    def token(self) -> str:
        return self._next("r")

    def profile_token(self) -> str:
        return self._next("p")

    def game(self) -> str:
        return self._next("g")

    def match(self) -> str:
        return self._next("m")

    def seed(self) -> SeededStreams:
        return self._seed


class FakeRuntime:
    """A clock that only tests move, timers that ring when it has passed them, and jobs that wait to be done."""

    def __init__(self) -> None:
        self.now = 100.0
        self.jobs: list[Job] = []
        self._timers: list[tuple[float, int, Callable[[], object]]] = []
        self._order = count()

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], object], /) -> None:
        heapq.heappush(self._timers, (when, next(self._order), callback))

    def call_in_turn(self, account: Account | None, callback: Callable[[], object]) -> None:
        self.call_at(self.now + (account.delay(self.now) if account else 0.0), callback)

    @property
    def timers(self) -> int:
        return len(self._timers)

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def work(self, most: int = 1_000_000, *, last_first: bool = False) -> None:
        """Do the jobs, or some, as another process would; they may come back in any order."""
        while self.jobs and most:
            self._do(self.jobs.pop(-1 if last_first else 0))
            most -= 1

    def settle(self) -> None:
        """Compute the answers that requests wait for, and call what is due at once."""
        for job in [job for job in self.jobs if job.function is attempt]:
            self.jobs.remove(job)
            self._do(job)
        self.wait(0.0)

    def _do(self, job: Job) -> None:
        function, argument = pickle.loads(pickle.dumps((job.function, job.argument)))
        job.on_done(pickle.loads(pickle.dumps(function(argument))), 0.5)

    def wait(self, seconds: float) -> None:
        """Let time pass; everything is done when it is due."""
        until = self.now + seconds
        while self._timers and self._timers[0][0] <= until:
            when, _, callback = heapq.heappop(self._timers)
            self.now = max(self.now, when)
            callback()
        self.now = max(self.now, until)


class FakeServer(FakeRuntime):
    """A server of games without sockets; `log` is what it has reported."""

    def __init__(
        self,
        adapters: Mapping[str, GameAdapter] | None = None,
        *,
        journal: Journal | None = None,
        bus: Bus | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.log: list[str] = []
        self.accounts = Accounts(Limits(), self.time)
        settings.setdefault("ids", FixedIds())
        environment = Environment(runtime=self, journal=journal, bus=bus, log=self.log.append)
        self.games = GameServer(adapters or tic_tac_toe(), environment, name="galapagos 1.0.0", **settings)

    def client(self, *, is_trusted: bool = True, is_silent: bool = False, address: str = "") -> "Client":
        account = self.accounts.of(address) if address else None
        connection = self.games.connections.open(
            is_trusted=is_trusted, is_silent=is_silent, address=address, account=account
        )
        return Client(self, connection)

    def player(self, address: str = "", **hello: Any) -> "Client":
        """A client who has been welcomed: of this machine, or a remote one of this address."""
        client = self.client(is_trusted=not address, address=address)
        client.say(type="hello", versions=[1], **hello)
        (client.welcome,) = client.received()
        assert client.welcome["type"] == "welcome"
        return client

    def flush_profiles(self) -> None:
        """Wait until the files of profiles are as the server knows them."""
        for adapter in self.games.adapters.values():
            if isinstance(adapter.profiles, ProfileStore):
                adapter.profiles.flush()


class Client:
    """One connection; what it has received is kept as lines."""

    def __init__(self, server: FakeServer, connection: ClientConnection) -> None:
        self.server = server
        self.connection = connection
        self.welcome: dict[str, Any] = {}

    def send(self, data: bytes) -> None:
        """Send a line; what follows from it without a wait, the answers of other processes included, has happened."""
        receive(self.server.games, self.connection, data)
        self.server.settle()
        assert not self.server.log, self.server.log[0]

    def say(self, **message: Any) -> None:
        self.send(json.dumps(message).encode())

    def lines(self) -> list[str]:
        """What has come since the last time."""
        return self.connection.data_to_send().decode().splitlines()

    def received(self) -> list[dict[str, Any]]:
        """The messages that have come since the last time, without pings."""
        messages = [json.loads(line) for line in self.lines()]
        return [message for message in messages if message["type"] != "ping"]

    def ask(self, **message: Any) -> dict[str, Any]:
        """The one answer to a request."""
        self.say(**message)
        (answer,) = self.received()
        return dict(answer)

    def leave(self) -> None:
        self.server.games.connections.close(self.connection)

    def create(self, **message: Any) -> list[dict[str, Any]]:
        self.say(type="create", **{"game": "tic-tac-toe", "seats": ["me", "first"], **message})
        return self.received()

    def play_out(
        self, choose: Callable[[dict[str, Any]], Any], received: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Answer every decide until the end comes; the end."""
        while True:
            for message in received:
                if message["type"] == "end":
                    return message
                if message["type"] == "decide":
                    self.say(
                        type="action", re=message["id"], game_id=message["game_id"], seq=message["seq"],
                        action=choose(message),
                    )  # fmt: skip
            received = self.received()
            assert received, "nobody says anything"


def first_listed(decide: dict[str, Any]) -> Any:
    """The first legal action."""
    return decide["legal"]["actions"][0]


def resumed(server: FakeServer, token: str) -> Client:
    """A client who has taken up a session again; what follows is still to be received."""
    client = server.client()
    client.say(type="hello", versions=[1])
    client.lines()
    client.say(type="resume", token=token)
    return client
