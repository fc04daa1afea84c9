"""Coming in: hello, versions, roles, limits, heartbeats, and lines that are none."""

import json
from typing import Any, cast

import pytest

from engines.events import BroadcastLine, Bus
from protocols.jsonl import messages
from protocols.jsonl.handlers import HANDLERS, receive, refuse_too_long
from protocols.limits import MESSAGE_BYTES, GameLimits, TokenBucket
from tests.protocols.jsonl.fakes import FakeServer, first_listed, resumed
from tests.protocols.jsonl.scripted import acquire
from tools.games import game_adapters as all_games


def test_only_ping_is_answered_before_hello() -> None:
    client = FakeServer().client()
    assert client.ask(type="list", id=1)["code"] == "not_ready"
    assert client.ask(type="ping", id=2)["type"] == "pong"
    client.say(type="hello", id=3, versions=[9, 1])
    client.say(type="list", id=4)
    assert [line["re"] for line in client.received()] == [3, 4]
    again = client.ask(type="hello", versions=[1])
    assert (again["code"], again["message"]) == (
        "not_permitted",
        "this connection has already sent hello",
    )


def test_a_fault_of_the_server_is_reported_with_its_ticket(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client and the log have the same ticket."""

    def fail(server: object, session: object, message: object) -> None:
        raise ZeroDivisionError

    server = FakeServer()
    client = server.player()
    monkeypatch.setitem(cast(dict[type, Any], HANDLERS), messages.Limits, fail)
    receive(server.games, client.connection, b'{"type":"limits","id":7}')
    (error,) = client.received()
    assert (error["code"], error["re"], error["data"]) == ("internal", 7, {"ticket": "t-1"})
    assert error["message"] == "internal server error; the server's log has it under ticket t-1"
    (logged,) = server.log
    assert logged.startswith("t-1: Traceback") and "ZeroDivisionError" in logged


@pytest.mark.parametrize("name", ["An\u202en", "Ann\u200b", "\u3164", "  ", "Ann\ufe0f"])
def test_names_with_invisible_characters_are_refused(name: str) -> None:
    error = FakeServer().client().ask(type="hello", versions=[1], name=name)
    assert (error["code"], error["data"]["path"]) == ("invalid_params", "$.name")


def test_hello_without_a_common_version_is_fatal() -> None:
    client = FakeServer().client()
    error = client.ask(type="hello", versions=[2, 3])
    assert (error["code"], error["data"], error["fatal"]) == ("version", {"versions": [1]}, True)
    assert client.connection.is_closing


@pytest.mark.parametrize("name", ["legal", "observe", "holdings_hidden_ok"])
def test_fields_that_hello_once_had_are_ignored(name: str) -> None:
    assert FakeServer().client().ask(type="hello", versions=[1], **{name: 5})["type"] == "welcome"


def test_a_remote_director_needs_the_token() -> None:
    server = FakeServer(token="secret")
    for token, answer in ((None, "error"), ("wrong", "error"), ("secret", "welcome")):
        client = server.client(is_trusted=False)
        assert client.ask(type="hello", versions=[1], role="director", token=token)["type"] == answer
    assert server.client().ask(type="hello", versions=[1], role="director")["type"] == "welcome"


def test_remote_clients_are_rate_limited() -> None:
    server = FakeServer()
    client = server.client(is_trusted=False)
    for _ in range(60):
        client.say(type="ping")
    received = client.received()
    assert [line["type"] for line in received] == ["pong"] * 40 + ["error"] * 20
    assert received[-1]["code"] == "rate_limited" and 0 < received[-1]["data"]["retry_ms"] <= 50
    server.now += 0.06
    assert client.ask(type="ping")["type"] == "pong"


@pytest.mark.parametrize(
    ("line", "re", "game_id"),
    [
        (b'{"type":"ping","id":7}', 7, None),
        (b'{"text":"%b","type":"state","id":"n","game_id":"g-1"}' % (b"x" * 10_000), "n", "g-1"),
        (b'{"type":"action","re":101,"game_id":"g-1","action":{}}', 101, "g-1"),
        (b'{"type":"check","re":101,"game_id":"g-1","action":{}}', None, "g-1"),
        (b'{"type":"nonsense","id":8}', 8, None),
        (b'{"type":"ping","id":{}}', None, None),
        (b'{"id":' + b"[" * 60_000, None, None),
        (b"", None, None),
    ],
)
def test_rate_limited_names_the_message_that_was_refused(
    line: bytes, re: int | str | None, game_id: str | None
) -> None:
    server = FakeServer()
    client = server.client(is_trusted=False, address="192.0.2.1")
    client.connection.bucket = TokenBucket(20, 0, server.now)
    receive(server.games, client.connection, line)
    (error,) = client.received()
    assert (error["code"], error.get("re"), error.get("game_id")) == ("rate_limited", re, game_id)
    assert server.games.incidents.counts == {"messages": 1}


def test_a_long_message_that_is_refused_delays_the_next_ones() -> None:
    server = FakeServer()
    client = server.client(is_trusted=False)
    client.connection.bucket = TokenBucket(20, 0, server.now)
    receive(server.games, client.connection, b" " * 20 * MESSAGE_BYTES)
    (error,) = client.received()
    assert 1000 <= error["data"]["retry_ms"] <= 1100


def test_many_malformed_lines_end_the_connection() -> None:
    server = FakeServer()
    client = server.player()
    for count in range(19):
        client.send(b"\x00\xff{")
        assert client.received()[0]["fatal"] is False, count
    server.now += 61.0
    client.send(b"again")
    assert not client.connection.is_closing
    for _ in range(19):
        client.send(b"[]")
    assert client.received()[-1]["fatal"] is True and client.connection.is_closing
    client.send(b'{"type":"ping"}')
    assert not client.received()


def test_a_silent_client_is_pinged_and_then_disconnected() -> None:
    server = FakeServer()
    client = server.player()
    server.wait(16.0)
    (ping,) = map(json.loads, client.lines())
    assert ping["type"] == "ping"
    server.now += 0.004
    client.say(type="pong", re=ping["id"])
    assert client.ask(type="ping")["latency_ms"] > 0
    server.wait(70.0)
    assert client.received()[-1] == {"type": "bye", "reason": "idle"} and client.connection.is_closing


def test_standard_input_may_be_silent_for_ever() -> None:
    server = FakeServer()
    client = server.client(is_silent=True)
    client.say(type="hello", versions=[1])
    client.lines()
    server.wait(10_000.0)
    assert not client.received() and not client.connection.is_closing


def test_a_full_server_refuses_sessions_and_games() -> None:
    server = FakeServer(limits=GameLimits(games_per_session=1, games=2, sessions=2))
    ann, bob = server.player(), server.player()
    assert server.client().ask(type="hello", versions=[1])["code"] == "busy"
    ann.create()
    assert ann.create()[0]["code"] == "busy"
    bob.create()
    limited = bob.ask(type="limits", id=1)
    assert limited["limits"]["games"] == 2 and limited["used"]["games"] == 2


def test_a_line_without_an_end_closes_the_connection() -> None:
    client = FakeServer().player()
    refuse_too_long(client.connection)
    assert client.received()[0]["code"] == "too_long" and client.connection.is_closing


def test_bye_closes_the_connection() -> None:
    client = FakeServer().player()
    client.say(type="bye")
    assert client.connection.is_closing and not client.received()


def test_ended_games_are_forgotten_by_count_and_by_time() -> None:
    server = FakeServer(limits=GameLimits(finished_games=2, finished_seconds=50.0))
    client = server.player()
    for _ in range(4):
        client.play_out(first_listed, client.create())
    assert list(server.games.games) == ["g-14", "g-15"]
    assert client.ask(type="state", game_id="g-12")["code"] == "no_such_game"
    server.wait(56.0)
    assert not server.games.games and not server.games.sessions["s-1"].games


def test_ended_games_are_forgotten_when_no_client_is_connected() -> None:
    server = FakeServer(limits=GameLimits(finished_seconds=50.0))
    client = server.player()
    client.play_out(first_listed, client.create())
    client.leave()
    server.wait(49.0)
    assert list(server.games.games) == ["g-12"]
    server.wait(1.5)
    assert not server.games.games


def test_a_fast_game_leaves_no_trail_of_timers() -> None:
    server = FakeServer()
    client = server.player()
    for _ in range(30):
        client.play_out(first_listed, client.create(clock={"bank_ms": 10**7}))
    assert server.timers < 40
    server.wait(61.0)
    assert server.timers < 5


def test_games_that_were_left_make_room_for_newcomers() -> None:
    """First the one in which nothing was decided, then the one that was left first; nobody who is there loses a game."""
    server = FakeServer(limits=GameLimits(games=3))
    stays, thinks, comes_and_goes = server.player(), server.player(), server.player()
    games = []
    for client in (stays, thinks, comes_and_goes):
        received = client.create()
        games.append(received[0]["game_id"])
        if client is thinks:
            decide = received[-1]
            client.say(type="action", re=decide["id"], game_id=decide["game_id"], action=first_listed(decide))
    thinks.leave()
    server.now += 1.0
    comes_and_goes.leave()
    tables = server.games.games
    assert server.player().create()[0]["type"] == "created"
    assert [tables[game].is_over for game in games] == [False, False, True]
    assert server.player().create()[0]["type"] == "created"
    assert [tables[game].is_over for game in games] == [False, True, True]
    assert server.player().create()[0]["code"] == "busy"


def test_idle_games_of_the_busiest_address_make_room_for_newcomers() -> None:
    """Of the address with most, those without a decision after ten seconds, others after sixty; a single one never."""
    server = FakeServer(limits=GameLimits(games=5))
    many, thinks, local = server.player("many"), server.player("one"), server.player()
    games = [many.create() for _ in range(3)]
    decide = games[0][-1]
    many.say(type="action", re=decide["id"], game_id=decide["game_id"], action=first_listed(decide))
    many.received()
    thinks.create()
    local.create()
    assert server.player("new").create()[0]["code"] == "busy"
    server.now += 10.0
    assert server.player("new").create()[0]["type"] == "created"
    told = many.received()
    assert [each["type"] for each in told] == ["error", "event", "end"]
    assert {each["game_id"] for each in told} == {games[1][0]["game_id"]}
    assert (told[0]["code"], told[2]["result"]["reason"]) == ("busy", "forfeit")
    assert server.player("many").create()[0]["code"] == "busy", "who has most gets no place of others"
    assert server.player("newer").create()[0]["type"] == "created"
    assert server.player("newest").create()[0]["code"] == "busy", "nobody has two more than a newcomer"
    assert not server.games.games.find(games[0][0]["game_id"]).is_over


def test_an_address_with_more_than_its_share_makes_room_at_once() -> None:
    server = FakeServer(limits=GameLimits(games=4, games_of_address=3))
    many = server.player("many")
    games = [many.create()[0]["game_id"] for _ in range(4)]
    server.now += 1.0
    assert server.player("new").create()[0]["type"] == "created"
    assert [server.games.games.find(game).is_over for game in games] == [True, False, False, False]
    assert server.player("new").create()[0]["code"] == "busy"


def test_an_idle_open_game_makes_room_for_a_new_game() -> None:
    server = FakeServer(limits=GameLimits(games=2))
    many = server.player("many")
    first, second = [many.create(seats=["me", "open"])[0]["game_id"] for _ in range(2)]
    server.now += 10.0
    assert server.player("new").create()[0]["type"] == "created"
    assert first not in server.games.games and second in server.games.games
    (told,) = many.received()
    assert (told["code"], told["game_id"]) == ("busy", first)


def test_sessions_that_were_left_make_room_for_newcomers() -> None:
    """First one without a game, then one that has decided nothing; who is there, or has decided, keeps what is his."""
    server = FakeServer(limits=GameLimits(sessions=4))
    stays, thinks, looks, talks = [server.player() for _ in range(4)]
    stays.create()
    decide = thinks.create()[-1]
    thinks.say(type="action", re=decide["id"], game_id=decide["game_id"], action=first_listed(decide))
    begun = looks.create()[0]["game_id"]
    for client in (thinks, talks, looks):
        client.leave()
        server.now += 1.0
    sessions = server.games.sessions
    assert set(sessions) == {"s-1", "s-2", "s-3"}, "who has no game is not waited for"
    server.player()
    assert set(sessions) == {"s-1", "s-2", "s-3", "s-5"} and not server.games.games[begun].is_over
    server.player()
    assert set(sessions) == {"s-1", "s-2", "s-5", "s-6"} and server.games.games[begun].is_over
    server.player()
    assert set(sessions) == {"s-1", "s-5", "s-6", "s-7"}
    assert server.client().ask(type="hello", versions=[1])["code"] == "busy"


def test_a_left_session_is_kept_no_longer_than_its_game() -> None:
    server = FakeServer(limits=GameLimits(games=1, session_seconds=100.0))
    for _ in range(20):
        client = server.player()
        client.create()
        client.leave()
        server.now += 1.0
    assert len(server.games.sessions) == 20
    server.wait(200.0)
    assert len(server.games.sessions) == 1 and server.timers < 5
    server.wait(80_000.0)
    assert len(server.games.sessions) == 1, "its game has no clock"
    server.wait(10_000.0)
    assert not server.games.sessions


def test_no_line_is_longer_than_its_client_can_receive() -> None:
    """What it may send is not bound by that."""
    server = FakeServer(acquire())
    client = server.client()
    error = client.ask(type="hello", id=1, versions=[1], max_line=256)
    assert (error["code"], error["data"]) == ("invalid_params", {"path": "$.max_line"})
    assert client.ask(type="hello", versions=[1], max_line=700)["limits"]["max_line"] == 700
    error = client.ask(type="describe", id="rules", game="acquire")
    assert (error["code"], error["re"], error["fatal"]) == ("too_long", "rules", False)
    assert error["data"]["bytes"] > 5000
    client.say(type="create", game="acquire", variant="mini", seats=["me", "random"], seed=1)
    assert max(map(len, client.lines())) <= 700
    assert client.ask(type="ping", id=2, x="y" * 5000)["type"] == "pong"


def test_the_longest_answers_fit_into_the_default_line_limit() -> None:
    """The longest answers fit into the default limit."""
    client = FakeServer(all_games()).player()
    for game in ("acquire", "protection"):
        assert client.ask(type="describe", game=game)["type"] == "description"


def listings(bus: Bus) -> list[tuple[str, bool]]:
    """The state of each entry that has been published, and whether the game was left."""
    events = [event.news for event in bus.history(0) if event.topic.startswith("listing/")]
    entries = [json.loads(news.line) for news in events if isinstance(news, BroadcastLine)]
    return [(entry["state"], entry.get("left", False)) for entry in entries]


def test_a_game_whose_players_have_left_is_marked_and_then_not_listed_until_one_comes_back() -> None:
    bus = Bus()
    server = FakeServer(bus=bus, limits=GameLimits(left_game_seconds=50.0))
    watcher, player = server.player(), server.player()
    player.create()

    def listed() -> list[tuple[str, bool]]:
        games = watcher.ask(type="list", what="games")["games"]
        return [(game["state"], game.get("left", False)) for game in games]

    assert listed() == [("running", False)]
    player.leave()
    assert listed() == listings(bus)[-1:] == [("running", True)]
    server.wait(49.0)
    assert listed() == [("running", True)]
    server.wait(2.0)
    assert listed() == [] and listings(bus)[-1] == ("gone", True)
    again = resumed(server, player.welcome["resume"])
    assert listed() == listings(bus)[-1:] == [("running", False)]
    again.leave()
    server.wait(51.0)
    assert listed() == [] and listings(bus)[-1] == ("gone", True)


def test_a_player_who_leaves_twice_within_the_time_has_all_of_it_each_time() -> None:
    bus = Bus()
    server = FakeServer(bus=bus, limits=GameLimits(left_game_seconds=50.0))
    player = server.player()
    player.create()
    player.leave()
    server.wait(30.0)
    again = resumed(server, player.welcome["resume"])
    again.leave()
    server.wait(40.0)
    assert listings(bus)[-1] == ("running", True)
    server.wait(11.0)
    assert listings(bus)[-1] == ("gone", True)
