"""Work that takes too long for the process that hears everybody: done elsewhere, and its outcome brought back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A function of a module and what to call it with, both for another process; then whom to tell."""

    function: Callable[[Any], Any]
    task: Any
    about: str  # for the log
    is_long: bool  # takes seconds, and must not keep those waiting that take milliseconds
    done: Callable[[Any, float], None]  # is given the outcome, or None if there is none, and the time
