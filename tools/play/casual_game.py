"""A casual game at the terminal: its turns so far, clocks, takebacks and the result.

A game of a match (engines.match) allows no takebacks. This one does, so it keeps its start and a list of turns.
"""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from time import monotonic
from typing import Final

from core.game import State
from engines.engine import Engine, EngineError, Info, Limit
from engines.match.referee import Ending, Result, Turn, forfeited
from engines.time_control import TimeControl, Timer

MARGIN_SECONDS: Final = 0.1  # overdraft that an engine is allowed, as in a match


class Lost(Exception):
    """The player to move has lost, by resigning or by a fault; `reason` is for people."""

    def __init__(self, ending: Ending, reason: str = "") -> None:
        super().__init__(reason)
        self.ending = ending
        self.reason = reason


class CasualGame:
    """A running game. A player is an engine, or None for a person.

    The seconds of `control` are a clock for every player; its other limits apply to engines only.
    """

    def __init__(self, state: State, players: Sequence[Engine | None], control: TimeControl) -> None:
        self.state = state.clone()
        self.players = players
        self.control = control
        self.history: list[Turn] = []
        self._start = state
        self._timers = [Timer(control, MARGIN_SECONDS) for _ in players]

    def left_seconds(self) -> float | None:
        """Return the seconds on the clock of the player to move at the start of the turn; None without a clock."""
        return self._timers[self.state.player()].left

    async def think(self, engine: Engine) -> Turn:
        """Return the turn of the engine to move, not yet played. Raises Lost if it resigns or fails."""
        seat = self.state.player()
        timer = self._timers[seat]
        limit = timer.limit([other for other in self._timers if other is not timer])
        started = monotonic()
        try:
            thought = await last_thought(engine, self.state, limit, timer.allowed_seconds)
        except EngineError as error:
            raise Lost(Ending.CRASH, str(error)) from None
        seconds = monotonic() - started
        if timer.left is not None and timer.is_over(seconds):
            raise Lost(Ending.TIME)
        if thought is None:
            raise Lost(Ending.CRASH, "it gives no move")
        if thought.resign:
            raise Lost(Ending.RESIGNATION)
        return Turn(player=seat, info=thought, seconds=seconds)

    def play(self, turn: Turn) -> None:
        """Make the move of the player to move. Raises Lost if it is illegal."""
        try:
            self.state.apply(turn.action)
        except ValueError as error:
            raise Lost(Ending.ILLEGAL_ACTION, turn.info.text or str(error)) from None
        self.history.append(turn)
        self._timers[turn.player].charge(turn.seconds)

    def take_back(self) -> bool:
        """Take back the last turn of a person and all later turns; return False if there is none.

        The clocks are not reset.
        """
        by_people = [at for at, turn in enumerate(self.history) if self.players[turn.player] is None]
        if not by_people:
            return False
        del self.history[by_people[-1] :]
        self.state = self._start.clone()
        for turn in self.history:
            self.state.apply(turn.action)
        return True

    def result(self, lost: Lost | None = None) -> Result:
        """Return the result of a game that has ended by its rules, or by the loss of the player to move."""
        if lost is None:
            returns = tuple(self.state.returns())
            return Result(returns=returns, ending=Ending.NORMAL, history=tuple(self.history))
        loser = self.state.player()
        returns = forfeited(self.state, loser, len(self.players), lost.ending)
        return Result(
            returns=returns,
            ending=lost.ending,
            history=tuple(self.history),
            culprit=loser,
            reason=lost.reason,
        )


async def last_thought(engine: Engine, state: State, limit: Limit, seconds: float | None) -> Info | None:
    """Return the engine's last thought when it stops or after `seconds`, or None if it had none."""
    last = None
    try:
        async with asyncio.timeout(seconds), aclosing(engine.think(state, limit)) as thoughts:
            async for thought in thoughts:
                last = thought
    except TimeoutError:
        pass
    return last
