"""Random warriors for tests, and warriors from lines like `MOV.I $0,$1`."""

from random import Random

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
from core.corewar.interpreter import execute_word
from core.corewar.mars import Mars
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior


def cell(text: str, size: int) -> int:
    """The cell that `MOV.I $0,$-1` describes."""
    name, operands = text.split()
    operation, modifier = name.split(".")
    a, b = operands.split(",")
    return pack(
        OPERATIONS.index(operation),
        MODIFIERS.index(modifier),
        MODES.index(a[0]),
        int(a[1:]) % size,
        MODES.index(b[0]),
        int(b[1:]) % size,
    )


def text(cell: int) -> str:
    """The other way, values as they stand in the core."""
    return (
        f"{OPERATIONS[operation_of(cell)]}.{MODIFIERS[modifier_of(cell)]} "
        f"{MODES[a_mode_of(cell)]}{a_of(cell)},{MODES[b_mode_of(cell)]}{b_of(cell)}"
    )


def warrior(line: str, size: int = 8000) -> Warrior:
    """`ORG 1 / PIN 2 / MOV.I $0,$1 / DAT.F #0,#0`"""
    start, pin, cells = 0, None, []
    for part in line.split(" / "):
        if part.startswith("ORG "):
            start = int(part[4:])
        elif part.startswith("PIN "):
            pin = int(part[4:])
        else:
            cells.append(cell(part, size))
    return Warrior(line, "", tuple(cells), start, pin)


def random_warrior(rng: Random, rules: Rules) -> Warrior:
    """All operations, modifiers and modes; most values small, so that instructions meet; few DATs."""
    length = rng.randint(1, rules.length)
    operations = [number for number, name in enumerate(OPERATIONS) if name != "DAT" or rng.random() < 0.3]

    def value() -> int:
        return (
            rng.randint(-length, length) if rng.random() < 0.6 else rng.randrange(rules.size)
        ) % rules.size

    cells = tuple(
        pack(rng.choice(operations), rng.randrange(7), rng.randrange(8), value(), rng.randrange(8), value())
        for _ in range(length)
    )
    return Warrior("soup", "", cells, rng.randrange(length), rng.choice([None, 1, 2]))


def run_literally(mars: Mars, ticks: int) -> bool:
    """Do what Mars.run() does, instruction by instruction, by the literal reading of the rules."""
    while ticks > 0 and not mars.over:
        execute_word(mars, mars.core[mars.next_address])
        ticks -= 1
    return mars.over
