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
FEW_TICKS: Final = 2_000  # about 2 ms when each instruction is looked at


class Mode(Enum):
    """When the battle halts of itself."""

    FREE = auto()  # never
    BREAK = auto()  # at a traced cell, at a death, at the end of a round
    STEP = auto()  # before the next instruction


class Halt(Enum):
    """Why the battle halted."""

    INSTRUCTION = auto()  # one is about to be executed
    DEATH = auto()  # of a warrior, in a round that goes on
    ROUND = auto()  # the round is over


class DebugRun:
    """A battle that halts and is resumed.

    `mode` says when it halts: at once (STEP), at a marked cell or a death (BREAK), or only when interrupted (FREE).
    `marks` are the traced cells of each warrior, counted from its first; with `moveable`, MOV.I copies a mark.
    Without a `display` there is no picture of the core.
    At a halt, `seat` and `address` are the warrior and the place of its instruction, which is fetched by then.
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
        self._fetched = EMPTY  # the instruction at the halt, even when its cell is edited
        self._marks = marks or [frozenset()] * self.warrior_count
        self.display = display
        self._reset_round()

    def resume(self) -> Generator[Yield, None, bool]:
        """Run to the next halt; False when the battle ends before."""
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
        """Leave the warrior at the halt one process, at `address`."""
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
        """Cycles of this round, for each living warrior."""
        living = max(int(self.mars.living), 1)
        ticks = int(self.mars.ticks_left) + (self.halt is Halt.DEATH)  # the second tick of a death is to come
        return -(-ticks // living)

    def name(self, seat: int) -> str:
        """A warrior's name."""
        return self.mars.warriors[seat].name

    def first_address(self, seat: int) -> int:
        """The address of a warrior's next process; 0 for a dead one."""
        if seat == self.seat:
            return self.address
        return self.mars.processes(seat)[0] if self.mars.is_alive(seat) else 0

    def queue(self, seat: int) -> list[int]:
        """The addresses of a warrior's processes, without the one at the halt."""
        processes = self.mars.processes(seat)
        return processes[1:] if seat == self.seat and self.halt is Halt.INSTRUCTION else processes

    def pspace_index(self, seat: int) -> int:
        """The number of a warrior's P-space: warriors with the same PIN share one."""
        shares = self.mars.shares
        return len(set(shares[: shares[seat]]))

    def message(self) -> str:
        """What pMARS prints about a death or the end of a round."""
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
        """Halt at the round's last instruction; its warrior is the dead one, or the next one at an end by time."""
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
        """Whether each instruction has to be looked at before it is executed."""
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
        )  # wrong after a death among many, when there is no halt any more

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
        """Execute the instruction of the halt as it was fetched, at the address that the process has now."""
        if self.address != self.mars.next_address:
            self._set_processes(self.seat, [self.address, *self.mars.processes(self.seat)[1:]])
        self._execute(self._fetched)

    def _execute(self, word: int) -> bool:
        """Execute `word` as the next instruction. True when the round is over or the battle halts."""
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
        """MOV.I copies the mark of its source, or its absence."""
        if self.traced and self.moveable and operation_of(word) == MOV and modifier_of(word) == DOT_I:
            source, target = operands(self.mars, word)
            self._mark(target, source in self.traced)

    def _mark(self, address: int, traced: bool) -> None:
        if traced:
            self.traced.add(address)
        else:
            self.traced.discard(address)


class QueueLayout:
    """Where the process queues lie in the one circular array that pMARS has for all warriors.

    They begin `processes` places apart, and each moves on by a place with each instruction. It matters for the
    command `registers` only, which does not print what lies around the end of the array.
    """

    def __init__(self, warriors: int, processes: int) -> None:
        self._warriors = warriors
        self._processes = processes
        self._heads = [0] * warriors

    def begin(self, starter: int) -> None:
        """A round begins: the warrior that starts it has the last place."""
        for seat in range(self._warriors):
            turn = (seat - starter) % self._warriors
            self._heads[seat] = (self._warriors - 1 - turn) * self._processes

    def advance(self, seat: int, places: int) -> None:
        """Move the head of a queue."""
        self._heads[seat] += places

    def advance_all(self, seat: int, ticks: int) -> None:
        """Move the heads for so many instructions, executed in turn from this seat on without a death."""
        for turn in range(self._warriors):
            self.advance(
                (seat + turn) % self._warriors, (ticks + self._warriors - 1 - turn) // self._warriors
            )

    def end(self, seat: int, processes: int) -> int:
        """The place after a queue of so many processes."""
        return (self._heads[seat] + processes) % (self._warriors * self._processes + 1)
