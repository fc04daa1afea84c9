"""Matches on request: reproducible, mirrored, told of once a second, ended early, played elsewhere."""

from pathlib import Path
from typing import Any

import pytest

from protocols.jsonl.journal import Journal
from protocols.jsonl.record import replay_record
from protocols.limits import GameLimits
from tests.fifth_game.adapter import tic_tac_toe
from tests.protocols.jsonl.fakes import Client, FakeServer, resumed
from tests.protocols.jsonl.protection_games import SMALL, protection_server

REQUEST: dict[str, Any] = {"type": "match", "game": "tic-tac-toe", "players": ["first", "random"]}


def directed(**limits: Any) -> tuple[FakeServer, Client]:
    server = FakeServer(limits=GameLimits(**limits))
    return server, server.player(role="director")


def finished(server: FakeServer, client: Client, *, last_first: bool = False) -> dict[str, Any]:
    server.work(last_first=last_first)
    end = client.received()[-1]
    assert end["type"] == "match_end"
    return end


def table_of(end: dict[str, Any]) -> list[dict[str, Any]]:
    """What does not depend on how fast the machine is."""
    return [{name: value for name, value in row.items() if name != "seconds"} for row in end["table"]]


def test_a_requested_match_ends_with_a_consistent_table() -> None:
    server, client = directed()
    assert client.ask(**REQUEST, id=11, games=60, mirror=True, seed=7) == {
        "type": "matched", "re": 11, "match_id": "m-1",
    }  # fmt: skip
    assert client.ask(type="list", what="matches")["matches"][0]["of"] == 60
    end = finished(server, client)
    first, second = end["table"]
    assert end["games"] == 60 and first["games"] == second["games"] == 60
    assert (first["wins"], first["shared"], first["losses"]) == (
        second["losses"], second["shared"], second["wins"],
    )  # fmt: skip
    assert first["against"][1] == [first["losses"], first["shared"], first["wins"]]
    assert first["low"] < first["share"] < first["high"] and first["rating"] == -second["rating"]
    assert sum(first["pairs"]) == 30 and first["pairs"] == second["pairs"][::-1]
    assert first["seconds"] >= 0.0
    assert len(set(end["seeds"])) == 30, "each seed is played with both seatings"


@pytest.mark.parametrize("pairing", ["round_robin", "gauntlet", "swiss", "ladder", "elimination"])
def test_the_table_does_not_depend_on_the_number_or_order_of_workers(pairing: str) -> None:
    """With one worker or three, whichever of them is done first."""
    request = {**REQUEST, "players": ["random", "first", "random", "slow", "random"], "pairing": pairing}
    tables = []
    for workers, last_first in ((1, False), (3, False), (3, True)):
        server, client = directed(workers=3)
        client.ask(**request, games=25, seed=3, workers=workers)
        assert len(server.jobs) == workers
        tables.append(table_of(finished(server, client, last_first=last_first)))
    assert tables[0] == tables[1] == tables[2]
    games = {"round_robin": 4, "gauntlet": 1}
    if pairing in games:
        assert tables[0][1]["games"] == 25 * games[pairing]


def test_the_best_player_climbs_the_ladder() -> None:
    server, client = directed()
    request = {**REQUEST, "players": ["random", "random", "random", "first"], "pairing": "ladder"}
    client.ask(**request, games=40, seed=1)
    *_, last = table_of(finished(server, client))
    met = [sum(counts) for counts in last["against"]]
    assert met[:3] == [40, 40, 40], "it has met all who stood above"


def test_progress_is_reported_once_a_second() -> None:
    server, client = directed(workers=1)
    client.ask(**REQUEST, games=5000)
    told = []
    for _ in range(100):
        server.now += 0.04
        server.work(1)
        told += [line for line in client.received() if line["type"] == "match_event"]
    assert 3 <= len(told) <= 5 and told[-1]["done"] > told[0]["done"]
    assert told[0]["of"] == 5000 and told[0]["running"] == 0
    assert client.ask(type="ping")["type"] == "pong"
    client.say(type="match_cancel", id=4, match_id="m-1")
    answer, end = client.received()
    assert answer == {"type": "ok", "re": 4} and 0 < end["games"] < 5000


@pytest.mark.parametrize(("stop", "games"), [({"games": 17}, 17), ({"ci": 0.2}, 100)])
def test_a_match_can_stop_after_some_games_or_at_a_confidence_interval(
    stop: dict[str, Any], games: int
) -> None:
    server, client = directed()
    client.ask(**REQUEST, games=150, stop=stop)
    assert finished(server, client, last_first=True)["games"] == games


def test_a_match_can_stop_after_some_minutes() -> None:
    server, client = directed(workers=1)
    client.ask(**REQUEST, games=5000, stop={"minutes": 1})
    server.work(2)
    server.now += 61
    assert finished(server, client)["games"] == 21, "the first game that counts after it is the last"


def test_games_that_cannot_be_played_end_the_match() -> None:
    server, client = directed(workers=2)
    client.ask(**REQUEST, games=50)
    jobs = list(server.jobs)
    server.jobs.clear()
    for job in jobs:
        job.on_done(None, 0.5)
    assert [line["games"] for line in client.received()] == [0]


