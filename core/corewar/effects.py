"""What the next instruction will do, worked out literally and without doing it.

Debugger, display and film ask this before each run(1); nobody who does not ask pays for it. The fights with read
and write limits are made of it (core.corewar.limited), and the tests hold it against Mars.run().
"""

from typing import Final, final

from mypy_extensions import i64

from core.corewar.instruction import (
    A_DECREMENT,
    A_INCREMENT,
    A_INDIRECT,
    A_SHIFT,
    ADD,
    B_DECREMENT,
    B_INCREMENT,
    B_SHIFT,
    CMP,
    CODE,
    DAT,
    DIRECT,
    DIV,
    DJN,
    DOT_F,
    DOT_I,
    IMMEDIATE,
    JMN,
    JMP,
    JMZ,
    LDP,
    MOV,
    MUL,
    NOT_A,
    NOT_B,
    SEQ,
    SLT,
    SNE,
    SPL,
    STP,
    SUB,
    a_mode_of,
    a_of,
    b_mode_of,
    b_of,
    modifier_of,
    operation_of,
)  # fmt: skip
from core.corewar.mars import Mars

EXECUTE: Final = 0
READ: Final = 1
WRITE: Final = 2
DECREMENT: Final = 3
INCREMENT: Final = 4
SPLIT: Final = 5
DIE: Final = 6

# [modifier]: which values of the source meet which of the target, 0 for A and 1 for B.
PAIRS: Final = (
    ((0, 0),),
    ((1, 1),),
    ((0, 1),),
    ((1, 0),),
    ((0, 0), (1, 1)),
    ((0, 1), (1, 0)),
    ((0, 0), (1, 1)),
)
ALONE: Final = ((1, 1),)  # what LDP and STP make of .F, .X and .I


def effects(mars: Mars) -> list[tuple[int, int]]:
    """(kind, address) of what the next instruction touches, in order; nothing when the round is over."""
    return [] if mars.over else Deed(mars).effects


@final
class Operand:
    """Where an operand leads to, for reading and for writing, and the values (A, B) found there."""

    def __init__(self, read: i64, write: i64, cell: i64) -> None:
        self.read = read
        self.write = write
        self.values = (a_of(cell), b_of(cell))


