"""Conversations of clients, without a broker: their number and size, and where answers go."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from protocols.accounts import Accounts
from protocols.jsonl.server import GameServer
from protocols.limits import Limits
from protocols.mqtt.clients import MAX_UNREAD_BYTES, ClientStream, ClientStreams
from protocols.mqtt.topics import Publication, Request, Topics
from tests.fifth_game.adapter import tic_tac_toe
from tests.servers import game_server

TOPICS = Topics("r")
HELLO = {"type": "hello", "versions": [1]}


class Broker:
    """Keeps what is published; confirm() tells that it has arrived."""

    def __init__(self) -> None:
        self.unconfirmed: list[Publication] = []

    def put(self, publication: Publication) -> None:
        self.unconfirmed.append(publication)

    def confirm(self) -> list[tuple[str, dict[str, Any]]]:
        arrived, self.unconfirmed = self.unconfirmed, []
        for publication in arrived:
            publication.done()
        return [(publication.topic, json.loads(publication.payload)) for publication in arrived]


def request(client: str, message: Any, response: str = "", correlation: bytes | None = None) -> Request:
    payload = message if isinstance(message, bytes) else json.dumps(message).encode()
    return Request(
        payload=payload,
        response=response or TOPICS.client_topic(client),
        correlation=correlation,
        by_seat=False,
    )


@asynccontextmanager
async def conversations(most: int = 10) -> AsyncIterator[tuple[ClientStreams, Broker, GameServer]]:
    broker = Broker()
    async with game_server(tic_tac_toe()) as games:
        accounts = Accounts(Limits(), monotonic)
        clients = ClientStreams(games, accounts, TOPICS, broker.put, most)
        yield clients, broker, games
        clients.stop()
        await asyncio.sleep(0)
    assert not games.connections


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_each_client_has_a_conversation_of_its_own() -> None:
    async with conversations() as (clients, broker, games):
        for name in ("ann", "bob", "ann"):
            clients.receive(name, request(name, {"type": "ping", "id": name}))
        await settle()
        sent = [(topic, message["re"]) for topic, message in broker.confirm()]
        assert sorted(sent) == [("r/c/ann/out", "ann")] * 2 + [("r/c/bob/out", "bob")]
        assert len(games.connections) == 2


async def test_a_message_after_bye_starts_a_new_conversation() -> None:
    async with conversations() as (clients, broker, games):
        for message in (HELLO, {"type": "bye"}, HELLO, {"type": "ping", "id": 1}):
            clients.receive("ann", request("ann", message))
        await settle()
        kinds = [message["type"] for _, message in broker.confirm()]
        assert kinds == ["welcome", "welcome", "pong"] and len(games.connections) == 1


async def test_clients_above_the_limit_are_refused_until_a_slot_is_free() -> None:
    async with conversations(most=1) as (clients, broker, _):
        clients.receive("ann", request("ann", HELLO))
        clients.receive("bob", request("bob", HELLO))
        await settle()
        sent = dict(broker.confirm())
        assert sent["r/c/bob/out"]["code"] == "busy" and sent["r/c/ann/out"]["type"] == "welcome"
        clients.receive("ann", request("ann", {"type": "bye"}))
        await settle()
        clients.receive("bob", request("bob", HELLO))
        await settle()
        assert broker.confirm()[0][1]["type"] == "welcome"


async def test_a_client_that_sends_more_than_is_read_is_cut_off() -> None:
    async with conversations() as (clients, broker, games):
        for _ in range(33):
            clients.receive("ann", request("ann", b" " * (MAX_UNREAD_BYTES // 32)))
        await settle()
        assert not games.connections
        clients.receive("ann", request("ann", HELLO))
        await settle()
        assert [message["type"] for _, message in broker.confirm()][-1] == "welcome"


async def test_answers_go_to_the_response_topic_of_their_request() -> None:
    async with conversations() as (clients, broker, _):
        clients.receive("ann", request("ann", {"type": "ping", "id": 1}, "r/c/ann/out/7", b"one"))
        clients.receive("ann", request("ann", {"type": "ping", "id": 2}))
        clients.receive("ann", request("ann", b"no message", "r/c/ann/out/7", b"two"))
        await settle()
        marks = [(each.topic, each.correlation) for each in broker.unconfirmed]
        assert marks == [("r/c/ann/out/7", b"one"), ("r/c/ann/out", None), ("r/c/ann/out", None)]


async def test_drain_waits_until_the_broker_has_confirmed_the_messages() -> None:
    broker = Broker()
    stream = ClientStream("ann", TOPICS, broker.put)
    stream.write(b'{"type":"a"}\n{"type":"b"}\n')
    draining = asyncio.create_task(stream.drain())
    await settle()
    assert stream.waiting() == 24 and not draining.done()
    assert [message["type"] for _, message in broker.confirm()] == ["a", "b"]
    await draining
    assert stream.waiting() == 0
