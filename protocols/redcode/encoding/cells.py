"""The second pass: the lines that the first has written become cells, and ORG, END and PIN what they say."""

from core.corewar.assembler import Encoder
from core.corewar.expression import DivisionByZeroError, ExpressionError, Registers, TooDeepError, evaluate
from core.corewar.instruction import pack
from core.corewar.rules import Rules
from protocols.redcode.dialect import Dialect
from protocols.redcode.encoding.instruction import InstructionReader, Statement
from protocols.redcode.messages import MessageLog, Problem
from protocols.redcode.substitution.progress import Written
from protocols.redcode.substitution.symbols import Symbols
from protocols.redcode.text.line import Line
from protocols.redcode.text.tokens import END, ORG


class Cells:
    """The cells of a warrior, where it starts, and what it shares its P-space by."""

    def __init__(self, rules: Rules, dialect: Dialect, registers: Registers, log: MessageLog) -> None:
        self.cells: list[int] = []
        self.traced: list[int] = []  # the numbers of those that are marked
        self.start = 0
        self.pin: int | None = None
        self._rules = rules
        self._dialect = dialect
        self._registers = registers
        self._log = log

    def encode(self, output: list[Written | int], symbols: Symbols, encoder: Encoder, first: int) -> None:
        """Go through what the first pass has written, for a warrior whose first cell has this number."""
        limits = self._dialect.limits
        cells = self.cells
        reader = InstructionReader(
            symbols, self._dialect.icws88, limits.equ_depth, limits.equ_tokens, self._log
        )
        before = -1
        for written in output:
            if isinstance(written, int):
                before = written
                cells.append(written)
                continue
            if written.plain:
                cell = encoder.cell(written.plain, first + len(cells))
                if cell >= 0:
                    before = cell
                    self._add(cell, written)
                    continue
            statement = reader.read(written, first + len(cells), before)
            before = -1
            if not self._log.errors:  # else it is read only to find what else is wrong
                self._take(statement, written)

    def _take(self, statement: Statement, written: Written) -> None:
        try:
            if statement.operation < ORG:
                self._add(self._cell(statement, written.line), written)
            else:
                self._direct(statement, written.line)
        except TooDeepError as error:
            self._log.refuse(written.line, error.reason)
        except DivisionByZeroError:
            self._log.report(Problem.DIVISION_BY_ZERO, written.line)
        except ExpressionError:
            self._log.report(Problem.BAD_EXPRESSION, written.line)

    def _add(self, cell: int, written: Written) -> None:
        if written.is_traced:
            self.traced.append(len(self.cells))
        self.cells.append(cell)

    def _cell(self, statement: Statement, line: Line) -> int:
        a, a_overflow = self._value(statement.a)
        b, b_overflow = self._value(statement.b)
        if a_overflow or b_overflow:
            self._log.report(Problem.OVERFLOW, line)
        size = self._rules.size
        return pack(
            statement.operation,
            statement.modifier,
            statement.a_mode,
            a % size,
            statement.b_mode,
            b % size,
        )

    def _direct(self, statement: Statement, line: Line) -> None:
        """ORG, END and PIN."""
        value, overflow = self._value(statement.b)
        if overflow:
            self._log.report(Problem.OVERFLOW, line)
        if statement.operation == END:
            if value and self.start:
                self._log.report(Problem.END_IGNORED, line)
            elif value:
                self.start = value % self._rules.size
            return
        if self._dialect.icws88:
            self._log.report(Problem.BAD_88, line, "ORG" if statement.operation == ORG else "PIN")
        if statement.operation == ORG:
            self.start = value % self._rules.size
        else:
            self.pin = value

    def _value(self, expression: str) -> tuple[int, bool]:
        dialect = self._dialect
        return evaluate(
            expression or "0", self._registers, dialect.evaluator, dialect.limits.expression_depth
        )
