"""The server behind a broker: what everybody is told, what stays, and conversations."""

import asyncio
from typing import Any

import aiomqtt

from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import first_listed
from tests.protocols.jsonl.scripted import acquire
from tests.protocols.mqtt.mosquitto import Mosquitto
from tests.protocols.mqtt.server import ROOT, Client, client, data, seq, served

HELLO = {"type": "hello", "versions": [1]}
MINI = {"type": "create", "game": "acquire", "variant": "mini", "seats": ["me", "random"]}


async def played(player: Client, seats: str = "c/") -> str:
    """Answer every decide till the end; the game's id."""
    while True:
        message = data(await player.hear(seats))
        if message["type"] == "end":
            return str(message["game_id"])
        if message["type"] == "decide":
            action = first_listed(message)
            await player.say(type="action", re=message["id"], game_id=message["game_id"], action=action)


async def test_the_house_says_who_it_is_and_when_it_is_gone(mosquitto: Mosquitto) -> None:
    async with client(mosquitto, "ann") as ann:
        async with served(mosquitto) as server:
            await ann.subscribe("server", "engine/+/status")
            welcome = data(await ann.hear("server", "welcome"))
            assert welcome["server"] == server.games.server and "tic-tac-toe" in welcome["games"]
            assert not {"session", "resume", "re"} & set(welcome)
            assert data(await ann.hear("engine/", "presence"))["status"] == "online"
        while (await ann.hear("engine/")).payload:
            pass  # what was retained is cleared
        assert data(await ann.hear("server")) == {"type": "bye"}
        async with client(mosquitto, "bob") as bob:
            await bob.subscribe("server")
            told = await bob.hear("server")
            assert told.retain and data(told) == {"type": "bye"}


async def test_a_game_is_played_and_watched(mosquitto: Mosquitto) -> None:
    async with (
        served(mosquitto, acquire()) as server,
        client(mosquitto, "ann") as ann,
        client(mosquitto, "bob") as bob,
    ):
        await ann.subscribe("c/ann/out")
        await bob.subscribe("g/+/public", "g/+/state")
        await ann.say(**HELLO)
        await ann.say(**MINI)
        game_id = await played(ann)
        lines: list[dict[str, Any]] = []
        states: list[dict[str, Any]] = []
        while not lines or lines[-1]["type"] != "end":
            message = await bob.hear()
            (states if str(message.topic).endswith("state") else lines).append(data(message))
        assert [line["seq"] for line in lines] == list(range(lines[-1]["seq"] + 1))
        assert not any("tiles" in line for line in lines)
        assert {state["type"] for state in states if state["game_id"] == game_id} == {"start"}
        async with client(mosquitto, "eve") as eve:
            await eve.subscribe("g/+/state")
            late = await eve.hear("g/")
            assert late.retain and data(late) == lines[-1]
            server.bus.clear(f"game/{game_id}/state")
            cleared = await eve.hear("g/")
            assert not cleared.payload and seq(cleared) == server.bus.seq
            async with client(mosquitto, "eve") as later:
                await later.subscribe("g/+/state")
                assert await later.hears_nothing(0.1)


async def test_a_seat_that_is_told_of_its_game_in_a_topic_of_its_own(mosquitto: Mosquitto) -> None:
    async with served(mosquitto, acquire()), client(mosquitto, "ann") as ann:
        await ann.subscribe("c/ann/out", "g/+/seat/+/ann")
        await ann.publish("c/ann/in", '{"type":"hello","versions":[1]}', UserProperty=("games", "by_seat"))
        assert str((await ann.hear(kind="welcome")).topic) == f"{ROOT}/c/ann/out"
        await ann.say(**MINI)
        created = await ann.hear(kind="created")
        assert str(created.topic) == f"{ROOT}/c/ann/out"
        start = await ann.hear(kind="start")
        game_id, seat = data(start)["game_id"], data(start)["seat"]
        assert str(start.topic) == f"{ROOT}/g/{game_id}/seat/{seat}/ann"
        assert await played(ann, seats=f"g/{game_id}/seat/{seat}/") == game_id
        await ann.say(type="ping", id=3)
        assert str((await ann.hear(kind="pong")).topic) == f"{ROOT}/c/ann/out"


