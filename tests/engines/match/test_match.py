"""The referee: every ending that no clock brings about."""

import asyncio

import pytest

from core.chess.fen import position_from_fen
from core.random import Random
from engines.engine import EngineError, Limit
from engines.match.match import Ending, play
from engines.random_player import RandomPlayer
from engines.time_control import TimeControl
from tests.engines.scripted import (
    BARE_KING,
    CHESS,
    GAME,
    ONE_NODE,
    Scripted,
    Think,
    cheats,
    crashes,
    first_action,
    has_a_bug,
    improves,
    resigns,
    says_nothing,
)
from tests.fifth_game.tictactoe import Board


async def test_a_game_by_the_rules() -> None:
    first, second = Scripted(first_action), Scripted(improves)
    result = await play(GAME, [first, second], ONE_NODE, Random(1))
    assert result.ending is Ending.NORMAL and not result.ending.is_forfeit
    assert result.culprit is None
    # x takes the first free square, o the last: x a3 b3 c3
    assert [(turn.player, turn.action) for turn in result.history] == [(0, 0), (1, 8), (0, 1), (1, 7), (0, 2)]
    assert result.returns == (1.0, -1.0)
    assert first.games == second.games == 1
    assert all(limit == Limit(nodes=1) for limit in first.limits + second.limits)


async def test_the_last_thought_is_the_move() -> None:
    result = await play(GAME, [Scripted(improves), Scripted(improves)], ONE_NODE, Random(1))
    assert [turn.action for turn in result.history] == [8, 7, 6, 5, 4, 3, 2]


async def test_the_given_state_is_the_start_and_stays() -> None:
    board = Board("xx.oo....")
    result = await play(GAME, [Scripted(first_action)] * 2, ONE_NODE, Random(1), board)
    assert len(result.history) == 1 and result.returns == (1.0, -1.0)
    assert board.squares == "xx.oo...."


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("think", "ending", "reason"),
    [
        (resigns, Ending.RESIGNATION, ""),
        (cheats, Ending.ILLEGAL_ACTION, "e2e5"),
        (crashes, Ending.CRASH, "the process died"),
        (says_nothing, Ending.CRASH, "gave no action"),
    ],
)
async def test_the_culprit_loses(think: Think, ending: Ending, reason: str, seat: int) -> None:
    engines = [Scripted(first_action), Scripted(first_action)]
    engines[seat] = Scripted(think)
    result = await play(CHESS, engines, TimeControl(seconds=10), Random(1))
    assert (result.ending, result.culprit, result.reason) == (ending, seat, reason)
    assert result.returns == ((-1.0, 1.0) if seat == 0 else (1.0, -1.0))
    assert len(result.history) == seat
    assert ending.is_forfeit == (ending is not Ending.RESIGNATION)


async def test_bugs_of_ours_are_not_endings() -> None:
    with pytest.raises(KeyError, match="a bug of ours"):
        await play(GAME, [Scripted(has_a_bug)] * 2, ONE_NODE, Random(1))


async def test_too_long_a_game_is_a_draw() -> None:
    result = await play(CHESS, [RandomPlayer(1), RandomPlayer(2)], ONE_NODE, Random(1), max_actions=7)
    assert result.ending is Ending.ADJUDICATION
    assert len(result.history) == 7 and result.returns == (0.0, 0.0)


async def test_random_players_reach_an_end() -> None:
    for seed in range(3):
        result = await play(CHESS, [RandomPlayer(seed), RandomPlayer(seed + 9)], ONE_NODE, Random(1))
        position = CHESS.new_state(Random(0))
        for turn in result.history:
            position.apply(turn.action)
        assert position.is_terminal() and list(result.returns) == position.returns()


async def test_a_crash_between_games_counts_too() -> None:
    class Dead(Scripted):
        async def new_game(self) -> None:
            raise EngineError("gone")

    result = await play(GAME, [Scripted(first_action), Dead(first_action)], ONE_NODE, Random(1))
    assert (result.ending, result.culprit, result.reason) == (Ending.CRASH, 1, "gone")
    assert result.history == ()


async def test_an_engine_that_is_never_ready_stalls() -> None:
    class Sleepy(Scripted):
        async def new_game(self) -> None:
            await asyncio.Event().wait()

    result = await play(GAME, [Sleepy(first_action)] * 2, ONE_NODE, Random(1), stall_seconds=0.05)
    assert result.ending is Ending.STALL


async def test_the_number_of_engines_is_the_number_of_seats() -> None:
    with pytest.raises(ValueError, match="2 players, not 1"):
        await play(GAME, [Scripted(first_action)], ONE_NODE, Random(1))


async def test_only_time_spares_the_loser_of_bare_material() -> None:
    result = await play(
        CHESS, [Scripted(cheats)] * 2, ONE_NODE, Random(1), position_from_fen(BARE_KING.format("w"))
    )
    assert result.returns == (-1.0, 1.0)
