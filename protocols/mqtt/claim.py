"""The claim to a root: of several servers that want the same root of a broker, one gets it.

A server that wants a root publishes a claim under `claim` and waits for a second. A server that has the root, or
wants it too and was started earlier, answers with its own claim, and the first server gives up. Nothing is retained:
a killed server leaves no claim, and a server that returns after an outage claims the root again.
"""

import asyncio
import os
import secrets
import socket
import ssl
import time
from contextlib import suppress
from typing import Annotated, Final

import aiomqtt
import msgspec
from msgspec import Meta, Struct

from engines.storage import InUseError
from protocols.mqtt.broker import Broker, new_client
from protocols.mqtt.topics import Publication, Topics, publish

SECONDS: Final = 1  # to wait for an answer, which takes milliseconds


class Claim(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """A message under `claim`: the server that wants or has the root."""

    id: str
    started: float  # seconds since 1970
    process: int
    host: Annotated[str, Meta(pattern=r"^[\w.:-]{1,255}$")]  # shown to users of other servers
    is_held: bool  # whether the server has the root already

    def has_precedence_over(self, other: "Claim") -> bool:
        """Return whether this claim precedes another: a server that has the root first, then the earliest started."""
        return (not self.is_held, self.started, self.id) < (not other.is_held, other.started, other.id)


class RootClaim:
    """One server's claim to the root of a broker."""

    def __init__(self, broker: Broker) -> None:
        self.topic: Final = Topics(broker.root).claim
        self.is_held = False
        self._broker = broker
        self._id = secrets.token_hex(8)
        self._started = time.time()

    async def make(self, context: ssl.SSLContext | None) -> None:
        """Take the root if no other server has it.

        Raises InUseError if another server's claim precedes this one, and MqttError if the connection is lost. The
        claim is made over its own connection, because the bridge's has a will, which only the holder of the root may
        leave.
        """
        identifier = f"galapagos-claim-{secrets.token_hex(8)}"
        async with new_client(self._broker, identifier, context) as client:
            await client.subscribe(self.topic, qos=1)
            await publish(client, self.publication())
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS):
                    async for message in client.messages:
                        if answer := self.answer(message):
                            await publish(client, answer)
        self.is_held = True

    def publication(self) -> Publication:
        """Return the claim as a message, which expires after SECONDS, since it is of no use to later readers."""
        return Publication(
            topic=self.topic, payload=msgspec.json.encode(self._own_claim()), expiry_seconds=SECONDS
        )

    def answer(self, message: aiomqtt.Message) -> Publication | None:
        """Return the answer to a claim of another server, which must then give up, or None for any other message.

        Raises InUseError if the other claim precedes this one.
        """
        if message.retain or not isinstance(message.payload, bytes):
            return None
        try:
            other = msgspec.json.decode(message.payload, type=Claim)
        except (ValueError, RecursionError):
            return None
        if other.id == self._id:
            return None
        if other.has_precedence_over(self._own_claim()):
            root, host = self._broker.root, self._broker.host
            raise InUseError(
                f"the MQTT root {root} at {host} is in use by process {other.process} on {other.host}"
            )
        return self.publication()

    def _own_claim(self) -> Claim:
        return Claim(
            id=self._id,
            started=self._started,
            process=os.getpid(),
            host=socket.gethostname(),
            is_held=self.is_held,
        )
