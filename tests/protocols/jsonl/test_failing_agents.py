"""Players of another package that raise an exception, choose an illegal action or change the state: the game goes on."""

import logging
from pathlib import Path

import pytest

from core.game import State
from core.random import Random
from engines.player import Player
from protocols.jsonl.adapter import GameAdapter
from protocols.jsonl.record import replay_record
from protocols.jsonl.state_adapter import StateAdapter
from protocols.limits import GameLimits
from tests.fifth_game.tictactoe import Board, TicTacToe
from tests.protocols.jsonl.fakes import FakeServer, first_listed
from tests.protocols.jsonl.killed import Killed


class Raising(Player):
    """Draws a number, and raises an exception every other time."""

    about = "raises"

    def choose(self, state: State, rng: Random) -> int:
        actions = state.legal_actions()
        action = actions[int(rng.below(len(actions)))]
        if len(actions) % 4 == 0:
            raise RuntimeError("no idea")
        return action


class Illegal(Player):
    about = "an illegal action"

    def choose(self, state: State, rng: Random) -> int:
        return 99


class Changing(Player):
    """Plays on the state that it sees."""

    about = "changes the state"

    def choose(self, state: State, rng: Random) -> int:
        action = state.legal_actions()[-1]
        state.apply(action)
        return action


class SlowRaising(Raising):
    is_slow = True


class SlowIllegal(Illegal):
    is_slow = True


PLAYERS = {
    "raising": Raising,
    "illegal": Illegal,
    "changing": Changing,
    "slow-raising": SlowRaising,
    "slow-illegal": SlowIllegal,
}


def adapters() -> dict[str, GameAdapter]:
    return {"tic-tac-toe": StateAdapter(TicTacToe(), PLAYERS)}


def work(server: FakeServer) -> None:
    """Do the jobs; one that raises has no outcome, as in the runtime of a server."""
    while server.jobs:
        job = server.jobs.pop(0)
        try:
            outcome = job.function(job.argument)
        except RuntimeError:
            outcome = None
        job.on_done(outcome, 0.1)


@pytest.mark.parametrize("name", ["raising", "illegal", "slow-raising", "slow-illegal"])
def test_the_default_action_is_played_for_a_player_that_fails(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    server = FakeServer(adapters())
    client = server.player()
    received = client.create(seats=["me", name])
    seen = list(received)
    with caplog.at_level(logging.ERROR):
        while seen[-1]["type"] != "end":
            client.say(
                type="action", re=seen[-1]["id"], game_id="g-12", seq=seen[-1]["seq"], action=first_listed(seen[-1])
            )  # fmt: skip
            work(server)
            seen += client.received()
    forced = [message for message in seen if message.get("kind") == "forced"]
    assert forced and {message["reason"] for message in forced} == {"failed"}
    if name != "slow-raising":  # the runtime logs a job that raises
        assert name in caplog.messages[0] and "tic" not in caplog.messages[0].partition("played for")[0]
    record = [line.rstrip(b"\n") for line in server.games.games["g-12"].lines.record]
    again = replay_record(record, adapters(), GameLimits())
    assert again.game.end_line == server.games.games["g-12"].end_line


def test_a_game_of_failing_players_ends() -> None:
    server = FakeServer(adapters())
    client = server.player()
    client.create(seats=["illegal", "raising"])
    server.wait(1.0)
    assert server.games.games["g-12"].is_over


def test_a_player_that_changes_what_it_sees_does_not_change_the_game() -> None:
    client = FakeServer(adapters()).player()
    end = client.play_out(first_listed, client.create(seats=["me", "changing"]))
    assert end["result"]["reason"] == "rules"


def test_a_restarted_server_continues_the_random_stream_of_a_player_that_has_failed(tmp_path: Path) -> None:
    """The moves after the restart are those of a server that ran on."""

    def played(folder: Path, is_killed: bool) -> str:
        place = Killed(folder, games=adapters)
        server = place.open()
        client = server.player()
        token = client.welcome["resume"]
        received = client.create(seats=["me", "raising"], seed=4)
        for _ in range(2):
            decide = received[-1]
            client.say(
                type="action", re=decide["id"], game_id="g-12", seq=decide["seq"], action=first_listed(decide)
            )
            received = client.received()
        if is_killed:
            server, client = place.restarted(token)
            received = client.received()
        client.play_out(first_listed, [each for each in received if each["type"] == "decide"])
        state = server.games.games["g-12"].state
        board = state.state  # type: ignore[attr-defined]
        assert isinstance(board, Board)
        return board.squares

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert played(tmp_path / "a", is_killed=False) == played(tmp_path / "b", is_killed=True)
