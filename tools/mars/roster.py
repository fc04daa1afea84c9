"""The roster: the warriors that a command line names, read and assembled, with what is printed about each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.corewar.instruction import EMPTY
from core.corewar.redcode.expression import Registers
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from engines.corewar.seating import seated
from protocols.redcode.assemble import Assembly, assemble
from protocols.redcode.dialect import Dialect, Limits
from protocols.redcode.listing import listing
from protocols.redcode.messages import messages_text
from tools.mars.command_line.options import Options
from tools.mars.streams import Text, native

LARGEST: Final = 1 << 24  # bytes of a file; pMARS reads what it is given, /dev/zero for ever
LIMITS: Final = Limits(characters=1 << 20, expression_depth=200, labels=5_000, steps=200_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A warrior, or why there is none; an empty file name is standard input."""

    file: str
    assembly: Assembly | None  # None: there was no text
    complaints: str
    listing: str

    @property
    def is_ready(self) -> bool:
        return self.assembly is not None and self.assembly.ok

    def summary(self) -> str:
        """A line about how the assembly went."""
        source = self.file or "standard input"
        if self.assembly is None or not self.assembly.ok:
            return f"{source} has no warrior\n"
        assembly = self.assembly
        pin = "" if assembly.pin is None else f", PIN {assembly.pin}"
        size = f"{len(assembly.cells)} instructions, the first to execute is number {assembly.start + 1}{pin}"
        return f"{source} has {assembly.name}: {size}\n"


def load(options: Options, rules: Rules, standard_input: Text, registers: Registers) -> Iterator[Entry]:
    """The warriors in order, up to the first that cannot be read or assembled.

    Several follow each other on standard input, divided by ;redcode lines.
    """
    dialect = dialect_of(options)
    begun = False
    for file in options.files:
        try:
            text = _file_text(file) if file else _rest_of(standard_input)
        except _SourceError as error:
            yield Entry(file=file, assembly=None, complaints=f"Error:\n        {error}\n", listing="")
            return
        assembly = assemble(
            text,
            rules,
            dialect,
            warriors=len(options.files),
            rounds=options.rounds,
            registers=registers,
            begun=begun and not file,
        )
        if not file:
            begun = True
            standard_input.put_back(assembly.rest)
        yield Entry(
            file=file,
            assembly=assembly,
            complaints=messages_text(assembly.messages),
            listing=_listing(assembly, rules, options) if assembly.ok else "",
        )
        if not assembly.ok:
            return


def dialect_of(options: Options) -> Dialect:
    """How texts are read, those of files and those that are typed at the debugger."""
    return Dialect(
        icws88=options.icws88,
        evaluator=options.evaluator,
        debugger=True,
        version=options.version,
        limits=LIMITS,
    )


def loaded(entries: Sequence[Entry]) -> list[Warrior]:
    """The warriors as pMARS loads them: one without instructions executes the empty core."""
    ready = [entry.assembly for entry in entries if entry.assembly and entry.assembly.ok]
    return seated(
        Warrior(each.name, each.author, each.cells or (EMPTY,), each.start, each.pin) for each in ready
    )


def pspaces(warriors: Sequence[Warrior]) -> int:
    """How many P-spaces such warriors have."""
    pins = [warrior.pin for warrior in warriors]
    return pins.count(None) + len({pin for pin in pins if pin is not None})


def _listing(assembly: Assembly, rules: Rules, options: Options) -> str:
    """The program as pMARS lists it, or from 0.9.4 on, if asked for, as a load file."""
    text = listing(assembly, rules, options.icws88, assembly.traced)
    if not options.load_file:
        return text
    lines = text.partition("\n\n")[2].removesuffix("\n")
    pin = "" if assembly.pin is None else f"       PIN     {assembly.pin:6}\n"
    return f"{lines}{pin}       END\n"


class _SourceError(OSError):
    """A warrior's text that cannot be had."""


def _file_text(name: str) -> str:
    """What stands in a file. _SourceError."""
    path = Path(native(name))
    try:
        is_folder = path.is_dir()
        data = b"" if is_folder else _head(path)
    except (OSError, ValueError):  # ValueError: a name with a NUL
        raise _SourceError(f"Unable to open file '{name}'") from None
    if is_folder or len(data) > LARGEST:
        raise _SourceError(f"Unable to read file '{name}'")
    return data.decode("latin-1")


def _rest_of(text: Text) -> str:
    """What is left of a text; not much more than the largest warrior."""
    lines = []
    size = 0
    while size <= LARGEST and (line := text.line()):
        lines.append(line)
        size += len(line)
    return "".join(lines)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST + 1)
