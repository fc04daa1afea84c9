"""Conversations through a broker, without one: who is heard, who is too much, and where answers go."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.host import Host
from protocols.mqtt.guests import MOST_UNREAD_BYTES, Guests, GuestStream
from protocols.mqtt.letter import Letter
from protocols.mqtt.outbox import Publication
from protocols.mqtt.topics import Topics
from tests.fifth_game.binding import tic_tac_toe

TOPICS = Topics("r")
HELLO = {"type": "hello", "versions": [1]}


class Postman:
    """Keeps what is published; the broker has it when land() is called."""

    def __init__(self) -> None:
        self.flying: list[Publication] = []

    def put(self, publication: Publication) -> None:
        self.flying.append(publication)

    def land(self) -> list[tuple[str, dict[str, Any]]]:
        landed, self.flying = self.flying, []
        for publication in landed:
            publication.done()
        return [(publication.topic, json.loads(publication.payload)) for publication in landed]


def letter(client: str, message: Any, response: str = "", mark: bytes | None = None) -> Letter:
    payload = message if isinstance(message, bytes) else json.dumps(message).encode()
    return Letter(payload=payload, response=response or TOPICS.out(client), mark=mark, by_seat=False)


@asynccontextmanager
async def guests(most: int = 10) -> AsyncIterator[tuple[Guests, Postman, Hall]]:
    postman, hall = Postman(), Hall(tic_tac_toe())
    async with Host(hall) as tables:
        clients = Guests(tables, TOPICS, postman.put, most)
        yield clients, postman, hall
        clients.stop()
        await asyncio.sleep(0)
    assert not hall.lines and not hall.troubles


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_each_client_has_a_conversation_of_its_own() -> None:
    async with guests() as (clients, postman, hall):
        for name in ("ann", "bob", "ann"):
            clients.receive(name, letter(name, {"type": "ping", "id": name}))
        await settled()
        said = [(topic, message["re"]) for topic, message in postman.land()]
        assert sorted(said) == [("r/c/ann/out", "ann")] * 2 + [("r/c/bob/out", "bob")]
        assert len(hall.lines) == 2


async def test_a_bye_ends_one_and_what_follows_begins_the_next() -> None:
    async with guests() as (clients, postman, hall):
        for message in (HELLO, {"type": "bye"}, HELLO, {"type": "ping", "id": 1}):
            clients.receive("ann", letter("ann", message))
        await settled()
        kinds = [message["type"] for _, message in postman.land()]
        assert kinds == ["welcome", "welcome", "pong"] and len(hall.lines) == 1


async def test_there_is_room_for_so_many() -> None:
    async with guests(most=1) as (clients, postman, _):
        clients.receive("ann", letter("ann", HELLO))
        clients.receive("bob", letter("bob", HELLO))
        await settled()
        said = dict(postman.land())
        assert said["r/c/bob/out"]["code"] == "busy" and said["r/c/ann/out"]["type"] == "welcome"
        clients.receive("ann", letter("ann", {"type": "bye"}))
        await settled()
        clients.receive("bob", letter("bob", HELLO))
        await settled()
        assert postman.land()[0][1]["type"] == "welcome"


async def test_who_says_more_than_anybody_reads_is_cut_off() -> None:
    async with guests() as (clients, postman, hall):
        for _ in range(5):
            clients.receive("ann", letter("ann", b" " * (MOST_UNREAD_BYTES // 4)))
        await settled()
        assert not hall.lines
        clients.receive("ann", letter("ann", HELLO))
        await settled()
        assert [message["type"] for _, message in postman.land()][-1] == "welcome"


async def test_answers_find_their_way() -> None:
    async with guests() as (clients, postman, _):
        clients.receive("ann", letter("ann", {"type": "ping", "id": 1}, "r/c/ann/out/7", b"one"))
        clients.receive("ann", letter("ann", {"type": "ping", "id": 2}))
        clients.receive("ann", letter("ann", b"no message", "r/c/ann/out/7", b"two"))
        await settled()
        marks = [(each.topic, each.correlation) for each in postman.flying]
        assert marks == [("r/c/ann/out/7", b"one"), ("r/c/ann/out", None), ("r/c/ann/out", None)]


async def test_what_is_written_waits_till_the_broker_has_it() -> None:
    postman = Postman()
    stream = GuestStream("ann", TOPICS, postman.put)
    stream.write(b'{"type":"a"}\n{"type":"b"}\n')
    draining = asyncio.create_task(stream.drain())
    await settled()
    assert stream.waiting() == 24 and not draining.done()
    assert [message["type"] for _, message in postman.land()] == ["a", "b"]
    await draining
    assert stream.waiting() == 0
