"""EQU: a text that is put in the place of a name; EQUs that follow at once are more lines of it."""

import re
from typing import Final

from core.corewar.assembler import is_plain_arithmetic, is_reserved
from protocols.redcode.messages import Problem
from protocols.redcode.substitution.comment import heed_switch
from protocols.redcode.substitution.progress import Progress, State
from protocols.redcode.substitution.symbols import Body
from protocols.redcode.text.line import Line
from protocols.redcode.text.tokens import Token, text_of

NAMED: Final = re.compile(
    r"\s*([A-Za-z_]\w*)(?::\s*|\s+)equ(?!\w)\s*(.*)", re.ASCII | re.IGNORECASE | re.DOTALL
)


def define_plain(progress: Progress, line: Line) -> bool:
    """The short way for a line with one new name; False, and nothing done, when it is none."""
    found = NAMED.fullmatch(line.rest)
    if not found or is_reserved(found[1]) or found[1] in progress.symbols or progress.labels:
        return False
    progress.effort.step(line)
    progress.labels.append(found[1])
    _take_body(progress, found[2])
    return True


def define(progress: Progress, tokens: list[Token], at: int) -> State:
    """The labels so far stand for the rest of the line, from a token on, and for the EQUs below."""
    if not progress.labels:
        progress.report(Problem.UNDEFINED_APPEND)
        return State.OPERAND
    _take_body(progress, text_of(tokens[at:]))
    return State.OPERAND


def _take_body(progress: Progress, text: str) -> None:
    body = Body([Line(progress.line.number, progress.line.text, text)])
    while progress.at + 1 < len(progress.lines):
        line = progress.lines[progress.at + 1]
        word = line.first_word()
        if word == "EQU":
            body.lines.append(Line(line.number, line.text, text_of(line.tokens()[1:])))
        elif word != ";" or not progress.dialect.debugger:
            break
        progress.at += 1
        if word == ";":
            heed_switch(progress, line.tokens())
    if len(body.lines) == 1:
        text = text.rstrip()
        body.plain = text if is_plain_arithmetic(text) else None
    progress.define(body)
