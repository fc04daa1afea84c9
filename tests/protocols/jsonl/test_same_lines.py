"""The same conversation over standard input and output, TCP, WebSocket and MQTT: the same lines."""

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from engines.events import Bus
from protocols.jsonl.script import ProcessTarget, ScriptTarget, TcpTarget, parse, run_script
from protocols.limits import Limits
from protocols.mqtt.bridge import Bridge
from protocols.mqtt.client import MqttTarget
from protocols.server import Server
from protocols.web.app import Site
from protocols.web.client import WebSocketTarget
from tests.protocols.mqtt.support import SERVER, Mosquitto, until_up
from tests.servers import game_server, no_engine

FOLDER = Path(__file__).parent / "scripts"
DIFFERENT: Final = ("session", "resume", "game_id", "seed_commit", "server_ms", "latency_ms", "seconds", "ms")


class Recorder(ScriptTarget):
    """Keeps what is received."""

    def __init__(self, target: ProcessTarget | TcpTarget | WebSocketTarget | MqttTarget) -> None:
        self.received: list[Any] = []
        self._target = target

    async def send(self, line: bytes) -> None:
        await self._target.send(line)

    async def receive(self) -> bytes:
        line = await self._target.receive()
        self.received.append(normalised(json.loads(line)))
        return line

    async def close(self) -> None:
        await self._target.close()


def normalised(value: Any) -> Any:
    """Without what is another one each time: ids, times, and the commitment to a game of such an id."""
    if isinstance(value, dict):
        return {name: "" if name in DIFFERENT else normalised(each) for name, each in value.items()}
    return [normalised(each) for each in value] if isinstance(value, list) else value


@asynccontextmanager
async def over_stdio(mosquitto: Mosquitto) -> AsyncIterator[Recorder]:
    yield Recorder(ProcessTarget([sys.executable, "-m", "tools", "jsonl"]))


@asynccontextmanager
async def over_tcp(mosquitto: Mosquitto) -> AsyncIterator[Recorder]:
    async with game_server() as games:
        server = Server(no_engine, Limits(), None, games)
        yield Recorder(TcpTarget(*await server.start("127.0.0.1", 0)))
        await server.stop()


@asynccontextmanager
async def over_websocket(mosquitto: Mosquitto) -> AsyncIterator[Recorder]:
    async with game_server() as games:
        site = Site(Server(no_engine, Limits(), None, games))
        async with site.listen("127.0.0.1", 0) as (host, port):
            yield Recorder(WebSocketTarget(f"ws://{host}:{port}/ws"))


@asynccontextmanager
async def over_mqtt(mosquitto: Mosquitto) -> AsyncIterator[Recorder]:
    bus = Bus()
    async with game_server(bus=bus) as games:
        server = Server(no_engine, Limits(), None, games)
        async with Bridge(server, games, bus, mosquitto.address(SERVER)) as bridge:
            await until_up(bridge)
            yield Recorder(MqttTarget(mosquitto.address("ann")))


Transport = Callable[[Mosquitto], AbstractAsyncContextManager[Recorder]]
TRANSPORTS: Final[tuple[Transport, ...]] = (over_stdio, over_tcp, over_websocket, over_mqtt)


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.jsonl")))
async def test_every_transport_sends_the_same_lines(name: str, mosquitto: Mosquitto) -> None:
    script = parse((FOLDER / f"{name}.jsonl").read_text(encoding="utf-8"))
    received = []
    for transport in TRANSPORTS:
        async with transport(mosquitto) as target:
            await run_script(script, target, 20.0)
            await target.close()
            received.append(target.received)
    expected, *others = received
    assert len(expected) > 15
    for lines in others:
        assert lines == expected
