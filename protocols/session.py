"""A conversation with a GUI without its input and output: text lines in, events and text lines out.

A Session knows a protocol and the game so far; it has no clock, no socket and never waits. What has
to be done it says as events, which protocols/serve.py carries out:

    receive(line) -> events       report(thought) -> lines       answer(thought) -> events
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from core.game import State
from engines.engine import Info, Limit, Option


class ProtocolError(ValueError):
    """A line that cannot be obeyed; the text is the answer that the protocol has for it."""


@dataclass(frozen=True, slots=True)
class Send:
    """Say this line."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Begin to think; thoughts go to report(), the last one to answer()."""

    state: State
    limit: Limit


@dataclass(frozen=True, slots=True)
class MoveNow:
    """End the thinking; answer() gets its last thought."""


@dataclass(frozen=True, slots=True)
class Discard:
    """End the thinking; nobody wants its outcome."""


@dataclass(frozen=True, slots=True)
class Configure:
    """Set an option of the engine."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """Let the engine forget the last game."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The conversation is over."""


Event = Send | Think | MoveNow | Discard | Configure | NewGame | Quit


class Session(ABC):
    """One conversation. Not even the strangest line makes it raise anything but ProtocolError."""

    def __init__(self, name: str, author: str, options: tuple[Option, ...]) -> None:
        self.name = name
        self.author = author
        self.options = options

    @abstractmethod
    def receive(self, line: str) -> Iterator[Event]:
        """Obey one line, given without its line break. ProtocolError carries the answer to a bad one;
        events before it stand."""

    @abstractmethod
    def report(self, thought: Info) -> Iterator[str]:
        """What to say of a thought while thinking goes on."""

    @abstractmethod
    def answer(self, thought: Info) -> Iterator[Event]:
        """Thinking has ended, by itself or by MoveNow, with this thought."""

    @abstractmethod
    def complain(self, problem: str) -> str:
        """The line that tells the user of a problem which is nobody's protocol error."""
