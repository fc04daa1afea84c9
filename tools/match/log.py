"""The bar that shows how far a match is: on standard error, silent where nobody watches."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def progress_bar() -> Progress:
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )


# The games of a match in a file, a JSON line for each or for some, so that an interrupted match goes on.


class Ledger:
    """What has been played, in its order. A line that was not written whole is as if it had never been."""

    def __init__(self, path: Path | None, match: Mapping[str, object]) -> None:
        """`match` is everything that its games follow from. ValueError for a file of something else, OSError."""
        self.entries: list[Any] = []
        self._path = path
        if path is None:
            return
        head = json.dumps({"match": match}) + "\n"
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:
            if data and not head.startswith(data.decode("utf-8", "replace")):
                raise ValueError(f"{path} holds no match")
            path.write_text(head, encoding="utf-8")
            return
        first, *lines = whole.decode("utf-8", "replace").splitlines()
        if first + "\n" != head:
            raise ValueError(f"{path} holds another match, or something else: {first[:200]}")
        for number, line in enumerate(lines, 2):
            try:
                self.entries.append(json.loads(line))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
        if len(whole) < len(data):
            path.write_bytes(whole)

    def add(self, entry: object) -> None:
        """One write: whoever kills us, or reads along, finds whole lines."""
        if self._path is not None:
            with self._path.open("ab", buffering=0) as file:
                file.write(json.dumps(entry).encode() + b"\n")


# The rungs of a ladder: who stands where at its end, after how many challenges.


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """`rung` 1 is the top; whoever was named first began there."""

    rung: int
    player: str
    began: int  # the rung
    challenges: int  # of others and by others, each of as many games as a pairing has


def rungs(order: Sequence[int], names: Sequence[str], games: Sequence[int], meeting: int) -> list[Rung]:
    """From the top. `order` has the players by rung; `games` are those of each player, `meeting` of a challenge."""
    return [
        Rung(rung=rung, player=names[player], began=player + 1, challenges=games[player] // meeting)
        for rung, player in enumerate(order, 1)
    ]


def text(ladder: Sequence[Rung]) -> Iterator[str]:
    """One line a rung."""
    for each in ladder:
        moved = "" if each.began == each.rung else f", from rung {each.began}"
        s = "" if each.challenges == 1 else "s"
        yield f"rung {each.rung}: {each.player} after {each.challenges} challenge{s}{moved}"


def data(ladder: Sequence[Rung]) -> list[dict[str, object]]:
    """The same for JSON."""
    return [asdict(each) for each in ladder]
