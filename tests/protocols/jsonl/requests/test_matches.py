"""Matches on request: reproducible, mirrored, told of once a second, ended early, played elsewhere."""

from pathlib import Path
from typing import Any

import pytest

from protocols.jsonl.journal import Journal
from protocols.jsonl.limits import JsonlLimits
from protocols.jsonl.record import replay_record
from tests.fifth_game.binding import tic_tac_toe
from tests.protocols.jsonl.fakes import Guest, House

REQUEST: dict[str, Any] = {"type": "match", "game": "tic-tac-toe", "players": ["first", "random"]}


def directed(**limits: Any) -> tuple[House, Guest]:
    house = House(limits=JsonlLimits(**limits))
    return house, house.player(role="director")


def finished(house: House, guest: Guest, *, last_first: bool = False) -> dict[str, Any]:
    house.work(last_first=last_first)
    end = guest.heard()[-1]
    assert end["type"] == "match_end"
    return end


def table_of(end: dict[str, Any]) -> list[dict[str, Any]]:
    """What does not depend on how fast the machine is."""
    return [{name: value for name, value in row.items() if name != "seconds"} for row in end["table"]]


def test_a_match_from_its_request_to_its_table() -> None:
    house, guest = directed()
    assert guest.ask(**REQUEST, id=11, games=60, mirror=True, seed=7) == {
        "type": "matched", "re": 11, "match_id": "m-1",
    }  # fmt: skip
    assert guest.ask(type="list", what="matches")["matches"][0]["of"] == 60
    end = finished(house, guest)
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


@pytest.mark.parametrize("pairing", ["round_robin", "all_pairs", "gauntlet", "swiss", "ladder"])
def test_the_same_table_whoever_computes_it(pairing: str) -> None:
    """With one worker or three, whichever of them is done first."""
    request = {**REQUEST, "players": ["random", "first", "random", "slow", "random"], "pairing": pairing}
    tables = []
    for workers, last_first in ((1, False), (3, False), (3, True)):
        house, guest = directed(workers=3)
        guest.ask(**request, games=25, seed=3, workers=workers)
        assert len(house.hall.errands) == workers
        tables.append(table_of(finished(house, guest, last_first=last_first)))
    assert tables[0] == tables[1] == tables[2]
    games = {"round_robin": 4, "all_pairs": 4, "gauntlet": 1}
    if pairing in games:
        assert tables[0][1]["games"] == 25 * games[pairing]


def test_the_best_climbs_the_ladder() -> None:
    house, guest = directed()
    request = {**REQUEST, "players": ["random", "random", "random", "first"], "pairing": "ladder"}
    guest.ask(**request, games=40, seed=1)
    *_, last = table_of(finished(house, guest))
    met = [sum(counts) for counts in last["against"]]
    assert met[:3] == [40, 40, 40], "it has met all who stood above"


def test_progress_is_told_once_a_second() -> None:
    house, guest = directed(workers=1)
    guest.ask(**REQUEST, games=5000)
    told = []
    for _ in range(100):
        house.now += 0.04
        house.work(1)
        told += [line for line in guest.heard() if line["type"] == "match_event"]
    assert 3 <= len(told) <= 5 and told[-1]["done"] > told[0]["done"]
    assert told[0]["of"] == 5000 and told[0]["running"] == 0
    assert guest.ask(type="ping")["type"] == "pong"
    assert guest.ask(type="match_cancel", id=4, match_id="m-1") == {"type": "ok", "re": 4}
    assert 0 < finished(house, guest)["games"] < 5000


@pytest.mark.parametrize(("stop", "games"), [({"games": 17}, 17), ({"ci": 0.2}, 100)])
def test_a_match_may_stop_early(stop: dict[str, Any], games: int) -> None:
    house, guest = directed()
    guest.ask(**REQUEST, games=150, stop=stop)
    assert finished(house, guest, last_first=True)["games"] == games


def test_a_match_may_stop_by_the_clock() -> None:
    house, guest = directed(workers=1)
    guest.ask(**REQUEST, games=5000, stop={"minutes": 1})
    house.work(2)
    house.now += 61
    assert finished(house, guest)["games"] == 21, "the first game that counts after it is the last"


def test_games_that_cannot_be_played_end_the_match() -> None:
    house, guest = directed(workers=2)
    guest.ask(**REQUEST, games=50)
    errand, other = house.hall.errands
    house.hall.errands.clear()
    errand.done(None, house.now)
    other.done(None, house.now)
    assert [line["games"] for line in guest.heard()] == [0]


def test_its_games_can_be_had_afterwards(tmp_path: Path) -> None:
    """As many as are kept, by the ids that its end tells; in the journal they outlive the server."""
    journal = Journal(tmp_path)
    for journals in (None, journal):
        house = House(limits=JsonlLimits(recorded_games=30), journal=journals)
        guest = house.player(role="director")
        guest.ask(**REQUEST, games=40, records=True, seed=2)
        assert guest.ask(type="record", game_id="m-1-1")["code"] == "no_such_game", "not played yet"
        end = finished(house, guest, last_first=True)
        assert end["records"] == [f"m-1-{number}" for number in range(1, 31)]
        recorded = guest.ask(type="record", id=4, game_id="m-1-7")
        head, *_, last = recorded["lines"]
        assert recorded["total"] == len(recorded["lines"]) and head["seed"] == end["seeds"][6]
        assert {seat["name"] for seat in head["seats"]} == {"first", "random"} and last["type"] == "end"
        assert guest.ask(type="record", game_id="m-1-31")["code"] == "no_such_game"
    lines = journal.read("m-1-7")
    assert lines and replay_record(lines, tic_tac_toe(), JsonlLimits()).table.is_over
    assert House(journal=journal).player().ask(type="record", game_id="m-1-7")["total"] == len(lines)


def test_no_records_unless_they_are_asked_for() -> None:
    house, guest = directed()
    guest.ask(**REQUEST, games=4)
    assert "records" not in finished(house, guest)


def test_its_clock_is_that_of_its_games() -> None:
    """Nobody decides within no time at all."""
    house, guest = directed()
    clock = {"bank_ms": 0, "move_ms": 0, "init_ms": 0, "on_timeout": "forfeit"}
    guest.ask(**REQUEST, games=6, clock=clock, records=True)
    end = finished(house, guest)
    assert {row["wins"] for row in end["table"]} == {3}, "whoever begins has lost"
    (head, *_) = guest.ask(type="record", game_id="m-1-1")["lines"]
    assert head["clock"]["on_timeout"] == "forfeit"


def test_what_is_refused() -> None:
    house, guest = directed()
    base = {**REQUEST, "games": 1}
    for change, code in (
        ({"players": ["first", "nobody"]}, "no_such_agent"),
        ({"seats": 3}, "invalid_params"),
        ({"pairing": "knock_out"}, "invalid_params"),
        ({"variant": "odd"}, "invalid_params"),
    ):
        assert guest.ask(**{**base, **change})["code"] == code
    assert house.player().ask(**base)["code"] == "not_permitted"
    assert guest.ask(type="match_cancel", match_id="m-7")["code"] == "not_permitted"
    for _ in range(2):
        assert guest.ask(**base)["type"] == "matched"
    assert guest.ask(**base)["code"] == "busy"
