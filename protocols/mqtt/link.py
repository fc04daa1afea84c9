"""The link to the broker: kept up as long as it is there, whatever becomes of the broker."""

import asyncio
import logging
import secrets
import ssl
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, Self

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from protocols.mqtt.broker import Broker, connection, tls_context
from protocols.mqtt.outbox import Outbox, Publication

LOG: Final = logging.getLogger(__name__)
UNDER_WAY: Final = 20  # messages that the broker has not confirmed, as many as it takes by default
SESSION_SECONDS: Final = 300  # that the broker keeps for us what clients say meanwhile
PATIENCE_SECONDS: Final = (0.2, 15.0)  # between two attempts to connect, the first and the longest


class Link:
    """Sends an outbox and hands over what arrives, as an async context manager."""

    def __init__(
        self,
        broker: Broker,
        outbox: Outbox,
        subscriptions: tuple[str, ...],
        will: aiomqtt.Will,
        connected: Callable[[], None],
        receive: Callable[[aiomqtt.Message], None],
    ) -> None:
        """`connected` may put into the outbox what is to be said first; after that it calls `receive`."""
        self.connections = 0  # so far
        self.is_up = False
        self._broker = broker
        self._outbox = outbox
        self._subscriptions = subscriptions
        self._will = will
        self._connected = connected
        self._receive = receive
        self._identifier = f"galapagos-{secrets.token_hex(8)}"
        self._more = asyncio.Event()
        self._room = asyncio.Semaphore(UNDER_WAY)
        self._has_complained = False
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """ValueError for certificates that cannot be used; a broker that is not there is waited for."""
        context = await asyncio.to_thread(tls_context, self._broker)
        self._running = asyncio.create_task(self._run(context))
        return self

    async def __aexit__(self, *_: Any) -> None:
        if self._running:
            self._running.cancel()
            await asyncio.wait({self._running})

    def wake(self) -> None:
        """There is something in the outbox."""
        self._more.set()

    async def _run(self, context: ssl.SSLContext | None) -> None:
        first, longest = PATIENCE_SECONDS
        patience = first
        while True:
            began = monotonic()
            client = connection(self._broker, self._identifier, context, self._will, SESSION_SECONDS)
            try:
                await self._connect(client)
            except Exception as error:  # whatever it was, the server goes on, and so does this
                self._complain(error)
            self.is_up = False
            self._outbox.recover()
            has_lasted = monotonic() - began >= longest
            patience = first if has_lasted else min(2 * patience, longest)
            await asyncio.sleep(patience)

    async def _connect(self, client: aiomqtt.Client) -> None:
        """One connection, till it is lost. MqttError if it cannot be made."""
        client.pending_calls_threshold = 2 * UNDER_WAY  # else it warns of as many as there may be
        async with client:
            for topic in self._subscriptions:
                await client.subscribe(topic, qos=1)
            self.connections += 1
            self.is_up = True
            self._has_complained = False
            self._room = asyncio.Semaphore(UNDER_WAY)
            self._connected()
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._hear(client))
                    await self._send(client, tasks)
            except* aiomqtt.MqttError as errors:
                self._complain(errors.exceptions[0])

    async def _hear(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            self._receive(message)

    async def _send(self, client: aiomqtt.Client, tasks: asyncio.TaskGroup) -> None:
        while True:
            self._more.clear()
            while flight := self._outbox.take():
                await self._room.acquire()
                tasks.create_task(self._publish(client, *flight))
            await self._more.wait()

    async def _publish(self, client: aiomqtt.Client, ticket: int, publication: Publication) -> None:
        await client.publish(
            publication.topic,
            publication.payload,
            qos=1,
            retain=publication.is_retained,
            properties=_properties(publication),
        )
        self._outbox.landed(ticket)
        self._room.release()

    def _complain(self, error: BaseException) -> None:
        """Once for each time that the broker is away."""
        if not self._has_complained:
            LOG.warning("%s: %s; trying again", self._broker, error)
        self._has_complained = True


def _properties(publication: Publication) -> Properties:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    if publication.payload.startswith(b"{"):
        properties.ContentType = "application/json"
    if publication.seq is not None:
        properties.UserProperty = ("seq", str(publication.seq))
    if publication.correlation is not None:
        properties.CorrelationData = publication.correlation
    if publication.expiry_seconds is not None:
        properties.MessageExpiryInterval = publication.expiry_seconds
    return properties
