"""How far the first pass has come: the line it is in, the names so far, and what has been written."""

from enum import IntEnum
from typing import Final, NamedTuple

from core.corewar.assembler import Encoder, PlainLine
from core.corewar.expression import Registers, TooDeepError, evaluate
from protocols.redcode.dialect import MOST_INSTRUCTIONS, Dialect
from protocols.redcode.marks import Marks
from protocols.redcode.messages import MessageLog, Problem, Refused
from protocols.redcode.substitution.effort import Effort
from protocols.redcode.substitution.symbols import Body, Label, Symbols
from protocols.redcode.text.line import Line
from protocols.redcode.text.scratch import Scratch

LONGEST: Final = 255  # characters of a line after substitution
MOST_LABELS: Final = 7  # of one instruction


class State(IntEnum):
    """How far a walk has come. Up to LABELS a label, an operation, FOR, ROF or EQU may follow."""

    FAILED = -1
    EMPTY = 0
    LABELS = 1
    OPERAND = 2
    INSTRUCTION = 3  # complete
    ADDRESS = 4  # the operand of ORG, END and PIN: labels are absolute
    REPEATED = 5  # a FOR block has been written
    ROF = 6


class Written(NamedTuple):
    """An instruction, ORG, END or PIN after substitution: its text, or a plain line."""

    text: str
    line: Line
    is_traced: bool
    plain: PlainLine | None = None


class Progress:
    """The state that all rules of the first pass share."""

    def __init__(
        self,
        lines: list[Line],
        symbols: Symbols,
        *,
        registers: Registers,
        dialect: Dialect,
        length: int,
        log: MessageLog,
        scratch: Scratch,
        encoder: Encoder,
        first: int,
    ) -> None:
        self.lines = lines
        self.at = 0
        self.symbols = symbols
        self.registers = registers
        self.dialect = dialect
        self.log = log
        self.scratch = scratch
        self.encoder = encoder
        self.marks = Marks()
        self.effort = Effort(dialect.limits, log)
        self.instructions = first
        self.output: list[Written | int] = []  # an int is a cell, finished
        self.text = ""  # the line being written
        self.labels: list[str] = []  # without an instruction yet
        self.skipping = 0  # depth of FOR blocks that are left out
        self.is_running = True  # no END yet
        self.is_asserted = False
        self._most_output = max(dialect.limits.for_output * length, MOST_INSTRUCTIONS)

    @property
    def line(self) -> Line:
        return self.lines[self.at]

    # -- names

    def note_label(self, name: str) -> None:
        if len(self.labels) < MOST_LABELS:
            self.labels.append(name)
        else:
            self.report(Problem.TOO_MANY_LABELS, name)

    def define(self, meaning: Label | Body) -> None:
        """The labels so far have their meaning."""
        for name in self.labels:
            self.symbols.define(name, meaning)
        self.labels = []
        self.effort.know(len(self.symbols), self.line)

    def complete(self) -> None:
        """Count an instruction; the labels before it are its names."""
        if self.labels:
            self.define(Label(self.instructions))
        self.instructions += 1
        if self.dialect.debugger:
            self.marks.pass_instruction()

    # -- text

    def append(self, text: str) -> bool:
        """Go on with the line being written; False when it is too long."""
        if len(self.text) + len(text) > LONGEST:
            self.report(Problem.BUFFER)
            return False
        self.text += text
        return True

    def append_number(self, number: str, space: str) -> bool:
        text = number + " " if space else number
        self.scratch.write(text)
        return self.append(text)

    def write_text(self) -> None:
        """The line being written is an instruction."""
        self.write(Written(self.text, self.line, self.marks.tracing))

    def write(self, written: Written | int) -> None:
        self.output.append(written)
        if self.dialect.debugger:
            self.marks.pass_line()
        if len(self.output) > self._most_output:
            self.log.report(Problem.FAR_TOO_LONG, None, MOST_INSTRUCTIONS)
            raise Refused

    def value(self) -> tuple[int, bool]:
        """The value of the line being written, an expression, and whether it overflowed."""
        dialect = self.dialect
        try:
            return evaluate(self.text, self.registers, dialect.evaluator, dialect.limits.expression_depth)
        except TooDeepError as error:
            self.log.refuse(self.line, error.reason)

    # -- messages

    def fail(self, problem: Problem, argument: str = "") -> State:
        self.report(problem, argument)
        return State.FAILED

    def report(self, problem: Problem, argument: str = "") -> None:
        self.log.report(problem, self.line, argument)
