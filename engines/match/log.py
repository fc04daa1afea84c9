"""The log of a match: a file with the games played so far, from which an interrupted match continues."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec


class MatchLog:
    """The games of a match in their order, one JSON line each; an incomplete last line is dropped."""

    def __init__(self, path: Path | None, settings: Mapping[str, object]) -> None:
        """Open a log, and read its games into `entries`; without a path, nothing is kept.

        `settings` is everything that determines the games. Raises ValueError if the file belongs to a match with
        other settings, or to no match, and OSError.
        """
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
        first, *lines = whole.decode("utf-8", "replace").removesuffix("\n").split("\n")
        if first + "\n" != head:
            raise ValueError(f"{path} holds {_described(first, settings)}")
        for number, line in enumerate(lines, 2):
            try:
                self.entries.append(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
        if len(whole) < len(data):
            path.write_bytes(whole)

    def add(self, entries: Iterable[object]) -> None:
        """Append one line for each entry, all in one write, so that a reader or a kill finds whole lines."""
        if self._path is not None:
            with self._path.open("ab", buffering=0) as file:
                file.write(b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries))


def _described(first: str, settings: Mapping[str, object]) -> str:
    """Return a description of a file with another first line than that of a match with these settings."""
    try:
        kept = json.loads(first)["match"]
        wanted = json.loads(json.dumps(settings))
        differences = [
            f"{key} is {kept.get(key)} in the file and {wanted.get(key)} in this match"
            for key in {**wanted, **kept}
            if kept.get(key) != wanted.get(key)
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        return "no match"
    return f"another match: {'; '.join(differences)}"
