"""The dialects of Redcode, '88 or '94, as a version of pMARS reads them or corrected, and the limits of a text."""

from typing import Final, Literal, final

VERSION: Final = 92  # pMARS 0.9.2
VERSION_094: Final = 94  # pMARS 0.9.4, the first version that reads texts differently
MAX_INSTRUCTIONS: Final = 1000  # a fixed limit of pMARS, whatever the rules say

Evaluator = Literal["0.9.2", "0.9.4", "sane"]


@final
class Limits:
    """The limits of the work for one text; a text that needs more is refused within a second.

    Steps are tokens read and lines repeated. An instruction has at most 255 characters after substitution, so 1,000
    steps and 7 labels for each instruction that a warrior may have are more than an honest text needs. The steps and
    labels of the whole text are added to these, for all else that it computes. Memory grows with steps and labels
    alone. A chain of EQUs that each add a character becomes too long for a line before it has 256 of them. pMARS has
    none of these limits: nested FORs keep it busy for years, and deep parentheses abort it.
    """

    def __init__(
        self,
        *,
        characters: int = 65_536,
        expression_depth: int = 64,  # of parentheses and assignments
        equ_depth: int = 256,
        nesting: int = 300,  # of EQUs, FORs and operations within one another
        for_output: int = 10,  # lines that FORs may write, in multiples of the longest warrior
        labels: int = 1_000,  # of the whole text, in addition to those of its instructions
        labels_of_instruction: int = 7,
        steps: int = 100_000,  # of the whole text, in addition to those of its instructions
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
    """The options by which the assembler reads a text.

    `evaluator` "0.9.2" gives the values of pMARS 0.9.2 exactly, including wrong ones (8-2*3-1 is 3, a+b*c==d is an
    error); "0.9.4" gives those of 0.9.4 and 0.9.5 (8-2*3-1 is 1, a+b*c==d is an error); "sane" gives those of C. With
    `friendly` a no-break space, which text copied from web pages contains, is read as a space. With `debugger` the
    comments ;debug, ;trace and ;break are obeyed, as by a pMARS with a debugger. `version` is the value of the name
    VERSION; from 94 on a backslash at the end of a comment is part of the comment, a line has up to 7,999 characters,
    and READLIMIT and WRITELIMIT are predefined.
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
