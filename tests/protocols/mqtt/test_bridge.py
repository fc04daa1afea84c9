"""A server behind a broker: what is public, what is retained, conversations, outages, and the queue between them."""

import asyncio
import json
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import aiomqtt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.events import BroadcastLine, Bus, Event
from protocols.limits import GameLimits
from protocols.mqtt.bridge import SendQueue
from protocols.mqtt.topics import MAX_PAYLOAD_BYTES, Publication
from tests.protocols.jsonl.fakes import first_listed
from tests.protocols.jsonl.scripted import acquire
from tests.protocols.mqtt.support import ROOT, Client, Mosquitto, client, data, seq, served, until_up
from tests.waiting import PATIENCE_SECONDS, until

HELLO = {"type": "hello", "versions": [1]}
MINI = {"type": "create", "game": "acquire", "variant": "mini", "seats": ["me", "random"]}
TICK_SECONDS = 0.01
AWAY = 2400  # events while the broker is away, of which a thousand are kept


async def played(player: Client, seats: str = "c/") -> str:
    """Answer every decide till the end; the game's id."""
    while True:
        message = data(await player.receive(seats))
        if message["type"] == "end":
            return str(message["game_id"])
        if message["type"] == "decide":
            action = first_listed(message)
            await player.send(type="action", re=message["id"], game_id=message["game_id"], action=action)


async def test_the_server_announces_itself_and_its_end(mosquitto: Mosquitto) -> None:
    async with client(mosquitto, "ann") as ann:
        async with served(mosquitto) as server:
            await ann.subscribe("server", "engine/+/status")
            welcome = data(await ann.receive("server", "welcome"))
            assert welcome["server"] == server.games.name and "tic-tac-toe" in welcome["games"]
            assert not {"session", "resume", "re"} & set(welcome)
            assert data(await ann.receive("engine/", "presence"))["status"] == "online"
        while (await ann.receive("engine/")).payload:
            pass  # what was retained is cleared
        assert data(await ann.receive("server")) == {"type": "bye"}
        async with client(mosquitto, "bob") as bob:
            await bob.subscribe("server")
            message = await bob.receive("server")
            assert message.retain and data(message) == {"type": "bye"}


async def test_a_game_is_played_and_watched(mosquitto: Mosquitto) -> None:
    async with (
        served(mosquitto, acquire()) as server,
        client(mosquitto, "ann") as ann,
        client(mosquitto, "bob") as bob,
    ):
        await ann.subscribe("c/ann/out")
        await bob.subscribe("g/+/public", "g/+/state")
        await ann.send(**HELLO)
        await ann.send(**MINI)
        game_id = await played(ann)
        lines: list[dict[str, Any]] = []
        states: list[dict[str, Any]] = []
        while not lines or lines[-1]["type"] != "end":
            message = await bob.receive()
            (states if str(message.topic).endswith("state") else lines).append(data(message))
        assert [line["seq"] for line in lines] == list(range(lines[-1]["seq"] + 1))
        assert not any("tiles" in line for line in lines)
        assert {state["type"] for state in states if state["game_id"] == game_id} == {"start"}
        async with client(mosquitto, "eve") as eve:
            await eve.subscribe("g/+/state")
            late = await eve.receive("g/")
            assert late.retain and data(late) == lines[-1]
            server.bus.clear(f"game/{game_id}/state")
            cleared = await eve.receive("g/")
            assert not cleared.payload and seq(cleared) == server.bus.seq
            async with client(mosquitto, "eve") as later:
                await later.subscribe("g/+/state")
                assert await later.receives_nothing(0.1)


async def test_lines_for_a_seat_can_have_their_own_topic(mosquitto: Mosquitto) -> None:
    async with served(mosquitto, acquire()), client(mosquitto, "ann") as ann:
        await ann.subscribe("c/ann/out", "g/+/seat/+/ann")
        await ann.publish("c/ann/in", '{"type":"hello","versions":[1]}', UserProperty=("games", "by_seat"))
        assert str((await ann.receive(kind="welcome")).topic) == f"{ROOT}/c/ann/out"
        await ann.send(**MINI)
        created = await ann.receive(kind="created")
        assert str(created.topic) == f"{ROOT}/c/ann/out"
        start = await ann.receive(kind="start")
        game_id, seat = data(start)["game_id"], data(start)["seat"]
        assert str(start.topic) == f"{ROOT}/g/{game_id}/seat/{seat}/ann"
        assert await played(ann, seats=f"g/{game_id}/seat/{seat}/") == game_id
        await ann.send(type="ping", id=3)
        assert str((await ann.receive(kind="pong")).topic) == f"{ROOT}/c/ann/out"


