"""Spectators: what they see, and what they never see before the end."""

from typing import Any

from protocols.limits import GameLimits
from tests.protocols.jsonl.fakes import Client, FakeServer, first_listed
from tests.protocols.jsonl.scripted import acquire


def table(**hello: Any) -> tuple[FakeServer, Client, list[dict[str, Any]]]:
    server = FakeServer(acquire())
    player = server.player(**hello)
    return server, player, player.create(game="acquire", variant="mini", seats=["me", "random"])


def test_a_spectator_sees_all_lines_without_hidden_tiles() -> None:
    server, player, received = table()
    spectator = server.player(role="watcher")
    spectator.say(type="watch", id=10, game_id="g-12")
    watching, start = spectator.received()
    assert watching["type"] == "watching" and watching["seq"] == start["seq"]
    assert "seat" not in start and "hand" not in start["observation"]
    assert {seat["name"] for seat in start["seats"]} == {"guest", "random"}
    end = player.play_out(first_listed, received)
    seen = spectator.received()
    assert seen[-1] == end
    numbers = [line["seq"] for line in seen]
    assert numbers == list(range(start["seq"] + 1, end["seq"] + 1))
    assert not any("tiles" in line for line in seen)
    assert any(line.get("kind") == "drew" for line in seen)


def test_a_player_cannot_watch_its_own_game() -> None:
    _, player, _ = table()
    assert player.ask(type="watch", game_id="g-12")["code"] == "not_permitted"


def test_the_record_with_hidden_tiles_is_sent_only_after_the_end() -> None:
    server, player, received = table()
    spectator = server.player()
    assert spectator.ask(type="record", game_id="g-12")["code"] == "not_permitted"
    end = player.play_out(first_listed, received)
    spectator.say(type="watch", game_id="g-12")
    seen = spectator.received()
    assert [seen[0]["type"], seen[1]["type"], seen[-1]] == ["watching", "start", end]
    assert not any("tiles" in line for line in seen[:-1])
    assert any("tiles" in line for line in spectator.ask(type="record", game_id="g-12")["lines"])


def test_unwatch_stops_the_lines_of_a_game() -> None:
    server, player, received = table()
    spectator = server.player()
    spectator.say(type="watch", game_id="g-12")
    spectator.lines()
    assert spectator.ask(type="unwatch", id=3, game_id="g-12") == {"type": "ok", "re": 3}
    player.play_out(first_listed, received)
    assert not spectator.received()


def test_a_slow_spectator_loses_lines_and_receives_their_number() -> None:
    server, player, received = table()
    spectator = server.player()
    spectator.say(type="watch", game_id="g-12")
    spectator.lines()
    player.play_out(first_listed, received)
    queue = GameLimits().queue_lines
    waiting = spectator.connection.queued
    spectator.connection.queue_lines = 4
    assert spectator.connection.make_room()
    seen = spectator.received()
    assert len(seen) == 5 and seen[-1] == {"type": "gap", "missed": waiting - 4}
    assert waiting < queue


def test_lines_for_a_slow_player_are_not_dropped() -> None:
    _, player, _ = table()
    player.connection.queue_lines = 1
    player.say(type="ping")
    player.say(type="ping")
    assert not player.connection.make_room()


def test_the_games_of_a_match_cannot_be_watched_and_the_answer_says_so() -> None:
    director = FakeServer(acquire()).player(role="director")
    match_id = director.ask(type="match", id=1, game="acquire", players=["random", "heuristic"], games=1)[
        "match_id"
    ]
    for name in (match_id, f"{match_id}-1"):
        error = director.ask(type="watch", id=2, game_id=name)
        assert error["code"] == "no_such_game" and error["message"].endswith("use record")
    assert "there is no game" in director.ask(type="watch", id=2, game_id="m-99")["message"]
