"""What the commands share: exit statuses, the error that ends a command, numbers of the command line, a progress bar.

A command raises CommandError for everything that its user can put right; `tools.__main__.main` prints it once.
"""

import sys
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress

FAILED: Final = 1  # something failed on the way
USAGE: Final = 2  # wrong arguments, or files that are not what they should be
INTERRUPTED: Final = 130  # by Ctrl-C, as shells number it


class CommandError(Exception):
    """Ends the command: the message goes to standard error, behind `galapagos COMMAND:`."""

    def __init__(self, message: str | Exception, status: int = USAGE) -> None:
        super().__init__(str(message))
        self.status: Final = status


def positive_int(text: str) -> int:
    """An argparse type: a whole number of 1 or more that fits SQLite's integers."""
    if not (_is_natural(text) and int(text)):
        raise ArgumentTypeError(f"a whole number above 0, not {text[:20]!r}")
    return int(text)


def natural_int(text: str) -> int:
    """An argparse type: a whole number of 0 or more that fits SQLite's integers."""
    if not _is_natural(text):
        raise ArgumentTypeError(f"a whole number, 0 or more, not {text[:20]!r}")
    return int(text)


def progress_bar() -> "Progress":
    """A bar on standard error, with a count, the task's description and the time left; nothing where it is no terminal."""
    from rich.console import Console  # late: only long commands need rich
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )


def _is_natural(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
