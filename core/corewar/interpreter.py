"""An interpreter of single instructions: all that an instruction reads and changes, found before it is executed.

The interpreter is slower than Mars.run(), and the tests compare the two. Displays and recordings use it before each
run(1), and the debugger executes with it a word that is no longer in the core. Read and write limits fold an operand
into the cells around its instruction, as in pMARS 0.9.4 (-R, -W).
"""

from typing import Final, final

from mypy_extensions import i64

from core.corewar import instruction as ins
from core.corewar.machine import MachineState
from core.corewar.rules import folded

EXECUTE: Final = 0
READ: Final = 1
WRITE: Final = 2
DECREMENT: Final = 3
INCREMENT: Final = 4
SPLIT: Final = 5
DIE: Final = 6

# [modifier]: the pairs of (value of the source, value of the target) that an operation combines, 0 for A and 1 for B.
PAIRS: Final = (
    ((0, 0),),
    ((1, 1),),
    ((0, 1),),
    ((1, 0),),
    ((0, 0), (1, 1)),
    ((0, 1), (1, 0)),
    ((0, 0), (1, 1)),
)
ALONE: Final = ((1, 1),)  # the pair of LDP and STP with .F, .X and .I


def trace(mars: MachineState, word: int | None = None) -> list[tuple[int, int]]:
    """Return (kind, address) of each access of the next instruction, or of `word` in its place, in order.

    The list is empty after the end of the round.
    """
    if mars.over:
        return []
    return InstructionTrace(mars, mars.core[mars.next_address] if word is None else word).effects


def operands(mars: MachineState, word: int) -> tuple[int, int]:
    """Return the addresses of A operand (for reading) and B operand (for writing) of `word` as next instruction."""
    step = InstructionTrace(mars, word)
    return int(step.source.read), int(step.target.write)


def execute_word(mars: MachineState, word: i64) -> None:
    """Execute `word` as the next instruction, whatever the cell in the core holds."""
    step = InstructionTrace(mars, word)
    for address, cell in step.cells.items():
        mars.set_cell(address, cell)
    if step.stored is not None:
        mars.pspaces.write(step.seat, step.stored[0], step.stored[1])
    mars.take_turn(step.next_processes)


@final
class Operand:
    """The addresses to which an operand leads, for reading and for writing, and the values (A, B) at the first."""

    def __init__(self, read: i64, write: i64, cell: i64) -> None:
        self.read = read
        self.write = write
        self.values = (ins.a_of(cell), ins.b_of(cell))


