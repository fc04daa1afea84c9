"""The Redcode assembler of pMARS 0.9.2: it translates the text of a warrior to cells, and reports problems.

The lexer splits the text into lines. The preprocessor (the first pass) substitutes names and repeats FOR blocks. The
second pass, in this module, translates the resulting lines to cells.
"""

from typing import Final, final

from mypy_extensions import i64

from core.corewar.diagnostics import Message, MessageLog, Problem, Refused, TooManyMessages
from core.corewar.dialect import MAX_INSTRUCTIONS, Dialect
from core.corewar.expression import DivisionByZeroError, ExpressionError, Registers, TooDeepError, evaluate
from core.corewar.instruction import (
    A_DECREMENT,
    A_INCREMENT,
    A_INDIRECT,
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
    MODIFIERS,
    MOV,
    NOP,
    OPERATIONS,
    SEQ,
    SLT,
    SNE,
    SPL,
    STP,
    SUB,
    pack,
)
from core.corewar.lexer import (
    AMPERSAND,
    BAR,
    CLOSE,
    COMMA,
    DOT,
    END,
    EQUALS,
    EXCLAMATION,
    GREATER,
    LESS,
    LONGEST_LINE,
    MINUS,
    NO_WORD,
    OPEN,
    ORG,
    PERCENT,
    PIN,
    PLUS,
    SLASH,
    STAR,
    Line,
    Scratch,
    Source,
    Token,
    is_digit,
    read,
    tokens_of,
)
from core.corewar.preprocessor import (
    AssemblyContext,
    Body,
    Label,
    Marks,
    Preprocessor,
    Symbols,
    Written,
    predefined,
)
from core.corewar.rules import Rules
from core.corewar.warrior import Warrior

MODIFIER_NUMBERS: Final = {name: number for number, name in enumerate(MODIFIERS)}

# The states of the second pass: the part of an instruction that may come next.
MODIFIER_OR_A: Final = 0
MODIFIER: Final = 1
A_TERM: Final = 2
A_EXPRESSION: Final = 3
B_TERM: Final = 4
B_EXPRESSION: Final = 5


@final
class Assembly:
    """The result of an assembly; `ok` is whether it has no errors and did not end with too many messages.

    A text without instructions is `ok` and has no cells: pMARS loads an empty warrior. `traced` are the numbers of
    the cells marked by ;trace or ;break. `rest` is the text after a second ;redcode line, which is the next warrior
    of a stream.
    """

    def __init__(self, source: Source, code: "CodeGenerator", marks: Marks, log: MessageLog) -> None:
        self.name: Final = source.name
        self.author: Final = source.author
        self.version: Final = source.version
        self.date: Final = source.date
        self.strategy: Final = tuple(source.strategy)
        self.kill: Final = tuple(source.kill)
        self.tag: Final = source.tag
        self.rest: Final = source.rest
        self.ok: Final = not log.errors and not log.full
        self.cells: Final[tuple[int, ...]] = tuple(code.cells) if self.ok else ()
        self.start: Final = code.start
        self.pin: Final = code.pin
        self.traced: Final = tuple(code.traced)
        self.marks: Final = marks
        self.messages: Final = tuple(log.messages)

    @property
    def errors(self) -> tuple[Message, ...]:
        return tuple(message for message in self.messages if message.is_error)

    @property
    def warrior(self) -> Warrior | None:
        """The warrior, or None if the text has an error or no instruction."""
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
    """Assemble one warrior for a battle of `warriors` warriors and `rounds` rounds.

    `registers` may hold values left by a score formula or an earlier text; they are cleared at the end, as by pMARS.
    With `begun`, the text continues a stream after the warrior's ;redcode line.
    """
    dialect = dialect or Dialect()
    registers = registers or Registers()
    context = AssemblyContext(rules, dialect, registers)
    log, code = context.log, CodeGenerator(context)
    source, marks = Source(), Marks()
    try:
        if len(text) > dialect.limits.characters:
            log.refuse(None, f"more than {dialect.limits.characters} characters")
        read(text, dialect, source, begun)
        symbols = predefined(rules, warriors, rounds, dialect.version)
        first_pass = Preprocessor(context, source.lines, symbols, source.scratch, marks)
        first_pass.run()
        if not first_pass.is_asserted:
            log.report(Problem.NO_ASSERT, None)
        code.generate(first_pass)
    except (TooManyMessages, Refused):
        pass
    registers.clear()
    return Assembly(source, code, marks, log)


