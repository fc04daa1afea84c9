"""The second pass: one line of text becomes one instruction, its two operands still expressions.

A name that the first pass did not know is looked up now; only the first line of its text counts. The
states say which part of the instruction comes next; they go on through the text of such names.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from core.corewar.assembler import default_modifier
from core.corewar.instruction import (
    DAT,
    DIRECT,
    IMMEDIATE,
    JMP,
    MODES,
    NOP,
    OPERATIONS,
    SPL,
    operation_of,
)  # fmt: skip
from protocols.redcode.encoding.icws88 import complaints, is_mode_94
from protocols.redcode.messages import MessageLog, Problem
from protocols.redcode.substitution.progress import LONGEST, Written
from protocols.redcode.substitution.symbols import Body, Label, Symbols
from protocols.redcode.text.line import Line
from protocols.redcode.text.tokens import DIGITS, MODIFIER, OPERATION, ORG, WORD_STARTS, Token, tokens_of

EXPRESSION: Final = frozenset(("(", ")", "/", "+", "-", "%", "!", "=", "&&", "||"))
BOTH: Final = frozenset("><*")  # modes that are operators too


@dataclass(slots=True)
class Statement:
    """An instruction as written; ORG, END and PIN have their operand in `b`. A modifier of -1 is the default."""

    operation: int = 0
    modifier: int = -1
    a_mode: int = DIRECT
    b_mode: int = DIRECT
    a: str = ""
    b: str = ""


class Part(Enum):
    """What may come next."""

    MODIFIER_OR_A = auto()
    MODIFIER = auto()
    A = auto()
    A_EXPRESSION = auto()
    B = auto()
    B_EXPRESSION = auto()


class InstructionReader:
    """The second pass over the lines of one warrior."""

    def __init__(
        self, symbols: Symbols, icws88: bool, equ_depth: int, equ_tokens: int, log: MessageLog
    ) -> None:
        self._symbols = symbols
        self._icws88 = icws88
        self._equ_depth = equ_depth
        self._equ_tokens = equ_tokens
        self._log = log
        self._line = Line(0, "")
        self._index = 0  # of the instruction
        self._part = Part.MODIFIER_OR_A
        self._complete = False
        self._operation = ORG  # of the last instruction
        self._statement = Statement()

    def read(self, written: Written, index: int, before: int) -> Statement:
        """The instruction in a line that the first pass has written; `index` is its number.

        `before` is the cell before it, if that went the short way: pMARS takes its operation where none is.
        """
        if before >= 0:
            self._operation = operation_of(before)
        self._line, self._index = written.line, index
        return self._read_text(written.plain.text() if written.plain else written.text)

    def _read_text(self, text: str) -> Statement:
        self._part, self._complete = Part.MODIFIER_OR_A, False
        found = self._log.total
        tokens = tokens_of(text)
        operation = OPERATION.get(tokens[0][0].upper()) if tokens else None
        self._statement = statement = Statement(operation=self._operation)
        if operation is None:
            self._report(Problem.MISSING, "opcode")
        else:
            statement.operation = self._operation = operation
            if operation >= ORG:
                self._part = Part.B_EXPRESSION
            self._feed(tokens, 1)
        if statement.operation < ORG:
            self._complete_operands(found == self._log.total)
            self._finish()
        return statement

    def _finish(self) -> None:
        statement = self._statement
        if self._icws88:
            written = complaints(statement.operation, statement.modifier, statement.a_mode, statement.b_mode)
            for problem, argument in written:
                self._report(problem, argument)
        if statement.modifier < 0:
            statement.modifier = default_modifier(statement.operation, statement.a_mode, statement.b_mode)

    def _feed(self, tokens: list[Token], at: int) -> None:
        """Take in the tokens of the line, or of a text that a name stands for, until one does not fit."""
        while at < len(tokens):
            token = tokens[at][0]
            part = self._part
            if token[0] in WORD_STARTS and part is not Part.MODIFIER:
                if not self._take_name(token):
                    return
            elif part is Part.A_EXPRESSION or part is Part.B_EXPRESSION:
                if token[0] in DIGITS:
                    self._append(token + " ")
                elif token in EXPRESSION or token in BOTH:
                    self._append(token)
                elif token == "," and part is Part.A_EXPRESSION:
                    self._part, self._complete = Part.B, False
                else:
                    self._report(Problem.PLACEMENT, token)
                    return
            elif part is Part.MODIFIER:
                modifier = MODIFIER.get(token.upper())
                if modifier is None:
                    self._report(Problem.MISSING, "modifier")
                    return
                self._statement.modifier = modifier
                self._part = Part.A
            elif token in MODES:
                self._take_mode(MODES.index(token))
            elif token[0] in DIGITS or token in EXPRESSION:
                self._begin_expression()
                continue
            elif token == "." and part is Part.MODIFIER_OR_A:
                self._part = Part.MODIFIER
            elif part is Part.MODIFIER_OR_A:
                self._report(Problem.PLACEMENT, token)
                return
            else:
                self._report(Problem.MISSING, "A-term" if part is Part.A else "B-term")
                return
            at += 1

    def _take_name(self, name: str) -> bool:
        """A label, a text or a register; False when it is none of them."""
        meaning = self._symbols.get(name)
        if isinstance(meaning, Body):
            return self._take_body(meaning, name)
        if isinstance(meaning, Label):
            absolute = self._statement.operation >= ORG
            number = meaning.value if absolute else meaning.value - self._index
            self._begin_expression()
            if number < 0:
                self._append("-")
            self._append(f"{abs(number)} ")
            return True
        if len(name) > 1:
            self._report(Problem.UNDEFINED, name)
            return False
        self._begin_expression()
        return self._append(name)

    def _take_body(self, body: Body, name: str) -> bool:
        if body.busy:
            self._report(Problem.RECURSIVE, name)
            return False
        tokens = body.lines[0].tokens()
        self._equ_depth -= 1
        self._equ_tokens -= len(tokens)
        if self._equ_depth < 0:
            self._log.refuse(self._line, "too many EQUs within one another")
        if self._equ_tokens < 0:
            self._log.refuse(self._line, "too much text from EQUs")
        body.busy = True
        self._feed(tokens, 0)
        body.busy = False
        self._equ_depth += 1
        return True

    def _take_mode(self, mode: int) -> None:
        if self._icws88 and is_mode_94(mode):
            self._report(Problem.BAD_88, "[*{}]")
        if self._part is Part.B:
            self._statement.b_mode = mode
        else:
            self._statement.a_mode = mode
        self._begin_expression()

    def _begin_expression(self) -> None:
        if self._part is Part.B:
            self._part = Part.B_EXPRESSION
        elif self._part is not Part.B_EXPRESSION:
            self._part = Part.A_EXPRESSION

    def _append(self, text: str) -> bool:
        statement = self._statement
        self._complete = True
        if self._part is Part.A_EXPRESSION:
            if len(statement.a) + len(text) <= LONGEST:
                statement.a += text
                return True
        elif len(statement.b) + len(text) <= LONGEST:
            statement.b += text
            return True
        self._report(Problem.BUFFER)
        return False

    def _complete_operands(self, clean: bool) -> None:
        """What may be left out is filled in; what may not is an error."""
        statement = self._statement
        if not self._complete and clean:
            self._report(Problem.SYNTAX)
        elif not statement.b:
            self._add_operand()

    def _add_operand(self) -> None:
        """What is taken for the operand that is left out, where one may be."""
        statement = self._statement
        if statement.operation == DAT:
            statement.b_mode, statement.b = statement.a_mode, statement.a
            statement.a_mode, statement.a = IMMEDIATE, "0"
        elif statement.operation in (SPL, JMP, NOP):
            statement.b_mode, statement.b = DIRECT, "0"
        else:
            self._report(Problem.INCOMPLETE, OPERATIONS[statement.operation])

    def _report(self, problem: Problem, argument: str = "") -> None:
        self._log.report(problem, self._line, argument)
