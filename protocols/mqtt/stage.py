"""A server behind a broker, to perform scripts with."""

import asyncio
import secrets
from typing import Final

import aiomqtt

from protocols.jsonl.script import ScriptTarget
from protocols.mqtt.broker import Broker, connection, tls_context
from protocols.mqtt.topics import Topics

BYE: Final = b'{"type":"bye"}'
SECONDS: Final = 10.0  # to end a conversation


class MqttStage(ScriptTarget):
    """The house at a broker, for one client: the broker's user, or a new name where it wants none."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._client = broker.user or f"script-{secrets.token_hex(4)}"
        self._topics = Topics(broker.root)
        self._opened: aiomqtt.Client | None = None

    async def send(self, line: bytes) -> None:
        client = await self._connected()
        await self._published(client, line.rstrip(b"\n"))

    async def receive(self) -> bytes:
        return await self._heard(await self._connected())

    async def close(self) -> None:
        """End the conversation, as our will does if we are cut off, and hear out what belongs to it."""
        client, self._opened = self._opened, None
        if client is None:
            return
        try:
            await self._part(client)
        finally:
            await client.__aexit__(None, None, None)

    async def _part(self, client: aiomqtt.Client) -> None:
        mark = secrets.token_hex(8)
        await self._published(client, b'{"type":"ping","id":"%b"}' % mark.encode())
        await self._published(client, BYE)
        try:
            async with asyncio.timeout(SECONDS):
                while f'"re":"{mark}"'.encode() not in await self._heard(client):
                    pass
        except TimeoutError:
            pass  # nobody is there

    async def _connected(self) -> aiomqtt.Client:
        if self._opened is None:
            context = await asyncio.to_thread(tls_context, self._broker)
            will = aiomqtt.Will(self._topics.said(self._client), BYE, qos=1)
            identifier = f"{self._client}-{secrets.token_hex(4)}"
            try:
                self._opened = await connection(self._broker, identifier, context, will).__aenter__()
                await self._opened.subscribe(self._topics.out(self._client), qos=1)
            except aiomqtt.MqttError as error:
                raise ConnectionError(f"{self._broker}: {error}") from None
        return self._opened

    async def _published(self, client: aiomqtt.Client, payload: bytes) -> None:
        try:
            await client.publish(self._topics.said(self._client), payload, qos=1)
        except aiomqtt.MqttError as error:
            raise ConnectionError(f"{self._broker}: {error}") from None

    async def _heard(self, client: aiomqtt.Client) -> bytes:
        """A message as a line; empty when the broker is gone."""
        try:
            message = await anext(client.messages)
        except aiomqtt.MqttError:
            return b""
        return bytes(message.payload) + b"\n" if isinstance(message.payload, bytes) else b""
