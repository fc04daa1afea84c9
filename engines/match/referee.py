"""One game between engines, with a referee that keeps the clocks and scores every fault.

The referee relies on no engine: an engine that crashes, stalls, exceeds its time or names an illegal action loses the
game, and the game still has a Result. With `nodes_per_second` the clocks count nodes, so that games can be lost on
time and still have the same result on every machine (Genetic Chess, section 6.6).
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum
from time import monotonic
from typing import Any

from core.game import Game, State
from core.random import Random
from engines.engine import Engine, EngineError, Info
from engines.time_control import TimeControl, Timer


class Ending(Enum):
    """Every way a game can end."""

    NORMAL = "normal"  # by the rules of the game
    RESIGNATION = "resignation"
    TIME = "time"
    ILLEGAL_ACTION = "illegal action"
    CRASH = "crash"  # the engine died, broke its protocol, or gave no action
    STALL = "stall"  # the engine was silent, and did not stop when asked to
    ADJUDICATION = "adjudication"  # a draw because the game was too long

    @property
    def is_forfeit(self) -> bool:
        """Whether an engine lost by a fault of its own rather than by the rules of the game or by resigning."""
        return self in (Ending.TIME, Ending.ILLEGAL_ACTION, Ending.CRASH, Ending.STALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An action that was played, as the last info of its player, with the seconds by the player's clock."""

    player: int
    info: Info
    seconds: float

    @property
    def action(self) -> int:
        return self.info.action


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a game; `culprit` is the seat that resigned or was at fault, or None."""

    returns: tuple[float, ...]
    ending: Ending
    history: tuple[Turn, ...]
    culprit: int | None = None
    reason: str = ""  # a description of the fault, for people


async def play(
    game: Game,
    engines: Sequence[Engine],
    control: TimeControl | Sequence[TimeControl],
    rng: Random,
    state: State | None = None,
    *,
    margin_seconds: float = 0.1,
    stall_seconds: float = 60.0,
    max_actions: int | None = None,
) -> Result:
    """Play one game from `state`, which is not changed, or from a new state; engines[0] has the first seat.

    An engine gets its seat's observation() of the state. `control` is for all seats, or there is one for each seat.

    A player may exceed its time by `margin_seconds` in all, because the loop of the referee and the pipes cost
    milliseconds; there is no margin if seconds are counted in nodes. An engine stalls if it does not stop within
    `stall_seconds` when asked to, or, without a clock, yields no new info for that time. After `max_actions` the game
    is a draw. An illegal action loses the game, so the unreadable move of a foreign engine can be passed as action -1
    with its text. Errors other than EngineError are faults of this program, and pass through.
    """
    if len(engines) != game.players:
        raise ValueError(f"{game.name} has {game.players} players, not {len(engines)}")
    position = game.new_state(rng) if state is None else state.clone()
    controls = [control] * len(engines) if isinstance(control, TimeControl) else control
    timers = [Timer(each, margin_seconds) for each in controls]
    history: list[Turn] = []
    try:
        await _start(engines, stall_seconds)
        while not position.is_terminal():
            if len(history) == max_actions:
                draw = (0.0,) * game.players
                return Result(returns=draw, ending=Ending.ADJUDICATION, history=tuple(history))
            seat = position.player()
            turn = await _turn(seat, engines[seat], position, timers, stall_seconds)
            history.append(turn)
    except _Fault as fault:
        returns = forfeited(position, fault.seat, game.players, fault.ending)
        return Result(
            returns=returns,
            ending=fault.ending,
            history=tuple(history),
            culprit=fault.seat,
            reason=fault.reason,
        )
    return Result(returns=tuple(position.returns()), ending=Ending.NORMAL, history=tuple(history))


# -- The referee's steps ---------------------------------------------------------------------------


class _Fault(Exception):
    """A seat has ended the game by resigning, or by a fault of its engine."""

    def __init__(self, seat: int, ending: Ending, reason: str = "") -> None:
        super().__init__(reason)
        self.seat = seat
        self.ending = ending
        self.reason = reason


async def _start(engines: Sequence[Engine], stall_seconds: float) -> None:
    seats = {id(engine): seat for seat, engine in enumerate(engines)}  # one engine may hold two seats
    for seat in seats.values():
        preparing = asyncio.create_task(engines[seat].new_game())
        try:
            await asyncio.wait({preparing}, timeout=stall_seconds)
        finally:
            await _stop(preparing, stall_seconds)
        if not preparing.done() or preparing.cancelled():
            raise _Fault(seat, Ending.STALL, "not ready for a new game")
        try:
            preparing.result()
        except EngineError as error:
            raise _Fault(seat, Ending.CRASH, str(error)) from None


async def _turn(
    seat: int, engine: Engine, position: State, timers: Sequence[Timer], stall_seconds: float
) -> Turn:
    """Let `engine` think and play its action on `position`."""
    timer = timers[seat]
    limit = timer.limit([other for other in timers if other is not timer])
    try:
        seen = position.observation(seat)
        answer = await _answer(engine.think(seen, limit), timer, stall_seconds)
    except EngineError as error:
        raise _Fault(seat, Ending.CRASH, str(error)) from None
    if answer is None:
        raise _Fault(seat, Ending.STALL, f"silent for {stall_seconds:g} s")
    info, seconds = answer
    if timer.is_over(seconds):
        raise _Fault(seat, Ending.TIME)
    if info is None:
        raise _Fault(seat, Ending.CRASH, "gave no action")
    if info.resign:
        raise _Fault(seat, Ending.RESIGNATION)
    try:
        position.apply(info.action)
    except ValueError as error:
        raise _Fault(seat, Ending.ILLEGAL_ACTION, info.text or str(error)) from None
    timer.charge(seconds)
    return Turn(player=seat, info=info, seconds=seconds)


async def _answer(
    stream: AsyncGenerator[Info, None], timer: Timer, stall_seconds: float
) -> tuple[Info | None, float] | None:
    """Return the last info and its seconds by the timer, or None for a stall."""
    infos: list[Info] = []
    reading = asyncio.create_task(_read(stream, infos, timer))
    try:
        stalled = await _flag_or_silence(reading, infos, timer.wall_seconds, stall_seconds)
    finally:
        await _stop(reading, stall_seconds)
    if stalled or not reading.done():
        return None
    if reading.cancelled():  # the flag fell
        return None, float("inf")
    seconds = reading.result()
    return (infos[-1] if infos else None), seconds


async def _stop(task: asyncio.Task[Any], seconds: float) -> None:
    """Cancel `task`, and wait at most `seconds` for its end."""
    task.cancel()
    await asyncio.wait({task}, timeout=seconds)
    if task.done() and not task.cancelled():
        task.exception()  # retrieved, or asyncio would log it if no code asks for the result


async def _read(stream: AsyncGenerator[Info, None], infos: list[Info], timer: Timer) -> float:
    """Collect infos until the stream ends or a clock of nodes has run out, and return the seconds used."""
    started = monotonic()
    async with aclosing(stream):
        async for info in stream:
            infos.append(info)
            if timer.nodes_per_second and timer.is_over(info.nodes / timer.nodes_per_second):
                break
        seconds = monotonic() - started
    if timer.nodes_per_second:
        return infos[-1].nodes / timer.nodes_per_second if infos else 0.0
    return seconds


async def _flag_or_silence(
    reading: asyncio.Task[float],
    infos: list[Info],
    wall_seconds: float | None,
    stall_seconds: float,
) -> bool:
    """Wait until the stream ends or the flag falls; without a flag, return True after a long silence."""
    if wall_seconds is not None:
        await asyncio.wait({reading}, timeout=wall_seconds)
        return False
    count = -1
    while count < len(infos):
        count = len(infos)
        await asyncio.wait({reading}, timeout=stall_seconds)
        if reading.done():
            return False
    return True


def forfeited(position: State, loser: int, players: int, ending: Ending) -> tuple[float, ...]:
    """Return -1 for the loser and shares of 1 for the others; a loss on time is a draw if no other player can win."""
    winners = [seat for seat in range(players) if seat != loser]
    if ending is Ending.TIME:
        winners = [seat for seat in winners if position.can_win(seat)]
        if not winners and players > 1:
            return (0.0,) * players
    return tuple(
        -1.0 if seat == loser else 1.0 / len(winners) if seat in winners else 0.0 for seat in range(players)
    )
