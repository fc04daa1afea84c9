"""The first pass of the Redcode assembler: it finds labels, substitutes EQUs, repeats FOR blocks and checks ;assert.

The output is one line of text for each instruction; names that are not known yet stay in it. A walk reads a line
token by token, in one of a few states. At a name that stands for text, the walk continues through that text, and then
through the rest of the line.
"""

from typing import Final, final

from mypy_extensions import i64

from core.corewar.diagnostics import MessageLog, Problem, Refused
from core.corewar.dialect import MAX_INSTRUCTIONS, VERSION_094, Dialect, Limits
from core.corewar.expression import (
    DivisionByZeroError,
    ExpressionError,
    Registers,
    TooDeepError,
    evaluate,
)
from core.corewar.lexer import (
    AMPERSAND,
    COLON,
    CURLINE,
    END,
    EQU,
    FOR,
    LONGEST_LINE,
    NO_WORD,
    ORG,
    ROF,
    SEMICOLON,
    Line,
    Scratch,
    Token,
    is_letter,
)
from core.corewar.rules import Rules

MAX_LABELS: Final = 7  # of one instruction

# The states of a walk through a line. Up to LABELS a label, an operation, FOR, ROF or EQU may follow.
FAILED: Final = -1
EMPTY: Final = 0
LABELS: Final = 1
OPERAND: Final = 2
INSTRUCTION: Final = 3  # complete
ADDRESS: Final = 4  # the operand of ORG, END and PIN: labels are absolute
REPEATED: Final = 5  # a FOR block has been processed
ROF_READ: Final = 6


@final
class Label:
    """A label: the number of an instruction."""

    def __init__(self, value: i64) -> None:
        self.value: Final = value


@final
class Counter:
    """The counter of a FOR block, from 1, as text of at least two digits."""

    def __init__(self, value: i64) -> None:
        self.digits: Final = f"0{value}" if value < 10 else str(value)


@final
class Body:
    """A text of one line or more that a name stands for; `busy` while it is being substituted."""

    def __init__(self, lines: list[Line]) -> None:
        self.lines: Final = lines
        self.busy = False


Symbols = dict[str, Label | Counter | Body]  # what the names in a text stand for


def predefined(rules: Rules, warriors: int, rounds: int, version: int) -> Symbols:
    """Return the names that every text may use; each stands for a number."""
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
    if version >= VERSION_094:
        values |= {"READLIMIT": rules.read_limit, "WRITELIMIT": rules.write_limit}
    return {name: Body([Line(0, str(value), str(value))]) for name, value in values.items()}


@final
class Marks:
    """The effect of the comments ;debug, ;trace and ;break so far, for the debugger."""

    def __init__(self) -> None:
        self.enabled = True
        self.enter = False  # the debugger starts before the first instruction
        self.moveable = True  # MOV copies a mark with its cell
        self.tracing = False  # instructions are marked
        self.once = False  # only the next instruction is marked
        self.spent = False

    def obey(self, tokens: list[Token]) -> bool:
        """Obey a comment; return False if it has an extra or unknown word."""
        word = tokens[1].text.upper()
        option = tokens[2].text.upper() if len(tokens) > 2 else ""
        if word == "DEBUG":
            self.enabled = option != "OFF"
            if self.enabled:
                self.enter = True
                self.moveable = option != "STATIC"
            return option in ("", "OFF", "STATIC")
        if word == "TRACE" and self.enabled:
            self.tracing = option != "OFF"
            self.once = False
            return option in ("", "OFF")
        if word == "BREAK" and self.enabled:
            self.tracing = self.once = True
            return not option
        return True

    def pass_instruction(self) -> None:
        self.spent = self.once

    def pass_line(self) -> None:
        if self.spent:
            self.tracing = self.once = self.spent = False


@final
class Written:
    """An instruction, ORG, END or PIN after substitution, with the line of the text that it comes from."""

    def __init__(self, text: str, line: Line, is_traced: bool) -> None:
        self.text: Final = text
        self.line: Final = line
        self.is_traced: Final = is_traced