@final
class InstructionTrace:
    """All changes and accesses of `word` as the next instruction of a round that is not over."""

    def __init__(self, mars: MachineState, word: i64) -> None:
        rules = mars.rules
        self.mars: Final = mars
        self.size: i64 = rules.size
        self.read_limit: i64 = rules.read_limit
        self.write_limit: i64 = rules.write_limit
        self.seat: i64 = mars.turn
        self.address: i64 = mars.next_address
        self.word: i64 = word
        self.cells: dict[int, int] = {}  # the new values of changed cells, by address
        self.next_processes: list[int] = []  # the addresses that this process adds to the queue
        self.stored: tuple[int, int] | None = None  # an index of the P-space and its new value
        self.effects: list[tuple[int, int]] = [(EXECUTE, int(self.address))]
        self.modifier: i64 = ins.modifier_of(self.word)
        self.source = self._operand(ins.a_mode_of(self.word), ins.a_of(self.word))
        self.target = self._operand(ins.b_mode_of(self.word), ins.b_of(self.word))
        if rules.later and ins.b_mode_of(self.word) == ins.IMMEDIATE:
            self.target = Operand(self.address, self.address, self._cell(self.address))
        self._execute(ins.operation_of(self.word))

    # -- Operands ----------------------------------------------------------------------------------

    def _operand(self, mode: i64, value: i64) -> Operand:
        if mode == ins.IMMEDIATE:
            return Operand(self.address, self.address, self.word)
        read, write = self._folded(value, self.read_limit), self._folded(value, self.write_limit)
        if mode == ins.DIRECT:
            return Operand(
                self._address_at(read), self._address_at(write), self._cell(self._address_at(read))
            )
        decrements = mode == ins.A_DECREMENT or mode == ins.B_DECREMENT
        increments = mode == ins.A_INCREMENT or mode == ins.B_INCREMENT
        if decrements or increments:
            read = write  # in pMARS 0.9.4 the write limit applies to a pointer that is changed
        pointer = self._address_at(read)
        half: i64 = 0 if mode >= ins.A_INDIRECT else 1
        cell = self._cell(pointer)
        offset = ins.b_of(cell) if half else ins.a_of(cell)
        if decrements:
            offset = (offset + self.size - 1) % self.size
            self._put(pointer, half, offset)
            self._touch(DECREMENT, pointer)
        read = self._address_at(self._folded(read + offset, self.read_limit))
        write = self._address_at(self._folded(write + offset, self.write_limit))
        found = Operand(read, write, self._cell(read))
        if increments:
            self._put(pointer, half, (offset + 1) % self.size)
            self._touch(INCREMENT, pointer)
        return found

    def _folded(self, offset: i64, limit: i64) -> i64:
        return folded(offset % self.size, limit, self.size)

    def _address_at(self, offset: i64) -> i64:
        return (self.address + offset) % self.size

    def _cell(self, address: i64) -> i64:
        return self.cells.get(int(address), int(self.mars.core[address]))

    def _put(self, address: i64, half: i64, value: i64) -> None:
        cell = self._cell(address)
        cell = (
            (cell & ins.NOT_B) | (value << ins.B_SHIFT)
            if half
            else (cell & ins.NOT_A) | (value << ins.A_SHIFT)
        )
        self.cells[int(address)] = int(cell)

    def _touch(self, kind: int, address: i64) -> None:
        self.effects.append((kind, int(address)))

    # -- Operations --------------------------------------------------------------------------------

    def _execute(self, operation: i64) -> None:
        if operation == ins.MOV:
            self._move()
        elif operation < ins.JMZ:
            self._compute(operation)
        elif operation == ins.JMZ or operation == ins.JMN:
            self._touch(READ, self.target.read)
            zero = all(self.target.values[half] == 0 for _, half in PAIRS[self.modifier])
            self._continue_process(jump=zero == (operation == ins.JMZ))
        elif operation == ins.DJN:
            self._count_down()
        elif operation == ins.SPL:
            self._split()
        elif operation == ins.DAT:
            self._die()
        elif operation == ins.JMP:
            self._continue_process(jump=True)
        elif operation == ins.CMP or operation == ins.SEQ or operation == ins.SNE or operation == ins.SLT:
            self._compare(operation)
        elif operation == ins.LDP or operation == ins.STP:
            self._use_pspace(operation)
        else:
            self._continue_process()

    def _move(self) -> None:
        self._touch(READ, self.source.read)
        if self.modifier == ins.DOT_I:
            code = self._cell(self.source.read) & ins.CODE
            self.cells[int(self.target.write)] = int(code | self._cell(self.target.write) & ~ins.CODE)
        for half, other in PAIRS[self.modifier]:
            self._put(self.target.write, other, self.source.values[half])
        self._touch(WRITE, self.target.write)
        self._continue_process()

    def _compute(self, operation: i64) -> None:
        self._touch(READ, self.source.read)
        results = 0
        for half, other in PAIRS[self.modifier]:
            by, value = self.source.values[half], self.target.values[other]
            if operation == ins.ADD:
                value = (value + by) % self.size
            elif operation == ins.SUB:
                value = (value - by + self.size) % self.size
            elif operation == ins.MUL:
                value = value * by % self.size
            elif by == 0:
                continue
            elif operation == ins.DIV:
                value = value // by
            else:
                value = value % by
            self._put(self.target.write, other, value)
            results += 1
        if results:
            self._touch(WRITE, self.target.write)
        if results == len(PAIRS[self.modifier]):
            self._continue_process()
        else:
            self._die()

    def _count_down(self) -> None:
        done = True
        for _, half in PAIRS[self.modifier]:
            cell = self._cell(self.target.write)
            now = ins.b_of(cell) if half else ins.a_of(cell)
            self._put(self.target.write, half, (now + self.size - 1) % self.size)
            done = done and self.target.values[half] == 1
        self._touch(DECREMENT, self.target.write)
        self._continue_process(jump=not done)

    def _compare(self, operation: i64) -> None:
        self._touch(READ, self.target.read)
        self._touch(READ, self.source.read)
        source, target = self.source.values, self.target.values
        if operation == ins.SLT:
            holds = all(source[half] < target[other] for half, other in PAIRS[self.modifier])
        else:
            holds = all(source[half] == target[other] for half, other in PAIRS[self.modifier])
            if self.modifier == ins.DOT_I:
                codes = self._cell(self.source.read) & ins.CODE, self._cell(self.target.read) & ins.CODE
                holds = holds and codes[0] == codes[1]
            holds = holds == (operation != ins.SNE)
        self._continue_process(skip=holds)

    def _split(self) -> None:
        self._continue_process()
        if self.mars.count(self.seat) < self.mars.rules.processes:
            self.next_processes.append(int(self.source.read))
            self._touch(SPLIT, self.source.read)

    def _use_pspace(self, operation: i64) -> None:
        self._touch(READ, self.source.read)
        half, other = (ALONE if self.modifier >= ins.DOT_F else PAIRS[self.modifier])[0]
        value = self.source.values[half]
        if operation == ins.STP:
            self.stored = (int(self.target.values[other]), int(value))
        else:
            self._put(self.target.write, other, self.mars.pspaces.read(self.seat, value))
            self._touch(WRITE, self.target.write)
        self._continue_process()

    def _continue_process(self, *, jump: bool = False, skip: bool = False) -> None:
        self.next_processes.append(int(self.source.read if jump else self._address_at(2 if skip else 1)))

    def _die(self) -> None:
        self._touch(DIE, self.address)
