"""Redcode typed at the debugger, assembled line by line, each as if it stood at its address.

Names, labels that wait for an instruction, registers and a ;trace hold on from one line to the next.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.corewar.expression import Registers
from core.corewar.rules import Rules
from protocols.redcode.assemble import assemble_line, predefined
from protocols.redcode.dialect import Dialect
from protocols.redcode.marks import Marks
from protocols.redcode.messages import Message, Problem, Severity, messages_text
from protocols.redcode.text.tokens import WORD_STARTS, Token, tokens_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What a line came to: its cells, mostly one, several by FOR, None by an error; and complaints.

    `moveable` is what a ;debug says about copies of marks.
    """

    cells: tuple[int, ...] | None
    complaints: str = ""
    traced: bool = False
    moveable: bool | None = None


class LineAssembler:
    """`registers` are the debugger's own, too. `has_failed` tells about the last line that was looked into."""

    def __init__(self, rules: Rules, dialect: Dialect, warriors: int, rounds: int) -> None:
        self.registers = Registers()
        self.dialect = dialect
        self.has_failed = False
        self._marks = Marks()
        self._rules = rules
        self._symbols = predefined(rules, warriors, rounds, dialect.version)
        self._labels = ""

    def assemble(self, text: str, address: int) -> Typed:
        """What is typed at an address, blanks aside not empty."""
        tokens = tokens_of(text)
        first = tokens[0][0]
        if first == ";":
            return self._comment(tokens, text, address)
        if first[0] in WORD_STARTS:
            return self._instruction(text.partition(";")[0], address)
        self.has_failed = True
        return Typed(cells=None, complaints=_text([_message(Problem.TOKEN, first)]))

    def _instruction(self, text: str, address: int) -> Typed:
        cells, messages = assemble_line(
            f"{self._labels}{text}",
            self._rules,
            self.dialect,
            address=address,
            symbols=self._symbols,
            registers=self.registers,
        )
        waiting = [message for message in messages if message.problem is Problem.DISCARDED_LABELS]
        self._labels = "".join(f"{label} " for each in waiting for label in _labels(each))
        messages = tuple(replace(each, source=text) for each in messages if each not in waiting)
        if messages or cells:
            self.has_failed = bool(messages)
        is_wrong = any(message.severity is Severity.ERROR for message in messages)
        return Typed(
            cells=None if is_wrong else cells,
            complaints=_text(messages),
            traced=self._marks.tracing and not self._marks.once,  # a ;break is over before it marks anything
        )

    def _comment(self, tokens: list[Token], text: str, address: int) -> Typed:
        """Only ;debug, ;trace and ;break mean something here."""
        if len(tokens) < 2:
            return Typed(cells=())
        complaint = ""
        if not self._marks.heed(tokens):
            self.has_failed = True
            complaint = _text([replace(_message(Problem.EXTRA_TOKENS, text), line=address, source=text)])
        is_about_copies = tokens[1][0].upper() == "DEBUG" and self._marks.heeded
        return Typed(
            cells=(), complaints=complaint, moveable=self._marks.moveable if is_about_copies else None
        )


def _message(problem: Problem, word: str) -> Message:
    text, _ = problem.value
    return Message(problem=problem, text=text.format(word))


def _labels(message: Message) -> list[str]:
    """The labels that it says are discarded, in the order of the text."""
    return message.text.split("'")[1].split()[::-1]


def _text(messages: Iterable[Message]) -> str:
    """As pMARS shows them at once, without the counts that follow a whole warrior's."""
    return "".join(messages_text([message]).partition("Number of")[0] for message in messages)
