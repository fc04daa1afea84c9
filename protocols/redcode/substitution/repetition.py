"""FOR: a block of lines, written once for each number from 1 to the value of an expression."""

from collections.abc import Callable

from core.corewar.assembler import Counter
from core.corewar.expression import DivisionByZeroError, ExpressionError
from protocols.redcode.messages import Problem
from protocols.redcode.substitution.progress import Progress, State


def count_of(progress: Progress) -> int | None:
    """How often, from the text that has been written; None when it has no value."""
    try:
        count, overflow = progress.value()
    except ExpressionError as error:
        zero = isinstance(error, DivisionByZeroError)
        progress.report(Problem.DIVISION_BY_ZERO if zero else Problem.BAD_EXPRESSION)
        return None
    if overflow:
        progress.report(Problem.OVERFLOW)
    return count


def repeat(progress: Progress, name: str | None, count: int, read_line: Callable[[], State]) -> None:
    """Read the lines up to the ROF so often; a name stands for the number of the time."""
    hidden = progress.symbols.get(name) if name else None
    if name:
        progress.symbols.define(name, Counter(0))
    first = progress.at
    for number in range(1, count + 1):
        if not progress.is_running:
            break
        if name:
            progress.symbols.define(name, Counter(number))
        progress.at = first
        _read_block(progress, read_line)
    if name and hidden:
        progress.symbols.define(name, hidden)
    elif name:
        progress.symbols.forget(name)


def _read_block(progress: Progress, read_line: Callable[[], State]) -> None:
    lines, step = progress.lines, progress.effort.step
    last = len(lines) - 1
    while progress.is_running:
        step(lines[progress.at])
        if progress.at >= last:
            progress.log.report(Problem.UNCLOSED_ROF, None)
            progress.is_running = False
            return
        progress.at += 1
        if not progress.skipping and lines[progress.at].first_word() == "ROF":
            progress.text = ""
            progress.scratch.write("ROF")
            return
        if read_line() is State.ROF:
            return
