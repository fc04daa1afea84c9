"""What both kinds of matches share: the file of games played so far, the table of a ladder, names for twins."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any


class MatchLog:
    """The games of a match in their order, a JSON line for each or for some, so that an interrupted match goes on.

    A line that was not written whole is dropped.
    """

    def __init__(self, path: Path | None, settings: Mapping[str, object]) -> None:
        """`settings` is everything that the games follow from. ValueError for a file of something else, OSError."""
        self.entries: list[Any] = []
        self._path = path
        if path is None:
            return
        head = json.dumps({"match": settings}) + "\n"
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:
            if data and not head.startswith(data.decode("utf-8", "replace")):
                raise ValueError(f"{path} holds no match")
            path.write_text(head, encoding="utf-8")
            return
        first, *lines = whole.decode("utf-8", "replace").splitlines()
        if first + "\n" != head:
            raise ValueError(f"{path} holds {_described(first, settings)}")
        for number, line in enumerate(lines, 2):
            try:
                self.entries.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
        if len(whole) < len(data):
            path.write_bytes(whole)

    def add(self, entry: object) -> None:
        """One write: a reader, or a kill, finds whole lines."""
        if self._path is not None:
            with self._path.open("ab", buffering=0) as file:
                file.write(json.dumps(entry).encode() + b"\n")


def _described(first: str, settings: Mapping[str, object]) -> str:
    """What a file with this first line holds, that is not the match with these settings."""
    try:
        kept = json.loads(first)["match"]
        wanted = json.loads(json.dumps(settings))
        differences = [
            f"{key} is {kept.get(key)} there and {wanted.get(key)} here"
            for key in {**wanted, **kept}
            if kept.get(key) != wanted.get(key)
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        return "no match"
    return f"another match: {'; '.join(differences)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRow:
    """A player's place at the end of a ladder; `rung` 1 is the top."""

    rung: int
    player: str
    began: int  # the rung; that of the first named is 1
    challenges: int  # of others and by others, each of as many games as a pairing has


def ladder(order: Sequence[int], names: Sequence[str], games: Sequence[int], pairing: int) -> list[LadderRow]:
    """From the top. `order` has the players by rung; `games` counts those of each player, `pairing` of a challenge."""
    return [
        LadderRow(rung=rung, player=names[player], began=player + 1, challenges=games[player] // pairing)
        for rung, player in enumerate(order, 1)
    ]


def ladder_text(rows: Sequence[LadderRow]) -> Iterator[str]:
    for row in rows:
        moved = "" if row.began == row.rung else f", from rung {row.began}"
        s = "" if row.challenges == 1 else "s"
        yield f"rung {row.rung}: {row.player} after {row.challenges} challenge{s}{moved}"


def unused_name(name: str, taken: Collection[str], twin: str) -> str:
    """`name`, or where it is taken, `twin` formatted with 2, 3, and so on."""
    candidates = (name if number == 1 else twin.format(name, number) for number in count(1))
    return next(candidate for candidate in candidates if candidate not in taken)