def assemble_line(
    text: str, rules: Rules, dialect: Dialect, *, address: int, symbols: Symbols, registers: Registers
) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    """Assemble a line that a debugger writes to `address`, and return its cells and messages.

    There are no cells if the line has an error. `symbols` are the predefined() ones, and those added by earlier
    lines.
    """
    context = AssemblyContext(rules, dialect, registers)
    log, code = context.log, CodeGenerator(context)
    written = text.partition(";")[0]
    line = Line(address, written, written)
    first_pass = Preprocessor(context, [line], symbols, Scratch(), Marks(), address)
    try:
        first_pass.run()
        code.encode(first_pass.output, symbols, address)
    except (TooManyMessages, Refused):
        pass
    return () if log.errors else tuple(code.cells), tuple(log.messages)


def default_modifier(operation: i64, a_mode: i64, b_mode: i64) -> i64:
    """Return the modifier of an instruction that is written without a modifier."""
    if operation == DAT or operation == NOP:
        return DOT_F
    if operation == SLT or operation == LDP or operation == STP:
        return DOT_AB if a_mode == IMMEDIATE else DOT_B
    if operation == SPL or operation == JMP or operation == JMZ or operation == JMN or operation == DJN:
        return DOT_B
    if a_mode == IMMEDIATE:
        return DOT_AB
    if b_mode == IMMEDIATE:
        return DOT_B
    if operation == MOV or operation == CMP or operation == SEQ or operation == SNE:
        return DOT_I
    return DOT_F


@final
class Statement:
    """An instruction as written; ORG, END and PIN have their operand in `b`, and a modifier of -1 is the default."""

    def __init__(self, operation: i64) -> None:
        self.operation = operation
        self.modifier: i64 = -1
        self.a_mode: i64 = DIRECT
        self.b_mode: i64 = DIRECT
        self.a = ""
        self.b = ""


