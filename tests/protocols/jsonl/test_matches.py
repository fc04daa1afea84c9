"""Matches: reproducible, mirrored, told of once a second, and ended early."""

from typing import Any

import pytest

from protocols.jsonl.hall.match import Match, Setup
from tests.fifth_game.binding import TicTacToeBinding
from tests.protocols.jsonl.fakes import Guest, House


def directed() -> tuple[House, Guest]:
    house = House()
    return house, house.player(role="director")


def finished(house: House, guest: Guest) -> dict[str, Any]:
    while True:
        house.wait(0.0)
        for message in guest.heard():
            if message["type"] == "match_end":
                return dict(message)


def test_a_match_from_its_request_to_its_table() -> None:
    house, guest = directed()
    request = {"type": "match", "id": 11, "game": "tic-tac-toe", "players": ["first", "random"]}
    assert guest.ask(**request, games=60, mirror=True, seed=7) == {
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
    assert len(set(end["seeds"])) == 30, "each seed is played with both seatings"


def test_the_same_seed_gives_the_same_table() -> None:
    tables = []
    for _ in range(2):
        house, guest = directed()
        guest.ask(type="match", game="tic-tac-toe", players=["random", "first", "random"], games=5, seed=3)
        tables.append(finished(house, guest)["table"])
    assert tables[0] == tables[1]


def test_progress_is_told_once_a_second() -> None:
    house, guest = directed()
    guest.ask(type="match", game="tic-tac-toe", players=["first", "random"], games=500)
    told = []
    for _ in range(400):
        house.now += 0.01
        house.hall.tick(house.now)
        told += [line for line in guest.heard() if line["type"] == "match_event"]
    assert 3 <= len(told) <= 5 and told[-1]["done"] > told[0]["done"]
    assert guest.ask(type="ping")["type"] == "pong"
    assert guest.ask(type="match_cancel", id=4, match_id="m-1") == {"type": "ok", "re": 4}
    assert 0 < finished(house, guest)["games"] < 500


@pytest.mark.parametrize("stop", [{"games": 10}, {"ci": 0.2}])
def test_a_match_may_stop_early(stop: dict[str, Any]) -> None:
    house, guest = directed()
    guest.ask(type="match", game="tic-tac-toe", players=["first", "random"], games=5000, stop=stop)
    assert finished(house, guest)["games"] in (10, 100)


def test_what_is_refused() -> None:
    house, guest = directed()
    base = {"type": "match", "game": "tic-tac-toe", "players": ["first", "random"], "games": 1}
    for change, code in (
        ({"players": ["first", "nobody"]}, "no_such_agent"),
        ({"players": ["first", "slow"]}, "not_permitted"),
        ({"seats": 3}, "invalid_params"),
        ({"pairing": "swiss"}, "invalid_params"),
        ({"variant": "odd"}, "invalid_params"),
    ):
        assert guest.ask(**{**base, **change})["code"] == code
    assert house.player().ask(**base)["code"] == "not_permitted"
    assert guest.ask(type="match_cancel", match_id="m-7")["code"] == "not_permitted"


def test_who_meets_whom() -> None:
    setup = Setup(players=("a", "b", "c"), games=4, mirror=True, seed=1)
    contests = [setup.contest(number) for number in range(setup.total())]
    assert [contest.players for contest in contests[:6]] == [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)]
    assert contests[0].seed == contests[3].seed != contests[1].seed
    gauntlet = Setup(players=("a", "b", "c"), games=1, pairing="gauntlet")
    assert [gauntlet.contest(number).players for number in range(gauntlet.total())] == [(0, 1), (0, 2)]
    three = Setup(players=("a", "b", "c"), games=3, seats=3, mirror=True)
    assert {three.contest(number).players for number in range(3)} == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


def test_a_table_before_any_game() -> None:
    setup = Setup(players=("first", "random"), games=1)
    match = Match("m", "s", TicTacToeBinding(), "plain", {}, setup)
    assert [row.games for row in match.table()] == [0, 0] and match.interval() == 1.0
