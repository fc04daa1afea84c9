"""A round that repeats itself is a tie: it would go on like that until its time is over.

Most fights of early evolution are such, two loops that do not meet for 160,000 instructions. What is compared
is the whole state of the machine, so nothing is guessed, and the results are those of the full time.
"""

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from core.corewar.instruction import STP, operation_of
from core.corewar.mars import Mars

STEP: Final = 400  # turns of each between two looks; many loops come round in a multiple of that


@final
class Echo:
    """What a machine was like at one moment. One for many rounds saves making its memory anew."""

    def __init__(self, mars: Mars) -> None:
        self.core = vec[i64]([0] * len(mars.core))
        self.queues = vec[i64]()  # of the living, from the one whose turn it was; room for more
        self.pspaces = vec[i64]()
        self.living: i64 = 0
        self.tick: i64 = 0

    def remember(self, mars: Mars) -> None:
        core, kept = mars.core, self.core
        for address in range(mars.size):
            kept[address] = core[address]
        self.living = mars.living
        self.tick = mars.executed
        self._remember_queues(mars)
        self.pspaces = vec[i64](mars.pspaces.cells)
        for outcome in mars.pspaces.outcomes:
            self.pspaces = append(self.pspaces, outcome)

    def is_back(self, mars: Mars) -> bool:
        """Whether the machine is as it was, and the same warrior has its turn."""
        if mars.living != self.living or (mars.executed - self.tick) % self.living != 0:
            return False
        if not self._has_same_queues(mars):
            return False
        core, kept = mars.core, self.core
        for address in range(mars.size):
            if core[address] != kept[address]:
                return False
        at: i64 = 0
        for cell in mars.pspaces.cells:
            if cell != self.pspaces[at]:
                return False
            at += 1
        for outcome in mars.pspaces.outcomes:
            if outcome != self.pspaces[at]:
                return False
            at += 1
        return True

    def _remember_queues(self, mars: Mars) -> None:
        """Each after its length in ticks."""
        mask = i64(len(mars.schedule)) - 1
        count: i64 = 0
        for turn in range(mars.living):
            tick = mars.executed + turn
            end = mars.ends[tick % mars.living]
            self._keep(count, end - tick)
            count += 1
            while tick < end:
                self._keep(count, mars.schedule[tick & mask])
                count += 1
                tick += mars.living

    def _keep(self, at: i64, value: i64) -> None:
        if at == i64(len(self.queues)):
            self.queues = append(self.queues, value)
        else:
            self.queues[at] = value

    def _has_same_queues(self, mars: Mars) -> bool:
        queues, schedule = self.queues, mars.schedule
        mask = i64(len(schedule)) - 1
        at: i64 = 0
        for turn in range(mars.living):
            tick = mars.executed + turn
            end = mars.ends[tick % mars.living]
            if queues[at] != end - tick:
                return False
            at += 1
            while tick < end:
                if queues[at] != schedule[tick & mask]:
                    return False
                at += 1
                tick += mars.living
        return True


def finish(mars: Mars, echo: Echo) -> None:
    """Run a round from its beginning to its end, or to where it is known to repeat itself for ever.

    Imps come round when each has executed as many instructions as the core has cells: the second moment to
    be remembered is just after that.
    """
    size = mars.size
    step = STEP * mars.living
    if mars.run(size // 2):
        return
    for mark in (2 * size + size // 8, 16 * size, mars.last_tick):
        echo.remember(mars)
        while mars.executed < mark:
            if mars.run(min(step, mark - mars.executed)):
                return
            if echo.is_back(mars):
                _skip(mars, mars.executed - echo.tick)
                return


def _skip(mars: Mars, period: i64) -> None:
    """End a round that repeats itself. A P-space must be left as the last, broken lap leaves it."""
    for warrior in mars.warriors:
        for cell in warrior.words:
            if operation_of(cell) == STP:
                mars.last_tick -= (mars.last_tick - mars.executed) // period * period
                mars.run(mars.last_tick)
                return
    mars.end()