async def test_answers_go_to_topics_of_their_client(mosquitto: Mosquitto) -> None:
    async with served(mosquitto), client(mosquitto, "ann") as ann, client(mosquitto, "bob") as bob:
        await ann.subscribe("c/ann/out/#")
        await bob.subscribe("c/bob/out/#")
        await ann.send(**HELLO)
        await ann.receive(kind="welcome")
        for wanted, given in (
            ("c/ann/out/7", "c/ann/out/7"),
            ("c/bob/out", "c/ann/out"),
            ("server", "c/ann/out"),
        ):
            await ann.publish(
                "c/ann/in",
                '{"type":"ping","id":3}',
                ResponseTopic=f"{ROOT}/{wanted}",
                CorrelationData=b"one",
            )
            pong = await ann.receive(kind="pong")
            assert str(pong.topic) == f"{ROOT}/{given}" and data(pong)["re"] == 3
            assert pong.properties and pong.properties.CorrelationData == b"one"  # type: ignore[attr-defined]
        assert await bob.receives_nothing(0.1)


async def test_a_client_that_was_cut_off_resumes(mosquitto: Mosquitto) -> None:
    """The client's will ends its connection, and `resume` takes its session up, as over TCP."""
    will = aiomqtt.Will(f"{ROOT}/c/ann/in", b'{"type":"bye"}', qos=1)
    async with served(mosquitto, acquire()) as server:
        async with client(mosquitto, "ann", will) as ann:
            await ann.subscribe("c/ann/out")
            await ann.send(**HELLO)
            token = data(await ann.receive(kind="welcome"))["resume"]
            await ann.send(**MINI)
            decide = data(await ann.receive(kind="decide"))
            await ann.cut()
            await until(lambda: not server.games.connections, "the end of the connection")
        async with client(mosquitto, "ann", will) as again:
            await again.subscribe("c/ann/out")
            await again.send(**HELLO)
            await again.receive(kind="welcome")
            await again.send(type="resume", id=2, token=token)
            assert data(await again.receive(kind="decide"))["id"] == decide["id"]


async def test_retained_and_hostile_messages_do_not_stop_the_bridge(mosquitto: Mosquitto) -> None:
    async with client(mosquitto, "ann") as ann:
        await ann.publish("c/ann/in", '{"type":"ping","id":"retained"}', retain=True)
        await ann.subscribe("c/ann/out")
        async with served(mosquitto):
            assert await ann.receives_nothing(0.1), "what is retained was not sent now"
            for payload in (b"", b"\xff\x00", b"[" * 40, b"{}\n{}", b'{"type":"ping","id":{}}'):
                await ann.publish("c/ann/in", payload)
            await ann.send(type="ping", id=9)
            assert data(await ann.receive(kind="pong"))["re"] == 9
            await ann.publish("c/ann/in", b"x" * GameLimits().line_bytes)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while data(await ann.receive(kind="error"))["code"] != "too_long":
                    pass
            await ann.send(**HELLO)
            assert await ann.receive(kind="welcome"), "a new conversation"
        await ann.publish("c/ann/in", b"", retain=True)


async def test_lines_and_events_are_numbered(mosquitto: Mosquitto) -> None:
    async with served(mosquitto) as server, client(mosquitto, "ann") as ann:
        await ann.subscribe("engine/+/status", "m/+/table")
        assert data(await ann.receive("engine"))["status"] == "online"
        server.bus.publish("match/m-1/table", next(server.bus.history(0)).news, is_state=True)
        assert seq(await ann.receive("m/")) == server.bus.seq
        server.bus.clear("match/m-1/table")


# -- Outages -----------------------------------------------------------------------------------------


