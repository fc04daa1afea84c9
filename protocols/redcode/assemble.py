"""The assembler: the text of a warrior in, the warrior and what there is to complain of out.

The text is cut into lines (`text/`); names are put in and FOR blocks repeated (`substitution/`, the first
pass); what is left becomes cells (`encoding/`, the second). Plain lines, most of all, take a short way
through both (core.corewar.redcode); the tests try every text both ways.
"""

from contextlib import suppress
from dataclasses import dataclass

from core.corewar.assembler import Encoder
from core.corewar.expression import Registers
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from protocols.redcode.dialect import MOST_INSTRUCTIONS, VERSION, Dialect
from protocols.redcode.encoding.cells import Cells
from protocols.redcode.marks import Marks
from protocols.redcode.messages import Message, MessageLog, Problem, Refused, TooManyMessages
from protocols.redcode.substitution.progress import Progress
from protocols.redcode.substitution.symbols import Body, Symbols
from protocols.redcode.substitution.walk import Careful, Walk
from protocols.redcode.text.line import Line
from protocols.redcode.text.scratch import Scratch
from protocols.redcode.text.source import Source, read


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """What came out; `ok` when nothing is wrong, even with no cells at all (pMARS loads an empty warrior).

    `traced` are the numbers of the cells marked by ;trace or ;break; `rest` is the text after a second
    ;redcode line, the next warrior of a stream.
    """

    name: str
    author: str
    version: str
    date: str
    strategy: tuple[str, ...]
    kill: tuple[str, ...]
    tag: str
    cells: tuple[int, ...]
    start: int
    pin: int | None
    ok: bool
    messages: tuple[Message, ...]
    traced: tuple[int, ...]
    marks: Marks
    rest: str

    @property
    def warrior(self) -> Warrior | None:
        """The warrior, if the text is one and has an instruction."""
        if not self.ok or not self.cells:
            return None
        return Warrior(self.name, self.author, self.cells, self.start, self.pin)


def assemble(
    text: str,
    rules: Rules,
    dialect: Dialect | None = None,
    *,
    warriors: int = 1,
    rounds: int = 1,
    registers: Registers | None = None,
    begun: bool = False,
) -> Assembly:
    """Assemble one warrior for a battle of so many warriors and rounds.

    `registers` are those that a score formula or an earlier text has left; they are cleared at the end, as
    pMARS does. `begun` continues a stream after its ;redcode line.
    """
    dialect = dialect or Dialect()
    registers = registers or Registers()
    values = list(registers.values)
    symbols = predefined(rules, warriors, rounds, dialect.version)
    program = _Program(rules, dialect, registers, MessageLog())
    try:
        program.translate(text, symbols.copy(), begun=begun, careful=False)
    except Careful:
        registers.values = values
        program = _Program(rules, dialect, registers, MessageLog())
        program.translate(text, symbols, begun=begun, careful=True)
    registers.clear()
    return program.assembly()


def assemble_line(
    text: str, rules: Rules, dialect: Dialect, *, address: int, symbols: Symbols, registers: Registers
) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    """The cells of a line that a debugger puts into the core at an address; none when there is an error.

    `symbols` are the predefined() ones, and those that earlier lines have added to them.
    """
    program = _Program(rules, dialect, registers, MessageLog())
    with suppress(TooManyMessages, Refused):
        line = Line(address, text.partition(";")[0])
        program.encode(program.substitute([line], symbols, Scratch([]), careful=True, first=address), address)
    return () if program.log.errors else tuple(program.cells.cells), program.log.messages()


def predefined(rules: Rules, warriors: int, rounds: int, version: int = VERSION) -> Symbols:
    """The names that every text may use; each stands for a number."""
    values = {
        "CORESIZE": rules.size,
        "MAXPROCESSES": rules.processes,
        "MAXCYCLES": rules.cycles,
        "MAXLENGTH": rules.length,
        "MINDISTANCE": rules.distance,
        "VERSION": version,
        "WARRIORS": warriors,
        "ROUNDS": rounds,
        "PSPACESIZE": rules.pspace,
    }
    symbols = Symbols()
    for name, value in values.items():
        symbols.define(name, Body([Line(0, str(value))], str(value)))
    return symbols


class _Program:
    """One warrior on its way from text to cells."""

    def __init__(self, rules: Rules, dialect: Dialect, registers: Registers, log: MessageLog) -> None:
        self.rules = rules
        self.dialect = dialect
        self.registers = registers
        self.log = log
        self.source = Source()
        self.marks = Marks()
        self.cells = Cells(rules, dialect, registers, log)

    def translate(self, text: str, symbols: Symbols, *, begun: bool, careful: bool) -> None:
        """Read the text and go through both passes, as far as the limits and the number of errors allow."""
        most = self.dialect.limits.characters
        if len(text) > most:
            self.log.report(Problem.LIMIT, None, f"more than {most} characters")
            return
        self.source = source = read(text, self.dialect, begun=begun, careful=careful)
        with suppress(TooManyMessages, Refused):
            progress = self.substitute(source.lines, symbols, Scratch(source.written), careful=careful)
            if not progress.is_asserted:
                self.log.report(Problem.NO_ASSERT, None)
            self._fill(progress)

    def substitute(
        self, lines: list[Line], symbols: Symbols, scratch: Scratch, *, careful: bool, first: int = 0
    ) -> Progress:
        """The first pass, from its beginning to its end."""
        dialect = self.dialect
        progress = Progress(
            lines,
            symbols,
            registers=self.registers,
            dialect=dialect,
            length=self.rules.length,
            log=self.log,
            scratch=scratch,
            encoder=Encoder(
                symbols.plain,
                self.rules.size,
                dialect.evaluator,
                dialect.limits.equ_depth,
                dialect.limits.expression_depth,
            ),
            first=first,
        )
        self.marks = progress.marks
        Walk(progress, careful=careful).run()
        return progress

    def encode(self, progress: Progress, first: int) -> None:
        """The second pass."""
        self.cells.encode(progress.output, progress.symbols, progress.encoder, first)

    def assembly(self) -> Assembly:
        source, cells = self.source, self.cells
        ok = not self.log.errors and not self.log.full
        return Assembly(
            name=source.name,
            author=source.author,
            version=source.version,
            date=source.date,
            strategy=tuple(source.strategy),
            kill=tuple(source.kill),
            tag=source.tag,
            cells=tuple(cells.cells) if ok else (),
            start=cells.start,
            pin=cells.pin,
            ok=ok,
            messages=self.log.messages(),
            traced=tuple(cells.traced),
            marks=self.marks,
            rest=source.rest,
        )

    def _fill(self, progress: Progress) -> None:
        """The second pass, and whether the warrior is too long, too short, or begins outside of itself."""
        length = progress.instructions
        if length > max(MOST_INSTRUCTIONS, self.rules.length):
            self.log.report(Problem.FAR_TOO_LONG, None, MOST_INSTRUCTIONS)
            return
        if length > self.rules.length:
            self.log.report(Problem.TOO_LONG, None, length - self.rules.length)
        if not length:
            self.log.report(Problem.NO_INSTRUCTIONS, None)
            return
        self.encode(progress, 0)
        # An operation in the middle of another is counted and not written: pMARS loads memory it never set.
        self.cells.cells += [0] * (length - len(self.cells.cells))
        if self.cells.start >= length:
            self.log.report(Problem.OUTSIDE, None)
