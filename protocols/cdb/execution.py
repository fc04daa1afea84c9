"""A battle under the debugger: where it halts, which cells are traced, and how it is resumed."""

from collections.abc import Generator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from typing import Final

from core.corewar.battle import Battle
from core.corewar.instruction import DOT_I, EMPTY, MOV, modifier_of, operation_of
from core.corewar.interpreter import execute_word, operands
from protocols.cdb.console import Display, Yield

MANY_TICKS: Final = 200_000  # about 2 ms of the MARS
FEW_TICKS: Final = 2_000  # about 2 ms if each instruction is inspected


class Mode(Enum):
    """The condition on which the battle halts by itself."""

    FREE = auto()  # never
    BREAK = auto()  # at a traced cell, at a death, at the end of a round
    STEP = auto()  # before the next instruction


class Halt(Enum):
    """The reason why the battle halted."""

    INSTRUCTION = auto()  # an instruction is about to be executed
    DEATH = auto()  # of a warrior, in a round that continues
    ROUND = auto()  # the round has ended


class DebugRun:
    """A battle that halts and is resumed.

    `mode` says when the battle halts: at once (STEP), at a traced cell or a death (BREAK), or only if interrupted
    (FREE). `marks` are the traced cells of each warrior, as offsets from its first cell; with `moveable`, MOV.I
    copies a mark. Without a `display` there is no picture of the core. At a halt, `seat` is the warrior and `address`
    the address of its instruction, which has been fetched already.
    """

    def __init__(
        self,
        battle: Battle,
        mode: Mode = Mode.STEP,
        marks: Sequence[AbstractSet[int]] = (),
        *,
        moveable: bool = True,
        display: Display | None = None,
    ) -> None:
        self.battle = battle
        self.mars = battle.mars
        self.mode = mode
        self.moveable = moveable
        self.skips = 0  # instructions to execute before the next halt by STEP
        self.halt: Halt | None = None
        self.seat = 0
        self.address = 0
        self.traced: set[int] = set()
        self.layout = QueueLayout(self.warrior_count, battle.rules.processes)
        self._fetched = EMPTY  # the instruction at the halt, even if its cell has been edited
        self._marks = marks or [frozenset()] * self.warrior_count
        self.display = display
        self._reset_round()

    def resume(self) -> Generator[Yield, None, bool]:
        """Run to the next halt. Return False if the battle ends before it."""
        halt, self.halt = self.halt, None
        if halt is Halt.INSTRUCTION:
            self._execute_fetched()
        elif halt is Halt.ROUND and not self._begin_round():
            return False
        while self.halt is None:
            if self.mars.over:
                if self.mode is Mode.BREAK:
                    self._halt_at_end()
                elif not self._begin_round():
                    return False
            elif self.mode is Mode.STEP and self.skips <= 0:
                self._halt_here()
            else:
                if self._is_stepwise():
                    self._run_stepwise()
                else:
                    self._run_fast()
                yield Yield()
        return True

    def keep_one_process(self, address: int) -> None:
        """Replace all processes of the warrior at the halt by one at `address`."""
        if self.halt is Halt.INSTRUCTION:
            self._set_processes(self.seat, [address])
        self.address = address

    def set_cell(self, address: int, cell: int, *, traced: bool) -> None:
        """Write an instruction into the core, with or without a mark."""
        self.mars.set_cell(address, cell)
        self._mark(address, traced)

    # -- The state at a halt -----------------------------------------------------------------------

    @property
    def warrior_count(self) -> int:
        return len(self.mars.warriors)

    @property
    def cycles_left(self) -> int:
        """The cycles that this round has left for each living warrior."""
        living = max(int(self.mars.living), 1)
        ticks = int(self.mars.ticks_left) + (self.halt is Halt.DEATH)  # the second tick of a death is to come
        return -(-ticks // living)

    def name(self, seat: int) -> str:
        """Return a warrior's name."""
        return self.mars.warriors[seat].name

    def first_address(self, seat: int) -> int:
        """Return the address of a warrior's next process, or 0 if the warrior is dead."""
        if seat == self.seat:
            return self.address
        return self.mars.processes(seat)[0] if self.mars.is_alive(seat) else 0

    def queue(self, seat: int) -> list[int]:
        """Return the addresses of a warrior's processes, without the process at the halt."""
        processes = self.mars.processes(seat)
        return processes[1:] if seat == self.seat and self.halt is Halt.INSTRUCTION else processes

    def pspace_index(self, seat: int) -> int:
        """Return the number of a warrior's P-space; warriors with the same PIN share one."""
        shares = self.mars.shares
        return len(set(shares[: shares[seat]]))

    def message(self) -> str:
        """Return the message of pMARS about a death or the end of a round, or "" at any other halt."""
        terminated = f"Warrior {self.seat}: {self.name(self.seat)} terminated"
        if self.halt is Halt.DEATH:
            return terminated + "\n"
        if self.halt is Halt.ROUND:
            text = f"End of round {self.battle.round + 1}\n"
            return f"{terminated} - {text}" if self.mars.living == 1 and self.warrior_count > 1 else text
        return ""

    # -- Running -----------------------------------------------------------------------------------

    def _halt_here(self) -> None:
        self.halt = Halt.INSTRUCTION
        self.seat = self.mars.turn
        self.address = self.mars.next_address
        self._fetched = self.mars.cell(self.address)

    def _halt_at_end(self) -> None:
        """Halt at the round's last instruction; `seat` is the dead warrior, or the next one at an end by time."""
        self.halt = Halt.ROUND
        self.seat = self.mars.turn
        self.address = self.mars.last_address

    def _begin_round(self) -> bool:
        if not self.battle.next_round():
            return False
        self._reset_round()
        return True

    def _reset_round(self) -> None:
        if self.display is not None:
            self.display.begin()
        self.layout.begin(self.mars.turn)
        self.traced = {
            (int(position) + offset) % self.mars.rules.size
            for position, offsets in zip(self.mars.positions, self._marks, strict=True)
            for offset in offsets
        }

    def _is_stepwise(self) -> bool:
        """Return whether each instruction must be inspected before it is executed."""
        if self.display is not None and self.mode is not Mode.FREE:
            return True
        if self.mode is Mode.BREAK:
            return bool(self.traced) or self.warrior_count > 2
        return self.mode is Mode.STEP and (self.warrior_count > 2 or (self.moveable and bool(self.traced)))

    def _run_fast(self) -> None:
        before, first = int(self.mars.executed), self.mars.turn
        self.mars.run(min(self.skips, MANY_TICKS) if self.mode is Mode.STEP else MANY_TICKS)
        ticks = int(self.mars.executed) - before
        self.skips -= ticks
        self.layout.advance_all(
            first, ticks
        )  # wrong after a death among more than two warriors, but then no further halt follows

    def _run_stepwise(self) -> None:
        for _ in range(min(self.skips, FEW_TICKS) if self.mode is Mode.STEP else FEW_TICKS):
            address = self.mars.next_address
            if self.mode is Mode.BREAK and address in self.traced:
                self._halt_here()
                return
            self.skips -= 1
            if self._execute(self.mars.cell(address)):
                return

    def _execute_fetched(self) -> None:
        """Execute the fetched instruction of the halt at the address that the process has now."""
        if self.address != self.mars.next_address:
            self._set_processes(self.seat, [self.address, *self.mars.processes(self.seat)[1:]])
        self._execute(self._fetched)

    def _execute(self, word: int) -> bool:
        """Execute `word` as the next instruction. Return whether the round has ended or the battle halts."""
        seat, address, living = self.mars.turn, self.mars.next_address, self.mars.living
        self._move_mark(word)
        self.layout.advance(seat, 1)
        if self.display is not None:
            self.display.look(word)
        if word == self.mars.cell(address):
            self.mars.run(1)
        else:
            execute_word(self.mars, word)
        if self.mode is Mode.BREAK and self.mars.living < living and not self.mars.over:
            self.halt = Halt.DEATH
            self.seat, self.address = seat, address
        return self.mars.over or self.halt is not None

    def _set_processes(self, seat: int, addresses: list[int]) -> None:
        self.layout.advance(seat, self.mars.count(seat) - len(addresses))
        self.mars.set_processes(seat, addresses)

    def _move_mark(self, word: int) -> None:
        """Copy the mark of the source cell, or its absence, to the target if `word` is MOV.I."""
        if self.traced and self.moveable and operation_of(word) == MOV and modifier_of(word) == DOT_I:
            source, target = operands(self.mars, word)
            self._mark(target, source in self.traced)

    def _mark(self, address: int, traced: bool) -> None:
        if traced:
            self.traced.add(address)
        else:
            self.traced.discard(address)


class QueueLayout:
    """The positions of the process queues in the one circular array that pMARS has for all warriors.

    The queues start `processes` places apart, and each moves by one place with each instruction. The layout matters
    only for the command `registers`, which does not print the part of a queue that lies around the end of the array.
    """

    def __init__(self, warriors: int, processes: int) -> None:
        self._warriors = warriors
        self._processes = processes
        self._heads = [0] * warriors

    def begin(self, starter: int) -> None:
        """Start a round, in which the queue of `starter`, the first warrior to move, is the last in the array."""
        for seat in range(self._warriors):
            turn = (seat - starter) % self._warriors
            self._heads[seat] = (self._warriors - 1 - turn) * self._processes

    def advance(self, seat: int, places: int) -> None:
        """Move the head of a queue by `places`."""
        self._heads[seat] += places

    def advance_all(self, seat: int, ticks: int) -> None:
        """Move the heads for `ticks` instructions, executed in turn from this seat on without a death."""
        for turn in range(self._warriors):
            self.advance(
                (seat + turn) % self._warriors, (ticks + self._warriors - 1 - turn) // self._warriors
            )

    def end(self, seat: int, processes: int) -> int:
        """Return the place after a warrior's queue of this number of processes."""
        return (self._heads[seat] + processes) % (self._warriors * self._processes + 1)