@final
class CodeGenerator:
    """The second pass, which generates the cells of a warrior, its start and its PIN.

    A name that was unknown in the first pass is looked up now; only the first line of its text counts.
    """

    def __init__(self, context: AssemblyContext) -> None:
        self.cells: list[i64] = []
        self.traced: list[int] = []  # the numbers of the marked cells
        self.start = 0
        self.pin: int | None = None
        self._rules: Final = context.rules
        self._dialect: Final = context.dialect
        self._registers: Final = context.registers
        self._log: Final = context.log
        self._symbols: Symbols = {}
        self._effort: Final = context.effort
        self._line = Line(0, "", "")
        self._index: i64 = 0  # the number of the current instruction
        self._part: i64 = MODIFIER_OR_A
        self._complete = False
        self._operation: i64 = ORG  # the last operation, which pMARS uses for a line without one
        self._statement = Statement(ORG)

    def generate(self, first_pass: Preprocessor) -> None:
        """Generate all cells; report a warrior that is too long, has no instructions or starts outside itself."""
        length = first_pass.instructions
        if length > max(MAX_INSTRUCTIONS, self._rules.length):
            self._log.report(Problem.FAR_TOO_LONG, None, str(MAX_INSTRUCTIONS))
            return
        if length > self._rules.length:
            self._log.report(Problem.TOO_LONG, None, str(length - self._rules.length))
        if not length:
            self._log.report(Problem.NO_INSTRUCTIONS, None)
            return
        self.encode(first_pass.output, first_pass.symbols, 0)
        # An operation in the middle of another is counted but not written: pMARS loads memory that it never set.
        while len(self.cells) < length:
            self.cells.append(0)
        if self.start >= length:
            self._log.report(Problem.OUTSIDE, None)

    def encode(self, output: list[Written], symbols: Symbols, first: i64) -> None:
        """Generate the cells for the output of the first pass; the first cell has the number `first`."""
        self._symbols = symbols
        for written in output:
            self._line, self._index = written.line, first + len(self.cells)
            statement = self._read(written.text)
            if self._log.errors:  # the other lines are read only to find further errors
                continue
            try:
                if statement.operation >= ORG:
                    self._direct(statement)
                    continue
                cell = self._cell(statement)
                if written.is_traced:
                    self.traced.append(len(self.cells))
                self.cells.append(cell)
            except TooDeepError as error:
                self._log.refuse(self._line, error.reason)
            except DivisionByZeroError:
                self._report(Problem.DIVISION_BY_ZERO)
            except ExpressionError:
                self._report(Problem.BAD_EXPRESSION)

    # -- statements

    def _cell(self, statement: Statement) -> i64:
        a, a_overflow = self._value(statement.a)
        b, b_overflow = self._value(statement.b)
        if a_overflow or b_overflow:
            self._report(Problem.OVERFLOW)
        size: i64 = self._rules.size
        return pack(
            statement.operation,
            statement.modifier,
            statement.a_mode,
            a % size,
            statement.b_mode,
            b % size,
        )

    def _direct(self, statement: Statement) -> None:
        """Execute ORG, END or PIN."""
        value, overflow = self._value(statement.b)
        if overflow:
            self._report(Problem.OVERFLOW)
        if statement.operation == END:
            if value and self.start:
                self._report(Problem.END_IGNORED)
            elif value:
                self.start = value % self._rules.size
            return
        if self._dialect.icws88:
            self._report(Problem.BAD_88, "ORG" if statement.operation == ORG else "PIN")
        if statement.operation == ORG:
            self.start = value % self._rules.size
        else:
            self.pin = value

    def _value(self, expression: str) -> tuple[i64, bool]:
        dialect = self._dialect
        return evaluate(
            expression or "0", self._registers, dialect.evaluator, dialect.limits.expression_depth
        )

    # -- from text to a statement

    def _read(self, text: str) -> Statement:
        """Return the instruction in a line that the first pass has written."""
        self._part, self._complete = MODIFIER_OR_A, False
        found = self._log.total
        tokens = tokens_of(text)
        self._statement = statement = Statement(self._operation)
        operation = tokens[0].word if tokens else NO_WORD
        if NO_WORD < operation <= PIN:
            statement.operation = self._operation = operation
            if operation >= ORG:
                self._part = B_EXPRESSION
            self._feed(tokens, 1)
        else:
            self._report(Problem.MISSING, "opcode")
        if statement.operation < ORG:
            if not self._complete and found == self._log.total:
                self._report(Problem.SYNTAX)
            elif not statement.b:
                self._add_operand()
            if self._dialect.icws88:
                self._check_88()
            if statement.modifier < 0:
                statement.modifier = default_modifier(statement.operation, statement.a_mode, statement.b_mode)
        return statement

    def _feed(self, tokens: list[Token], at: i64) -> None:
        """Read the tokens of the line, or of a text that a name stands for, until a token does not fit."""
        size: i64 = len(tokens)
        while at < size:
            self._effort.step(self._line)
            token = tokens[at]
            first = token.first
            part = self._part
            if token.word != NO_WORD and part != MODIFIER:
                if not self._take_name(token.text):
                    return
            elif part == A_EXPRESSION or part == B_EXPRESSION:
                if is_digit(first):
                    self._append(token.text + " ")
                elif is_operator(token) or first == GREATER or first == LESS or first == STAR:
                    self._append(token.text)
                elif first == COMMA and part == A_EXPRESSION:
                    self._part, self._complete = B_TERM, False
                else:
                    self._report(Problem.PLACEMENT, token.text)
                    return
            elif part == MODIFIER:
                modifier: i64 = MODIFIER_NUMBERS.get(token.text.upper(), -1)
                if modifier < 0:
                    self._report(Problem.MISSING, "modifier")
                    return
                self._statement.modifier = modifier
                self._part = A_TERM
            elif is_digit(first) or is_operator(token):
                self._begin_expression()
                continue
            elif token.text in MODES:
                self._take_mode(MODES.index(token.text))
            elif first == DOT and part == MODIFIER_OR_A:
                self._part = MODIFIER
            elif part == MODIFIER_OR_A:
                self._report(Problem.PLACEMENT, token.text)
                return
            else:
                self._report(Problem.MISSING, "A-term" if part == A_TERM else "B-term")
                return
            at += 1

    def _take_name(self, name: str) -> bool:
        """Read a name that is a label, a text or a register; return False if it is none of these."""
        meaning = self._symbols.get(name)
        if isinstance(meaning, Body):
            return self._take_text(meaning, name)
        if isinstance(meaning, Label):
            absolute = self._statement.operation >= ORG
            number = meaning.value if absolute else meaning.value - self._index
            self._begin_expression()
            if number < 0:
                self._append("-")
                number = -number
            self._append(f"{number} ")
            return True
        if len(name) > 1:
            self._report(Problem.UNDEFINED, name)
            return False
        self._begin_expression()
        return self._append(name)

    def _take_text(self, body: Body, name: str) -> bool:
        if body.busy:
            self._report(Problem.RECURSIVE, name)
            return False
        self._effort.enter_text(self._line)
        body.busy = True
        self._feed(body.lines[0].tokens(), 0)
        body.busy = False
        self._effort.leave_text()
        return True

    def _take_mode(self, mode: i64) -> None:
        if self._dialect.icws88 and is_mode_94(mode):
            self._report(Problem.BAD_88, "[*{}]")
        if self._part == B_TERM:
            self._statement.b_mode = mode
        else:
            self._statement.a_mode = mode
        self._begin_expression()

    def _begin_expression(self) -> None:
        if self._part == B_TERM:
            self._part = B_EXPRESSION
        elif self._part != B_EXPRESSION:
            self._part = A_EXPRESSION

    def _append(self, text: str) -> bool:
        """Append text to the current operand; return False if the operand becomes too long."""
        statement = self._statement
        self._complete = True
        if self._part == A_EXPRESSION:
            if len(statement.a) + len(text) <= LONGEST_LINE:
                statement.a += text
                return True
        elif len(statement.b) + len(text) <= LONGEST_LINE:
            statement.b += text
            return True
        self._report(Problem.BUFFER)
        return False

    def _add_operand(self) -> None:
        """Add the operand that is left out, or report that it is missing where the operation needs two."""
        statement = self._statement
        if statement.operation == DAT:
            statement.b_mode, statement.b = statement.a_mode, statement.a
            statement.a_mode, statement.a = IMMEDIATE, "0"
        elif statement.operation == SPL or statement.operation == JMP or statement.operation == NOP:
            statement.b_mode, statement.b = DIRECT, "0"
        else:
            self._report(Problem.INCOMPLETE, OPERATIONS[statement.operation])

    def _check_88(self) -> None:
        """Report what ICWS'88 does not allow: modifiers, later modes and operations, some operands."""
        statement = self._statement
        operation, a_mode, b_mode = statement.operation, statement.a_mode, statement.b_mode
        name = OPERATIONS[operation]
        if operation == DAT:
            if not (is_mode_88_of_dat(a_mode) and is_mode_88_of_dat(b_mode)):
                self._report(Problem.INVALID_88, "DAT [#<] [#<]")
        elif operation == MOV or operation == ADD or operation == SUB or operation == CMP:
            if b_mode == IMMEDIATE:
                self._report(Problem.INVALID_88, f"{name} [#$@<] [$@<]")
        elif operation == JMP or operation == JMZ or operation == JMN or operation == DJN or operation == SPL:
            if a_mode == IMMEDIATE:
                self._report(Problem.INVALID_88, f"{name} [$@<] [#$@<]")
        elif operation != SLT:
            self._report(Problem.BAD_88, name)
        if statement.modifier >= 0:
            self._report(Problem.BAD_88, ".")
        if a_mode == B_INCREMENT or b_mode == B_INCREMENT:
            self._report(Problem.BAD_88, ">")

    def _report(self, problem: Problem, argument: str = "") -> None:
        self._log.report(problem, self._line, argument)


def is_operator(token: Token) -> bool:
    """Return whether a token can only belong to an expression."""
    first = token.first
    if first == AMPERSAND or first == BAR:
        return len(token.text) == 2
    return (
        first == OPEN
        or first == CLOSE
        or first == SLASH
        or first == PLUS
        or first == MINUS
        or first == PERCENT
        or first == EXCLAMATION
        or first == EQUALS
    )


def is_mode_94(mode: i64) -> bool:
    """Return whether ICWS'88 lacks a mode, except >, which is reported separately."""
    return mode == A_INDIRECT or mode == A_DECREMENT or mode == A_INCREMENT


def is_mode_88_of_dat(mode: i64) -> bool:
    return mode == IMMEDIATE or mode == B_DECREMENT
