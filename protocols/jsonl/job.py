"""Work for another process: a slow agent's decision, the ratings of a game, games of a match."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A function of a module with its argument, both for another process, and what is called with the outcome."""

    function: Callable[[Any], Any]
    argument: Any
    about: str  # for the log
    is_long: bool  # takes seconds, and must not keep those waiting that take milliseconds
    on_done: Callable[[Any], object]  # is given the outcome, or None if there is none
