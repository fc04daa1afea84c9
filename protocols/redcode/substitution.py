"""The first pass: names are replaced by what is known of them so far, FOR blocks repeated, labels found.

What comes out is one line of text for each instruction. A walk goes through a line token by token in one
of a few states; a name that stands for text (EQU) walks through that text in the middle of its line.
"""

from enum import IntEnum
from typing import Final, NamedTuple

from protocols.redcode.dialect import MOST_INSTRUCTIONS, Dialect
from protocols.redcode.effort import Effort
from protocols.redcode.expression import (
    DivisionByZeroError,
    ExpressionError,
    Registers,
    TooDeepError,
    evaluate,
)
from protocols.redcode.marks import Marks
from protocols.redcode.messages import Line, MessageLog, Problem, Refused
from protocols.redcode.plain import PlainLine, plain_body
from protocols.redcode.scratch import Scratch
from protocols.redcode.symbols import Body, Counter, Label, Symbols, Walk, replaced
from protocols.redcode.tokens import END, LETTERS, MODES_94, OPERATION, ORG, WORD_STARTS, Token

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


class Careful(Exception):
    """A line that depends on what pMARS left in its buffer: all lines before it must go the long way."""


class Written(NamedTuple):
    """An instruction, ORG, END or PIN after substitution: its text, or a plain line and its operands."""

    text: str
    line: Line
    traced: bool
    plain: PlainLine | None = None
    a: str = ""
    b: str = ""
    resolved: bool = True  # no name is left in the operands


