"""The bridge between a server and a broker: events of the bus go out, messages of clients come in.

MQTT is a view and a way in, never the record: no part of the server waits for the broker or needs one. Messages to
publish are kept in a bounded queue until the broker has confirmed them: the bus keeps the last thousand events for
the bridge, and a client that does not read is cut off. A subscriber sees lost events by the gap in `seq`, and can ask
for them.
"""

import asyncio
import logging
import secrets
import ssl
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import Any, Final, Self

import aiomqtt
import msgspec

from engines.events import BroadcastLine, Bus, Event, Retired, Subscription
from engines.storage import InUseError
from protocols.event_log import encode_event
from protocols.jsonl.handlers import introduction
from protocols.jsonl.server import GameServer
from protocols.mqtt.broker import Broker, new_client, tls_context
from protocols.mqtt.claim import RootClaim
from protocols.mqtt.clients import ClientStreams
from protocols.mqtt.requests import RequestHandler
from protocols.mqtt.topics import (
    MAX_PAYLOAD_BYTES,
    NO_TOPIC,
    ClientLine,
    Publication,
    Request,
    Topics,
    publish,
)
from protocols.server import Server

LOG: Final = logging.getLogger(__name__)
BYE: Final = b'{"type":"bye"}'
NO_SESSION: Final = ("re", "session", "resume")  # fields that a welcome to all clients does not have
EXPIRING_TOPICS: Final = ("game/", "match/")  # topics whose states expire
STATE_SECONDS: Final = 86_400  # until they expire, in case the server is killed
SERVER_TOPICS: Final = (*EXPIRING_TOPICS, "engine/")  # topics whose states end with it
STOP_SECONDS: Final = 2.0  # for the last messages
IN_FLIGHT: Final = 20  # messages that the broker has not confirmed, as many as brokers accept by default
SESSION_SECONDS: Final = 300  # for which the broker keeps clients' messages while the bridge is away
START_SECONDS: Final = 5.0  # that the start waits for a broker
RETRY_SECONDS: Final = (0.2, 15.0)  # between two attempts to connect, the first and the longest


class Bridge:
    """The bridge between one server and one broker, as an async context manager. The games are on the same bus."""

    def __init__(self, server: Server, games: GameServer, bus: Bus, broker: Broker) -> None:
        topics = Topics(broker.root)
        self._games = games
        self._bus = bus
        self._topics = topics
        self._subscription = bus.subscribe(self._wake)
        self._queue = SendQueue(self._wake, self._subscription, self._publication)
        will = aiomqtt.Will(topics.server, BYE, qos=1, retain=True)
        self._claim = RootClaim(broker)
        self.connection = BrokerConnection(
            broker, self._queue, self._claim, topics.incoming, will, self._connected, self._receive
        )
        self._clients = ClientStreams(
            games, server.accounts, topics, self._queue.put, server.limits.connections
        )
        self._requests = RequestHandler(server, bus, self._queue.put)
        self._retained: dict[str, bool] = {}  # by topic with a state: whether the state ends with the server

    async def __aenter__(self) -> Self:
        """Connect to the broker and claim the root; if the broker cannot be reached, keep trying in the background.

        Raises ValueError if the certificates cannot be used, and InUseError if another server has the root.
        """
        await self.connection.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        self._clients.stop()
        self._requests.stop()
        self._bus.unsubscribe(self._subscription)
        if self.connection.is_up:
            confirmed = asyncio.Event()
            self._clear(topic for topic, ends in self._retained.items() if ends)
            bye = Publication(topic=self._topics.server, payload=BYE, is_retained=True, done=confirmed.set)
            self._queue.put(bye)
            with suppress(TimeoutError):
                await asyncio.wait_for(confirmed.wait(), STOP_SECONDS)
        await self.connection.__aexit__(*failure)

    def _wake(self) -> None:
        self.connection.wake()

    def _connected(self) -> None:
        """Publish the claim, the welcome and all states, since the broker may be another one, or have lost them."""
        self._queue.put(self._claim.publication())
        games = self._games
        welcome = msgspec.to_builtins(introduction(games, games.limits.line_bytes, session="", resume=""))
        payload = msgspec.json.encode({key: welcome[key] for key in welcome if key not in NO_SESSION})
        self._queue.put(Publication(topic=self._topics.server, payload=payload, is_retained=True))
        states = self._bus.states()
        self._clear(self._retained.keys() - {self._topics.of_event(event.topic) for event in states})
        for event in states:
            self._queue.put(self._publication(event))

    def _clear(self, topics: Iterable[str]) -> None:
        """Make the broker forget the states of these topics, by empty retained messages."""
        for topic in topics:
            self._queue.put(Publication(topic=topic, payload=b"", is_retained=True))

    def _publication(self, event: Event) -> Publication:
        """Return the message for an event: a game's or match's line as it is, other news with a head.

        A state that has ended gives an empty message, by which the broker forgets it.
        """
        topic, news = self._topics.of_event(event.topic), event.news
        is_over = isinstance(news, Retired)
        if event.is_state:
            self._retained[topic] = event.topic.startswith(SERVER_TOPICS)
        elif is_over:
            self._retained.pop(topic, None)
        expires = event.is_state and event.topic.startswith(EXPIRING_TOPICS)
        return Publication(
            topic=topic,
            payload=b"" if is_over else news.line if isinstance(news, BroadcastLine) else encode_event(event),
            is_retained=event.is_state or is_over,
            seq=event.seq,
            expiry_seconds=STATE_SECONDS if expires else None,
        )

    def _receive(self, message: aiomqtt.Message) -> None:
        """Handle any message that has arrived. Raises InUseError if another server has the root."""
        if str(message.topic) == self._claim.topic:
            if answer := self._claim.answer(message):
                self._queue.put(answer)
            return
        purpose = self._topics.purpose(str(message.topic))
        if purpose is None or message.retain:
            return
        request = Request.of(message, purpose.client, self._topics)
        if isinstance(purpose, ClientLine):
            self._clients.receive(purpose.client, request)
        else:
            self._requests.receive(purpose, request)


