"""The games of a match in a file, a JSON line for each or for some, so that an interrupted match goes on."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


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