def test_recorded_games_of_a_match_can_be_requested_afterwards(tmp_path: Path) -> None:
    """As many as are kept, by the ids that its end tells; in the journal they outlive the server."""
    journal = Journal(tmp_path)
    for journals in (None, journal):
        server = FakeServer(limits=GameLimits(recorded_games=30), journal=journals)
        client = server.player(role="director")
        client.ask(**REQUEST, games=40, records=True, seed=2)
        assert client.ask(type="record", game_id="m-1-1")["code"] == "no_such_game", "not played yet"
        end = finished(server, client, last_first=True)
        assert end["records"] == [f"m-1-{number}" for number in range(1, 31)]
        recorded = client.ask(type="record", id=4, game_id="m-1-7")
        head, *_, last = recorded["lines"]
        assert recorded["total"] == len(recorded["lines"]) and head["seed"] == end["seeds"][6]
        assert {seat["name"] for seat in head["seats"]} == {"first", "random"} and last["type"] == "end"
        assert client.ask(type="record", game_id="m-1-31")["code"] == "no_such_game"
    lines = journal.read("m-1-7")
    assert lines and replay_record(lines, tic_tac_toe(), GameLimits()).game.is_over
    assert FakeServer(journal=journal).player().ask(type="record", game_id="m-1-7")["total"] == len(lines)


def test_a_match_keeps_no_records_unless_requested() -> None:
    server, client = directed()
    client.ask(**REQUEST, games=4)
    assert "records" not in finished(server, client)


def test_ended_matches_are_forgotten_by_count_and_by_time(tmp_path: Path) -> None:
    """A server that runs for weeks keeps the last ones only, in memory as in its folder."""
    server = FakeServer(
        limits=GameLimits(finished_matches=2, finished_seconds=50.0), journal=Journal(tmp_path, ".game")
    )
    client = server.player(role="director")
    for _ in range(4):
        client.ask(**REQUEST, games=2)
        finished(server, client)
    assert list(server.games.matches.runners) == ["m-3", "m-4"]
    assert {path.stem for path in tmp_path.glob("*.match*")} == {"m-3", "m-4"}
    assert client.ask(type="limits")["used"]["matches_per_director"] == 0, "only those under way count"
    server.wait(56.0)
    assert not server.games.matches.runners and not list(tmp_path.glob("*.match*"))


def test_the_clock_of_a_match_applies_to_its_games() -> None:
    """Nobody decides within no time at all."""
    server, client = directed()
    clock = {"bank_ms": 0, "move_ms": 0, "init_ms": 0, "on_timeout": "forfeit"}
    client.ask(**REQUEST, games=6, clock=clock, records=True)
    end = finished(server, client)
    assert {row["wins"] for row in end["table"]} == {3}, "whoever begins has lost"
    (head, *_) = client.ask(type="record", game_id="m-1-1")["lines"]
    assert head["clock"]["on_timeout"] == "forfeit"


def test_invalid_and_forbidden_match_requests_are_refused() -> None:
    server, client = directed()
    base = {**REQUEST, "games": 1}
    for change, code in (
        ({"players": ["first", "nobody"]}, "no_such_agent"),
        ({"seats": 3}, "invalid_params"),
        ({"pairing": "knock_out"}, "invalid_params"),
        ({"pairing": "elimination", "seats": 3, "players": ["random"] * 3}, "invalid_params"),
        ({"variant": "odd"}, "invalid_params"),
    ):
        assert client.ask(**{**base, **change})["code"] == code
    assert server.player().ask(**base)["code"] == "not_permitted"
    assert client.ask(type="match_cancel", match_id="m-7")["code"] == "not_permitted"
    for _ in range(2):
        assert client.ask(**base)["type"] == "matched"
    assert client.ask(**base)["code"] == "busy"


def test_players_of_protection_play_only_against_the_other_side() -> None:
    """Nobody of Advanced Protection can change places with Chaos."""
    server = protection_server(limits=GameLimits())
    client = server.player(role="director")
    request = {
        "type": "match", "game": "protection", "games": 2, "seed": 5, "options": {"money": SMALL},
        "players": ["user:drones", "chaos:random", "user:idle"],
    }  # fmt: skip
    for change, path in (
        ({"mirror": True}, "$.pairing"),
        ({"pairing": "gauntlet"}, "$.pairing"),
        ({"players": ["user:drones", "user:idle"]}, "$.players"),
    ):
        refusal = client.ask(**{**request, **change})
        assert (refusal["code"], refusal["data"]["path"]) == ("invalid_params", path)
    assert client.ask(**request)["type"] == "matched"
    end = finished(server, client)
    one, chaos, other = end["table"]
    assert (one["games"], chaos["games"], other["games"]) == (2, 4, 2)
    assert chaos["against"] == [[one["wins"], one["shared"], one["losses"]], [0, 0, 0],
                                [other["wins"], other["shared"], other["losses"]]]  # fmt: skip


def test_a_director_cannot_leave_a_match_for_another_session() -> None:
    server, client = directed()
    token = server.player(name="Ann").welcome["resume"]
    client.ask(**REQUEST, games=2)
    refusal = client.ask(type="resume", token=token)
    assert (refusal["type"], refusal["code"]) == ("error", "not_permitted")
    assert finished(server, client)["games"] == 2
    assert client.ask(type="resume", token=token)["type"] == "resumed", "the match has ended"


def test_a_match_ends_when_its_director_does_not_come_back() -> None:
    server, client = directed(workers=1, patient_session_seconds=100.0)
    client.ask(**REQUEST, games=5000)
    client.leave()
    server.work(1)
    server.wait(50.0)
    other = resumed(server, client.welcome["resume"])
    assert other.received()[0]["type"] == "resumed"
    other.leave()
    server.wait(50.0)
    server.work(1)
    assert server.jobs, "it may still come back"
    server.wait(51.0)
    server.work()
    assert server.games.matches.runners["m-1"].match.done < 100 and not server.jobs
