"""A house behind a broker, and clients of the broker that hear what is delivered to them."""

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from engines.events import Bus
from protocols.hill.office import Office
from protocols.house import EngineFactory, House
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.host import Host
from protocols.limits import Limits
from protocols.mqtt.broker import Broker, connection, tls_context
from protocols.mqtt.gateway import Gateway
from tests.fifth_game.binding import tic_tac_toe
from tests.protocols.mqtt.mosquitto import HOUSE, Mosquitto
from tests.protocols.wire import no_engine

ROOT = "galapagos/v1"
PATIENCE_SECONDS = 5.0
WILL = aiomqtt.Will("nowhere")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A house at a broker."""

    bus: Bus
    hall: Hall
    gateway: Gateway


@asynccontextmanager
async def served(
    mosquitto: Mosquitto,
    bindings: Mapping[str, GameAdapter] | None = None,
    open_engine: EngineFactory = no_engine,
    office: Office | None = None,
    bus: Bus | None = None,
) -> AsyncIterator[Served]:
    bus = bus or Bus()
    async with Host(Hall(bindings or tic_tac_toe(), bus=bus)) as tables:
        house = House(open_engine, Limits(), office, tables, bus)
        async with Gateway(house, tables, bus, mosquitto.address(HOUSE)) as gateway:
            await until_up(gateway)
            yield Served(bus=bus, hall=tables.hall, gateway=gateway)
    assert not tables.hall.troubles


async def until_up(gateway: Gateway, connections: int = 1, seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while True:
            if gateway.link.is_up and gateway.link.connections >= connections:
                return
            await asyncio.sleep(0.01)


class Client:
    """A user of the broker."""

    def __init__(self, client: aiomqtt.Client, name: str) -> None:
        self.name = name
        self._client = client

    async def subscribe(self, *topics: str) -> None:
        for topic in topics:
            await self._client.subscribe(f"{ROOT}/{topic}", qos=1)

    async def publish(
        self, topic: str, payload: bytes | str, *, retain: bool = False, **properties: Any
    ) -> None:
        """Properties by their names in MQTT."""
        told = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        for name, value in properties.items():
            setattr(told, name, value)
        await self._client.publish(f"{ROOT}/{topic}", payload, qos=1, retain=retain, properties=told)

    async def say(self, **message: Any) -> None:
        """Into our conversation."""
        await self.publish(f"c/{self.name}/in", json.dumps(message))

    async def hear(self, topic: str = "", kind: str = "") -> aiomqtt.Message:
        """The next message under a topic, of a type. AssertionError if none comes."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                async for message in self._client.messages:
                    if str(message.topic).startswith(f"{ROOT}/{topic}") and (
                        not kind or data(message).get("type") == kind
                    ):
                        return message
        except TimeoutError:
            pass
        raise AssertionError(f"{self.name} hears nothing of {topic} {kind}")

    async def cut(self) -> None:
        """Lose the connection, without a word."""
        opened = self._client._client.socket()
        assert isinstance(opened, socket.socket)
        opened.shutdown(socket.SHUT_RDWR)
        with suppress(aiomqtt.MqttError):
            async for _ in self._client.messages:
                pass

    async def hears_nothing(self, seconds: float = 0.3) -> bool:
        """Whether no message comes."""
        try:
            async with asyncio.timeout(seconds):
                await anext(self._client.messages)
        except TimeoutError:
            return True
        return False


@asynccontextmanager
async def client(mosquitto: Mosquitto, name: str, will: aiomqtt.Will = WILL) -> AsyncIterator[Client]:
    address: Broker = mosquitto.address(name)
    identifier = f"{name}-{secrets.token_hex(4)}"
    async with connection(address, identifier, tls_context(address), will) as opened:
        yield Client(opened, name)


def data(message: aiomqtt.Message) -> dict[str, Any]:
    assert isinstance(message.payload, bytes)
    told: dict[str, Any] = json.loads(message.payload)
    return told


def seq(message: aiomqtt.Message) -> int:
    """The number of the event that it tells."""
    told = dict(message.properties.UserProperty) if message.properties else {}  # type: ignore[attr-defined]
    return int(told["seq"])