class Producer:
    """Publishes at most a hundred events a second, and as many more at once as it is told."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        self._running.cancel()
        await asyncio.wait({self._running})

    async def _run(self) -> None:
        while True:
            self.publish(1)
            await asyncio.sleep(TICK_SECONDS)

    def publish(self, count: int) -> list[float]:
        """Publish `count` events; return the processor seconds that each took."""
        costs = []
        for _ in range(count):
            line = BroadcastLine(line=b'{"type":"event","seq":%d}' % self._bus.seq)
            before = time.thread_time()
            self._bus.publish("game/g-1/public", line)
            costs.append(time.thread_time() - before)
        return costs


class Listener:
    """Receives what it can, over as many connections as it takes."""

    def __init__(self, mosquitto: Mosquitto) -> None:
        self.received: set[int] = set()
        self.refilled = 0
        self._mosquitto = mosquitto
        self._running = asyncio.create_task(self._run())

    async def until(self, number: int) -> None:
        """Wait until it has received this event, or a later one."""
        await until(lambda: self.received and max(self.received) >= number, f"event {number}")

    async def stop(self) -> None:
        self._running.cancel()
        await asyncio.wait({self._running})

    async def refill(self, last: int) -> None:
        """Ask for what is missing up to the event `last`."""
        async with client(self._mosquitto, "ann") as ann:
            await ann.subscribe("c/ann/out/#")
            while missing := set(range(min(self.received), last + 1)) - self.received:
                after = min(missing) - 1
                await ann.publish("history/ann", json.dumps({"after": after, "topics": ["game/g-1"]}))
                found = {event["seq"] for event in data(await ann.receive("c/ann/out"))["events"]} & missing
                assert min(missing) in found, "it is kept"
                self.refilled += len(found)
                self.received |= found

    async def _run(self) -> None:
        while True:
            try:
                async with client(self._mosquitto, "ann") as ann:
                    await ann.subscribe("g/g-1/public")
                    while True:
                        self.received.add(seq(await ann.receive("g/")))
            except (aiomqtt.MqttError, AssertionError):
                await asyncio.sleep(0.05)


async def answers(ann: Client) -> bool:
    await ann.subscribe("c/ann/out")
    await ann.send(type="ping", id=1)
    return bool(data(await ann.receive(kind="pong"))["re"] == 1)


async def test_events_that_a_killed_broker_missed_can_be_asked_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mosquitto = Mosquitto(tmp_path)
    mosquitto.start()
    try:
        async with served(mosquitto) as server:
            async with client(mosquitto, "ann") as ann:
                assert await answers(ann)
            listener = Listener(mosquitto)
            producer = Producer(server.bus)
            await listener.until(50)
            mosquitto.kill()
            await until(lambda: not server.bridge.connection.is_up, "the end of the connection")
            costs = producer.publish(AWAY)
            mosquitto.start()
            await until_up(server.bridge)
            await listener.until(server.bus.seq + 50)
            await producer.stop()
            await listener.until(server.bus.seq)
            await listener.stop()
            await listener.refill(server.bus.seq)
            async with client(mosquitto, "ann") as ann:
                assert await answers(ann), "the conversation goes on"
                assert len(server.games.connections) == 1
    finally:
        mosquitto.kill()
    assert median(costs[-100:]) < 10 * median(costs[:100]), "a full queue costs no more than one with room"
    assert listener.refilled > 0, "more happened than there was room for"
    assert caplog.text.count("trying again") == 1 and "secret" not in caplog.text


async def test_the_bridge_waits_for_a_broker_that_starts_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mosquitto = Mosquitto(tmp_path)
    later = asyncio.get_running_loop().call_later(0.1, mosquitto.start)
    try:
        async with served(mosquitto), client(mosquitto, "ann") as ann:
            await ann.subscribe("server")
            assert await ann.receive("server", "welcome")
    finally:
        later.cancel()
        mosquitto.kill()
    assert caplog.text.count("trying again") == 1


# -- The queue ---------------------------------------------------------------------------------------


def publication(event: Event) -> Publication:
    return Publication(topic=event.topic, payload=b"%d" % event.seq, seq=event.seq)


def new_queue(bus: Bus) -> SendQueue:
    return SendQueue(lambda: None, bus.subscribe(lambda: None), publication)


@given(st.lists(st.sampled_from(["put", "event", "take", "take", "confirm", "lose"])))
def test_queued_messages_arrive_in_order_despite_lost_connections(steps: list[str]) -> None:
    bus = Bus()
    queue = new_queue(bus)
    done: list[bytes] = []
    in_flight: list[Publication] = []
    arrived: dict[bool, list[bytes]] = {True: [], False: []}  # events, and others
    puts = 0

    def confirm() -> None:
        publication = in_flight.pop(0)
        queue.confirm(publication)
        arrived[publication.seq is not None].append(publication.payload)

    for step in [*steps, "lose"]:
        match step:
            case "put":
                puts += 1
                payload = b"%d" % puts
                queue.put(Publication(topic="a", payload=payload, done=partial(done.append, payload)))
            case "event":
                bus.publish("a", BroadcastLine(line=b"{}"))
            case "take" if publication := queue.take():
                in_flight.append(publication)
            case "confirm" if in_flight:
                confirm()
            case "lose":
                queue.requeue()
                in_flight.clear()
    while publication := queue.take():
        in_flight.append(publication)
        confirm()
    numbers = [b"%d" % number for number in range(1, puts + 1)]
    assert arrived[False] == done == numbers
    assert arrived[True] == [b"%d" % number for number in range(1, bus.seq + 1)]


def test_the_queue_keeps_only_the_last_thousand_events() -> None:
    bus = Bus()
    queue = new_queue(bus)
    for _ in range(2500):
        bus.publish("a", BroadcastLine(line=b"{}"))
    numbers = []
    while publication := queue.take():
        numbers.append(publication.seq)
    assert numbers == list(range(1501, 2501))


def test_messages_that_no_broker_accepts_are_not_sent() -> None:
    queue = new_queue(Bus())
    done: list[int] = []
    queue.put(Publication(topic="a", payload=bytes(MAX_PAYLOAD_BYTES + 1), done=lambda: done.append(1)))
    assert queue.take() is None and done == [1]
    queue.put(Publication(topic="a/+", payload=b""))
    assert queue.take() is None
    queue.put(Publication(topic="a", payload=bytes(MAX_PAYLOAD_BYTES)))
    assert queue.take()
