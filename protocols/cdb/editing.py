"""Redcode typed at the debugger, and patterns to search for.

A line is assembled as if it stood at its address; names and registers that it defines are known to later ones.
"""

from core.corewar.rules import Rules
from protocols.cdb.command import BLANKS
from protocols.redcode.assemble import assemble_line, predefined
from protocols.redcode.dialect import Dialect
from protocols.redcode.expression import Registers
from protocols.redcode.messages import Message, Problem, Severity, messages_text


class LineAssembler:
    """`registers` are the debugger's own, too."""

    def __init__(self, rules: Rules, dialect: Dialect, warriors: int, rounds: int) -> None:
        self.registers = Registers()
        self.dialect = dialect
        self._rules = rules
        self._symbols = predefined(rules, warriors, rounds)

    def assemble(self, text: str, address: int) -> tuple[list[int] | None, str]:
        """(the cells of a line, mostly one, several by FOR, None by an error; complaints)."""
        cells, messages = assemble_line(
            text,
            self._rules,
            self.dialect,
            address=address,
            symbols=self._symbols,
            registers=self.registers,
        )
        complaints = "".join(
            message_text(message) for message in messages if message.problem is not Problem.DISCARDED_LABELS
        )
        is_wrong = any(message.severity is Severity.ERROR for message in messages)
        return (None if is_wrong else list(cells)), complaints


def message_text(message: Message) -> str:
    """As pMARS shows it at once, without the counts that follow a whole warrior's."""
    return messages_text([message]).partition("Number of")[0]


def matches(pattern: str, text: str) -> bool:
    """Whether a text contains a pattern: `?` is any character, `*` any number of them, blanks do not count.

    As pMARS compares them: a part that fails in the middle is begun anew there, not one character after its start.
    """
    pattern = "".join(letter for letter in pattern if letter not in BLANKS)
    letters = [letter for letter in text if letter not in BLANKS]
    at = 0
    for part in pattern.split("*"):
        matched = 0
        while matched < len(part):
            if at < len(letters) and part[matched] in (letters[at], "?"):
                matched += 1
            elif at == len(letters):
                return False
            else:
                matched = 0
            at += 1
    return True