async def test_an_answer_goes_where_it_is_wanted_if_that_is_ones_own(mosquitto: Mosquitto) -> None:
    async with served(mosquitto), client(mosquitto, "ann") as ann, client(mosquitto, "bob") as bob:
        await ann.subscribe("c/ann/out/#")
        await bob.subscribe("c/bob/out/#")
        await ann.say(**HELLO)
        await ann.hear(kind="welcome")
        for wanted, given in (
            ("c/ann/out/7", "c/ann/out/7"),
            ("c/bob/out", "c/ann/out"),
            ("server", "c/ann/out"),
        ):
            await ann.publish(
                "c/ann/in",
                '{"type":"ping","id":3}',
                ResponseTopic=f"{ROOT}/{wanted}",
                CorrelationData=b"mark",
            )
            pong = await ann.hear(kind="pong")
            assert str(pong.topic) == f"{ROOT}/{given}" and data(pong)["re"] == 3
            assert pong.properties and pong.properties.CorrelationData == b"mark"  # type: ignore[attr-defined]
        assert await bob.hears_nothing(0.1)


async def test_who_is_cut_off_comes_back(mosquitto: Mosquitto) -> None:
    """The client's will ends its connection, and `resume` takes its session up, as over TCP."""
    will = aiomqtt.Will(f"{ROOT}/c/ann/in", b'{"type":"bye"}', qos=1)
    async with served(mosquitto, acquire()) as server:
        async with client(mosquitto, "ann", will) as ann:
            await ann.subscribe("c/ann/out")
            await ann.say(**HELLO)
            token = data(await ann.hear(kind="welcome"))["resume"]
            await ann.say(**MINI)
            decide = data(await ann.hear(kind="decide"))
            await ann.cut()
            async with asyncio.timeout(5.0):
                while True:
                    if not server.games.lines:
                        break
                    await asyncio.sleep(0.01)
        async with client(mosquitto, "ann", will) as again:
            await again.subscribe("c/ann/out")
            await again.say(**HELLO)
            await again.hear(kind="welcome")
            await again.say(type="resume", id=2, token=token)
            assert data(await again.hear(kind="decide"))["id"] == decide["id"]


async def test_messages_from_before_and_hostile_ones(mosquitto: Mosquitto) -> None:
    async with client(mosquitto, "ann") as ann:
        await ann.publish("c/ann/in", '{"type":"ping","id":"retained"}', retain=True)
        async with served(mosquitto) as server:
            await ann.subscribe("c/ann/out")
            assert await ann.hears_nothing(0.1), "what is retained is nobody's word"
            for payload in (b"", b"\xff\x00", b"[" * 40, b"{}\n{}", b'{"type":"ping","id":{}}'):
                await ann.publish("c/ann/in", payload)
            await ann.say(type="ping", id=9)
            assert data(await ann.hear(kind="pong"))["re"] == 9
            await ann.publish("c/ann/in", b"x" * GameLimits().line_bytes)
            async with asyncio.timeout(5.0):
                while data(await ann.hear(kind="error"))["code"] != "too_long":
                    pass
            await ann.say(**HELLO)
            assert await ann.hear(kind="welcome"), "a new conversation"
            assert not server.log
        await ann.publish("c/ann/in", b"", retain=True)


async def test_lines_and_events_are_numbered(mosquitto: Mosquitto) -> None:
    async with served(mosquitto) as server, client(mosquitto, "ann") as ann:
        await ann.subscribe("engine/+/status", "m/+/table")
        assert data(await ann.hear("engine"))["status"] == "online"
        server.bus.publish("match/m-1/table", next(server.bus.history(0)).news, is_state=True)
        assert seq(await ann.hear("m/")) == server.bus.seq
        server.bus.clear("match/m-1/table")
