"""A person at the terminal as a client of the JSON lines, whose server is in the same process.

JsonlClient has the loop of a game. Each game's subclass prints its messages and reads its actions.
"""

import os
import select
import sys
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, ClassVar, Final

from rich.console import Console, RenderableType

from engines.storage import hold
from protocols.jsonl.local import LocalClient, Message, Refused, local_clients
from protocols.stdio import INPUT
from tools.cli import CommandError
from tools.games import game_adapters

WIDTH: Final = 79
LINE_BYTES: Final = 65_536

ReadLine = Callable[[], bytes]  # returns the next line; empty at the end of input


class Quit(Exception):
    """The person at the keyboard leaves the game."""


class JsonlClient(ABC):
    """One game of a person, who takes the first seat of a new game."""

    GAME: ClassVar[str]

    def __init__(self, connection: LocalClient, read_line: ReadLine, console: Console, *, echo: bool) -> None:
        """Create the client; `echo` prints each line that is read, for input that is not typed."""
        self.console: Final = console
        self.name = ""  # of the person
        self.rules: dict[str, Any] = {}  # from `describe`
        self._connection = connection
        self._read_line = read_line
        self._echo = echo
        self._game_id = ""

    def play(self, name: str, variant: str, opponents: Sequence[str], **terms: Any) -> Message | None:
        """Play a new game and return its `end` message, or None if the person leaves the game.

        Raises Refused if there is no such game.
        """
        self.name = name
        self._connection.say(type="hello", versions=[1], name=name, say=True)
        (description,) = self._connection.say(type="describe", game=self.GAME, variant=variant)
        self.rules = description["rules"]
        wanted = {
            "type": "create",
            "game": self.GAME,
            "variant": variant,
            "seats": ["me", *opponents],
            **terms,
        }
        try:
            last = self._show(self.create(wanted))
            while last["type"] == "decide":
                last = self._show(self.decide(last))
            return last
        except Quit:
            self.print("The game is left unfinished.")
            return None

    def record(self) -> list[str]:
        """Return the lines of the game so far; none before the game starts."""
        return self._connection.record(self._game_id) if self._game_id else []

    # -- Methods of each game -----------------------------------------------------------------------

    def create(self, wanted: Message) -> list[Message]:
        """Create the game and return its first messages."""
        return self._connection.say(**wanted)

    @abstractmethod
    def start(self, start: Message) -> None:
        """Handle the start of the game."""

    @abstractmethod
    def event(self, event: Message) -> None:
        """Handle an event."""

    @abstractmethod
    def decide(self, decide: Message) -> list[Message]:
        """Ask until the person acts, and return the messages that follow. Raises Quit if the person leaves."""

    @abstractmethod
    def end(self, end: Message) -> None:
        """Handle the end of the game."""

    def review(self) -> None:
        """Answer questions of the person after the end. Raises Quit if the person leaves."""
        return

    # -- Requests; Refused is raised if the server refuses one -----------------------------------------

    def request(self, kind: str, **fields: Any) -> list[Message]:
        """Return the messages that answer a request about this game."""
        return self._connection.say(type=kind, game_id=self._game_id, **fields)

    def act(self, decide: Message, action: Message) -> list[Message]:
        return self.request("action", re=decide["id"], seq=decide["seq"], action=action)

    def check(self, decide: Message, action: Message) -> Message:
        """Return the `checked` message on an action, without playing the action."""
        (checked,) = self.request("check", re=decide["id"], action=action)
        return checked

    def resign(self) -> list[Message]:
        _, *messages = self.request("resign")
        return messages

    # -- Input and output ----------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """Return the next line, with single blanks between its words. Raises Quit at the end of input."""
        self.console.print(f"{prompt}> ", end="", markup=False, highlight=False, soft_wrap=True)
        self.console.file.flush()
        line = self._read_line()
        text = " ".join(line.decode("utf-8", "replace").split())
        if self._echo or not line:
            self.print(text)
        if not line:
            raise Quit
        return text

    def print(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def print_wrapped(self, text: str) -> None:
        """Print a paragraph; the first line keeps its indentation, the other lines have two blanks more."""
        lead = " " * (len(text) - len(text.lstrip()))
        self.print(textwrap.fill(text.strip(), WIDTH, initial_indent=lead, subsequent_indent=f"{lead}  "))

    def print_commands(self, commands: Mapping[str, str], width: int) -> None:
        for name, meaning in commands.items():
            self.print(f"  {name:{width}} {meaning}")

    def print_picture(self, picture: RenderableType) -> None:
        """Print a picture between empty lines."""
        self.console.print()
        self.console.print(picture, soft_wrap=True, highlight=False)
        self.console.print()

    def _show(self, messages: Sequence[Message]) -> Message:
        """Show the events, and return the `decide` or `end` message that follows them."""
        for message in messages:
            match message["type"]:
                case "start":
                    self._game_id = message["game_id"]
                    self.start(message)
                case "event":
                    self.event(message)
                case "decide":
                    return message
                case "end":
                    self.end(message)
                    return message
        raise AssertionError("the server sent neither a decision nor the end")


def read_line() -> bytes:
    """Return the next line of standard input, at most LINE_BYTES; a part of a line at the end of input.

    A closed terminal is an end of input. Nothing is read ahead, because other code reads single keys.
    """
    line = bytearray()
    while not line.endswith(b"\n") and len(line) < LINE_BYTES:
        try:
            byte = os.read(INPUT, 1)
        except BlockingIOError:  # another process has made the shared descriptor non-blocking
            select.select([INPUT], [], [])
            continue
        except OSError:
            break
        if not byte:
            break
        line += byte
    return bytes(line)


def play_here(
    client_of: Callable[..., JsonlClient],
    record: Path | None,
    name: str,
    variant: str,
    opponents: Sequence[str],
    *,
    profiles: Path | None = None,
    **terms: Any,
) -> int:
    """Play a game at this terminal, write its `record`, also of an unfinished game, and return the exit status.

    Raises CommandError if the game is refused, or a file cannot be written.
    """
    console = Console(width=None if sys.stdout.isatty() else 100)
    with ExitStack() as stack:
        if profiles:
            try:
                profiles.mkdir(parents=True, exist_ok=True)
                stack.enter_context(hold(profiles))
            except OSError as error:
                raise CommandError(error) from None
        (connection,) = local_clients(game_adapters(profiles))
        client = client_of(connection, read_line, console, echo=not os.isatty(0))
        try:
            if record:
                record.open("a", encoding="utf-8").close()  # fails before the game if it cannot be written
                if record.stat().st_size:
                    raise CommandError(f"{record} is not empty; name a new file for this game")
            try:
                end = client.play(name, variant, opponents, **terms)
            finally:  # also if the game is unfinished
                if record:
                    record.write_text("".join(f"{line}\n" for line in client.record()), encoding="utf-8")
            if end:
                with suppress(Quit):
                    client.review()
        except Refused as error:
            raise CommandError(error) from None
        except OSError as error:
            raise CommandError(f"cannot write {record}: {error.strerror}") from None
        except KeyboardInterrupt:
            print("\nThe game is left unfinished.")
            raise
    return 0
