"""Which Redcode is read: '88 or '94, as pMARS 0.9.2 reads it or corrected, and how much of it at most."""

from typing import Final, Literal, final

VERSION: Final = 92  # of pMARS, 0.9.2
MOST_INSTRUCTIONS: Final = 1000  # a fixed limit of pMARS, whatever the rules say

Evaluator = Literal["0.9.2", "sane"]


@final
class Limits:
    """How much work one text may ask for; beyond it the answer is an error, within a second.

    pMARS has none of these: nested FORs keep it busy for years, and deep parentheses abort it.
    """

    def __init__(
        self,
        *,
        characters: int = 65_536,
        expression_depth: int = 64,  # of parentheses and assignments
        equ_depth: int = 32,
        nesting: int = 50,  # of EQUs, FORs and operations within one another
        equ_tokens: int = 10_000,  # put in the place of names, in the whole text
        for_output: int = 10,  # lines that FORs may write, in multiples of the longest warrior
        labels: int = 1_000,
        steps: int = 100_000,  # tokens read and lines repeated, in the whole text
    ) -> None:
        self.characters: Final = characters
        self.expression_depth: Final = expression_depth
        self.equ_depth: Final = equ_depth
        self.nesting: Final = nesting
        self.equ_tokens: Final = equ_tokens
        self.for_output: Final = for_output
        self.labels: Final = labels
        self.steps: Final = steps


@final
class Dialect:
    """How a text is read.

    `evaluator` "0.9.2" gives pMARS's values to the bit, its wrong ones included (8-2*3-1 is 3, a+b*c==d is
    an error); "sane" gives C's. `friendly` reads a no-break space, as text copied from a web page has them,
    as a space. `debugger` obeys the comments ;debug, ;trace and ;break, as a pMARS with a debugger does.
    `version` is the value of VERSION; from 94 on a backslash at the end of a comment is part of it.
    """

    def __init__(
        self,
        *,
        icws88: bool = False,
        evaluator: Evaluator = "0.9.2",
        friendly: bool = False,
        debugger: bool = False,
        version: int = VERSION,
        limits: Limits | None = None,
    ) -> None:
        self.icws88: Final = icws88
        self.evaluator: Final[Evaluator] = evaluator
        self.friendly: Final = friendly
        self.debugger: Final = debugger
        self.version: Final = version
        self.limits: Final = limits or Limits()
