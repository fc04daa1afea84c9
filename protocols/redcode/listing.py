"""The output of pMARS about a warrior: its listing, its load file, and the messages of the assembler."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.corewar.assembler import Assembly
from core.corewar.diagnostics import MAX_MESSAGES, Message
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
    signed,
)  # fmt: skip
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

NAME_CHARACTERS: Final = 40


def listing(
    warrior: Assembly | Warrior, rules: Rules, icws88: bool = False, traced: Sequence[int] = ()
) -> str:
    """Return the listing of a warrior: name, length and author, then a line for each instruction.

    A T in the last column marks the instructions whose numbers are in `traced`.
    """
    cells = warrior.cells
    title = f'Program "{warrior.name}" (length {len(cells)}) by "{warrior.author}"\n\n'
    starts = warrior.start < len(cells)
    lines = [
        f"{'START' if number == warrior.start else '':<6} "
        f"{instruction_text(cell, rules.size, icws88)} {'T' if number in traced else '':>4}\n"
        for number, cell in enumerate(cells)
    ]
    if starts and icws88:
        lines.append(f"{'':6} END{'':3}  {'START':>6}\n")
    elif starts:
        lines.insert(0, f"{'':6} ORG{'':3}  {'START':>6}\n")
    return f"{title}{''.join(lines)}\n"


def load_file(assembly: Assembly, rules: Rules, icws88: bool = False) -> str:
    """Return a warrior as pMARS 0.9.4 and 0.9.5 print it for -A: its start as a number, and no labels."""
    lines = [f"{'':6} {instruction_text(cell, rules.size, icws88)} {'':4}\n" for cell in assembly.cells]
    pin = "" if assembly.pin is None else f"{'':6} PIN     {assembly.pin:6}\n"
    return f"{'':6} ORG{'':3}  {assembly.start:6}\n{''.join(lines)}{pin}{'':6} END\n"


def instruction_text(cell: int, size: int, icws88: bool = False) -> str:
    """Return an instruction in columns: `MOV.I  $     0, $     1`. Values are from -(size-1)//2 to size//2."""
    modifier = "" if icws88 else MODIFIERS[modifier_of(cell)]
    return (
        f"{OPERATIONS[operation_of(cell)]}{' ' if icws88 else '.'}{modifier:<2} "
        f"{MODES[a_mode_of(cell)]}{signed(a_of(cell), size):6}, "
        f"{MODES[b_mode_of(cell)]}{signed(b_of(cell), size):6}"
    )


def display_name(name: str) -> str:
    """Return a warrior's name or author as one short line of printable ASCII, which is not safe as a file name."""
    plain = "".join(character if " " <= character <= "~" else "?" for character in name.strip())
    return " ".join(plain.split())[:NAME_CHARACTERS].rstrip()


def messages_text(messages: Iterable[Message], source: str = "") -> str:
    """Return the messages with their counts, as pMARS prints them on standard error.

    pMARS counts in a byte. The version with the debugger also names the source, if there are messages.
    """
    messages = tuple(messages)
    located = [message for message in messages if message.line is not None]
    page = "".join(_entry(message) for message in messages)
    if len(located) >= MAX_MESSAGES:
        return page + "\nToo many errors or warnings.\nProgram aborted.\n"
    errors = sum(message.count for message in messages if message.is_error) & 0xFF
    warnings = sum(message.count for message in messages if not message.is_error) & 0xFF
    if source and errors + warnings:
        page += f"\nSource: {source}\n"
    if errors:
        page += f"Number of errors: {errors}\n"
    if warnings:
        page += f"Number of warnings: {warnings}\n"
    for message in reversed(located):
        if message.count > 1:
            page += f"Duplicate errors/warnings found in line {message.line} ({message.count})\n"
    return page + "\n" if errors + warnings else page


def _entry(message: Message) -> str:
    where = "" if message.line is None else f" in line {message.line}"
    shown = "" if message.line is None else f" '{message.source}'"
    return f"{message.severity.value}{where}:{shown}\n        {message.text}\n"
