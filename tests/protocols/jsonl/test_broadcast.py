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
def test_the_bus_receives_the_lines_that_spectators_see(game: str) -> None:
    bus = Bus()
    server = FakeServer(acquire() if game == "acquire" else None, bus=bus)
    players, spectator = [server.player(), server.player()], server.player(role="watcher")
    variant = {"variant": "mini"} if game == "acquire" else {}
    players[0].create(game=game, seats=["me", "open"], **variant)
    spectator.say(type="watch", game_id="g-12")
    assert not lines(list(bus.history(0)), "game/g-12/public") and len(spectator.lines()) == 1
    players[1].say(type="join", game_id="g-12")
    while not server.games.games.find("g-12").is_over:
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


@pytest.mark.parametrize("game", ["acquire", "tic-tac-toe"])
def test_late_spectators_of_an_ended_game_see_the_same_lines(game: str) -> None:
    """Its events are kept packed, and its agents are gone."""
    server = FakeServer(acquire() if game == "acquire" else None)
    player, early = server.player(), server.player(role="watcher", say=True)
    received = player.create(
        game=game, seats=["me", "random"], **({"variant": "mini"} if game == "acquire" else {})
    )
    early.say(type="watch", game_id="g-12", from_seq=0)
    player.play_out(first_listed, received)
    seen, late = early.lines(), server.player(role="watcher", say=True)
    for _ in range(2):
        late.say(type="watch", game_id="g-12", from_seq=0)
        assert late.lines()[1:] == seen[1:]
    late.say(type="explain", game_id="g-12")
    (explained,) = late.received()
    assert "random" in str(explained["text"])


def test_the_published_state_is_what_late_spectators_receive_first() -> None:
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
    assert any(
        event.topic == "game/g-12/state" and isinstance(event.news, Retired) for event in bus.history(0)
    )


def test_the_state_of_a_game_is_published_at_most_once_a_second() -> None:
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


def test_the_listing_follows_a_game_from_open_to_gone() -> None:
    bus = Bus()
    server = FakeServer(acquire(), bus=bus, limits=GameLimits(finished_seconds=60.0))
    ann, bob = server.player(name="Ann"), server.player(name="Bob")
    ann.create(game="acquire", variant="mini", seats=["me", "open"])
    bob.say(type="join", game_id="g-12")
    for player in (ann, bob):
        for decide in (line for line in player.received() if line["type"] == "decide"):
            player.say(type="action", re=decide["id"], game_id="g-12", action=first_listed(decide))
    bob.say(type="resign", game_id="g-12")
    server.wait(90.0)
    listed = [json.loads(line) for line in lines(list(bus.history(0)), "listing/g-12")]
    assert [each["state"] for each in listed] == ["open", "running", "over", "gone"]
    assert sorted(listed[0].pop("seats")) == ["", "Ann"] and sorted(listed[1].pop("seats")) == ["Ann", "Bob"]
    assert listed[0] == {
        "type": "listed", "game_id": "g-12", "game": "acquire", "variant": "mini", "state": "open"
    }  # fmt: skip


def test_an_open_game_that_its_creator_leaves_is_listed_as_gone() -> None:
    bus = Bus()
    server = FakeServer(acquire(), bus=bus)
    player = server.player()
    player.create(game="acquire", variant="mini", seats=["me", "open"])
    player.say(type="leave", game_id="g-12")
    listed = lines(list(bus.history(0)), "listing/g-12")
    assert [json.loads(line)["state"] for line in listed] == ["open", "gone"]


def test_refused_actions_and_checks_are_not_published() -> None:
    bus = Bus()
    server = FakeServer(acquire(), bus=bus)
    player = server.player()
    (*_, decide) = player.create(game="acquire", variant="mini", seats=["me", "random"])
    before = bus.seq
    player.say(type="action", re=decide["id"], game_id="g-12", action={"kind": "place", "tile": "12I"})
    player.say(type="check", re=decide["id"], game_id="g-12", action=first_listed(decide))
    assert bus.seq == before and "error" in {message["type"] for message in player.received()}


def test_the_table_of_a_match_is_published_until_the_match_is_forgotten() -> None:
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
