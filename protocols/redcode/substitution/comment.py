"""Comments that mean something: ;assert, and ;debug, ;trace and ;break to a debugger."""

from core.corewar.expression import ExpressionError
from protocols.redcode.messages import Problem
from protocols.redcode.substitution.progress import Progress
from protocols.redcode.text.tokens import Token


def check_assertion(progress: Progress) -> None:
    """The text of an ;assert has been written: it must not be 0."""
    try:
        value, overflow = progress.value()
    except ExpressionError:
        progress.report(Problem.BAD_ASSERT)
        return
    if overflow:
        progress.report(Problem.OVERFLOW)
    progress.is_asserted = True
    if not value:
        progress.report(Problem.ASSERTION)


def heed_switch(progress: Progress, tokens: list[Token]) -> None:
    """A word to the debugger."""
    if not progress.marks.heed(tokens):
        progress.report(Problem.EXTRA_TOKENS, progress.line.text)
