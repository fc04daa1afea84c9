"""Coming in: hello, versions, roles, limits, heartbeats, and lines that are none."""

import json

import pytest

from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.requests.dispatch import too_long
from protocols.jsonl.session.framer import Framer, LineTooLong
from tests.protocols.jsonl.fakes import House, first_listed


def test_nothing_before_hello_but_ping() -> None:
    guest = House().guest()
    assert guest.ask(type="list", id=1)["code"] == "not_ready"
    assert guest.ask(type="ping", id=2)["type"] == "pong"
    guest.say(type="hello", id=3, versions=[9, 1])
    guest.say(type="list", id=4)
    assert [line["re"] for line in guest.heard()] == [3, 4]
    assert guest.ask(type="hello", versions=[1])["code"] == "not_permitted"


def test_no_version_in_common() -> None:
    guest = House().guest()
    error = guest.ask(type="hello", versions=[2, 3])
    assert (error["code"], error["data"], error["fatal"]) == ("version", {"versions": [1]}, True)
    assert guest.line.is_closing


def test_a_director_needs_the_token_from_afar() -> None:
    house = House(token="secret")
    for token, answer in ((None, "error"), ("wrong", "error"), ("secret", "welcome")):
        guest = house.guest(is_trusted=False)
        assert guest.ask(type="hello", versions=[1], role="director", token=token)["type"] == answer
    assert house.guest().ask(type="hello", versions=[1], role="director")["type"] == "welcome"


def test_strangers_are_slowed() -> None:
    house = House()
    guest = house.guest(is_trusted=False)
    for _ in range(60):
        guest.say(type="ping")
    heard = guest.heard()
    assert [line["type"] for line in heard] == ["pong"] * 40 + ["error"] * 20
    assert heard[-1]["code"] == "rate_limited" and 0 < heard[-1]["data"]["retry_ms"] <= 50
    house.now += 0.06
    assert guest.ask(type="ping")["type"] == "pong"


def test_malformed_lines_end_the_connection_when_there_are_many() -> None:
    house = House()
    guest = house.player()
    for count in range(19):
        guest.send(b"\x00\xff{")
        assert guest.heard()[0]["fatal"] is False, count
    house.now += 61.0
    guest.send(b"again")
    assert not guest.line.is_closing
    for _ in range(19):
        guest.send(b"[]")
    assert guest.heard()[-1]["fatal"] is True and guest.line.is_closing
    guest.send(b'{"type":"ping"}')
    assert not guest.heard()


def test_a_silent_guest_is_asked_and_then_parted_from() -> None:
    house = House()
    guest = house.player()
    house.wait(16.0)
    (ping,) = map(json.loads, guest.lines())
    assert ping["type"] == "ping"
    house.now += 0.004
    guest.say(type="pong", re=ping["id"])
    assert guest.ask(type="ping")["latency_ms"] > 0
    house.wait(70.0)
    assert guest.heard()[-1] == {"type": "bye", "reason": "idle"} and guest.line.is_closing


def test_standard_input_may_be_silent_for_ever() -> None:
    house = House()
    guest = house.guest(is_silent=True)
    guest.say(type="hello", versions=[1])
    guest.lines()
    house.wait(10_000.0)
    assert not guest.heard() and not guest.line.is_closing


def test_a_house_that_is_full() -> None:
    house = House(limits=JsonlLimits(games_per_session=1, games=2, sessions=2))
    ann, bob = house.player(), house.player()
    assert house.guest().ask(type="hello", versions=[1])["code"] == "busy"
    ann.create()
    assert ann.create()[0]["code"] == "busy"
    bob.create()
    limited = bob.ask(type="limits", id=1)
    assert limited["limits"]["games"] == 2 and limited["used"]["games"] == 2


