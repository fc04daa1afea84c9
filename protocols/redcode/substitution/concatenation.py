"""`name&counter`: a name that goes on with the digits of a FOR block's counter."""

from core.corewar.assembler import Counter
from protocols.redcode.messages import Problem
from protocols.redcode.substitution.progress import LONGEST, Progress
from protocols.redcode.text.tokens import LETTERS, Token


def concatenated(progress: Progress, name: str, tokens: list[Token], at: int) -> tuple[str, str, int]:
    """The whole name, the space behind it, and the next token; at `at` the first & is expected."""
    space = ""
    while not space:
        if not _joins(tokens, at):
            return name, space, at
        counter, space = tokens[at + 1]
        at += 2
        progress.scratch.write(counter)
        meaning = progress.symbols.get(counter)
        if not isinstance(meaning, Counter):
            progress.report(Problem.CONCATENATION, counter)
            break
        progress.scratch.write(meaning.digits)
        if len(name) + len(meaning.digits) > LONGEST:
            progress.report(Problem.BUFFER)
        else:
            name += meaning.digits
    else:
        return name, space, at
    if not space and _joins(tokens, at):  # pMARS swallows one more behind a wrong one
        progress.scratch.write(tokens[at + 1][0])
        return name, tokens[at + 1][1], at + 2
    return name, space, at


def _joins(tokens: list[Token], at: int) -> bool:
    return at + 1 < len(tokens) and tokens[at] == ("&", "") and tokens[at + 1][0][0] in LETTERS
