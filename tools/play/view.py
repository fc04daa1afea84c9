"""How people see a game at a terminal: what each game adds to the games of tools.play.terminal."""

from collections.abc import Sequence
from typing import Protocol

from core.game import State
from engines.match import Result
from engines.time_control import TimeControl


class View(Protocol):
    """How people see one game. Seats are numbered like its players."""

    seats: tuple[str, ...]  # what the players are called, such as White and Black
    notation: str  # the command that prints describe()
    advice: str  # how moves are written

    def draw(self, state: State, seat: int) -> str:
        """The board as the player of `seat` sees it."""
        ...

    def describe(self, state: State) -> str:
        """The state as text that Game.state_from() reads."""
        ...

    def read(self, state: State, text: str) -> int:
        """The legal action that a person means by `text`. ValueError says why there is none."""
        ...

    def write(self, state: State, action: int) -> str:
        """The legal action as people write it."""
        ...

    def verdict(self, state: State) -> str:
        """Why the game is over by its rules."""
        ...

    def record(self, state: State, result: Result | None, names: Sequence[str], control: TimeControl) -> str:
        """The game that led to `state`, for files; without a result it is unfinished."""
        ...
