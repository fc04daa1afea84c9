"""The referee: every way in which a game ends, with engines that misbehave by script."""

import asyncio
import gc
from collections.abc import AsyncGenerator, Callable

import pytest

from core.chess.notation import position_from_fen
from core.game import State
from core.random import Random
from engines.engine import EngineError, Info, Limit
from engines.match.referee import Ending, play
from engines.random_engine import RandomEngine
from engines.time_control import TimeControl
from tests.fifth_game.tictactoe import Board
from tests.toy import (
    BARE_KING,
    CHESS,
    GAME,
    ONE_NODE,
    Scripted,
    Think,
    ThreeInARow,
    cheats,
    crashes,
    crashes_when_stopped,
    first_action,
    hangs,
    has_a_bug,
    ignores_stop,
    improves,
    is_silent,
    resigns,
)

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def clock(virtual_time: Callable[[], float], monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """The virtual clock of the loop, by which the players' clocks run too."""
    monkeypatch.setattr("engines.match.referee.monotonic", virtual_time)
    return virtual_time


async def test_a_game_ends_normally_by_its_rules() -> None:
    first, second = Scripted(first_action), Scripted(improves)
    result = await play(GAME, [first, second], ONE_NODE, Random(1))
    assert result.ending is Ending.NORMAL and not result.ending.is_forfeit
    assert result.culprit is None
    # x takes the first free square, o the last: x a3 b3 c3
    assert [(turn.player, turn.action) for turn in result.history] == [(0, 0), (1, 8), (0, 1), (1, 7), (0, 2)]
    assert result.returns == (1.0, -1.0)
    assert first.games == second.games == 1
    assert all(limit == Limit(nodes=1) for limit in first.limits + second.limits)


async def test_the_last_info_is_the_move() -> None:
    result = await play(GAME, [Scripted(improves), Scripted(improves)], ONE_NODE, Random(1))
    assert [turn.action for turn in result.history] == [8, 7, 6, 5, 4, 3, 2]


async def test_a_game_starts_from_a_copy_of_the_given_state() -> None:
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
        (is_silent, Ending.CRASH, "gave no action"),
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


async def test_errors_other_than_engine_errors_propagate_from_the_game() -> None:
    with pytest.raises(KeyError, match="a bug of ours"):
        await play(GAME, [Scripted(has_a_bug)] * 2, ONE_NODE, Random(1))


async def test_too_long_a_game_is_a_draw() -> None:
    result = await play(CHESS, [RandomEngine(1), RandomEngine(2)], ONE_NODE, Random(1), max_actions=7)
    assert result.ending is Ending.ADJUDICATION
    assert len(result.history) == 7 and result.returns == (0.0, 0.0)


async def test_random_players_reach_an_end() -> None:
    for seed in range(3):
        result = await play(CHESS, [RandomEngine(seed), RandomEngine(seed + 9)], ONE_NODE, Random(1))
        position = CHESS.new_state(Random(0))
        for turn in result.history:
            position.apply(turn.action)
        assert position.is_terminal() and list(result.returns) == position.returns()


async def test_a_crash_in_new_game_loses_the_game() -> None:
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


async def test_a_wrong_number_of_engines_is_refused() -> None:
    with pytest.raises(ValueError, match="2 players, not 1"):
        await play(GAME, [Scripted(first_action)], ONE_NODE, Random(1))


async def test_an_illegal_move_loses_even_against_bare_material() -> None:
    result = await play(
        CHESS, [Scripted(cheats)] * 2, ONE_NODE, Random(1), position_from_fen(BARE_KING.format("w"))
    )
    assert result.returns == (-1.0, 1.0)


# -- Clocks: flags, stalls and nodes for time ------------------------------------------------------


async def test_the_flag_falls_while_the_engine_thinks() -> None:
    engines = [Scripted(first_action), Scripted(hangs)]
    result = await play(CHESS, engines, TimeControl(seconds=0.05), Random(1), margin_seconds=0.01)
    assert (result.ending, result.culprit, result.returns) == (Ending.TIME, 1, (1.0, -1.0))
    assert len(result.history) == 1


async def test_an_answer_after_the_flag_is_too_late(
    clock: Callable[[], float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the engine blocks the event loop, so that no timer ends its turn."""
    blocked = 0.0
    monkeypatch.setattr("engines.match.referee.monotonic", lambda: clock() + blocked)

    async def blocks(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        nonlocal blocked
        blocked += 0.05
        yield Info(action=state.legal_actions()[0])

    control = TimeControl(seconds_per_action=0.02)
    result = await play(CHESS, [Scripted(blocks)] * 2, control, Random(1), margin_seconds=0.01)
    assert result.ending is Ending.TIME
    result = await play(CHESS, [Scripted(blocks)] * 2, control, Random(1), margin_seconds=5.0, max_actions=1)
    assert result.ending is Ending.ADJUDICATION and result.history[0].seconds == pytest.approx(0.05)


async def test_clocks_run_down_and_carry_over_between_moves() -> None:
    async def takes_20_ms(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=state.legal_actions()[0])
        await asyncio.sleep(0.02)

    slow, fast = Scripted(takes_20_ms), Scripted(first_action)
    control = TimeControl(seconds=5, increment=1, actions=2)
    result = await play(CHESS, [slow, fast], control, Random(1), max_actions=6)
    clocks = [limit.clock for limit in slow.limits]
    used = [turn.seconds for turn in result.history if turn.player == 0]
    assert used == pytest.approx([0.02] * 3)
    assert [clock and clock.moves_to_reset for clock in clocks] == [2, 1, 2]
    lefts = [clock.seconds for clock in clocks if clock]
    assert lefts == pytest.approx([5, 6 - used[0], 12 - used[0] - used[1]])
    assert all(clock and clock.increment == 1 for clock in clocks)


async def test_each_player_sees_both_clocks() -> None:
    async def takes_20_ms(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        yield Info(action=state.legal_actions()[0])
        await asyncio.sleep(0.02)

    slow, fast = Scripted(takes_20_ms), Scripted(first_action)
    await play(CHESS, [slow, fast], TimeControl(seconds=5, increment=1), Random(1), max_actions=4)
    assert fast.limits[0].other_clock and fast.limits[0].other_clock.seconds < 6
    assert slow.limits[1].clock == fast.limits[0].other_clock
    assert slow.limits[1].other_clock == fast.limits[1].clock


async def test_silence_without_a_clock_is_a_stall() -> None:
    result = await play(GAME, [Scripted(hangs)] * 2, ONE_NODE, Random(1), stall_seconds=0.05)
    assert result.ending is Ending.STALL and result.returns in ((-1.0, 1.0), (1.0, -1.0))


async def test_infos_prevent_a_stall() -> None:
    async def keeps_talking(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        for action in state.legal_actions():
            yield Info(action=action)
            await asyncio.sleep(0.04)

    engines = [Scripted(keeps_talking), Scripted(first_action)]
    result = await play(GAME, engines, ONE_NODE, Random(1), stall_seconds=0.15, max_actions=2)
    assert result.ending is Ending.ADJUDICATION


async def test_an_engine_that_ignores_stop_stalls() -> None:
    engines = [Scripted(ignores_stop)] * 2
    result = await play(GAME, engines, TimeControl(seconds=0.02), Random(1), stall_seconds=0.05)
    assert result.ending is Ending.STALL
    await asyncio.sleep(1.0)  # let it end, so that nothing outlives the test


async def test_a_crash_on_stop_is_a_crash() -> None:
    engines = [Scripted(crashes_when_stopped)] * 2
    result = await play(GAME, engines, TimeControl(seconds=0.02), Random(1), margin_seconds=0)
    assert (result.ending, result.reason) == (Ending.CRASH, "no bestmove")


async def test_a_crash_after_a_stall_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    result = await play(GAME, [Scripted(crashes_when_stopped)] * 2, ONE_NODE, Random(1), stall_seconds=0.05)
    assert result.ending is Ending.STALL
    gc.collect()  # a task whose exception nobody has seen complains when it goes
    assert not caplog.records


async def test_cancelling_the_game_stops_the_engine() -> None:
    stopped = asyncio.Event()

    async def notices(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        try:
            yield Info(action=state.legal_actions()[0])
            await asyncio.Event().wait()
        finally:
            stopped.set()

    game = asyncio.create_task(play(GAME, [Scripted(notices)] * 2, TimeControl(seconds=60), Random(1)))
    await asyncio.sleep(0.02)
    game.cancel()
    with pytest.raises(asyncio.CancelledError):
        await game
    assert stopped.is_set()


@pytest.mark.parametrize(("side", "culprit"), [("w", 0), ("b", 1)])
async def test_time_out_against_bare_material_is_a_draw(side: str, culprit: int) -> None:
    """White has a queen: if White oversteps, the bare king cannot win; if Black does, White wins."""
    start = position_from_fen(BARE_KING.format(side))
    engines = [Scripted(hangs), Scripted(hangs)]
    control = TimeControl(seconds=0.02)
    result = await play(CHESS, engines, control, Random(1), start, margin_seconds=0)
    assert (result.ending, result.culprit) == (Ending.TIME, culprit)
    assert result.returns == ((0.0, 0.0) if culprit == 0 else (1.0, -1.0))


async def test_three_players_share_a_forfeit() -> None:
    engines = [Scripted(first_action), Scripted(cheats), Scripted(first_action)]
    result = await play(ThreeInARow(), engines, ONE_NODE, Random(1))
    assert result.returns == (0.5, -1.0, 0.5)
    engines[1] = Scripted(hangs)
    result = await play(ThreeInARow(), engines, TimeControl(seconds=0.02), Random(1), margin_seconds=0)
    assert result.returns == (1.0, -1.0, 0.0), "who cannot win gains nothing"


async def test_clocks_that_count_nodes_are_deterministic() -> None:
    """10 s of 100 nodes, 100 nodes a move and 0.25 s back: 0.75 s a move, so the 14th oversteps."""
    control = TimeControl(seconds=10, increment=0.25, nodes_per_second=100)
    rng = Random(4)

    async def wanders(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        actions = state.legal_actions()
        yield Info(action=actions[rng.below(len(actions))], nodes=100)

    engines = [Scripted(wanders), Scripted(wanders)]
    result = await play(CHESS, engines, control, Random(1))
    assert (result.ending, result.culprit, len(result.history)) == (Ending.TIME, 0, 26)
    assert [turn.seconds for turn in result.history] == [1.0] * 26
    clocks = [limit.clock for limit in engines[0].limits]
    assert [clock.seconds for clock in clocks if clock] == [10 - 0.75 * number for number in range(14)]
    assert engines[0].limits[0].nodes_per_second == 100


async def test_too_many_nodes_stop_the_engine() -> None:
    told: list[int] = []

    async def spends(state: State, limit: Limit) -> AsyncGenerator[Info, None]:
        for nodes in range(10, 1_000, 10):
            told.append(nodes)
            yield Info(action=state.legal_actions()[0], nodes=nodes)

    control = TimeControl(seconds_per_action=0.5, nodes_per_second=100)
    result = await play(CHESS, [Scripted(spends)] * 2, control, Random(1))
    assert result.ending is Ending.TIME
    assert told == [10, 20, 30, 40, 50, 60]