@final
class Effort:
    """The remaining work that the limits allow for one text, for both passes.

    Each method reports an error and raises Refused if a limit is exceeded. `length` is that of the longest warrior.
    """

    def __init__(self, limits: Limits, length: i64, log: MessageLog) -> None:
        self._limits: Final = limits
        self._log: Final = log
        self._steps: i64 = limits.steps + limits.steps_of_instruction * length
        self._labels: Final[i64] = limits.labels + limits.labels_of_instruction * length
        self._equ_depth: i64 = 0
        self._nesting: i64 = 0

    def step(self, line: Line) -> None:
        """Count one token that is read, or one line that is repeated."""
        self._steps -= 1
        if self._steps < 0:
            self._log.refuse(line, "too much to repeat")

    def enter(self, line: Line) -> None:
        """Enter a block, an operation or a text."""
        self._nesting += 1
        if self._nesting > self._limits.nesting:
            self._log.refuse(line, "too many blocks within one another")

    def leave(self) -> None:
        self._nesting -= 1

    def enter_text(self, line: Line) -> None:
        """Enter the text of an EQU."""
        self._equ_depth += 1
        if self._equ_depth > self._limits.equ_depth:
            self._log.refuse(line, "too many EQUs within one another")
        self.enter(line)

    def leave_text(self) -> None:
        self._equ_depth -= 1
        self.leave()

    def check_names(self, names: i64, line: Line) -> None:
        """Check the number of all names, `names`."""
        if names > self._labels:
            self._log.refuse(line, "too many labels")


@final
class AssemblyContext:
    """The objects that both passes over one text share: rules, dialect, registers, messages and remaining work."""

    def __init__(self, rules: Rules, dialect: Dialect, registers: Registers) -> None:
        self.rules: Final = rules
        self.dialect: Final = dialect
        self.registers: Final = registers
        self.log: Final = MessageLog()
        self.effort: Final = Effort(dialect.limits, rules.length, self.log)


