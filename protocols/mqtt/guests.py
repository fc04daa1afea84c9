"""Clients that converse through the broker: each of them over a stream of its own, as over a socket."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from protocols.jsonl.codec import encode, error_of
from protocols.jsonl.host import Host
from protocols.jsonl.messages import Refusal
from protocols.mqtt.letter import Letter
from protocols.mqtt.outbox import Publication
from protocols.mqtt.topics import Topics

MOST_UNREAD_BYTES: Final = 1 << 20  # of one client
MOST_AWAITED: Final = 256  # answers of one client that are to go to topics of their own
EXPIRY_SECONDS: Final = 120  # of lines to a client; after that it has to resume

Put = Callable[[Publication], None]


class Guests:
    """The conversations that are under way, by client."""

    def __init__(self, tables: Host, topics: Topics, put: Put, most: int) -> None:
        """`put` publishes; at most so many clients at a time."""
        self._tables = tables
        self._topics = topics
        self._put = put
        self._most = most
        self._streams: dict[str, GuestStream] = {}
        self._conversations: set[asyncio.Task[None]] = set()

    def receive(self, client: str, letter: Letter) -> None:
        """A client says something; if it is the first, a conversation begins."""
        stream = self._streams.get(client)
        if stream is None:
            if len(self._streams) >= self._most:
                refusal = error_of(Refusal("busy", "too many clients; try again later", fatal=True))
                self._put(Publication(topic=letter.response, payload=encode(refusal).rstrip()))
                return
            stream = GuestStream(client, self._topics, self._put)
            self._streams[client] = stream
            task = asyncio.create_task(self._converse(client, stream))
            self._conversations.add(task)
            task.add_done_callback(self._conversations.discard)
        stream.feed(letter)

    def stop(self) -> None:
        """End all of them."""
        for conversation in self._conversations:
            conversation.cancel()

    async def _converse(self, client: str, stream: "GuestStream") -> None:
        try:
            await self._tables.converse(stream, is_trusted=False)
        finally:
            del self._streams[client]
        for letter in stream.unread():  # said after a bye: the next conversation
            self.receive(client, letter)


class _Routed(Struct):
    """As much of a line as its way depends on."""

    type: str = ""
    re: Any = None
    id: Any = None
    game_id: str | None = None
    seat: int | None = None


ROUTED: Final = msgspec.json.Decoder(_Routed)


class GuestStream:
    """A client's conversation (protocols.stream.Stream): messages are lines without their breaks."""

    def __init__(self, client: str, topics: Topics, put: Put) -> None:
        self._client = client
        self._topics = topics
        self._put = put
        self._inbox: asyncio.Queue[Letter | None] = asyncio.Queue()  # None: the end
        self._unread = 0  # bytes in it
        self._is_over = False
        self._waiting = 0  # bytes that the broker does not have yet
        self._taken = asyncio.Event()
        self._taken.set()
        self._awaited: OrderedDict[Any, Letter] = OrderedDict()  # requests with a topic for the answer, by id
        self._seats: dict[str, int] | None = None  # by game, if games are told by seat

    def feed(self, letter: Letter) -> None:
        """Something has arrived."""
        self._unread += len(letter.payload)
        self._inbox.put_nowait(letter if self._unread <= MOST_UNREAD_BYTES else None)

    def unread(self) -> list[Letter]:
        """What nobody has read; at the end."""
        letters = [self._inbox.get_nowait() for _ in range(self._inbox.qsize())]
        return [letter for letter in letters if letter] if self._unread <= MOST_UNREAD_BYTES else []

    async def readline(self) -> bytes:
        return await self.read()

    async def read(self) -> bytes:
        letter = await self._inbox.get()
        if letter and self._is_over:
            self._inbox.put_nowait(letter)
        if letter is None or self._is_over:
            return b""
        self._unread -= len(letter.payload)
        if letter.by_seat and self._seats is None:
            self._seats = {}
        if letter.response != self._topics.out(self._client) or letter.mark is not None:
            self._await(letter)
        return letter.payload + b"\n"

    def write(self, data: bytes) -> None:
        for line in data.splitlines():
            self._waiting += len(line)
            self._taken.clear()
            self._put(self._publication(line))

    async def drain(self) -> None:
        await self._taken.wait()

    def waiting(self) -> int:
        return self._waiting

    def is_gone(self) -> bool:
        return self._is_over

    def close(self) -> None:
        self._is_over = True
        self._inbox.put_nowait(None)

    def abort(self) -> None:
        self.close()

    # -- Helpers ------------------------------------------------------------------------------------

    def _await(self, letter: Letter) -> None:
        """Remember where the answer to a request goes."""
        try:
            number = ROUTED.decode(letter.payload).id
        except (msgspec.DecodeError, RecursionError):
            return
        if isinstance(number, int | str):
            self._awaited[number] = letter
            if len(self._awaited) > MOST_AWAITED:
                self._awaited.popitem(last=False)

    def _publication(self, line: bytes) -> Publication:
        topic, correlation = self._topics.out(self._client), None
        if self._awaited or self._seats is not None:
            routed = ROUTED.decode(line)
            letter = self._awaited.pop(routed.re, None) if isinstance(routed.re, int | str) else None
            if letter:
                topic, correlation = letter.response, letter.mark
            elif self._seats is not None and routed.game_id:
                topic = self._by_seat(routed.type, routed.game_id, routed.seat, self._seats) or topic
        done = partial(self._landed, len(line))
        return Publication(
            topic=topic, payload=line, correlation=correlation, expiry_seconds=EXPIRY_SECONDS, done=done
        )

    def _by_seat(self, kind: str, game_id: str, seat: int | None, seats: dict[str, int]) -> str | None:
        """The topic of the seat that a game tells something; None if it is not one of ours."""
        if kind == "start" and seat is not None:
            seats[game_id] = seat
        if game_id not in seats:
            return None
        number = seats.pop(game_id) if kind == "end" else seats[game_id]
        return self._topics.seat(
            game_id, seat if kind == "decide" and seat is not None else number, self._client
        )

    def _landed(self, size: int) -> None:
        self._waiting -= size
        if not self._waiting:
            self._taken.set()
