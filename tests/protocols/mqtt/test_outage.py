"""The broker is killed and comes back: nobody here waits for it, and whoever listens gets all that has happened."""

import asyncio
import json
import time
from pathlib import Path

import aiomqtt
import pytest

from engines.events import BroadcastLine, Bus
from tests.protocols.mqtt.house import Client, client, data, seq, served, until_up
from tests.protocols.mqtt.mosquitto import Mosquitto

TICK_SECONDS = 0.01
CALM, BUSY = 1, 10  # events a tick
AWAY_SECONDS = 2.0
WAIT_SECONDS = 0.025  # that a producer may take
PREEMPTED = 2  # publishes that the machine, which is shared, may interrupt


class Producer:
    """Publishes a hundred events a second, or a thousand, and looks at the clock."""

    def __init__(self, bus: Bus) -> None:
        self.waits: list[float] = []
        self.pace = CALM
        self._bus = bus
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        self._running.cancel()
        await asyncio.wait({self._running})

    async def _run(self) -> None:
        while True:
            for _ in range(self.pace):
                line = BroadcastLine(line=b'{"type":"event","seq":%d}' % self._bus.seq)
                before = time.perf_counter()
                self._bus.publish("game/g-1/public", line)
                self.waits.append(time.perf_counter() - before)
            await asyncio.sleep(TICK_SECONDS)


class Listener:
    """Hears what it can, over as many connections as it takes."""

    def __init__(self, mosquitto: Mosquitto) -> None:
        self.heard: set[int] = set()
        self.refilled = 0
        self._mosquitto = mosquitto
        self._running = asyncio.create_task(self._run())

    async def until(self, number: int) -> None:
        """It has heard this one, or a later one."""
        async with asyncio.timeout(10.0):
            while True:
                if self.heard and max(self.heard) >= number:
                    return
                await asyncio.sleep(TICK_SECONDS)

    async def stop(self) -> None:
        self._running.cancel()
        await asyncio.wait({self._running})

    async def refill(self, last: int) -> None:
        """Ask for what is missing up to the event `last`."""
        async with client(self._mosquitto, "ann") as ann:
            await ann.subscribe("c/ann/out/#")
            while missing := set(range(min(self.heard), last + 1)) - self.heard:
                after = min(missing) - 1
                await ann.publish("history/ann", json.dumps({"after": after, "topics": ["game/g-1"]}))
                found = {event["seq"] for event in data(await ann.hear("c/ann/out"))["events"]} & missing
                assert min(missing) in found, "it is kept"
                self.refilled += len(found)
                self.heard |= found

    async def _run(self) -> None:
        while True:
            try:
                async with client(self._mosquitto, "ann") as ann:
                    await ann.subscribe("g/g-1/public")
                    while True:
                        self.heard.add(seq(await ann.hear("g/")))
            except (aiomqtt.MqttError, AssertionError):
                await asyncio.sleep(0.05)


async def answers(ann: Client) -> bool:
    await ann.subscribe("c/ann/out")
    await ann.say(type="ping", id=1)
    return bool(data(await ann.hear(kind="pong"))["re"] == 1)


async def test_the_broker_is_killed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    mosquitto = Mosquitto(tmp_path)
    mosquitto.start()
    try:
        async with served(mosquitto) as house:
            async with client(mosquitto, "ann") as ann:
                assert await answers(ann)
            listener = Listener(mosquitto)
            producer = Producer(house.bus)
            await listener.until(50)
            mosquitto.kill()
            producer.pace = BUSY
            await asyncio.sleep(AWAY_SECONDS)
            mosquitto.start()
            await until_up(house.gateway, connections=2)
            producer.pace = CALM
            await listener.until(house.bus.seq + 50)
            await producer.stop()
            await listener.until(house.bus.seq)
            await listener.stop()
            arrived, lost = len(listener.heard), house.gateway.outbox.lost
            await listener.refill(house.bus.seq)
            async with client(mosquitto, "ann") as ann:
                assert await answers(ann), "the conversation goes on"
                assert len(house.hall.lines) == 1
    finally:
        mosquitto.kill()
    waits = sorted(producer.waits)
    assert waits[-1 - PREEMPTED] < WAIT_SECONDS
    assert lost > 0 and listener.refilled >= lost, "more happened than there was room for"
    complaints = caplog.text
    print(
        f"away for {AWAY_SECONDS:g} s: {len(waits)} events, {lost} found no room, {arrived} arrived, "
        f"{listener.refilled} refilled; the longest publish took {1000 * waits[-1]:.2f} ms"
    )
    assert complaints.count("trying again") == 1 and "secret" not in complaints


async def test_a_broker_that_is_not_there_yet(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    mosquitto = Mosquitto(tmp_path)
    later = asyncio.get_running_loop().call_later(0.5, mosquitto.start)
    try:
        async with served(mosquitto), client(mosquitto, "ann") as ann:
            await ann.subscribe("server")
            assert await ann.hear("server", "welcome")
    finally:
        later.cancel()
        mosquitto.kill()
    assert caplog.text.count("trying again") == 1
