"""Mosquitto on this machine, a server behind it, and clients of it."""

import asyncio
import json
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from engines.events import Bus
from protocols.hill.service import HillService
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.server import GameServer
from protocols.limits import Limits
from protocols.mqtt.bridge import Bridge
from protocols.mqtt.broker import Broker, Identity, new_client, tls_context
from protocols.server import EngineFactory, Server
from tests.fifth_game.adapter import tic_tac_toe
from tests.servers import game_server, no_engine
from tests.waiting import PATIENCE_SECONDS, until, wait_until

SHIPPED = Path(__file__).parents[3] / "tools" / "deployment" / "mosquitto"
PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/usr/bin")
SERVER, CLIENTS = "galapagos", ("ann", "bob", "eve")
ROOT = "galapagos/v1"
WILL = aiomqtt.Will("nowhere")


class Mosquitto:
    """A broker with the shipped configuration, but for its port and folders; it can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        """The test is skipped where there is none."""
        if not (PROGRAM and shutil.which("mosquitto_passwd") and shutil.which("openssl")):
            pytest.skip("needs the broker mosquitto, mosquitto_passwd and openssl")
        self.port = _free_port()
        self.authority = folder / "server.crt"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        (folder / "data").mkdir()
        shutil.copy(SHIPPED / "acl", folder / "acl")
        (folder / "acl").chmod(0o600)
        text = (SHIPPED / "mosquitto.conf").read_text()
        for shipped, ours in (
            ("listener 8883\n", f"user root\nlistener {self.port} 127.0.0.1\n"),
            ("/etc/mosquitto/galapagos/", f"{folder}/"),
            ("/var/lib/mosquitto/", f"{folder}/data/"),
        ):
            assert shipped in text
            text = text.replace(shipped, ours)
        (folder / "mosquitto.conf").write_text(text)
        for name in (SERVER, *CLIENTS):
            new = [] if (folder / "passwords").exists() else ["-c"]
            _run("mosquitto_passwd", *new, "-b", "passwords", name, f"{name}'s secret", folder=folder)
        _run(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
            "-keyout", "server.key", "-out", "server.crt", folder=folder,
        )  # fmt: skip

    def address(self, name: str, password: str | None = None) -> Broker:
        """For this user."""
        return Broker(
            host="127.0.0.1",
            port=self.port,
            user=name,
            password=f"{name}'s secret" if password is None else password,
            identity=Identity(authority=self.authority),
        )

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text()

    def start(self) -> None:
        """Till it listens."""
        assert PROGRAM
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", self._folder / "mosquitto.conf"], stderr=log)
        wait_until(self._listens, "that the broker listens")

    def _listens(self) -> bool:
        assert self._process and self._process.poll() is None, self.log
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """At once, as kill -9 does."""
        if self._process:
            self._process.kill()
            self._process.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A server at a broker."""

    bus: Bus
    games: GameServer
    bridge: Bridge


@asynccontextmanager
async def served(
    mosquitto: Mosquitto,
    adapters: Mapping[str, GameAdapter] | None = None,
    open_engine: EngineFactory = no_engine,
    service: HillService | None = None,
    bus: Bus | None = None,
) -> AsyncIterator[Served]:
    bus = bus or Bus()
    async with game_server(adapters or tic_tac_toe(), bus) as games:
        server = Server(open_engine, Limits(), service, games, bus)
        async with Bridge(server, games, bus, mosquitto.address(SERVER)) as bridge:
            await until_up(bridge)
            yield Served(bus=bus, games=games, bridge=bridge)


async def until_up(bridge: Bridge) -> None:
    await until(lambda: bridge.connection.is_up, "the bridge's connection")


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
        sent = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        for name, value in properties.items():
            setattr(sent, name, value)
        await self._client.publish(f"{ROOT}/{topic}", payload, qos=1, retain=retain, properties=sent)

    async def send(self, **message: Any) -> None:
        """Into our conversation."""
        await self.publish(f"c/{self.name}/in", json.dumps(message))

    async def receive(self, topic: str = "", kind: str = "") -> aiomqtt.Message:
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
        raise AssertionError(f"{self.name} receives nothing of {topic} {kind}")

    async def cut(self) -> None:
        """Lose the connection, without a word."""
        opened = self._client._client.socket()
        assert isinstance(opened, socket.socket)
        opened.shutdown(socket.SHUT_RDWR)
        with suppress(aiomqtt.MqttError):
            async for _ in self._client.messages:
                pass

    async def receives_nothing(self, seconds: float = 0.3) -> bool:
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
    async with new_client(address, identifier, tls_context(address), will) as opened:
        yield Client(opened, name)


def data(message: aiomqtt.Message) -> dict[str, Any]:
    assert isinstance(message.payload, bytes)
    value: dict[str, Any] = json.loads(message.payload)
    return value


def seq(message: aiomqtt.Message) -> int:
    """The number of its event."""
    properties = dict(message.properties.UserProperty) if message.properties else {}  # type: ignore[attr-defined]
    return int(properties["seq"])


def _run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
