"""One instruction executed from the register, when its cell was changed after it was fetched.

pMARS shows an instruction before it executes it, but has fetched it by then: an edit of its cell or a new address
for its process comes too late for it. A plain reading of Core War Tribes, sections S4.3 to S4.6.
"""

from typing import Final, Protocol

from core.corewar.instruction import (
    MODES,
    MODIFIERS,
    OPERATIONS,
    a_mode_of,
    a_of,
    b_mode_of,
    b_of,
    modifier_of,
    operation_of,
    pack,
)
from core.corewar.rules import Rules

A, B = 0, 1  # the two values of a cell
_PAIRS: Final = {
    "A": ((A, A),),
    "B": ((B, B),),
    "AB": ((A, B),),
    "BA": ((B, A),),
    "F": ((A, A), (B, B)),
    "X": ((A, B), (B, A)),
    "I": ((A, A), (B, B)),
}  # by modifier: which value of the A operand meets which of the B operand


class Machine(Protocol):
    """As much of the MARS as an instruction may touch."""

    @property
    def rules(self) -> Rules: ...
    def cell(self, address: int, /) -> int: ...
    def set_cell(self, address: int, cell: int, /) -> None: ...
    def pspace(self, seat: int, /) -> list[int]: ...
    def set_pspace(self, seat: int, index: int, value: int, /) -> None: ...


def execute(machine: Machine, seat: int, cell: int, address: int) -> list[int]:
    """Do what `cell` does at `address`; the addresses that its process goes on at: two by SPL, none by death."""
    size = machine.rules.size
    operation = OPERATIONS[operation_of(cell)]
    modifier = MODIFIERS[modifier_of(cell)]
    pairs = _PAIRS[modifier]
    x, source = _operand(machine, MODES[a_mode_of(cell)], a_of(cell), cell, address)
    y, target = _operand(machine, MODES[b_mode_of(cell)], b_of(cell), cell, address)
    follower = (address + 1) % size
    skipped = (address + 2) % size
    tested = [target[to] for _, to in pairs]
    match operation:
        case "MOV":
            if modifier == "I":
                machine.set_cell(y, machine.cell(x))
            for of, to in pairs:
                _set(machine, y, to, source[of])
        case "ADD" | "SUB" | "MUL" | "DIV" | "MOD":
            dies = False
            for of, to in pairs:
                if source[of] == 0 and operation in ("DIV", "MOD"):
                    dies = True
                else:
                    _set(machine, y, to, _ARITHMETIC[operation](target[to], source[of]) % size)
            if dies:
                return []
        case "JMZ":
            return [follower if any(tested) else x]
        case "JMN":
            return [x if any(tested) else follower]
        case "DJN":
            for _, to in pairs:
                _set(machine, y, to, (_values(machine.cell(y))[to] - 1) % size)
            return [follower if all(value == 1 for value in tested) else x]
        case "CMP" | "SEQ" | "SNE":
            same = all(source[of] == target[to] for of, to in pairs)
            if modifier == "I":
                same = same and _code(machine.cell(x)) == _code(machine.cell(y))
            return [skipped if same != (operation == "SNE") else follower]
        case "SLT":
            return [skipped if all(source[of] < target[to] for of, to in pairs) else follower]
        case "JMP":
            return [x]
        case "SPL":
            return [follower, x]
        case "DAT":
            return []
        case "LDP":
            of, to = pairs[-1] if modifier in ("A", "AB", "BA") else (B, B)
            pspace = machine.pspace(seat)
            _set(machine, y, to, pspace[source[of] % len(pspace)])
        case "STP":
            of, to = pairs[-1] if modifier in ("A", "AB", "BA") else (B, B)
            machine.set_pspace(seat, target[to] % machine.rules.pspace, source[of])
    return [follower]


def pointers(machine: Machine, cell: int, address: int) -> tuple[int, int]:
    """The addresses of A and B that `cell` would work on at `address`."""
    sheet = _Overlay(machine)
    x, _ = _operand(sheet, MODES[a_mode_of(cell)], a_of(cell), cell, address)
    y, _ = _operand(sheet, MODES[b_mode_of(cell)], b_of(cell), cell, address)
    return x, y


class _Overlay:
    """A machine whose changes do not reach the one beneath."""

    def __init__(self, machine: Machine) -> None:
        self.rules = machine.rules
        self.pspace = machine.pspace
        self.set_pspace = machine.set_pspace
        self._cells: dict[int, int] = {}
        self._beneath = machine.cell

    def cell(self, address: int, /) -> int:
        return self._cells[address] if address in self._cells else self._beneath(address)

    def set_cell(self, address: int, cell: int, /) -> None:
        self._cells[address] = cell


def _operand(machine: Machine, mode: str, value: int, cell: int, address: int) -> tuple[int, tuple[int, int]]:
    """(where it points, the two values found there)."""
    size = machine.rules.size
    if mode == "#":
        return address, _values(cell)
    pointer = (address + value) % size
    if mode != "$":
        middle, field = pointer, A if mode in "*{}" else B
        offset = _values(machine.cell(middle))[field]
        if mode in "<{":
            offset = (offset - 1) % size
            _set(machine, middle, field, offset)
        pointer = (middle + offset) % size
        found = _values(machine.cell(pointer))
        if mode in ">}":
            _set(machine, middle, field, (offset + 1) % size)
        return pointer, found
    return pointer, _values(machine.cell(pointer))


_ARITHMETIC: Final = {
    "ADD": int.__add__,
    "SUB": int.__sub__,
    "MUL": int.__mul__,
    "DIV": int.__floordiv__,
    "MOD": int.__mod__,
}


def _values(cell: int) -> tuple[int, int]:
    return a_of(cell), b_of(cell)


def _code(cell: int) -> tuple[int, int, int, int]:
    return operation_of(cell), modifier_of(cell), a_mode_of(cell), b_mode_of(cell)


def _set(machine: Machine, address: int, field: int, value: int) -> None:
    cell = machine.cell(address)
    a, b = (value, b_of(cell)) if field == A else (a_of(cell), value)
    operation, modifier, a_mode, b_mode = _code(cell)
    machine.set_cell(address, pack(operation, modifier, a_mode, a, b_mode, b))
