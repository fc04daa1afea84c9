"""Redcode typed at the debugger, assembled line by line, each as if it stood at its address.

Names, labels that wait for an instruction, registers and a ;trace hold on from one line to the next.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from core.corewar.assembler import assemble_line
from core.corewar.diagnostics import Message, Problem
from core.corewar.dialect import Dialect
from core.corewar.expression import Registers
from core.corewar.lexer import NO_WORD, SEMICOLON, Token, tokens_of
from core.corewar.preprocessor import Marks, predefined
from core.corewar.rules import Rules
from protocols.redcode.messages import messages_text


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
        first = tokens[0]
        if first.first == SEMICOLON:
            return self._comment(tokens, text, address)
        if first.word != NO_WORD:
            return self._instruction(text.partition(";")[0], address)
        self.has_failed = True
        return Typed(cells=None, complaints=_text([Message(Problem.TOKEN, first.text)]))

    def _instruction(self, text: str, address: int) -> Typed:
        cells, messages = assemble_line(
            f"{self._labels}{text}",
            self._rules,
            self.dialect,
            address=address,
            symbols=self._symbols,
            registers=self.registers,
        )
        self._labels = ""
        complaints: list[Message] = []
        for message in messages:
            if message.problem is Problem.DISCARDED_LABELS:  # they name the next instruction
                self._labels = "".join(f"{label} " for label in reversed(message.argument.split()))
            else:
                complaints.append(
                    Message(message.problem, message.argument, message.line, message.column, text)
                )
        if complaints or cells:
            self.has_failed = bool(complaints)
        is_wrong = any(message.is_error for message in complaints)
        return Typed(
            cells=None if is_wrong else cells,
            complaints=_text(complaints),
            traced=self._marks.tracing and not self._marks.once,  # a ;break is over before it marks anything
        )

    def _comment(self, tokens: list[Token], text: str, address: int) -> Typed:
        """Only ;debug, ;trace and ;break mean something here."""
        if len(tokens) < 2:
            return Typed(cells=())
        complaint = ""
        if not self._marks.obey(tokens):
            self.has_failed = True
            complaint = _text([Message(Problem.EXTRA_TOKENS, text, address, source=text)])
        is_about_copies = tokens[1].text.upper() == "DEBUG" and self._marks.enabled
        return Typed(
            cells=(), complaints=complaint, moveable=self._marks.moveable if is_about_copies else None
        )


def _text(messages: Iterable[Message]) -> str:
    """As pMARS shows them at once, without the counts that follow a whole warrior's."""
    return "".join(messages_text([message]).partition("Number of")[0] for message in messages)
