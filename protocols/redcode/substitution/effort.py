"""How much work a text has asked for, and the end of patience."""

from protocols.redcode.dialect import Limits
from protocols.redcode.messages import MessageLog
from protocols.redcode.text.line import Line


class Effort:
    """What is left of the limits of one text; where nothing is, an error is noted and Refused raised."""

    def __init__(self, limits: Limits, log: MessageLog) -> None:
        self._limits = limits
        self._log = log
        self._steps = limits.steps
        self._equ_tokens = limits.equ_tokens
        self._equ_depth = 0
        self._nesting = 0

    def step(self, line: Line) -> None:
        """One token read, or one line repeated."""
        self._steps -= 1
        if self._steps < 0:
            self._log.refuse(line, "too much to repeat")

    def enter(self, line: Line) -> None:
        """Into a block, an operation or a text."""
        self._nesting += 1
        if self._nesting > self._limits.nesting:
            self._log.refuse(line, "too many blocks within one another")

    def leave(self) -> None:
        self._nesting -= 1

    def enter_text(self, line: Line) -> None:
        """Into the text of an EQU."""
        self._equ_depth += 1
        if self._equ_depth > self._limits.equ_depth:
            self._log.refuse(line, "too many EQUs within one another")
        self.enter(line)

    def leave_text(self) -> None:
        self._equ_depth -= 1
        self.leave()

    def put(self, tokens: int, line: Line) -> None:
        """So many tokens in the place of a name."""
        self._equ_tokens -= tokens
        if self._equ_tokens < 0:
            self._log.refuse(line, "too much text from EQUs")

    def know(self, names: int, line: Line) -> None:
        """So many names in all."""
        if names > self._limits.labels:
            self._log.refuse(line, "too many labels")
