"""The short way through the first pass, for plain lines; most lines are."""

from core.corewar.assembler import NOT_PLAIN, PlainLine
from core.corewar.instruction import a_mode_of, b_mode_of
from protocols.redcode.encoding.icws88 import complaints, is_mode_94
from protocols.redcode.substitution.progress import MOST_LABELS, Progress, Written
from protocols.redcode.text.line import Line


def write_plain(progress: Progress, plain: PlainLine, line: Line) -> bool:
    """Write a plain line; False, and nothing done, when it is not so plain after all."""
    progress.effort.step(line)
    encoder = progress.encoder
    if label := plain.label:
        label = encoder.concatenated(label) or ""
        if not label or label in progress.symbols or len(progress.labels) >= MOST_LABELS:
            return False
    if progress.dialect.icws88 and not is_88(plain):
        return False
    written: Written | int
    written = cell = encoder.cell(plain, progress.instructions)
    if cell == NOT_PLAIN:
        return False
    if cell < 0 or progress.marks.tracing:
        partly = encoder.partly(plain)
        written = Written("", line, progress.marks.tracing, partly)
    if label:
        progress.labels.append(label)
    progress.complete()
    progress.write(written)
    return True


def is_88(plain: PlainLine) -> bool:
    """Whether ICWS'88 has such an instruction."""
    modes = (a_mode_of(plain.code), b_mode_of(plain.code))
    if any(is_mode_94(mode) for mode in modes):
        return False
    return not any(complaints(plain.operation, plain.modifier, *modes))
