"""Watching: a warrior runs, and its conduct is taken down.

A round is watched instruction by instruction at its beginning, and looked at now and then until its end. Only
the warrior in the first seat is watched; whoever else is there only is what it meets.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.corewar.effects import DECREMENT, INCREMENT, READ, WRITE, effects
from core.corewar.instruction import (
    CMP,
    DAT,
    DIRECT,
    DOT_I,
    EMPTY,
    IMMEDIATE,
    JMN,
    JMP,
    JMZ,
    LDP,
    MOV,
    SEQ,
    SLT,
    SNE,
    SPL,
    STP,
    a_mode_of,
    a_of,
    modifier_of,
    operation_of,
)
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.ranking.conduct import Conduct, Writer

WATCHED: Final = 12_000  # own instructions that are watched at the beginning of a round
OPENING: Final = 300  # of these: time for a quick scan, and to leave for elsewhere
SHORTEST: Final = 8  # openings that the cycles are long
LOOKS: Final = 40  # at the core and the processes, over the cycles of a round
NEAR: Final = 3  # cells between two writes of an instruction that clears
HOME: Final = 40  # cells, in a core of 8,000, between processes that run different copies

LOOKING: Final = frozenset({CMP, SEQ, SNE, SLT, JMZ, JMN})


def watch(mars: Mars) -> Conduct:
    """Run the round that has begun in this core to its end. The core is the caller's to use again."""
    record = _Record(mars)
    looks = []
    pause = max(mars.rules.cycles * len(mars.warriors) // LOOKS, 1)
    while not mars.is_over() and record.instructions < WATCHED:
        if mars.turn == 0:
            record.step()
        else:
            mars.run(1)
        if mars.executed % pause == 0:
            looks.append(record.look())
    looks.append(record.look())
    while not mars.is_over():
        mars.run(pause)
        looks.append(record.look())
    return record.conduct(looks)


def alone(rules: Rules, warrior: Warrior) -> Conduct:
    """In an empty core."""
    mars = Mars(rules, [warrior])
    mars.begin([0], 0)
    return watch(mars)


def against(rules: Rules, warrior: Warrior, opponents: Sequence[Warrior], place: int) -> list[Conduct]:
    """Against one after the other, each at this place."""
    conducts = []
    mars: Mars | None = None
    for opponent in opponents:
        if mars is None:
            mars = Mars(rules, [warrior, opponent])
        else:
            mars.enlist([warrior, opponent])
        mars.begin([0, place], 0)
        conducts.append(watch(mars))
    return conducts


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """At the processes."""

    processes: int
    homes: int


@dataclass(frozen=True, slots=True)
class _Write:
    """By MOV."""

    writer: int  # the cell as it was first seen
    target: int
    step: int | None  # from the target before
    operation: int  # written

    @property
    def is_near(self) -> bool:
        return self.step is not None and abs(self.step) <= NEAR


class _Record:
    """What has been seen so far."""

    def __init__(self, mars: Mars) -> None:
        self._mars = mars
        self._home = max(HOME * mars.size // 8_000, 2)
        self._opening = min(OPENING, mars.rules.cycles // SHORTEST)
        self.instructions = 0
        self._executed: set[int] = set()
        self._last_write: dict[int, _Write] = {}  # of the instruction at an address
        self._writes: list[_Write] = []
        self._steady_from = 0  # the first of these after the opening
        self._scanned: set[int] = set()
        self._imps = self._scans = self._quick_scans = self._splits = self._streams = self._pspace = 0

    def step(self) -> None:
        """Let the warrior execute its next instruction, and take down what it does."""
        mars = self._mars
        address = mars.next_address
        cell = mars.cell(address)
        operation = operation_of(cell)
        is_opening = self.instructions < self._opening
        self.instructions += 1
        self._executed.add(address)
        if operation == SPL:  # effects() would look at all its processes, and find little else
            self._splits += not is_opening
            mars.run(1)
            return
        touched = effects(mars)
        mars.run(1)
        if _is_imp(cell):
            self._imps += not is_opening
        elif operation in (LDP, STP):
            self._pspace += 1
        elif operation == MOV:
            self._note_write(address, cell, next(place for kind, place in touched if kind == WRITE))
            if is_opening:
                self._steady_from = len(self._writes)
        elif operation in LOOKING:
            seen = {place for kind, place in touched if kind == READ and place != address}
            self._scanned |= seen
            if is_opening:
                self._quick_scans += bool(seen)
            else:
                self._scans += bool(seen)
        if not is_opening:
            self._streams += any(
                kind in (DECREMENT, INCREMENT) and abs(self._way(place, address)) > self._home
                for kind, place in touched
            )

    def _note_write(self, address: int, cell: int, target: int) -> None:
        before = self._last_write.get(address)
        write = _Write(
            before.writer if before else cell,
            target,
            self._way(before.target, target) if before else None,
            operation_of(self._mars.cell(target)),
        )
        self._last_write[address] = write
        self._writes.append(write)

    def _way(self, start: int, end: int) -> int:
        """Around the core by the shorter side."""
        size = self._mars.size
        way = (end - start) % size
        return way if way <= size // 2 else way - size

    def look(self) -> _Look:
        mars = self._mars
        addresses = sorted(set(mars.processes(0)))
        homes, last = 0, -self._home
        for address in addresses:
            if address - last >= self._home and not _is_imp(mars.cell(address)):
                homes += 1
                last = address
        return _Look(processes=mars.count(0), homes=homes)

    def conduct(self, looks: Sequence[_Look]) -> Conduct:
        mars = self._mars
        steady = max(self.instructions - self._opening, 1)
        writes = self._writes[self._steady_from :]
        left = [write for write in writes if write.target not in self._executed]
        bombs = [write for write in left if not write.is_near]
        clears = [write for write in left if write.is_near]
        length = len(mars.warriors[0].cells)
        parts = {address * 64 // mars.size for address in self._executed}
        return Conduct(
            survived=mars.is_alive(0),
            cycles=-(-mars.executed // len(mars.warriors)),
            most_processes=max(look.processes for look in looks),
            last_processes=looks[-1].processes,
            homes=max(look.homes for look in looks),
            coverage=sum(cell != EMPTY for cell in mars.core) / mars.size,
            travel=len(parts) / 64,
            imps=self._imps / steady,
            copies=(len(writes) - len(left)) / steady,
            bombs=len(bombs) / steady,
            clears=len(clears) / steady,
            scans=self._scans / steady,
            quick_scans=self._quick_scans / min(max(self.instructions, 1), max(self._opening, 1)),
            splits=self._splits / steady,
            streams=self._streams / steady,
            bombed=len({write.target for write in bombs}) / mars.size,
            cleared=len({write.target for write in clears}) / mars.size,
            scanned=len(self._scanned) / mars.size,
            bombed_with_jumps=_share(JMP, bombs),
            left_splits=_share(SPL, left),
            left_dats=_share(DAT, left),
            pspace=self._pspace,
            own_executed=sum(
                (mars.positions[0] + index) % mars.size in self._executed for index in range(length)
            ),
            writers=_writers(self._writes),
        )


def _writers(writes: Sequence[_Write]) -> tuple[Writer, ...]:
    by_cell: dict[int, list[_Write]] = {}
    for write in writes:
        by_cell.setdefault(write.writer, []).append(write)
    writers = []
    for cell, written in by_cell.items():
        steps = Counter(write.step for write in written if write.step is not None)
        step, times = steps.most_common(1)[0] if steps else (0, 0)
        writers.append(
            Writer(
                cell=cell,
                writes=len(written),
                step=step,
                steadiness=times / max(steps.total(), 1),
                leaves=Counter(write.operation for write in written).most_common(1)[0][0],
            )
        )
    return tuple(sorted(writers, key=lambda each: -each.writes))


def _share(operation: int, writes: Sequence[_Write]) -> float:
    """Of the writes, those of this operation."""
    return sum(write.operation == operation for write in writes) / max(len(writes), 1)


def _is_imp(cell: int) -> bool:
    """Whether an instruction copies itself, whole, to somewhere else."""
    if operation_of(cell) != MOV or modifier_of(cell) != DOT_I:
        return False
    return a_mode_of(cell) == IMMEDIATE or (a_mode_of(cell) == DIRECT and a_of(cell) == 0)
