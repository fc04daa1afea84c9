"""Conversations of clients through the broker, each over its own stream, as over a socket."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from protocols.accounts import Accounts
from protocols.jsonl.codec import encode, error_of
from protocols.jsonl.messages import Refusal
from protocols.jsonl.runtime import serve_connection
from protocols.jsonl.server import GameServer
from protocols.mqtt.topics import Publication, Request, Topics

MAX_UNREAD_BYTES: Final = 1 << 20  # of one client
REQUEST_BYTES: Final = 128  # that an unread request takes in addition to its payload
MAX_PENDING: Final = 256  # requests of one client whose answers go to topics of their own
EXPIRY_SECONDS: Final = 120  # of lines to a client, which must resume after longer absences

Put = Callable[[Publication], None]


class ClientStreams:
    """The running conversations, by client."""

    def __init__(self, games: GameServer, accounts: Accounts, topics: Topics, put: Put, most: int) -> None:
        """Create an empty set of at most `most` conversations, whose lines are published with `put`.

        Each client has its own account.
        """
        self._games = games
        self._accounts = accounts
        self._topics = topics
        self._put = put
        self._max_streams = most
        self._streams: dict[str, ClientStream] = {}
        self._conversations: set[asyncio.Task[None]] = set()

    def receive(self, client: str, request: Request) -> None:
        """Pass a line to the conversation of its client; the first line starts one."""
        stream = self._streams.get(client)
        if stream is None:
            if len(self._streams) >= self._max_streams:
                refusal = error_of(
                    Refusal("busy", "the server has too many MQTT clients; try again later", fatal=True)
                )
                self._put(Publication(topic=request.response, payload=encode(refusal).rstrip()))
                return
            stream = ClientStream(client, self._topics, self._put)
            self._streams[client] = stream
            task = asyncio.create_task(self._converse(client, stream))
            self._conversations.add(task)
            task.add_done_callback(self._conversations.discard)
        stream.feed(request)

    def stop(self) -> None:
        """Cancel all conversations."""
        for conversation in self._conversations:
            conversation.cancel()

    async def _converse(self, client: str, stream: "ClientStream") -> None:
        try:
            account = self._accounts.of(f"mqtt client {client}")
            await account.meter(serve_connection(self._games, stream, account=account))
        finally:
            del self._streams[client]
        for request in stream.unread():  # lines sent after a bye start the next conversation
            self.receive(client, request)


class _Routing(Struct):
    """The fields of a line that its topic depends on."""

    type: str = ""
    re: Any = None
    id: Any = None
    game_id: str | None = None
    seat: int | None = None


ROUTING: Final = msgspec.json.Decoder(_Routing)


class ClientStream:
    """The stream of a client's conversation (protocols.connection.Stream); a message is a line without its break.

    It does not use asyncio.StreamReader, because requests that are unread at the end go to the next conversation,
    message by message.
    """

    def __init__(self, client: str, topics: Topics, put: Put) -> None:
        self._client = client
        self._topics = topics
        self._put = put
        self._received: asyncio.Queue[Request | None] = asyncio.Queue()  # None: the end
        self._unread = 0  # bytes in `_received`
        self._is_closed = False
        self._waiting = 0  # bytes that the broker does not have yet
        self._sent = asyncio.Event()  # set while the broker has all lines
        self._sent.set()
        self._pending: OrderedDict[Any, Request] = OrderedDict()  # by ID, with a topic for the answer
        self._seats: dict[str, int] | None = None  # by game, for a client that wants its games by seat

    def feed(self, request: Request) -> None:
        """Queue a request that has arrived. More than MAX_UNREAD_BYTES of unread requests end the stream."""
        self._unread += len(request.payload) + REQUEST_BYTES
        self._received.put_nowait(request if self._unread <= MAX_UNREAD_BYTES else None)

    def unread(self) -> list[Request]:
        """Return the requests that were not read before the conversation ended."""
        requests = [self._received.get_nowait() for _ in range(self._received.qsize())]
        return [each for each in requests if each] if self._unread <= MAX_UNREAD_BYTES else []

    async def read(self) -> bytes:
        request = await self._received.get()
        if request and self._is_closed:
            self._received.put_nowait(request)
        if request is None or self._is_closed:
            return b""
        self._unread -= len(request.payload) + REQUEST_BYTES
        if request.by_seat and self._seats is None:
            self._seats = {}
        if request.response != self._topics.client_topic(self._client) or request.correlation is not None:
            self._remember(request)
        return request.payload + b"\n"

    readline = read

    def write(self, data: bytes) -> None:
        for line in data.splitlines():
            self._waiting += len(line)
            self._sent.clear()
            self._put(self._publication(line))

    async def drain(self) -> None:
        await self._sent.wait()

    def waiting(self) -> int:
        return self._waiting

    def is_gone(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        self._is_closed = True
        self._received.put_nowait(None)

    abort = close

    # -- Helpers ------------------------------------------------------------------------------------

    def _remember(self, request: Request) -> None:
        """Keep the topic and correlation data for the answer to a request that has an ID."""
        try:
            id = ROUTING.decode(request.payload).id
        except (msgspec.DecodeError, RecursionError):
            return
        if isinstance(id, int | str):
            self._pending[id] = request
            if len(self._pending) > MAX_PENDING:
                self._pending.popitem(last=False)

    def _publication(self, line: bytes) -> Publication:
        topic, correlation = self._topics.client_topic(self._client), None
        if self._pending or self._seats is not None:
            routing = ROUTING.decode(line)
            request = self._pending.pop(routing.re, None) if isinstance(routing.re, int | str) else None
            if request:
                topic, correlation = request.response, request.correlation
            elif self._seats is not None and routing.game_id:
                topic = self._seat_topic(routing.type, routing.game_id, routing.seat, self._seats) or topic
        return Publication(
            topic=topic,
            payload=line,
            correlation=correlation,
            expiry_seconds=EXPIRY_SECONDS,
            done=partial(self._confirmed, len(line)),
        )

    def _seat_topic(self, kind: str, game_id: str, seat: int | None, seats: dict[str, int]) -> str | None:
        """Return the topic of the seat for a line of a game, or None if the client has no seat in that game."""
        if kind == "start" and seat is not None:
            seats[game_id] = seat
        if game_id not in seats:
            return None
        own = seats.pop(game_id) if kind == "end" else seats[game_id]
        return self._topics.seat(
            game_id, seat if kind == "decide" and seat is not None else own, self._client
        )

    def _confirmed(self, size: int) -> None:
        self._waiting -= size
        if not self._waiting:
            self._sent.set()
