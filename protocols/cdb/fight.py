"""The battle under the debugger: where it halts, which cells are traced, and how it goes on from a halt."""

from collections.abc import Generator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from typing import Final

from core.corewar.battle import Battle
from core.corewar.instruction import DIRECT, DOT_I, EMPTY, JMP, MOV, SPL, modifier_of, operation_of, pack
from protocols.cdb.console import Display, Slice
from protocols.cdb.register import execute, pointers
from protocols.cdb.ring import Ring

MANY_TICKS: Final = 200_000  # about 2 ms of the MARS
FEW_TICKS: Final = 2_000  # about 2 ms when each address is looked at


class Mode(Enum):
    """When the fight halts of itself."""

    FREE = auto()  # never
    BREAK = auto()  # at a traced cell, at a death, at the end of a round
    STEP = auto()  # before the next instruction


class Halt(Enum):
    """Why it halted."""

    INSTRUCTION = auto()  # is about to be executed
    DEATH = auto()  # of a warrior, others go on
    ROUND = auto()  # is over


class Fight:
    """`marks` are the traced cells of each warrior, counted from its first; `moveable` copies them by MOV.I."""

    def __init__(
        self,
        battle: Battle,
        mode: Mode,
        marks: Sequence[AbstractSet[int]],
        *,
        moveable: bool,
        display: Display | None = None,
    ) -> None:
        self.battle = battle
        self.mars = battle.mars
        self.mode = mode
        self.moveable = moveable
        self.skips = 0  # instructions to execute before the next halt by STEP
        self.halt: Halt | None = None
        self.seat = 0  # at a halt: whose instruction it is
        self.address = 0  # and where it stands
        self.traced: set[int] = set()
        self._ring = Ring(self.warriors, battle.rules.processes)
        self._register = EMPTY  # the instruction as it was fetched
        self._marks = marks
        self._display = display
        self._note_begin()

    def go_on(self) -> Generator[Slice, None, bool]:
        """To the next halt; False when there is none until the end of the battle."""
        halt, self.halt = self.halt, None
        if halt is Halt.INSTRUCTION:
            self._execute_register()
        elif halt is Halt.ROUND and not self._begin_round():
            return False
        while self.halt is None:
            if self.mars.over:
                if self.mode is Mode.BREAK:
                    self._halt_at_end()
                elif not self._begin_round():
                    return False
            elif self.mode is Mode.STEP and self.skips <= 0:
                self.halt_here()
            elif self._is_watched():
                self._run_watched()
                yield Slice()
            else:
                self._run_blindly()
                yield Slice()
        return True

    def halt_here(self) -> None:
        """Before the next instruction."""
        self.halt = Halt.INSTRUCTION
        self.seat = int(self.mars.turn)
        self.address = self._next_address()
        self._register = self.mars.cell(self.address)

    def forget_others(self, address: int) -> None:
        """The warrior at the halt keeps one process, at `address`."""
        if self.halt is Halt.INSTRUCTION:
            self._set_processes(self.seat, [address])
        self.address = address

    def set_cell(self, address: int, cell: int, *, traced: bool) -> None:
        """Put an instruction into the core."""
        self.mars.set_cell(address, cell)
        if traced:
            self.traced.add(address)
        else:
            self.traced.discard(address)

    def message(self) -> str:
        """What the halt is about, beyond the instruction."""
        fallen = f"Warrior {self.seat}: {self.mars.warriors[self.seat].name} terminated"
        if self.halt is Halt.DEATH:
            return fallen + "\n"
        if self.halt is Halt.ROUND:
            text = f"End of round {self.battle.round + 1}\n"
            return f"{fallen} - {text}" if self.mars.living == 1 and self.warriors > 1 else text
        return ""

    # -- What it looks like at a halt --------------------------------------------------------------

    @property
    def warriors(self) -> int:
        return len(self.mars.warriors)

    @property
    def cycles_left(self) -> int:
        """Of this round, for each living warrior."""
        living = max(int(self.mars.living), 1)
        ticks = int(self.mars.ticks_left) + (self.halt is Halt.DEATH)  # the second tick of a death is to come
        return -(-ticks // living)

    def count(self, seat: int) -> int:
        """Of a warrior's processes."""
        return self.mars.count(seat)

    def first(self, seat: int) -> int:
        """The address of a warrior's next process; 0 for a dead one."""
        if seat == self.seat:
            return self.address
        return self.mars.processes(seat)[0] if self.mars.is_alive(seat) else 0

    def queue(self, seat: int) -> list[int]:
        """A warrior's processes, behind the one at the halt if that is its own."""
        processes = self.mars.processes(seat)
        return processes[1:] if seat == self.seat and self.halt is Halt.INSTRUCTION else processes

    def ring_end(self, seat: int) -> int:
        """Where a queue ends in pMARS's array."""
        return self._ring.end(seat, self.count(seat))

    def pspace_index(self, seat: int) -> int:
        """The number of a warrior's P-space: warriors with the same PIN have one together."""
        shares = [int(share) for share in self.mars.shares]
        return len(set(shares[: shares[seat]]))

    # -- Going on ----------------------------------------------------------------------------------

    def _begin_round(self) -> bool:
        if not self.battle.next_round():
            return False
        self._note_begin()
        return True

    def _note_begin(self) -> None:
        """Of a round: marks are in the core again."""
        if self._display is not None:
            self._display.begin()
        self._ring.begin(int(self.mars.turn))
        size = self.mars.rules.size
        self.traced = {
            (int(position) + offset) % size
            for position, offsets in zip(self.mars.positions, self._marks, strict=True)
            for offset in offsets
        }

    def _is_watched(self) -> bool:
        """Whether each instruction has to be looked at before it is executed."""
        if self._display is not None and self.mode is not Mode.FREE:
            return True
        if self.mode is Mode.BREAK:
            return bool(self.traced) or self.warriors > 2 or self.mars.ticks_left == 1
        return self.mode is Mode.STEP and (self.warriors > 2 or (self.moveable and bool(self.traced)))

    def _run_blindly(self) -> None:
        before, first = int(self.mars.executed), int(self.mars.turn)
        ticks = MANY_TICKS
        if self.mode is Mode.STEP:
            ticks = min(ticks, self.skips)
        elif self.mode is Mode.BREAK:
            ticks = min(ticks, int(self.mars.ticks_left) - 1)  # the last address of the round will be shown
        self.mars.run(ticks)
        ticks = int(self.mars.executed) - before
        self.skips -= ticks
        self._ring.move_all(
            first, ticks
        )  # of more than two some may have died, when nobody is to look any more

    def _run_watched(self) -> None:
        for _ in range(min(self.skips, FEW_TICKS) if self.mode is Mode.STEP else FEW_TICKS):
            address = self._next_address()
            if self.mode is Mode.BREAK and address in self.traced:
                self.halt_here()
                return
            self.skips -= 1
            if self._run_one(int(self.mars.turn), address):
                return

    def _run_one(self, seat: int, address: int) -> bool:
        """Execute the next instruction, which is at `address`. True when something is to be seen to first."""
        self._move_trace(self.mars.cell(address), address)
        living = self.mars.living
        self._ring.move(seat, 1)
        if self._display is not None:
            self._display.look()
        if self.mars.run(1):
            return True
        if self.mode is Mode.BREAK and self.mars.living < living:
            self.halt = Halt.DEATH
            self.seat, self.address = seat, address
            return True
        return False

    def _execute_register(self) -> None:
        """The instruction of the halt as it was fetched, at the address that the process has now."""
        seat, address, cell = self.seat, self.address, self._register
        if address != self._next_address():
            self._set_processes(seat, [address, *self.mars.processes(seat)[1:]])
        if self.mars.cell(address) == cell:
            self._run_one(seat, address)
            return
        self._move_trace(cell, address)
        followers = execute(self.mars, seat, cell, address)
        kept = self.mars.cell(address)
        self.mars.set_cell(address, _stand_in(followers, address, self.mars.rules.size))
        self._run_one(seat, address)
        self.mars.set_cell(address, kept)

    def _set_processes(self, seat: int, addresses: list[int]) -> None:
        self._ring.move(seat, self.count(seat) - len(addresses))
        self.mars.set_processes(seat, addresses)

    def _move_trace(self, cell: int, address: int) -> None:
        if not self.traced or not self.moveable or operation_of(cell) != MOV or modifier_of(cell) != DOT_I:
            return
        source, target = pointers(self.mars, cell, address)
        if source in self.traced:
            self.traced.add(target)
        else:
            self.traced.discard(target)

    def _halt_at_end(self) -> None:
        """At the last instruction of the round; its warrior is the dead one, or the one after it by time."""
        self.halt = Halt.ROUND
        self.seat = int(self.mars.turn)
        self.address = self.mars.last_address

    def _next_address(self) -> int:
        return self.mars.next_address


def _stand_in(followers: list[int], address: int, size: int) -> int:
    """The instruction that does nothing but send its process to where `followers` are."""
    if not followers:
        return EMPTY
    operation = JMP if len(followers) == 1 else SPL
    return pack(operation, 1, DIRECT, (followers[-1] - address) % size, DIRECT, 0)