class Substitution:
    """The first pass over one warrior; afterwards `output` holds its instructions and `symbols` its names."""

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
        first: int = 0,
        careful: bool = True,
    ) -> None:
        self.lines = [Walk(line) for line in lines]
        self.at = 0
        self.symbols = symbols
        self.registers = registers
        self.dialect = dialect
        self.log = log
        self.scratch = scratch
        self.marks = Marks()
        self.first = first
        self.instructions = first
        self.asserted = False
        self.output: list[Written] = []
        self._most_output = max(dialect.limits.for_output * length, MOST_INSTRUCTIONS)
        self._careful = careful
        self._out = ""  # the line being written
        self._labels: list[str] = []  # without an instruction yet
        self._skipping = 0  # depth of FOR blocks that are left out
        self._running = True
        self._effort = Effort(dialect.limits, log)

    def run(self) -> None:
        """Walk through all the lines, up to END."""
        while self.at < len(self.lines) and self._running:
            if self._line() is State.ROF:
                self._report(Problem.UNOPENED_FOR)
            self.at += 1
        if self._labels:
            self.log.report(Problem.DISCARDED_LABELS, None, " ".join(reversed(self._labels)))

    def _line(self) -> State:
        """Read the line that has its turn, and write what comes of it."""
        walk = self.lines[self.at]
        if not self._careful and not self._skipping:
            plain = walk.plain()
            if plain and self._write_plain(plain, walk.line):
                return State.INSTRUCTION
        self._out = ""
        state = self._walk(walk.tokens(), 0, State.EMPTY)
        if state is State.INSTRUCTION:
            self._write(self._out)
        return state

    def _write_plain(self, plain: PlainLine, line: Line) -> bool:
        """Write a plain line; False, and nothing done, when it is not so plain after all."""
        self._effort.step(self.lines[self.at].line)
        if plain.label and (plain.label in self.symbols or len(self._labels) >= MOST_LABELS):
            return False
        if self.dialect.icws88 and (plain.a_mode in MODES_94 or plain.b_mode in MODES_94):
            return False
        depth = self.dialect.limits.equ_depth
        a = replaced(plain.a, self.symbols, self.instructions, depth)
        b = replaced(plain.b, self.symbols, self.instructions, depth) if plain.b else ("", True)
        if a is None or b is None:
            return False
        if plain.label:
            self._labels.append(plain.label)
        self._complete()
        self._add(Written("", line, self.marks.tracing, plain, a[0], b[0], a[1] and b[1]))
        return True

    def _walk(self, tokens: list[Token], at: int, state: State) -> State:
        """Go on in a line from one of its tokens."""
        while at < len(tokens):
            self._effort.step(self.lines[self.at].line)
            token, space = tokens[at]
            at += 1
            if token[0] not in WORD_STARTS:
                if token == ";" and at == 1:
                    if state is State.EMPTY and not self._skipping:
                        self._comment(tokens)
                    return state
                if self._skipping:
                    return State.EMPTY
                if state <= State.LABELS:
                    return self._fail(Problem.TOKEN, token)
                if not self._append(token):
                    return State.FAILED
                continue
            word = token.upper()
            self.scratch.write(word)
            if word in ("ROF", "FOR"):
                if self._skipping:
                    self._skipping += 1 if word == "FOR" else -1
                    return State.FAILED
                if state > State.LABELS:
                    return self._fail(Problem.PLACEMENT, token)
                return State.ROF if word == "ROF" else self._repeat(tokens, at)
            if token == "CURLINE":
                if self._skipping:
                    return State.EMPTY
                if state <= State.LABELS:
                    return self._fail(Problem.CURLINE)
                if not self._append_number(str(self.instructions), space):
                    return State.FAILED
                continue
            if word == "EQU" or word in OPERATION:
                if self._skipping:
                    return State.EMPTY
                if state > State.LABELS:
                    return self._fail(Problem.PLACEMENT, token)
                return self._define(tokens, at) if word == "EQU" else self._operation(tokens, at - 1)
            if self._skipping:
                state = State.EMPTY
                continue
            if not space and at < len(tokens) and tokens[at][0] == "&":
                token, space, at = self._concatenated(token, tokens, at)
            meaning = self.symbols.get(token)
            if isinstance(meaning, Body):
                if meaning.busy:
                    return self._fail(Problem.RECURSIVE, token)
                state = self._substitute(meaning, space, state)
            elif meaning is not None:
                if state <= State.LABELS:
                    return self._fail(Problem.REDEFINITION, token)
                origin = 0 if state is State.ADDRESS else self.instructions
                if not self._append_number(meaning.number(origin), space):
                    return State.FAILED
            elif state <= State.LABELS:
                self._label(token)
                if not space and at < len(tokens) and tokens[at][0] == ":":
                    at += 1
                state = State.LABELS
            elif not self._append(token + " " if space else token):
                return State.FAILED
        return state

    def _operation(self, tokens: list[Token], at: int) -> State:
        """An instruction, from its operation on. What touches the operation is not looked into."""
        token, space = tokens[at]
        word = token.upper()
        text = word
        at += 1
        while not space and at < len(tokens):
            token, space = tokens[at]
            text += token
            at += 1
        if space:
            text += " "
            self.scratch.write(text)
        elif text != word:
            if not self._careful:
                raise Careful
            text = self.scratch.open_write(text)
        if not self._append(text):
            return State.FAILED
        number = OPERATION[word]
        self._effort.enter(self.lines[self.at].line)
        state = self._walk(tokens, at, State.OPERAND if number < ORG else State.ADDRESS)
        self._effort.leave()
        if state is State.FAILED:
            return state
        if number < ORG:
            self._complete()
            return State.INSTRUCTION
        self._name(self._labels, Label(self.instructions))
        self._labels = []
        if number == END:
            self._running = False
        return State.INSTRUCTION

    def _complete(self) -> None:
        """Count an instruction; the labels before it are its names."""
        if self._labels:
            self._name(self._labels, Label(self.instructions))
            self._labels = []
        self.instructions += 1
        self.marks.pass_instruction()

    def _substitute(self, body: Body, space: str, state: State) -> State:
        """Walk through the text of a name. All lines but the last are written at once."""
        self._effort.enter_text(self.lines[self.at].line)
        body.busy = True
        lines, at = self.lines, self.at
        # A predefined name has no line; pMARS crashes when it finds fault with one.
        self.lines = (
            body.lines if body.lines[0].line.number else [Walk(lines[at].line, body.lines[0].tokens())]
        )
        self.at = 0
        while True:
            tokens = self.lines[self.at].tokens()
            self._effort.put(len(tokens), lines[at].line)
            state = self._walk(tokens, 0, state)
            if self.at + 1 >= len(self.lines) or not self._running:
                break
            if state is State.INSTRUCTION and not self._skipping:
                self._write(self._out)
            self.at += 1
            self._out = ""
            state = State.EMPTY
        self.lines, self.at = lines, at
        body.busy = False
        self._effort.leave_text()
        if space and len(self._out) < LONGEST:
            self._out += " "
        return state

    def _repeat(self, tokens: list[Token], at: int) -> State:
        """A FOR block: its lines, once for each number from 1 to the value of the expression."""
        name = self._labels.pop() if self._labels else None
        self._name(self._labels, Label(self.instructions))
        self._labels = []
        self._out = ""
        self._effort.enter(self.lines[self.at].line)
        self._walk(tokens, at, State.OPERAND)
        try:
            count, overflow = self._evaluate()
        except ExpressionError as error:
            zero = isinstance(error, DivisionByZeroError)
            self._report(Problem.DIVISION_BY_ZERO if zero else Problem.BAD_EXPRESSION)
            self._effort.leave()
            return State.REPEATED
        if overflow:
            self._report(Problem.OVERFLOW)
        if count <= 0:
            self._skipping += 1
        else:
            self._repeat_block(name, count & 0xFFFF)  # pMARS counts in 16 bits
        self._effort.leave()
        return State.REPEATED

    def _repeat_block(self, name: str | None, count: int) -> None:
        counter = Counter(0)
        hidden = self.symbols.get(name) if name else None
        if name:
            self.symbols[name] = counter
        first = self.at
        while counter.value < count and self._running:
            counter.value += 1
            self.at = first
            while self._running:
                self._effort.step(self.lines[self.at].line)
                if self.at + 1 >= len(self.lines):
                    self.log.report(Problem.UNCLOSED_ROF, None)
                    self._running = False
                    break
                self.at += 1
                if self._line() is State.ROF:
                    break
        if name and hidden:
            self.symbols[name] = hidden
        elif name:
            del self.symbols[name]

    def _define(self, tokens: list[Token], at: int) -> State:
        """An EQU, and those that follow it at once: more lines of the same text."""
        if not self._labels:
            self._report(Problem.UNDEFINED_APPEND)
            return State.OPERAND
        body = Body([Walk(self.lines[self.at].line, tokens[at:])])
        self._name(self._labels, body)
        self._labels = []
        while self.at + 1 < len(self.lines):
            tokens = self.lines[self.at + 1].tokens()
            first = tokens[0][0].upper() if tokens else ""
            if first == "EQU":
                body.lines.append(Walk(self.lines[self.at + 1].line, tokens[1:]))
            elif first != ";" or not self.dialect.debugger:
                break
            self.at += 1
            if first == ";":
                self._switch(tokens)
        if len(body.lines) == 1:
            body.arithmetic = plain_body("".join(token + space for token, space in body.lines[0].tokens()))
        return State.OPERAND

    def _comment(self, tokens: list[Token]) -> None:
        """;assert, or a word to the debugger."""
        if tokens[1][0].upper() != "ASSERT":
            self._switch(tokens)
            return
        self._walk(tokens, 2, State.OPERAND)
        try:
            value, overflow = self._evaluate()
        except ExpressionError:
            self._report(Problem.BAD_ASSERT)
            return
        if overflow:
            self._report(Problem.OVERFLOW)
        self.asserted = True
        if not value:
            self._report(Problem.ASSERTION)

    def _switch(self, tokens: list[Token]) -> None:
        if not self.marks.heed(tokens):
            self._report(Problem.EXTRA_TOKENS, self.lines[self.at].line.text)

    def _concatenated(self, token: str, tokens: list[Token], at: int) -> tuple[str, str, int]:
        """`name&counter` with the counter's digits: the whole name, its space, the next token."""
        space = ""
        failed = False
        while not space and not failed:
            if at + 1 >= len(tokens) or tokens[at] != ("&", "") or tokens[at + 1][0][0] not in LETTERS:
                return token, space, at
            counter, space = tokens[at + 1]
            at += 2
            self.scratch.write(counter)
            meaning = self.symbols.get(counter)
            if isinstance(meaning, Counter):
                digits = f"{meaning.value:02}"
                self.scratch.write(digits)
                if len(token) + len(digits) > LONGEST:
                    self._report(Problem.BUFFER)
                else:
                    token += digits
            else:
                self._report(Problem.CONCATENATION, counter)
                failed = True
        if (
            failed
            and not space
            and at + 1 < len(tokens)
            and tokens[at] == ("&", "")
            and tokens[at + 1][0][0] in LETTERS
        ):
            self.scratch.write(tokens[at + 1][0])
            return token, tokens[at + 1][1], at + 2
        return token, space, at

    def _label(self, name: str) -> None:
        if len(self._labels) < MOST_LABELS:
            self._labels.append(name)
        else:
            self._report(Problem.TOO_MANY_LABELS, name)

    def _name(self, names: list[str], meaning: Label | Body) -> None:
        for name in names:
            self.symbols[name] = meaning
        self._effort.know(len(self.symbols), self.lines[self.at].line)

    def _append_number(self, number: str, space: str) -> bool:
        text = number + " " if space else number
        self.scratch.write(text)
        return self._append(text)

    def _append(self, text: str) -> bool:
        if len(self._out) + len(text) > LONGEST:
            self._report(Problem.BUFFER)
            return False
        self._out += text
        return True

    def _write(self, text: str) -> None:
        self._add(Written(text, self.lines[self.at].line, self.marks.tracing))

    def _add(self, written: Written) -> None:
        self.output.append(written)
        self.marks.pass_line()
        if len(self.output) > self._most_output:
            self.log.report(Problem.FAR_TOO_LONG, None, MOST_INSTRUCTIONS)
            raise Refused

    def _evaluate(self) -> tuple[int, bool]:
        limits = self.dialect.limits
        try:
            return evaluate(self._out, self.registers, self.dialect.evaluator, limits.expression_depth)
        except TooDeepError as error:
            self.log.refuse(self.lines[self.at].line, error.reason)

    def _fail(self, problem: Problem, argument: str = "") -> State:
        self._report(problem, argument)
        return State.FAILED

    def _report(self, problem: Problem, argument: str = "") -> None:
        self.log.report(problem, self.lines[self.at].line, argument)
