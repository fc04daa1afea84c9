"""Somebody at the keyboard of Advanced Protection: types lines one after the other, then nothing but `go`."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from protocols.jsonl.binding.protection.agents import protection
from protocols.jsonl.connection import Connection, Message
from protocols.jsonl.hall.hall import Hall
from tools.play.protection.dialogue import Dialogue


class Typist:
    """Sits at a terminal without colours and remembers all that is shown; `pressed` are single keys."""

    def __init__(
        self, *lines: str, goes_on: bool = False, pressed: str = "", profiles: Path | None = None
    ) -> None:
        self._screen = io.StringIO()
        self._typed = iter(lines)
        self._goes_on = goes_on
        self._pressed: Iterator[str] = iter(pressed.split())
        console = Console(file=self._screen, width=80)
        hall = Hall({"protection": protection(profiles)})
        keys = self._with_keys if pressed else None
        self.dialogue = Dialogue(Connection(hall), self._line, console, echo=True, keys=keys)

    @property
    def shown(self) -> str:
        return self._screen.getvalue()

    def play(self, chaos: str = "chaos:fixed:3", seed: int | None = 7, **terms: Any) -> Message | None:
        return self.dialogue.play("Ann", terms.pop("variant", "improved"), chaos, seed=seed, **terms)

    def _line(self) -> bytes:
        line = next(self._typed, "go" if self._goes_on else None)
        return b"" if line is None else f"{line}\n".encode()

    def _with_keys(self, show: Callable[[Callable[[float | None], str]], Any]) -> Any:
        return show(lambda seconds: next(self._pressed, "" if seconds else "q"))
