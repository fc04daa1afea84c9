"""Clocks, to the millisecond: free time, bank, increment, grace, and what happens when all is used up."""

from typing import Any

import pytest

from protocols.jsonl.messages import ClockLeft, ClockTerms
from protocols.jsonl.seat import SeatClock
from tests.protocols.jsonl.fakes import Client, FakeServer

CLOCK: dict[str, Any] = {"bank_ms": 1000, "move_ms": 200, "inc_ms": 50, "grace_ms": 30, "init_ms": 500}


def test_free_time_is_used_before_the_bank_and_the_bank_before_the_grace() -> None:
    clock = SeatClock(ClockTerms(**CLOCK))
    assert clock.deadline(10.0) == pytest.approx(11.53)
    assert clock.left(10.0, 10.0) == ClockLeft(bank_ms=1000, move_ms=200)
    assert clock.left(10.0, 10.4) == ClockLeft(bank_ms=1000, move_ms=100)
    assert clock.left(10.0, 10.7) == ClockLeft(bank_ms=800, move_ms=0)
    clock.stop(10.0, 10.7)
    assert clock.bank_ms == pytest.approx(850)
    assert clock.deadline(20.0) == pytest.approx(20.0 + 0.2 + 0.85 + 0.03)
    clock.stop(20.0, 20.1)
    assert clock.bank_ms == pytest.approx(900)
    clock.stop(30.0, 99.0)
    assert clock.bank_ms == 50


def test_a_seat_without_a_clock_has_no_deadline() -> None:
    clock = SeatClock(None)
    assert clock.deadline(5.0) == float("inf") and clock.left(5.0, 9.0) is None


def timed(server: FakeServer, **clock: Any) -> Client:
    client = server.player()
    received = client.create(clock={**CLOCK, **clock})
    assert received[-1]["clock"] == {"bank_ms": 1000, "move_ms": 200}
    return client


def kinds(received: list[dict[str, Any]]) -> list[str]:
    return [message.get("kind") or message.get("code") or message["type"] for message in received]


def test_time_runs_out_to_the_millisecond() -> None:
    server = FakeServer()
    client = timed(server)
    server.wait(1.529)
    assert not client.received()
    server.wait(0.002)
    received = client.received()
    assert kinds(received) == ["timeout", "forced", "marked", "marked", "decide"]
    assert received[0]["re"] == 101 and received[1]["reason"] == "timeout"
    assert received[2]["square"] == "a3"
    server.wait(0.2 + 0.05 + 0.03 - 0.002)
    assert not client.received()
    server.wait(0.003)
    assert kinds(client.received())[:2] == ["timeout", "forced"]


def test_an_answer_after_the_deadline_is_stale() -> None:
    server = FakeServer()
    client = timed(server)
    server.now += 1.6  # nobody has looked at the clock
    client.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "b2"})
    assert kinds(client.received()) == ["timeout", "forced", "marked", "marked", "decide", "stale_seq"]


def test_running_out_of_time_forfeits_if_the_clock_says_so() -> None:
    server = FakeServer()
    client = timed(server, on_timeout="forfeit")
    server.wait(2.0)
    received = client.received()
    assert kinds(received) == ["timeout", "left", "end"]
    assert received[-1]["result"] == {"score": [-1.0, 1.0], "reason": "forfeit"}


def test_the_clock_of_a_slow_server_player_runs() -> None:
    """From when it is asked; what it says too late is not played."""
    server = FakeServer()
    client = server.player()
    client.create(seats=["slow", "me"], clock=CLOCK)
    server.now += 1.6
    server.work(1)
    received = client.received()
    assert kinds(received) == ["forced", "marked", "decide"] and received[0]["seat"] == 0
    client.create(seats=["slow", "me"], clock={**CLOCK, "on_timeout": "forfeit"})
    server.now += 1.6
    server.work(1)
    assert kinds(client.received()) == ["left", "end"]
    client.create(seats=["slow", "me"], clock=CLOCK)
    server.now += 1.5
    server.work(1)
    assert kinds(client.received()) == ["marked", "decide"]


def test_an_answer_in_time_stops_the_clock() -> None:
    server = FakeServer()
    client = timed(server)
    server.wait(0.9)
    client.say(type="action", re=101, game_id="g-12", seq=0, action={"kind": "mark", "square": "b2"})
    assert client.received()[-1]["clock"] == {"bank_ms": 650, "move_ms": 200}


def test_a_refusal_does_not_stop_the_clock() -> None:
    server = FakeServer()
    client = timed(server)
    server.wait(1.0)
    client.say(type="action", re=101, game_id="g-12", action={"kind": "mark", "square": "z9"})
    assert kinds(client.received()) == ["illegal_action"]
    server.wait(0.54)
    assert kinds(client.received())[:2] == ["timeout", "forced"]
