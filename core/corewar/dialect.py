"""Which Redcode is read: '88 or '94, as a version of pMARS reads it or corrected, and how much of it at most."""

from typing import Final, Literal, final

VERSION: Final = 92  # of pMARS, 0.9.2
LATER: Final = 94  # the first version of pMARS that reads otherwise
MOST_INSTRUCTIONS: Final = 1000  # a fixed limit of pMARS, whatever the rules say

Evaluator = Literal["0.9.2", "0.9.4", "sane"]


@final
class Limits:
    """How much work one text may ask for; a text that asks for more is refused within a second.

    Steps are tokens read and lines repeated. An instruction has at most 255 characters after substitution, so
    1,000 steps and 7 labels for each instruction that a warrior may have are more than an honest text needs;
    those of the whole text are added for what it computes on the way. Memory grows with steps and labels alone.
    A chain of EQUs that add a character each is too long for a line before it has 256 of them.
    pMARS has none of these limits: nested FORs keep it busy for years, and deep parentheses abort it.
    """

    def __init__(
        self,
        *,
        characters: int = 65_536,
        expression_depth: int = 64,  # of parentheses and assignments
        equ_depth: int = 256,
        nesting: int = 300,  # of EQUs, FORs and operations within one another
        for_output: int = 10,  # lines that FORs may write, in multiples of the longest warrior
        labels: int = 1_000,  # of the whole text, and
        labels_of_instruction: int = 7,
        steps: int = 100_000,  # of the whole text, and
        steps_of_instruction: int = 1_000,
    ) -> None:
        self.characters: Final = characters
        self.expression_depth: Final = expression_depth
        self.equ_depth: Final = equ_depth
        self.nesting: Final = nesting
        self.for_output: Final = for_output
        self.labels: Final = labels
        self.labels_of_instruction: Final = labels_of_instruction
        self.steps: Final = steps
        self.steps_of_instruction: Final = steps_of_instruction


@final
class Dialect:
    """How a text is read.

    `evaluator` "0.9.2" gives pMARS's values to the bit, its wrong ones included (8-2*3-1 is 3, a+b*c==d is
    an error); "0.9.4" those of 0.9.4 and 0.9.5 (8-2*3-1 is 1, a+b*c==d is an error); "sane" gives C's. `friendly` reads a no-break space, as text copied from a web page has them,
    as a space. `debugger` obeys the comments ;debug, ;trace and ;break, as a pMARS with a debugger does.
    `version` is the value of VERSION; from 94 on a backslash at the end of a comment is part of it, a line has up
    to 7,999 characters, and READLIMIT and WRITELIMIT are predefined.
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
