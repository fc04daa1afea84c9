"""A session: a run goes on until its goal, a signal or a failure ends it, and a view shows it all.

The first signal lets the generation come to its end, the second does not: what was under way is played
again when the run is resumed.
"""

import asyncio
import signal
from contextlib import aclosing, suppress
from typing import Final

from engines.run.executor import Crew
from engines.run.run import Experiment, evolve
from engines.run.store import Store
from tools.evolve.tally import Tally
from tools.evolve.views import View

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


async def session(store: Store, experiment: Experiment, crew: Crew, tally: Tally, view: View) -> int | None:
    """Go on; the signal that ended it, None if it reached its goal. What evolve() raises passes through."""
    interrupt = _Interrupt(view)
    try:
        async with crew, interrupt, aclosing(evolve(experiment, crew, store)) as generations:
            if tally.generation < 0:
                await interrupt.within(experiment.delay_seconds)
            while not (tally.is_reached or interrupt.signal or experiment.is_over()):
                progress = await anext(generations)
                tally.add(progress)
                view.advanced(progress, tally)
    except asyncio.CancelledError:
        if not interrupt.is_final:
            raise
    return interrupt.signal


class _Interrupt:
    """What the signals have asked for so far. The second one cancels the task that has entered it."""

    def __init__(self, view: View) -> None:
        self.signal: int | None = None  # the first
        self.is_final = False
        self._view = view
        self._came = asyncio.Event()
        self._task: asyncio.Task[object] | None = None

    async def __aenter__(self) -> "_Interrupt":
        self._task = asyncio.current_task()
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._heard, number)
        return self

    async def __aexit__(self, *_: object) -> None:
        for number in SIGNALS:
            asyncio.get_running_loop().remove_signal_handler(number)

    async def within(self, seconds: float) -> None:
        """Wait for the first signal, but not longer."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._came.wait(), seconds)

    def _heard(self, number: int) -> None:
        if self.signal is None:
            self.signal = number
            self._came.set()
            self._view.noted("The generation is played to its end; once more to leave at once.")
        elif self._task and not self.is_final:
            self.is_final = True
            self._task.cancel()
