"""What the bus is told of games and matches: byte by byte what spectators see, and how things stand."""

import json

import pytest

from engines.events import BroadcastLine, Bus, Event, Retired
from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import FakeServer, first_listed
from tests.protocols.jsonl.scripted import acquire


def lines(events: list[Event], topic: str) -> list[str]:
    return [
        event.news.line.decode()
        for event in events
        if event.topic == topic and isinstance(event.news, BroadcastLine)
    ]


@pytest.mark.parametrize("game", ["acquire", "tic-tac-toe"])
def test_it_is_told_what_spectators_see(game: str) -> None:
    bus = Bus()
    server = FakeServer(acquire() if game == "acquire" else None, bus=bus)
    players, spectator = [server.player(), server.player()], server.player(role="watcher")
    variant = {"variant": "mini"} if game == "acquire" else {}
    players[0].create(game=game, seats=["me", "open"], **variant)
    spectator.say(type="watch", game_id="g-12", delay=0)
    assert bus.seq == 0 and len(spectator.lines()) == 1
    players[1].say(type="join", game_id="g-12")
    while not server.games.game("g-12").is_over:
        for player in players:
            for message in player.received():
                if message["type"] == "decide":
                    action = first_listed(message)
                    player.say(type="action", re=message["id"], game_id="g-12", action=action)
    seen = spectator.lines()
    told = list(bus.history(0))
    assert lines(told, "game/g-12/public") == seen
    kinds = [json.loads(line)["type"] for line in seen]
    assert kinds[0] == "start" and kinds[-1] == "end" and set(kinds[1:-1]) == {"event"}


def test_how_a_game_stands_is_what_a_late_spectator_is_shown_first() -> None:
    bus = Bus()
    server = FakeServer(acquire(), bus=bus, limits=GameLimits(finished_seconds=60.0))
    player = server.player()
    received = player.create(game="acquire", variant="mini", seats=["me", "random"])
    for _ in range(3):
        server.wait(1.0)
        (state,) = bus.states()
        assert state.topic == "game/g-12/state" and isinstance(state.news, BroadcastLine)
        spectator = server.player(role="watcher")
        spectator.say(type="watch", game_id="g-12")
        assert spectator.lines()[1] == state.news.line.decode()
        spectator.leave()
        decide = received[-1]
        player.say(type="action", re=decide["id"], game_id="g-12", action=first_listed(decide))
        received = player.received()
    end = player.play_out(first_listed, received)
    (state,) = bus.states()
    assert isinstance(state.news, BroadcastLine) and json.loads(state.news.line) == end
    server.wait(59.0)
    assert bus.states()
    server.wait(30.0)
    assert not bus.states()
    *_, last = bus.history(0)
    assert last.topic == "game/g-12/state" and isinstance(last.news, Retired)


def test_how_a_game_stands_is_told_once_a_second() -> None:
    bus = Bus()
    server = FakeServer(acquire(), bus=bus)
    player = server.player()
    received = player.create(game="acquire", variant="mini", seats=["me", "random"])

    def accounts() -> int:
        return len(lines(list(bus.history(0)), "game/g-12/state"))

    assert accounts() == 1
    for _ in range(2):
        decide = received[-1]
        player.say(type="action", re=decide["id"], game_id="g-12", action=first_listed(decide))
        received = player.received()
    assert accounts() == 1
    server.wait(0.9)
    assert accounts() == 1
    server.wait(0.1)
    assert accounts() == 2
    server.wait(5.0)
    assert accounts() == 2, "nothing has happened"
    player.say(type="resign", game_id="g-12")
    assert accounts() == 3, "the end is told at once"
    server.wait(5.0)
    assert accounts() == 3


def test_a_refused_action_is_nobody_elses_business() -> None:
    bus = Bus()
    server = FakeServer(acquire(), bus=bus)
    player = server.player()
    (*_, decide) = player.create(game="acquire", variant="mini", seats=["me", "random"])
    before = bus.seq
    player.say(type="action", re=decide["id"], game_id="g-12", action={"kind": "place", "tile": "12I"})
    player.say(type="check", re=decide["id"], game_id="g-12", action=first_listed(decide))
    player.say(type="note", game_id="g-12", text="hm")
    assert bus.seq == before and "error" in {message["type"] for message in player.received()}


def test_how_a_match_stands() -> None:
    bus = Bus()
    server = FakeServer(bus=bus, limits=GameLimits(finished_seconds=60.0))
    director = server.player(role="director")
    director.say(type="match", id=1, game="tic-tac-toe", players=["first", "random"], games=60)
    server.work()
    told = [line for line in director.lines() if json.loads(line)["type"].startswith("match_")]
    assert lines(list(bus.history(0)), "match/m-1/table") == told
    (state,) = bus.states()
    assert isinstance(state.news, BroadcastLine) and json.loads(state.news.line)["type"] == "match_end"
    server.wait(61.0)
    assert not bus.states()
