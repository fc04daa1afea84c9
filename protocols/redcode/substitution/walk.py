"""The first pass: names are replaced by what is known of them so far, FOR blocks repeated, labels found.

What comes out is one line of text for each instruction. A walk goes through a line token by token in one
of a few states; a name that stands for text (EQU) walks through that text in the middle of its line.
"""

from protocols.redcode.messages import Problem
from protocols.redcode.substitution.comment import check_assertion, heed_switch
from protocols.redcode.substitution.concatenation import concatenated
from protocols.redcode.substitution.definition import define, define_plain
from protocols.redcode.substitution.plain import write_plain
from protocols.redcode.substitution.progress import LONGEST, Progress, State
from protocols.redcode.substitution.repetition import count_of, repeat
from protocols.redcode.substitution.symbols import Body, Label
from protocols.redcode.text.line import Line
from protocols.redcode.text.tokens import END, OPERATION, ORG, WORD_STARTS, Token


class Careful(Exception):
    """A line that depends on what pMARS left in its buffer: all lines before it must go the long way."""


class Walk:
    """The first pass over one warrior; it is `careful` when no line may go the short way."""

    def __init__(self, progress: Progress, *, careful: bool) -> None:
        self._progress = progress
        self._careful = careful

    def run(self) -> None:
        """Walk through all the lines, up to END."""
        progress = self._progress
        while progress.at < len(progress.lines) and progress.is_running:
            if self._line() is State.ROF:
                progress.report(Problem.UNOPENED_FOR)
            progress.at += 1
        if progress.labels:
            progress.log.report(Problem.DISCARDED_LABELS, None, " ".join(reversed(progress.labels)))

    def _line(self) -> State:
        """Read the line that has its turn, and write what comes of it."""
        progress = self._progress
        line = progress.lines[progress.at]
        if not self._careful and not progress.skipping:
            plain = line.plain()
            if plain:
                if write_plain(progress, plain, line):
                    return State.INSTRUCTION
            elif define_plain(progress, line):
                return State.OPERAND
        progress.text = ""
        state = self._tokens(line.tokens(), 0, State.EMPTY)
        if state is State.INSTRUCTION:
            progress.write_text()
        return state

    def _tokens(self, tokens: list[Token], at: int, state: State) -> State:
        """Go on in a line from one of its tokens."""
        progress = self._progress
        while at < len(tokens):
            progress.effort.step(progress.line)
            token, space = tokens[at]
            at += 1
            if token[0] not in WORD_STARTS:
                if token == ";" and at == 1:
                    if state is State.EMPTY and not progress.skipping:
                        self._comment(tokens)
                    return state
                if progress.skipping:
                    return State.EMPTY
                if state <= State.LABELS:
                    return progress.fail(Problem.TOKEN, token)
                if not progress.append(token):
                    return State.FAILED
                continue
            word = token.upper()
            progress.scratch.write(word)
            if word in ("ROF", "FOR"):
                if progress.skipping:
                    progress.skipping += 1 if word == "FOR" else -1
                    return State.FAILED
                if state > State.LABELS:
                    return progress.fail(Problem.PLACEMENT, token)
                return State.ROF if word == "ROF" else self._repetition(tokens, at)
            if progress.skipping:
                if token == "CURLINE" or word == "EQU" or word in OPERATION:
                    return State.EMPTY
                state = State.EMPTY
                continue
            if token == "CURLINE":
                if state <= State.LABELS:
                    return progress.fail(Problem.CURLINE)
                if not progress.append_number(str(progress.instructions), space):
                    return State.FAILED
                continue
            if word == "EQU" or word in OPERATION:
                if state > State.LABELS:
                    return progress.fail(Problem.PLACEMENT, token)
                return define(progress, tokens, at) if word == "EQU" else self._operation(tokens, at - 1)
            if not space and at < len(tokens) and tokens[at][0] == "&":
                token, space, at = concatenated(progress, token, tokens, at)
            meaning = progress.symbols.get(token)
            if isinstance(meaning, Body):
                if meaning.busy:
                    return progress.fail(Problem.RECURSIVE, token)
                state = self._body(meaning, space, state)
            elif meaning is not None:
                if state <= State.LABELS:
                    return progress.fail(Problem.REDEFINITION, token)
                origin = 0 if state is State.ADDRESS else progress.instructions
                if not progress.append_number(meaning.number(origin), space):
                    return State.FAILED
            elif state <= State.LABELS:
                progress.note_label(token)
                if not space and at < len(tokens) and tokens[at][0] == ":":
                    at += 1
                state = State.LABELS
            elif not progress.append(token + " " if space else token):
                return State.FAILED
        return state

    def _operation(self, tokens: list[Token], at: int) -> State:
        """An instruction, from its operation on. What touches the operation is not looked into."""
        progress = self._progress
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
            progress.scratch.write(text)
        elif text != word:
            if not self._careful:
                raise Careful
            text = progress.scratch.open_write(text)
        if not progress.append(text):
            return State.FAILED
        number = OPERATION[word]
        progress.effort.enter(progress.line)
        state = self._tokens(tokens, at, State.OPERAND if number < ORG else State.ADDRESS)
        progress.effort.leave()
        if state is State.FAILED:
            return state
        if number < ORG:
            progress.complete()
            return State.INSTRUCTION
        progress.define(Label(progress.instructions))
        if number == END:
            progress.is_running = False
        return State.INSTRUCTION

    def _body(self, body: Body, space: str, state: State) -> State:
        """Walk through the text of a name. All lines but the last are written at once."""
        progress = self._progress
        lines, at = progress.lines, progress.at
        progress.effort.enter_text(lines[at])
        body.busy = True
        progress.lines, progress.at = body.lines, 0
        if not body.lines[0].number:  # predefined: pMARS crashes when it finds fault with one
            progress.lines = [Line(lines[at].number, lines[at].text, body.lines[0].rest)]
        while True:
            tokens = progress.line.tokens()
            progress.effort.put(len(tokens), lines[at])
            state = self._tokens(tokens, 0, state)
            if progress.at + 1 >= len(progress.lines) or not progress.is_running:
                break
            if state is State.INSTRUCTION and not progress.skipping:
                progress.write_text()
            progress.at += 1
            progress.text = ""
            state = State.EMPTY
        progress.lines, progress.at = lines, at
        body.busy = False
        progress.effort.leave_text()
        if space and len(progress.text) < LONGEST:
            progress.text += " "
        return state

    def _repetition(self, tokens: list[Token], at: int) -> State:
        """A FOR block; the last label before it names its counter."""
        progress = self._progress
        name = progress.labels.pop() if progress.labels else None
        progress.define(Label(progress.instructions))
        progress.text = ""
        progress.effort.enter(progress.line)
        self._tokens(tokens, at, State.OPERAND)
        count = count_of(progress)
        if count is not None and count <= 0:
            progress.skipping += 1
        elif count is not None:
            repeat(progress, name, count & 0xFFFF, self._line)  # pMARS counts in 16 bits
        progress.effort.leave()
        return State.REPEATED

    def _comment(self, tokens: list[Token]) -> None:
        """;assert, or a word to the debugger."""
        if tokens[1][0].upper() != "ASSERT":
            heed_switch(self._progress, tokens)
            return
        self._tokens(tokens, 2, State.OPERAND)
        check_assertion(self._progress)
