"""How much one client may ask for, and what is kept of a request."""

import json
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from engines.events import Bus
from protocols.house import House
from protocols.limits import Limits
from protocols.mqtt.letter import LONGEST, Letter
from protocols.mqtt.outbox import Publication
from protocols.mqtt.requests.requests import MOST_A_SECOND, Requests
from protocols.mqtt.topics import Missed, Topics
from tests.protocols.wire import no_engine

TOPICS = Topics("r")


def letter(**told: Any) -> Letter:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    for name, value in told.items():
        setattr(properties, name, value)
    message = aiomqtt.Message("r/history/ann", b'{"after":0}', 1, False, 1, properties)
    return Letter.of(message, "ann", TOPICS)


@pytest.mark.parametrize("clients", [["ann"], ["ann", "bob"]])
def test_one_client_does_not_keep_others_waiting(clients: list[str]) -> None:
    said: list[Publication] = []
    now = 100.5
    requests = Requests(House(no_engine, Limits()), Bus(), said.append, lambda: now)
    for _ in range(MOST_A_SECOND + 5):
        for client in clients:
            requests.receive(Missed(client=client), letter())
    kinds = [json.loads(each.payload)["type"] for each in said]
    assert kinds.count("history") == MOST_A_SECOND * len(clients)
    assert kinds[-1] == "error" and b'"rate_limited"' in said[-1].payload
    now = 101.0
    requests.receive(Missed(client="ann"), letter())
    assert b'"history"' in said[-1].payload


def test_a_letter_and_its_answer() -> None:
    plain = letter()
    assert plain == Letter(payload=b'{"after":0}', response="r/c/ann/out", mark=None, by_seat=False)
    whole = letter(
        ResponseTopic="r/c/ann/out/1",
        CorrelationData=b"\0mark",
        UserProperty=[("x", "y"), ("games", "by_seat")],
    )
    assert (whole.response, whole.mark, whole.by_seat) == ("r/c/ann/out/1", b"\0mark", True)
    longest = letter(ResponseTopic="r/c/ann/out/" + "x" * LONGEST, CorrelationData=b"x" * (LONGEST + 1))
    assert (longest.response, longest.mark) == ("r/c/ann/out", None)
