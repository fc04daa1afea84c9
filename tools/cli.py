"""Common parts of the commands: exit statuses, parser, error, types of arguments, progress bar.

A command raises CommandError for everything that its user can correct; `tools.__main__.main` prints the error once.
"""

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from engines.names import near
from engines.storage import InUseError, near_file

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from rich.progress import Progress

FAILED: Final = 1  # a failure during the command
USAGE: Final = 2  # wrong arguments, or files with wrong content
INTERRUPTED: Final = 130  # by Ctrl-C, as in shells
CHOICE: Final = ("invalid choice: '", "' (choose from ")  # argparse's words around a wrong choice

P = TypeVar("P", bound=ArgumentParser)


class Parser(ArgumentParser):
    """An ArgumentParser whose errors suggest options and choices similar to the wrong one."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Namespace, list[str]]:
        """Refuse unknown options here, where the command is known, so that the error can suggest its options."""
        found, extras = super().parse_known_args(args, namespace)
        strange = next((word for word in extras if word.startswith("-")), None)
        if strange is not None:
            name, options = strange.partition("=")[0], list(self._option_string_actions)
            longer = [option for option in options if option.startswith("--")]
            self.error(f"no option is called {name[:40]}; {near(name, longer, f'`{self.prog} --help`')}")
        return found, extras

    def error(self, message: str) -> NoReturn:
        """End with argparse's usage and message, and with choices similar to a wrong one."""
        argument, is_choice, rest = message.partition(CHOICE[0])
        if is_choice:
            typed, _, choices = rest.rpartition(CHOICE[1])
            advice = near(typed, re.findall(r"[^\s',)]+", choices), f"`{self.prog} --help`")
            message = f"{argument}invalid choice: {typed[:40]!r}; {advice}"
        super().error(message)


def add_verb(verbs: "_SubParsersAction[P]", name: str, summary: str) -> P:
    """Add a command and return its parser; `summary` is its line in the list of commands, and heads its own help."""
    description = f"{summary[0].upper()}{summary[1:]}."
    return verbs.add_parser(name, help=summary, description=description)


class CommandError(Exception):
    """An error that ends the command; the message goes to standard error after `galapagos COMMAND:`."""

    def __init__(self, message: str | Exception, status: int | None = None) -> None:
        super().__init__(message if isinstance(message, str) else sentence(message))
        is_in_use = isinstance(message, InUseError)
        self.status: Final = (FAILED if is_in_use else USAGE) if status is None else status


def print_notes(command: str, notes: Iterable[str]) -> None:
    """Print notes on standard error about arguments that a command has dropped or changed."""
    for note in notes:
        print(f"galapagos {command}: {note}", file=sys.stderr)


def check_writable(path: Path) -> None:
    """Raise OSError if no file can be written at `path`; no new file remains."""
    is_new = not path.exists()
    path.open("ab").close()
    if is_new:
        path.unlink()


def sentence(error: Exception) -> str:
    """Return the message of an error, that of an OSError as `FILE: No such file or directory`, without the number."""
    if isinstance(error, OSError) and error.strerror:
        if error.filename is None:
            return error.strerror
        advice = near_file(Path(error.filename)) if isinstance(error, FileNotFoundError) else ""
        return f"{error.filename}: {error.strerror}{advice}"
    return str(error)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, such as `1 file` or `2,000 files`; the default plural ends in s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def positive_int(text: str) -> int:
    """Convert a whole number of 1 or more that fits SQLite's integers; an argparse type."""
    if not (_is_natural(text) and int(text)):
        raise ArgumentTypeError(f"must be a whole number above 0, not {text[:20]!r}")
    return int(text)


def natural_int(text: str) -> int:
    """Convert a whole number of 0 or more that fits SQLite's integers; an argparse type."""
    if not _is_natural(text):
        raise ArgumentTypeError(f"must be a whole number of 0 or more, not {text[:20]!r}")
    return int(text)


def seed_int(text: str) -> int:
    """Convert a seed from 0 to 2**64 - 1; an argparse type."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) < 1 << 64):
        raise ArgumentTypeError(f"a seed is a whole number from 0 to 2**64 - 1, not {text[:20]!r}")
    return int(text)


def seconds_float(text: str) -> float:
    """Convert a finite number of seconds, 0 or more; an argparse type."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = nan
    if not (isfinite(seconds) and seconds >= 0):
        raise ArgumentTypeError(f"seconds are a number of 0 or more, not {text[:20]!r}")
    return seconds


def progress_bar() -> "Progress":
    """Return a progress bar on standard error, with count, description and remaining time; in a pipe it is lines."""
    from tools.progress import progress_display  # late: only long commands need rich

    return progress_display()


def _is_natural(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
