"""Which Redcode is spoken: '88 or '94, as pMARS 0.9.2 reads it or mended, and how much of it at most."""

from dataclasses import dataclass, field
from typing import Final

from core.corewar.expression import Evaluator

VERSION: Final = 92  # of pMARS, 0.9.2
MOST_INSTRUCTIONS: Final = 1000  # a fixed limit of pMARS, whatever the rules say


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much work one text may ask for; beyond it the answer is an error, within a second.

    pMARS has none of these: nested FORs keep it busy for years, and deep parentheses abort it.
    """

    characters: int = 65_536
    expression_depth: int = 64  # of parentheses and assignments
    equ_depth: int = 32
    nesting: int = 50  # of EQUs, FORs and operations within one another
    equ_tokens: int = 10_000  # put in the place of names, in the whole text
    for_output: int = 10  # lines that FORs may write, in multiples of the longest warrior
    labels: int = 1_000
    steps: int = 100_000  # tokens read and lines repeated, in the whole text


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a text is read.

    `evaluator` "0.9.2" gives pMARS's values to the bit, its wrong ones included (8-2*3-1 is 3, a+b*c==d is
    an error); "sane" gives C's. `friendly` takes a no-break space, as text copied from a web page has them,
    for a space. `debugger` heeds the comments ;debug, ;trace and ;break, as a pMARS with a debugger does.
    `version` is what VERSION stands for; from 94 on a backslash at the end of a comment is part of it.
    """

    icws88: bool = False
    evaluator: Evaluator = "0.9.2"
    friendly: bool = False
    debugger: bool = False
    version: int = VERSION
    limits: Limits = field(default_factory=Limits)
