"""A client of a server at a broker, for running scripts."""

import asyncio
import secrets
from typing import Final

import aiomqtt

from protocols.jsonl.script import ScriptTarget
from protocols.mqtt.broker import Broker, new_client, tls_context
from protocols.mqtt.topics import Topics

BYE: Final = b'{"type":"bye"}'
SECONDS: Final = 10.0  # that ending a conversation may take


class MqttTarget(ScriptTarget):
    """The server at a broker as one client reaches it: the broker's user, or a new name if there is no user."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._name = broker.user or f"script-{secrets.token_hex(4)}"
        self._topics = Topics(broker.root)
        self._client: aiomqtt.Client | None = None

    async def send(self, line: bytes) -> None:
        await self._publish(await self._connect(), line.rstrip(b"\n"))

    async def receive(self) -> bytes:
        return await self._receive(await self._connect())

    async def close(self) -> None:
        """End the conversation, as the client's will does if the connection is lost, and read its remaining lines."""
        client, self._client = self._client, None
        if client is None:
            return
        id = secrets.token_hex(8)
        try:
            await self._publish(client, b'{"type":"ping","id":"%b"}' % id.encode())
            await self._publish(client, BYE)
            async with asyncio.timeout(SECONDS):
                while f'"re":"{id}"'.encode() not in await self._receive(client):
                    pass
        except TimeoutError:
            pass  # no server answers
        finally:
            await client.__aexit__(None, None, None)

    async def _connect(self) -> aiomqtt.Client:
        if self._client is None:
            context = await asyncio.to_thread(tls_context, self._broker)
            will = aiomqtt.Will(self._topics.line(self._name), BYE, qos=1)
            identifier = f"{self._name}-{secrets.token_hex(4)}"
            try:
                self._client = await new_client(self._broker, identifier, context, will).__aenter__()
                await self._client.subscribe(self._topics.client_topic(self._name), qos=1)
            except aiomqtt.MqttError as error:
                raise ConnectionError(f"{self._broker}: {error}") from None
        return self._client

    async def _publish(self, client: aiomqtt.Client, payload: bytes) -> None:
        try:
            await client.publish(self._topics.line(self._name), payload, qos=1)
        except aiomqtt.MqttError as error:
            raise ConnectionError(f"{self._broker}: {error}") from None

    async def _receive(self, client: aiomqtt.Client) -> bytes:
        """Return a message as a line, or b"" if the connection to the broker is lost."""
        try:
            message = await anext(client.messages)
        except aiomqtt.MqttError:
            return b""
        return bytes(message.payload) + b"\n" if isinstance(message.payload, bytes) else b""
