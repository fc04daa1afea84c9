"""Redcode typed at the debugger, and patterns to search for.

A line is assembled as if it stood at its address; names and registers that it defines are known to later ones.
"""

from contextlib import suppress

from core.corewar.instruction import pack
from core.corewar.rules import Rules
from protocols.cdb.command import BLANKS
from protocols.redcode.assemble import predefined
from protocols.redcode.dialect import Dialect
from protocols.redcode.expression import DivisionByZeroError, ExpressionError, Registers, evaluate
from protocols.redcode.instruction import InstructionReader
from protocols.redcode.messages import (
    Line,
    Message,
    MessageLog,
    Problem,
    Refused,
    TooManyMessages,
    messages_text,
)
from protocols.redcode.scratch import Scratch
from protocols.redcode.source import read
from protocols.redcode.substitution import Substitution, Written
from protocols.redcode.tokens import ORG


class LineAssembler:
    """`registers` are the debugger's own, too."""

    def __init__(self, rules: Rules, dialect: Dialect, warriors: int, rounds: int) -> None:
        self.registers = Registers()
        self.dialect = dialect
        self._rules = rules
        self._symbols = predefined(rules, warriors, rounds)

    def assemble(self, text: str, address: int) -> tuple[list[int] | None, str]:
        """(the cells of a line, mostly one, several by FOR, None by an error; complaints)."""
        log = MessageLog()
        cells: list[int] = []
        source = read(text, self.dialect)
        substitution = Substitution(
            [Line(address, line.text) for line in source.lines],
            self._symbols,
            registers=self.registers,
            dialect=self.dialect,
            length=self._rules.length,
            log=log,
            scratch=Scratch(source.written),
            first=address,
        )
        limits = self.dialect.limits
        reader = InstructionReader(
            self._symbols, self.dialect.icws88, limits.equ_depth, limits.equ_tokens, log
        )
        with suppress(TooManyMessages, Refused):
            substitution.run()
            for written in substitution.output:
                cell = self._cell(reader, written, address + len(cells), log)
                if cell is not None:
                    cells.append(cell)
        complaints = "".join(
            message_text(message)
            for message in log.messages()
            if message.problem is not Problem.DISCARDED_LABELS
        )
        return (None if log.errors else cells), complaints

    def _cell(self, reader: InstructionReader, written: Written, address: int, log: MessageLog) -> int | None:
        statement = reader.read(written, address)
        if log.errors or statement.operation >= ORG:
            return None
        size = self._rules.size
        try:
            a, a_overflow = evaluate(statement.a or "0", self.registers, self.dialect.evaluator)
            b, b_overflow = evaluate(statement.b or "0", self.registers, self.dialect.evaluator)
        except DivisionByZeroError:
            log.report(Problem.DIVISION_BY_ZERO, written.line)
            return None
        except ExpressionError:
            log.report(Problem.BAD_EXPRESSION, written.line)
            return None
        if a_overflow or b_overflow:
            log.report(Problem.OVERFLOW, written.line)
        modifier = statement.modifier or 0
        return pack(statement.operation, modifier, statement.a_mode, a % size, statement.b_mode, b % size)


def message_text(message: Message) -> str:
    """As pMARS shows it at once, without the counts that follow a whole warrior's."""
    return messages_text([message]).partition("Number of")[0]


def matches(pattern: str, text: str) -> bool:
    """Whether a text contains a pattern: `?` is any character, `*` any number of them, blanks do not count.

    As pMARS compares them: a part that fails in the middle is begun anew there, not one character after its start.
    """
    pattern = "".join(letter for letter in pattern if letter not in BLANKS)
    letters = [letter for letter in text if letter not in BLANKS]
    at = 0
    for part in pattern.split("*"):
        matched = 0
        while matched < len(part):
            if at < len(letters) and part[matched] in (letters[at], "?"):
                matched += 1
            elif at == len(letters):
                return False
            else:
                matched = 0
            at += 1
    return True
