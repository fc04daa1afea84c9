"""The second pass: one line of text becomes one instruction, its two operands still expressions.

A name that the first pass did not know is looked up now; only the first line of its text counts. The
states say which part of the instruction comes next; they go on through the text of such names.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from core.corewar.instruction import (
    ADD,
    B_DECREMENT,
    B_INCREMENT,
    CMP,
    DAT,
    DIRECT,
    DJN,
    DOT_AB,
    DOT_B,
    DOT_F,
    DOT_I,
    IMMEDIATE,
    JMN,
    JMP,
    JMZ,
    LDP,
    MODES,
    MOV,
    NOP,
    OPERATIONS,
    SEQ,
    SLT,
    SNE,
    SPL,
    STP,
    SUB,
)  # fmt: skip
from protocols.redcode.messages import Line, MessageLog, Problem
from protocols.redcode.plain import LONGEST as LONGEST_PLAIN
from protocols.redcode.plain import NAME
from protocols.redcode.substitution import LONGEST, Written
from protocols.redcode.symbols import Body, Label, Symbols
from protocols.redcode.tokens import DIGITS, MODES_94, MODIFIER, OPERATION, ORG, WORD_STARTS, Token, tokens_of

EXPRESSION: Final = frozenset(("(", ")", "/", "+", "-", "%", "!", "=", "&&", "||"))
MODE: Final = {"": DIRECT, **{mode: number for number, mode in enumerate(MODES)}}
BOTH: Final = frozenset("><*")  # modes that are operators too


@dataclass(slots=True)
class Statement:
    """An instruction as written; ORG, END and PIN have their operand in `b`. No modifier: the default."""

    operation: int = 0
    modifier: int | None = None
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
        self._statement = Statement(operation=ORG)

    def read(self, written: Written, index: int) -> Statement:
        """The instruction in a line that the first pass has written; `index` is its number."""
        self._line, self._index = written.line, index
        plain = written.plain
        if plain is None:
            return self._read_text(written.text)
        a, b = written.a, written.b
        if not written.resolved:
            resolved_a, resolved_b = self._resolved(a), self._resolved(b)
            if resolved_a is None or resolved_b is None:
                return self._read_text(plain.text(a, b))
            a, b = resolved_a, resolved_b
        a_mode, b_mode = MODE[plain.a_mode], MODE[plain.b_mode]
        self._statement = statement = Statement(plain.operation, plain.modifier, a_mode, b_mode, a, b)
        if not b:
            self._add_operand()
        self._finish()
        return statement

    def _resolved(self, operand: str) -> str | None:
        """The operand of a plain line with numbers for labels; None when a name is something else."""
        parts = NAME.split(operand)
        for place in range(1, len(parts), 2):
            meaning = self._symbols.get(parts[place])
            if isinstance(meaning, Label):
                parts[place] = str(meaning.value - self._index)
            elif meaning is not None or len(parts[place]) > 1:
                return None
        text = "".join(parts)
        return text if len(text) <= LONGEST_PLAIN else None

    def _read_text(self, text: str) -> Statement:
        self._part, self._complete = Part.MODIFIER_OR_A, False
        found = self._log.total
        tokens = tokens_of(text)
        operation = OPERATION.get(tokens[0][0].upper()) if tokens else None
        self._statement = statement = Statement(operation=self._statement.operation)
        if operation is None:
            self._report(Problem.MISSING, "opcode")
        else:
            statement.operation = operation
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
            self._check_88()
        if statement.modifier is None:
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
        if meaning is not None:
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
        if MODES[mode] in MODES_94 and self._icws88:
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

    def _check_88(self) -> None:
        """Refuse what ICWS'88 does not have."""
        statement = self._statement
        name = OPERATIONS[statement.operation]
        modes = (statement.a_mode, statement.b_mode)
        if statement.operation == DAT:
            if not set(modes) <= {IMMEDIATE, B_DECREMENT}:
                self._report(Problem.INVALID_88, "DAT [#<] [#<]")
        elif statement.operation in (MOV, ADD, SUB, CMP):
            if statement.b_mode == IMMEDIATE:
                self._report(Problem.INVALID_88, f"{name} [#$@<] [$@<]")
        elif statement.operation in (JMP, JMZ, JMN, DJN, SPL):
            if statement.a_mode == IMMEDIATE:
                self._report(Problem.INVALID_88, f"{name} [$@<] [#$@<]")
        elif statement.operation != SLT:
            self._report(Problem.BAD_88, name)
        if statement.modifier is not None:
            self._report(Problem.BAD_88, ".")
        if B_INCREMENT in modes:
            self._report(Problem.BAD_88, ">")

    def _report(self, problem: Problem, argument: str = "") -> None:
        self._log.report(problem, self._line, argument)


def default_modifier(operation: int, a_mode: int, b_mode: int) -> int:
    """The modifier of an instruction that is written without one."""
    if operation in (DAT, NOP):
        return DOT_F
    if operation in (SLT, LDP, STP):
        return DOT_AB if a_mode == IMMEDIATE else DOT_B
    if operation in (JMP, JMZ, JMN, DJN, SPL):
        return DOT_B
    if a_mode == IMMEDIATE:
        return DOT_AB
    if b_mode == IMMEDIATE:
        return DOT_B
    return DOT_I if operation in (MOV, CMP, SEQ, SNE) else DOT_F
