"""Matches of warriors on a server: the same tables as on the command line, after a kill too; what cannot be fought."""

import json
from pathlib import Path
from typing import Any

import pytest

from protocols.jsonl.journal import Journal
from protocols.jsonl.match import rows
from protocols.jsonl.restore import restore
from protocols.jsonl.warrior_match import WarriorMatches
from tests.protocols.jsonl.fakes import FakeServer
from tools.__main__ import main

REQUEST: dict[str, Any] = {
    "type": "match", "game": "corewar", "players": ["general", "paper", "dwarf"], "games": 60, "seed": 7,
}  # fmt: skip


def warrior_server(**settings: Any) -> FakeServer:
    return FakeServer(contests=[WarriorMatches()], **settings)


def test_the_table_of_a_warrior_match_equals_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    server = warrior_server()
    director = server.player(role="director")
    assert director.welcome["contests"]["corewar"][0] == "94nop"
    assert "dwarf" in director.ask(type="list", what="agents")["agents"]["corewar"]
    assert director.ask(**REQUEST)["type"] == "matched"
    server.work()
    end = director.received()[-1]
    assert end["type"] == "match_end" and end["games"] == 180
    players = [f"corewar:{name}" for name in REQUEST["players"]]
    assert main(["match", *players, "--games", "60", "--seed", "7", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    for row, player in zip(end["table"], data["players"], strict=True):
        assert player.items() >= {key: row[key] for key in ("player", "wins", "losses")}.items()
        assert player["draws"] == row["shared"]
        assert player["score"] == {"value": row["share"], "low": row["low"], "high": row["high"]}


def test_a_warrior_match_continues_after_a_kill(tmp_path: Path) -> None:
    tables = []
    for is_killed in (False, True):
        folder = tmp_path / str(is_killed)
        folder.mkdir()
        server = warrior_server(journal=Journal(folder))
        server.player(role="director").say(**REQUEST)
        if is_killed:
            server.work(1)
            server = warrior_server(journal=Journal(folder))
            assert restore(server.games) == 0, "no games but those of the match"
        server.work()
        (runner,) = server.games.matches.runners.values()
        assert runner.match.is_over and runner.match.done == 180
        tables.append(rows(runner.match.standings))
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    ("wrong", "path", "text"),
    [
        ({"variant": "94m"}, "$.variant", "no variant '94m'"),
        ({"variant": "nano"}, "$.players", "not a warrior for the nano rules"),
        ({"players": ["general", "nobody"]}, "$.players[1]", "nobody"),
        ({"seats": 3}, "$.players", "games of two seats"),
        ({"options": {"a": 1}}, "$.options", "no options"),
    ],
)
def test_invalid_warrior_matches_are_refused(wrong: dict[str, Any], path: str, text: str) -> None:
    error = warrior_server().player(role="director").ask(**REQUEST | wrong)
    assert error["type"] == "error" and text in error["message"]
    assert error["data"]["path"].startswith(path)


def test_creating_a_game_of_core_war_is_refused() -> None:
    error = warrior_server().player().ask(type="create", game="corewar", seats=["me", "dwarf"])
    assert error["code"] == "no_such_game"