@final
class Preprocessor:
    """The first pass over the lines of one warrior, whose first instruction has the number `first`."""

    def __init__(
        self,
        context: AssemblyContext,
        lines: list[Line],
        symbols: Symbols,
        scratch: Scratch,
        marks: Marks,
        first: i64 = 0,
    ) -> None:
        self.symbols: Final = symbols
        self.marks: Final = marks
        self.instructions = first
        self.output: list[Written] = []
        self.is_asserted = False
        self._lines = lines
        self._at: i64 = 0
        self._registers: Final = context.registers
        self._dialect: Final = context.dialect
        self._log: Final = context.log
        self._scratch: Final = scratch
        self._effort: Final = context.effort
        self._text = ""  # the line being written
        self._labels: list[str] = []  # labels without an instruction yet
        self._skipping: i64 = 0  # the depth of FOR blocks that are skipped
        self._is_running = True  # no END has been read yet
        self._max_output: i64 = max(
            context.dialect.limits.for_output * context.rules.length, MAX_INSTRUCTIONS
        )

    def run(self) -> None:
        """Read all lines up to END; raises TooManyMessages or Refused if the assembly must end."""
        while self._at < len(self._lines) and self._is_running:
            if self._read_line() == ROF_READ:
                self._report(Problem.UNOPENED_FOR)
            self._at += 1
        if self._labels:
            self._log.report(Problem.DISCARDED_LABELS, None, " ".join(self._labels[::-1]))

    # -- lines

    def _read_line(self) -> i64:
        """Read the current line, write its instruction if it has one, and return the state of the walk."""
        self._text = ""
        state = self._walk(self._lines[self._at].tokens(), 0, EMPTY)
        if state == INSTRUCTION:
            self._write()
        return state

    def _walk(self, tokens: list[Token], at: i64, state: i64) -> i64:
        """Read a line from tokens[at] on, starting in `state`, and return the state at the end."""
        size: i64 = len(tokens)
        while at < size:
            self._effort.step(self._lines[self._at])
            token = tokens[at]
            word = token.word
            at += 1
            if word == NO_WORD:
                if token.first == SEMICOLON and at == 1:
                    if state == EMPTY and not self._skipping:
                        self._comment(tokens)
                    return state
                if self._skipping:
                    return EMPTY
                if state <= LABELS:
                    return self._fail(Problem.TOKEN, token.text)
                if not self._append(token.text):
                    return FAILED
                continue
            self._scratch.write(token.text.upper())
            if word == ROF or word == FOR:
                if self._skipping:
                    self._skipping += 1 if word == FOR else -1
                    return FAILED
                if state > LABELS:
                    return self._fail(Problem.PLACEMENT, token.text)
                return ROF_READ if word == ROF else self._repetition(tokens, at)
            if self._skipping:
                if word <= CURLINE:
                    return EMPTY
                state = EMPTY
                continue
            if word == CURLINE:
                if state <= LABELS:
                    return self._fail(Problem.CURLINE)
                if not self._append_number(str(self.instructions), token.spaced):
                    return FAILED
                continue
            if word <= EQU:
                if state > LABELS:
                    return self._fail(Problem.PLACEMENT, token.text)
                return self._define_text(tokens, at) if word == EQU else self._operation(tokens, at - 1)
            name, spaced = token.text, token.spaced
            if not spaced and at < size and tokens[at].first == AMPERSAND:
                name, spaced, at = self._concatenated(name, tokens, at)
            meaning = self.symbols.get(name)
            if meaning is None:
                if state <= LABELS:
                    self._note_label(name)
                    if not spaced and at < size and tokens[at].first == COLON:
                        at += 1
                    state = LABELS
                elif not self._append(name + " " if spaced else name):
                    return FAILED
            elif isinstance(meaning, Body):
                if meaning.busy:
                    return self._fail(Problem.RECURSIVE, name)
                state = self._put(meaning, spaced, state)
            else:
                if state <= LABELS:
                    return self._fail(Problem.REDEFINITION, name)
                origin = 0 if state == ADDRESS else self.instructions
                number = meaning.digits if isinstance(meaning, Counter) else str(meaning.value - origin)
                if not self._append_number(number, spaced):
                    return FAILED
        return state

    def _operation(self, tokens: list[Token], at: i64) -> i64:
        """Read an instruction, from its operation on; tokens without space after the operation are only copied."""
        token = tokens[at]
        operation = token.word
        text = name = token.text.upper()
        size: i64 = len(tokens)
        at += 1
        while not token.spaced and at < size:
            token = tokens[at]
            text += token.text
            at += 1
        if token.spaced:
            text += " "
            self._scratch.write(text)
        elif text != name:
            text = self._scratch.write_unended(text)
        if not self._append(text):
            return FAILED
        self._effort.enter(self._lines[self._at])
        state = self._walk(tokens, at, OPERAND if operation < ORG else ADDRESS)
        self._effort.leave()
        if state == FAILED:
            return state
        if operation >= ORG:
            self._define(Label(self.instructions))
            if operation == END:
                self._is_running = False
            return INSTRUCTION
        if self._labels:
            self._define(Label(self.instructions))
        self.instructions += 1
        if self._dialect.debugger:
            self.marks.pass_instruction()
        return INSTRUCTION

    def _put(self, body: Body, spaced: bool, state: i64) -> i64:
        """Walk through the text of a name; all of its lines except the last are written at once."""
        lines, at = self._lines, self._at
        line = lines[at]
        self._effort.enter_text(line)
        body.busy = True
        self._lines, self._at = body.lines, 0
        if not body.lines[0].number:  # predefined: pMARS crashes when it reports a problem in one
            self._lines = [Line(line.number, line.text, body.lines[0].rest)]
        while True:
            self._effort.step(line)  # the line of the text may have no token
            state = self._walk(self._lines[self._at].tokens(), 0, state)
            if self._at + 1 >= len(self._lines) or not self._is_running:
                break
            if state == INSTRUCTION and not self._skipping:
                self._write()
            self._at += 1
            self._text = ""
            state = EMPTY
        self._lines, self._at = lines, at
        body.busy = False
        self._effort.leave_text()
        if spaced and len(self._text) < LONGEST_LINE:
            self._text += " "
        return state

    # -- comments

    def _comment(self, tokens: list[Token]) -> None:
        """Check an ;assert, or obey a comment to the debugger."""
        if tokens[1].text.upper() != "ASSERT":
            self._apply_debug_comment(tokens)
            return
        self._walk(tokens, 2, OPERAND)
        try:
            value, overflow = self._value()
        except ExpressionError:
            self._report(Problem.BAD_ASSERT)
            return
        if overflow:
            self._report(Problem.OVERFLOW)
        self.is_asserted = True
        if not value:
            self._report(Problem.ASSERTION)

    def _apply_debug_comment(self, tokens: list[Token]) -> None:
        if not self.marks.obey(tokens):
            self._report(Problem.EXTRA_TOKENS, self._lines[self._at].text)

    # -- EQU and FOR

    def _define_text(self, tokens: list[Token], at: i64) -> i64:
        """Define the labels so far as the text from tokens[at] on and the EQU lines that follow immediately."""
        if not self._labels:
            self._report(Problem.UNDEFINED_APPEND)
            return OPERAND
        body = Body([remaining_line(self._lines[self._at], tokens, at)])
        while self._at + 1 < len(self._lines):
            self._effort.step(self._lines[self._at])
            line = self._lines[self._at + 1]
            tokens = line.tokens()
            if tokens and tokens[0].word == EQU:
                body.lines.append(remaining_line(line, tokens, 1))
                self._at += 1
            elif tokens and tokens[0].first == SEMICOLON and self._dialect.debugger:
                self._at += 1
                self._apply_debug_comment(tokens)
            else:
                break
        self._define(body)
        return OPERAND

    def _repetition(self, tokens: list[Token], at: i64) -> i64:
        """Read a FOR block, whose counter has the last label before FOR as its name."""
        name = self._labels.pop() if self._labels else ""
        self._define(Label(self.instructions))
        self._text = ""
        self._effort.enter(self._lines[self._at])
        self._walk(tokens, at, OPERAND)
        try:
            count, overflow = self._value()
        except DivisionByZeroError:
            self._report(Problem.DIVISION_BY_ZERO)
        except ExpressionError:
            self._report(Problem.BAD_EXPRESSION)
        else:
            if overflow:
                self._report(Problem.OVERFLOW)
            if count <= 0:
                self._skipping += 1
            else:
                self._repeat(name, count & 0xFFFF)  # pMARS counts in 16 bits
        self._effort.leave()
        return REPEATED

    def _repeat(self, name: str, count: i64) -> None:
        """Read the lines up to ROF `count` times; during each the name stands for the number of the repetition."""
        hidden = self.symbols.get(name)
        if name:
            self.symbols[name] = Counter(0)
        first = self._at
        number: i64 = 0
        while number < count and self._is_running:
            number += 1
            if name:
                self.symbols[name] = Counter(number)
            self._at = first
            self._read_block()
        if hidden is not None:
            self.symbols[name] = hidden
        elif name:
            del self.symbols[name]

    def _read_block(self) -> None:
        lines = self._lines
        last: i64 = len(lines) - 1
        while self._is_running:
            self._effort.step(lines[self._at])
            if self._at >= last:
                self._log.report(Problem.UNCLOSED_ROF, None)
                self._is_running = False
                return
            self._at += 1
            tokens = lines[self._at].tokens()
            if not self._skipping and tokens and tokens[0].word == ROF:
                self._text = ""
                self._scratch.write("ROF")
                return
            if self._read_line() == ROF_READ:
                return

    # -- names

    def _concatenated(self, name: str, tokens: list[Token], at: i64) -> tuple[str, bool, i64]:
        """Return the name of `name&counter` with the counter's digits, whether space follows, and the next index.

        The first & is expected at tokens[at].
        """
        spaced = False
        while not spaced:
            if not joins(tokens, at):
                return name, spaced, at
            counter, spaced = tokens[at + 1].text, tokens[at + 1].spaced
            at += 2
            self._scratch.write(counter)
            meaning = self.symbols.get(counter)
            if not isinstance(meaning, Counter):
                self._report(Problem.CONCATENATION, counter)
                if not spaced and joins(tokens, at):  # after a wrong counter pMARS skips the next one
                    self._scratch.write(tokens[at + 1].text)
                    return name, tokens[at + 1].spaced, at + 2
                break
            self._scratch.write(meaning.digits)
            if len(name) + len(meaning.digits) > LONGEST_LINE:
                self._report(Problem.BUFFER)
            else:
                name += meaning.digits
        return name, spaced, at

    def _note_label(self, name: str) -> None:
        if len(self._labels) < MAX_LABELS:
            self._labels.append(name)
        else:
            self._report(Problem.TOO_MANY_LABELS, name)

    def _define(self, meaning: Label | Body) -> None:
        """Give a meaning to the labels that have none yet."""
        for name in self._labels:
            self.symbols[name] = meaning
        self._labels = []
        self._effort.check_names(len(self.symbols), self._lines[self._at])

    # -- the line being written

    def _append(self, text: str) -> bool:
        """Append text to the line being written; return False if the line becomes too long."""
        if len(self._text) + len(text) > LONGEST_LINE:
            self._report(Problem.BUFFER)
            return False
        self._text += text
        return True

    def _append_number(self, number: str, spaced: bool) -> bool:
        text = number + " " if spaced else number
        self._scratch.write(text)
        return self._append(text)

    def _write(self) -> None:
        """Add the line to the output, as an instruction."""
        self.output.append(Written(self._text, self._lines[self._at], self.marks.tracing))
        if self._dialect.debugger:
            self.marks.pass_line()
        if len(self.output) > self._max_output:
            self._log.report(Problem.FAR_TOO_LONG, None, str(MAX_INSTRUCTIONS))
            raise Refused

    def _value(self) -> tuple[i64, bool]:
        """Return the value of the line being written, as an expression, and whether the computation overflowed."""
        dialect = self._dialect
        try:
            return evaluate(self._text, self._registers, dialect.evaluator, dialect.limits.expression_depth)
        except TooDeepError as error:
            self._log.refuse(self._lines[self._at], error.reason)

    # -- messages

    def _fail(self, problem: Problem, argument: str = "") -> i64:
        self._report(problem, argument)
        return FAILED

    def _report(self, problem: Problem, argument: str = "") -> None:
        self._log.report(problem, self._lines[self._at], argument)


def remaining_line(line: Line, tokens: list[Token], at: i64) -> Line:
    """Return the line without the text before tokens[at]."""
    return Line(line.number, line.text, line.rest[tokens[at].start :] if at < len(tokens) else "")


def joins(tokens: list[Token], at: i64) -> bool:
    """Return whether the next token is an & followed by a name, without white space between them."""
    if at + 1 >= len(tokens):
        return False
    token = tokens[at]
    return token.text == "&" and not token.spaced and is_letter(tokens[at + 1].first)
