"""What the names in a text stand for: a number of an instruction, a count of repetitions, or text."""

from dataclasses import dataclass

from core.corewar.assembler import Counter, Names
from protocols.redcode.text.line import Line


@dataclass(slots=True)
class Label:
    """The number of an instruction."""

    value: int

    def number(self, instruction: int) -> str:
        """The way to it from another instruction."""
        return str(self.value - instruction)

    @property
    def plain(self) -> int:
        return self.value


@dataclass(slots=True)
class Body:
    """A text of one line or more; `plain` if it is only arithmetic; `busy` while put in the place of its name."""

    lines: list[Line]
    plain: str | None = None
    busy: bool = False


Meaning = Label | Counter | Body


class Symbols:
    """The names of a text; `plain` says the same, as far as plain lines need it."""

    def __init__(self) -> None:
        self._meanings: dict[str, Meaning] = {}
        self.plain: Names = {}

    def __len__(self) -> int:
        return len(self._meanings)

    def __contains__(self, name: str) -> bool:
        return name in self._meanings

    def get(self, name: str) -> Meaning | None:
        return self._meanings.get(name)

    def define(self, name: str, meaning: Meaning) -> None:
        self._meanings[name] = meaning
        self.plain[name] = meaning if isinstance(meaning, Counter) else meaning.plain

    def forget(self, name: str) -> None:
        del self._meanings[name], self.plain[name]

    def copy(self) -> "Symbols":
        copy = Symbols()
        copy._meanings.update(self._meanings)
        copy.plain.update(self.plain)
        return copy
