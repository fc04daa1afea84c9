"""Somebody at the keyboard: types lines one after the other, then the last move that `moves` lists, to the end."""

import io
from collections.abc import Iterator, Sequence

from rich.console import Console

from protocols.jsonl.connection import Connection, Message
from protocols.jsonl.hall.hall import Hall
from tools.games import bindings
from tools.play.acquire.dialogue import Dialogue


class Typist:
    """Sits at a terminal without colours and remembers all that is shown."""

    def __init__(self, *lines: str, goes_on: bool = True) -> None:
        self._screen = io.StringIO()
        self._keys = self._typed(lines, goes_on)
        console = Console(file=self._screen, width=80)
        self.dialogue = Dialogue(Connection(Hall(bindings())), self._line, console, echo=True)

    @property
    def shown(self) -> str:
        return self._screen.getvalue()

    def play(
        self, *opponents: str, variant: str = "classic", seed: int | None = 7, **terms: object
    ) -> Message | None:
        return self.dialogue.play("Ann", variant, opponents or ("heuristic",), seed=seed, **terms)

    def _line(self) -> bytes:
        return next(self._keys, "").encode()

    def _typed(self, lines: Sequence[str], goes_on: bool) -> Iterator[str]:
        for line in lines:
            yield f"{line}\n"
        while goes_on:
            before = len(self.shown)
            yield "moves\n"
            listed = self.shown[before:].partition("moves\n")[2].rpartition("\n")[0]
            yield listed.replace("\n", " ").split(", ")[-1].strip() + "\n"