@final
class Deed:
    """The next instruction of a Mars whose round goes on: all that it changes, and all that it touches."""

    def __init__(self, mars: Mars) -> None:
        rules = mars.rules
        self.mars: Final = mars
        self.size: i64 = rules.size
        self.read_limit: i64 = rules.read_limit
        self.write_limit: i64 = rules.write_limit
        self.seat: i64 = mars.turn
        self.address: i64 = mars.next_address
        self.register: i64 = mars.core[self.address]
        self.cells: dict[int, int] = {}  # by address, as they will be
        self.followers: list[int] = []  # the processes that come after this one
        self.stored: tuple[int, int] | None = None  # a P-space's index and its new value
        self.effects: list[tuple[int, int]] = [(EXECUTE, int(self.address))]
        self.modifier: i64 = modifier_of(self.register)
        self.source = self._operand(a_mode_of(self.register), a_of(self.register))
        self.target = self._operand(b_mode_of(self.register), b_of(self.register))
        self._execute(operation_of(self.register))

    # -- Operands ----------------------------------------------------------------------------------

    def _operand(self, mode: i64, value: i64) -> Operand:
        if mode == IMMEDIATE:
            return Operand(self.address, self.address, self.register)
        read, write = self._folded(value, self.read_limit), self._folded(value, self.write_limit)
        if mode == DIRECT:
            return Operand(self._at(read), self._at(write), self._cell(self._at(read)))
        decrements = mode == A_DECREMENT or mode == B_DECREMENT
        increments = mode == A_INCREMENT or mode == B_INCREMENT
        if decrements or increments:
            read = write  # pMARS 0.9.4 finds a pointer that it changes by the write limit
        pointer = self._at(read)
        half: i64 = 0 if mode >= A_INDIRECT else 1
        cell = self._cell(pointer)
        offset = b_of(cell) if half else a_of(cell)
        if decrements:
            offset = (offset + self.size - 1) % self.size
            self._put(pointer, half, offset)
            self._touch(DECREMENT, pointer)
        read = self._at(self._folded(read + offset, self.read_limit))
        write = self._at(self._folded(write + offset, self.write_limit))
        found = Operand(read, write, self._cell(read))
        if increments:
            self._put(pointer, half, (offset + 1) % self.size)
            self._touch(INCREMENT, pointer)
        return found

    def _folded(self, offset: i64, limit: i64) -> i64:
        """The offset from the instruction as far as a limit lets it reach: half of it to each side."""
        offset = offset % self.size % limit
        return offset if offset <= limit // 2 else offset + self.size - limit

    def _at(self, offset: i64) -> i64:
        return (self.address + offset) % self.size

    def _cell(self, address: i64) -> i64:
        return self.cells.get(int(address), int(self.mars.core[address]))

    def _put(self, address: i64, half: i64, value: i64) -> None:
        cell = self._cell(address)
        cell = (cell & NOT_B) | (value << B_SHIFT) if half else (cell & NOT_A) | (value << A_SHIFT)
        self.cells[int(address)] = int(cell)

    def _touch(self, kind: int, address: i64) -> None:
        self.effects.append((kind, int(address)))

    # -- Operations --------------------------------------------------------------------------------

    def _execute(self, operation: i64) -> None:
        if operation == MOV:
            self._move()
        elif operation < JMZ:
            self._compute(operation)
        elif operation == JMZ or operation == JMN:
            self._touch(READ, self.target.read)
            zero = all(self.target.values[half] == 0 for _, half in PAIRS[self.modifier])
            self._go_on(jump=zero == (operation == JMZ))
        elif operation == DJN:
            self._count_down()
        elif operation == SPL:
            self._split()
        elif operation == DAT:
            self._die()
        elif operation == JMP:
            self._go_on(jump=True)
        elif operation == CMP or operation == SEQ or operation == SNE or operation == SLT:
            self._compare(operation)
        elif operation == LDP or operation == STP:
            self._use_pspace(operation)
        else:
            self._go_on()

    def _move(self) -> None:
        self._touch(READ, self.source.read)
        if self.modifier == DOT_I:
            code = self._cell(self.source.read) & CODE
            self.cells[int(self.target.write)] = int(code | self._cell(self.target.write) & ~CODE)
        for half, other in PAIRS[self.modifier]:
            self._put(self.target.write, other, self.source.values[half])
        self._touch(WRITE, self.target.write)
        self._go_on()

    def _compute(self, operation: i64) -> None:
        self._touch(READ, self.source.read)
        results = 0
        for half, other in PAIRS[self.modifier]:
            by, value = self.source.values[half], self.target.values[other]
            if operation == ADD:
                value = (value + by) % self.size
            elif operation == SUB:
                value = (value - by + self.size) % self.size
            elif operation == MUL:
                value = value * by % self.size
            elif by == 0:
                continue
            elif operation == DIV:
                value = value // by
            else:
                value = value % by
            self._put(self.target.write, other, value)
            results += 1
        if results:
            self._touch(WRITE, self.target.write)
        if results == len(PAIRS[self.modifier]):
            self._go_on()
        else:
            self._die()

    def _count_down(self) -> None:
        done = True
        for _, half in PAIRS[self.modifier]:
            cell = self._cell(self.target.write)
            now = b_of(cell) if half else a_of(cell)
            self._put(self.target.write, half, (now + self.size - 1) % self.size)
            done = done and self.target.values[half] == 1
        self._touch(DECREMENT, self.target.write)
        self._go_on(jump=not done)

    def _compare(self, operation: i64) -> None:
        self._touch(READ, self.target.read)
        self._touch(READ, self.source.read)
        source, target = self.source.values, self.target.values
        if operation == SLT:
            holds = all(source[half] < target[other] for half, other in PAIRS[self.modifier])
        else:
            holds = all(source[half] == target[other] for half, other in PAIRS[self.modifier])
            if self.modifier == DOT_I:
                codes = self._cell(self.source.read) & CODE, self._cell(self.target.read) & CODE
                holds = holds and codes[0] == codes[1]
            holds = holds == (operation != SNE)
        self._go_on(skip=holds)

    def _split(self) -> None:
        self._go_on()
        if self.mars.count(self.seat) < self.mars.rules.processes:
            self.followers.append(int(self.source.read))
            self._touch(SPLIT, self.source.read)

    def _use_pspace(self, operation: i64) -> None:
        self._touch(READ, self.source.read)
        half, other = (ALONE if self.modifier >= DOT_F else PAIRS[self.modifier])[0]
        value = self.source.values[half]
        if operation == STP:
            self.stored = (int(self.target.values[other]), int(value))
        else:
            self._put(self.target.write, other, self.mars.pspaces.recall(self.seat, value))
            self._touch(WRITE, self.target.write)
        self._go_on()

    def _go_on(self, *, jump: bool = False, skip: bool = False) -> None:
        self.followers.append(int(self.source.read if jump else self._at(2 if skip else 1)))

    def _die(self) -> None:
        self._touch(DIE, self.address)
