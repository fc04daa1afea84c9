"""The assembler: the text of a warrior in, the warrior and what there is to complain of out."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from core.corewar.instruction import pack
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior
from protocols.redcode.dialect import MOST_INSTRUCTIONS, Dialect
from protocols.redcode.expression import (
    DivisionByZeroError,
    ExpressionError,
    Registers,
    TooDeepError,
    evaluate,
)
from protocols.redcode.instruction import InstructionReader, Statement
from protocols.redcode.marks import Marks
from protocols.redcode.messages import Line, Message, MessageLog, Problem, Refused, TooManyMessages
from protocols.redcode.scratch import Scratch
from protocols.redcode.source import Source, read
from protocols.redcode.substitution import Careful, Substitution, Written
from protocols.redcode.symbols import Body, Symbols, Walk
from protocols.redcode.tokens import END, ORG

VERSION: Final = 92


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
    symbols = predefined(rules, warriors, rounds)
    program = _Program(rules, dialect, registers, MessageLog())
    try:
        program.translate(text, dict(symbols), begun=begun, careful=False)
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
        program.encode(program.substitute([line], symbols, Scratch([]), careful=True, first=address), symbols)
    return () if program.log.errors else tuple(program.cells), program.log.messages()


def predefined(rules: Rules, warriors: int, rounds: int) -> Symbols:
    """The names that every text may use; each stands for a number."""
    values = {
        "CORESIZE": rules.size,
        "MAXPROCESSES": rules.processes,
        "MAXCYCLES": rules.cycles,
        "MAXLENGTH": rules.length,
        "MINDISTANCE": rules.distance,
        "VERSION": VERSION,
        "WARRIORS": warriors,
        "ROUNDS": rounds,
        "PSPACESIZE": rules.pspace,
    }
    return {name: Body([Walk(Line(0, str(value)))], str(value)) for name, value in values.items()}


class _Program:
    """One warrior on its way from text to cells."""

    def __init__(self, rules: Rules, dialect: Dialect, registers: Registers, log: MessageLog) -> None:
        self.rules = rules
        self.dialect = dialect
        self.registers = registers
        self.log = log
        self.source = Source()
        self.cells: list[int] = []
        self.traced: list[int] = []
        self.start = 0
        self.pin: int | None = None
        self.marks = Marks()

    def translate(self, text: str, symbols: Symbols, *, begun: bool, careful: bool) -> None:
        """Read the text and go through both passes, as far as the limits and the number of errors allow."""
        most = self.dialect.limits.characters
        if len(text) > most:
            self.log.report(Problem.LIMIT, None, f"more than {most} characters")
            return
        self.source = source = read(text, self.dialect, begun=begun, careful=careful)
        with suppress(TooManyMessages, Refused):
            first_pass = self.substitute(source.lines, symbols, Scratch(source.written), careful=careful)
            if not first_pass.asserted:
                self.log.report(Problem.NO_ASSERT, None)
            self._fill(first_pass, symbols)

    def substitute(
        self, lines: list[Line], symbols: Symbols, scratch: Scratch, *, careful: bool, first: int = 0
    ) -> Substitution:
        """The first pass."""
        first_pass = Substitution(
            lines,
            symbols,
            registers=self.registers,
            dialect=self.dialect,
            length=self.rules.length,
            log=self.log,
            scratch=scratch,
            first=first,
            careful=careful,
        )
        self.marks = first_pass.marks
        first_pass.run()
        return first_pass

    def assembly(self) -> Assembly:
        source = self.source
        ok = not self.log.errors and not self.log.full
        return Assembly(
            name=source.name,
            author=source.author,
            version=source.version,
            date=source.date,
            strategy=tuple(source.strategy),
            kill=tuple(source.kill),
            tag=source.tag,
            cells=tuple(self.cells) if ok else (),
            start=self.start,
            pin=self.pin,
            ok=ok,
            messages=self.log.messages(),
            traced=tuple(self.traced),
            marks=self.marks,
            rest=source.rest,
        )

    def _fill(self, first_pass: Substitution, symbols: Symbols) -> None:
        """The second pass, and whether the warrior is too long, too short, or begins outside of itself."""
        length = first_pass.instructions
        if length > max(MOST_INSTRUCTIONS, self.rules.length):
            self.log.report(Problem.FAR_TOO_LONG, None, MOST_INSTRUCTIONS)
            return
        if length > self.rules.length:
            self.log.report(Problem.TOO_LONG, None, length - self.rules.length)
        if not length:
            self.log.report(Problem.NO_INSTRUCTIONS, None)
            return
        self.encode(first_pass, symbols)
        # An operation in the middle of another is counted and not written: pMARS loads memory it never set.
        self.cells += [0] * (length - len(self.cells))
        if self.start >= length:
            self.log.report(Problem.OUTSIDE, None)

    def encode(self, first_pass: Substitution, symbols: Symbols) -> None:
        """The second pass."""
        limits = self.dialect.limits
        first = first_pass.first
        reader = InstructionReader(
            symbols, self.dialect.icws88, limits.equ_depth, limits.equ_tokens, self.log
        )
        for written in first_pass.output:
            statement = reader.read(written, first + len(self.cells))
            if self.log.errors:
                continue  # only to find what else is wrong
            try:
                if statement.operation < ORG:
                    self._add(statement, written)
                else:
                    self._direct(statement, written.line)
            except TooDeepError as error:
                self.log.refuse(written.line, error.reason)
            except DivisionByZeroError:
                self.log.report(Problem.DIVISION_BY_ZERO, written.line)
            except ExpressionError:
                self.log.report(Problem.BAD_EXPRESSION, written.line)

    def _add(self, statement: Statement, written: Written) -> None:
        a, a_overflow = self._value(statement.a)
        b, b_overflow = self._value(statement.b)
        if a_overflow or b_overflow:
            self.log.report(Problem.OVERFLOW, written.line)
        size = self.rules.size
        if written.traced:
            self.traced.append(len(self.cells))
        self.cells.append(
            pack(
                statement.operation,
                statement.modifier or 0,
                statement.a_mode,
                a % size,
                statement.b_mode,
                b % size,
            )
        )

    def _direct(self, statement: Statement, line: Line) -> None:
        """ORG, END and PIN."""
        value, overflow = self._value(statement.b)
        if overflow:
            self.log.report(Problem.OVERFLOW, line)
        if statement.operation == END:
            if value and self.start:
                self.log.report(Problem.END_IGNORED, line)
            elif value:
                self.start = value % self.rules.size
            return
        if self.dialect.icws88:
            self.log.report(Problem.BAD_88, line, "ORG" if statement.operation == ORG else "PIN")
        if statement.operation == ORG:
            self.start = value % self.rules.size
        else:
            self.pin = value

    def _value(self, expression: str) -> tuple[int, bool]:
        dialect = self.dialect
        return evaluate(expression or "0", self.registers, dialect.evaluator, dialect.limits.expression_depth)