class SendQueue:
    """A queue of messages, then of the bus's events; each is kept until the broker has confirmed it.

    The queue is not thread-safe.
    """

    def __init__(
        self, wake: Callable[[], None], events: Subscription, publication: Callable[[Event], Publication]
    ) -> None:
        """Create an empty queue; `wake` is called when take() has a message, `publication` makes one of an event."""
        self._wake = wake
        self._events = events
        self._publication = publication
        self._waiting: deque[Publication] = deque()
        self._in_flight: dict[Publication, None] = {}

    def put(self, publication: Publication) -> None:
        """Queue a message, before all events of the bus. A message that no broker accepts is dropped."""
        if len(publication.payload) > MAX_PAYLOAD_BYTES or NO_TOPIC.search(publication.topic):
            publication.done()
            return
        self._waiting.append(publication)
        self._wake()

    def take(self) -> Publication | None:
        """Return the next message to send, or None if there is none."""
        while not self._waiting and (event := self._events.pop()):
            self.put(self._publication(event))
        if not self._waiting:
            return None
        publication = self._waiting.popleft()
        self._in_flight[publication] = None
        return publication

    def confirm(self, publication: Publication) -> None:
        """Forget a message that the broker has confirmed, and call its `done`."""
        del self._in_flight[publication]
        publication.done()

    def requeue(self) -> None:
        """Queue all unconfirmed messages again, before all others, after the connection was lost."""
        self._waiting.extendleft(reversed(self._in_flight))
        self._in_flight.clear()


class BrokerConnection:
    """A connection to a broker that sends a queue, passes on arriving messages and reconnects for ever.

    It is an async context manager. Every connection starts with a claim to the root. If another server has taken the
    root since, the bridge waits as if the broker were away.
    """

    def __init__(
        self,
        broker: Broker,
        queue: SendQueue,
        claim: RootClaim,
        subscriptions: tuple[str, ...],
        will: aiomqtt.Will,
        connected: Callable[[], None],
        receive: Callable[[aiomqtt.Message], None],
    ) -> None:
        """Create a connection that calls `connected` when it is made, and then `receive` for each message.

        `connected` may queue messages that must be sent first.
        """
        self.is_up = False
        self._broker = broker
        self._queue = queue
        self._claim = claim
        self._subscriptions = subscriptions
        self._will = will
        self._connected = connected
        self._receive = receive
        self._identifier = f"galapagos-{secrets.token_hex(8)}"
        self._more_to_send = asyncio.Event()
        self._room = asyncio.Semaphore(IN_FLIGHT)
        self._warned_of: set[bool] = set()  # while the broker is away: whether another server has the root
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Claim the root within START_SECONDS, and start the task that connects and reconnects.

        Raises ValueError if the certificates cannot be used, and InUseError if another server has the root.
        """
        context = await asyncio.to_thread(tls_context, self._broker)
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._claim.make(context)
        except InUseError:
            raise
        except Exception as error:  # the task tries again
            self._warn(error)
        self._running = asyncio.create_task(self._run(context))
        return self

    async def __aexit__(self, *_: Any) -> None:
        if self._running:
            self._running.cancel()
            await asyncio.wait({self._running})

    def wake(self) -> None:
        """Send the queue, in which there is a new message or event."""
        self._more_to_send.set()

    async def _run(self, context: ssl.SSLContext | None) -> None:
        shortest, longest = RETRY_SECONDS
        delay = shortest
        while True:
            began = monotonic()
            client = new_client(self._broker, self._identifier, context, self._will, SESSION_SECONDS)
            try:
                if not self._claim.is_held:
                    await self._claim.make(context)
                await self._connect(client)
            except Exception as error:  # the server and this task continue after any fault
                self._warn(error)
            self.is_up = self._claim.is_held = False
            self._queue.requeue()
            has_lasted = monotonic() - began >= longest
            delay = shortest if has_lasted else min(2 * delay, longest)
            await asyncio.sleep(delay)

    async def _connect(self, client: aiomqtt.Client) -> None:
        """Connect, and send and receive until the connection is lost. Raises MqttError if it cannot be made."""
        client.pending_calls_threshold = 2 * IN_FLIGHT  # else aiomqtt warns of the usual number of calls
        async with client:
            for topic in self._subscriptions:
                await client.subscribe(topic, qos=1)
            self.is_up = True
            self._warned_of.clear()
            self._room = asyncio.Semaphore(IN_FLIGHT)
            self._connected()
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._read(client))
                    await self._send(client, tasks)
            except* (aiomqtt.MqttError, InUseError) as errors:
                self._warn(errors.exceptions[0])

    async def _read(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            self._receive(message)

    async def _send(self, client: aiomqtt.Client, tasks: asyncio.TaskGroup) -> None:
        while True:
            self._more_to_send.clear()
            while publication := self._queue.take():
                await self._room.acquire()
                tasks.create_task(self._publish(client, publication))
            await self._more_to_send.wait()

    async def _publish(self, client: aiomqtt.Client, publication: Publication) -> None:
        await publish(client, publication)
        self._queue.confirm(publication)
        self._room.release()

    def _warn(self, error: BaseException) -> None:
        """Log an error, once for each absence of the broker, and once more if another server has the root."""
        is_in_use = isinstance(error, InUseError)
        if is_in_use not in self._warned_of:
            LOG.warning("%s: %s; trying again", self._broker, str(error) or "the broker does not answer")
        self._warned_of.add(is_in_use)