def test_a_line_without_an_end() -> None:
    framer = Framer()
    assert framer.feed(b'{"a":1}\n\n{"b"', 16) == [b'{"a":1}', b""]
    assert framer.feed(b":2}\r\n", 16) == [b'{"b":2}\r']
    with pytest.raises(LineTooLong):
        framer.feed(b"x" * 16, 16)
    house = House()
    guest = house.player()
    too_long(house.hall, guest.line)
    assert guest.heard()[0]["code"] == "too_long" and guest.line.is_closing


def test_bye() -> None:
    guest = House().player()
    guest.say(type="bye")
    assert guest.line.is_closing and not guest.heard()


def test_games_that_are_over_are_forgotten_in_time() -> None:
    house = House(limits=JsonlLimits(finished_games=2, finished_seconds=50.0))
    guest = house.player()
    for _ in range(4):
        guest.play_out(first_listed, guest.create())
    assert list(house.hall.tables) == ["g-14", "g-15"]
    assert guest.ask(type="state", game_id="g-12")["code"] == "no_such_game"
    house.wait(56.0)
    assert not house.hall.tables and not house.hall.sessions["s-1"].games


def test_a_fast_game_leaves_no_trail_of_alarms() -> None:
    house = House()
    guest = house.player()
    for _ in range(30):
        guest.play_out(first_listed, guest.create(clock={"bank_ms": 10**7}))
    assert len(house.hall.alarms) < 40
    house.wait(61.0)
    assert len(house.hall.alarms) < 5


def test_games_that_were_left_make_room_for_newcomers() -> None:
    """First the one in which nothing was decided, then the one that was left first; nobody who is there loses a game."""
    house = House(limits=JsonlLimits(games=3))
    stays, thinks, comes_and_goes = house.player(), house.player(), house.player()
    games = []
    for guest in (stays, thinks, comes_and_goes):
        heard = guest.create()
        games.append(heard[0]["game_id"])
        if guest is thinks:
            decide = heard[-1]
            guest.say(type="action", re=decide["id"], game_id=decide["game_id"], action=first_listed(decide))
    thinks.leave()
    house.now += 1.0
    comes_and_goes.leave()
    tables = house.hall.tables
    assert house.player().create()[0]["type"] == "created"
    assert [tables[game].is_over for game in games] == [False, False, True]
    assert house.player().create()[0]["type"] == "created"
    assert [tables[game].is_over for game in games] == [False, True, True]
    assert house.player().create()[0]["code"] == "busy"


def test_sessions_that_were_left_make_room_for_newcomers() -> None:
    """First one without a game, then one that has decided nothing; who is there, or has decided, keeps what is his."""
    house = House(limits=JsonlLimits(sessions=4))
    stays, thinks, looks, talks = [house.player() for _ in range(4)]
    stays.create()
    decide = thinks.create()[-1]
    thinks.say(type="action", re=decide["id"], game_id=decide["game_id"], action=first_listed(decide))
    begun = looks.create()[0]["game_id"]
    for guest in (thinks, talks, looks):
        guest.leave()
        house.now += 1.0
    sessions = house.hall.sessions
    assert set(sessions) == {"s-1", "s-2", "s-3"}, "who has no game is not waited for"
    house.player()
    assert set(sessions) == {"s-1", "s-2", "s-3", "s-5"} and not house.hall.tables[begun].is_over
    house.player()
    assert set(sessions) == {"s-1", "s-2", "s-5", "s-6"} and house.hall.tables[begun].is_over
    house.player()
    assert set(sessions) == {"s-1", "s-5", "s-6", "s-7"}
    assert house.guest().ask(type="hello", versions=[1])["code"] == "busy"


def test_a_left_session_is_kept_no_longer_than_its_game() -> None:
    house = House(limits=JsonlLimits(games=1, session_seconds=100.0))
    for _ in range(20):
        guest = house.player()
        guest.create()
        guest.leave()
        house.now += 1.0
    assert len(house.hall.sessions) == 20
    house.wait(200.0)
    assert len(house.hall.sessions) == 1 and len(house.hall.alarms) < 5
    house.wait(80_000.0)
    assert len(house.hall.sessions) == 1, "its game has no clock"
    house.wait(10_000.0)
    assert not house.hall.sessions
