"""People at the keyboard: each types its lines, then goes on by a rule of its own."""

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from protocols.jsonl.local import Message, local_clients
from tools.games import game_adapters
from tools.play.acquire import AcquireClient
from tools.play.jsonl_client import JsonlClient
from tools.play.protection import ProtectionClient


class Typist:
    """Sits at a terminal without colours; `shown` is all that was printed."""

    def __init__(
        self, client: Callable[..., JsonlClient], lines: Iterator[str], profiles: Path | None = None
    ) -> None:
        self._screen = io.StringIO()
        self.adapters = game_adapters(profiles)
        self.client = client(
            *local_clients(self.adapters),
            lambda: "".join(f"{line}\n" for line in [next(lines, None)] if line is not None).encode(),
            Console(file=self._screen, width=80),
            echo=True,
        )

    @property
    def shown(self) -> str:
        return self._screen.getvalue()


class AcquireTypist(Typist):
    """Goes on by the last move that `moves` lists, to the end."""

    def __init__(self, *lines: str, goes_on: bool = True) -> None:
        super().__init__(AcquireClient, self._typed(lines, goes_on))

    def play(
        self, *opponents: str, variant: str = "classic", seed: int | None = 7, **terms: object
    ) -> Message | None:
        return self.client.play("Ann", variant, opponents or ("heuristic",), seed=seed, **terms)

    def _typed(self, lines: Sequence[str], goes_on: bool) -> Iterator[str]:
        yield from lines
        while goes_on:
            before = len(self.shown)
            yield "moves"
            listed = self.shown[before:].partition("moves\n")[2].rpartition("\n")[0]
            yield listed.replace("\n", " ").split(", ")[-1].strip()


class ProtectionTypist(Typist):
    """Goes on by `go` if it goes on."""

    def __init__(self, *lines: str, goes_on: bool = False, profiles: Path | None = None) -> None:
        def typed() -> Iterator[str]:
            yield from lines
            while goes_on:
                yield "go"

        super().__init__(ProtectionClient, typed(), profiles)

    def play(self, chaos: str = "chaos:fixed:3", seed: int | None = 7, **terms: Any) -> Message | None:
        return self.client.play("Ann", terms.pop("variant", "improved"), [chaos], seed=seed, **terms)
