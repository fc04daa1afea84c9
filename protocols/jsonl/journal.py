"""The journal of a server: a folder with a file for the record of each game, and one for each match.

After append() has returned, its lines are with the operating system and survive a kill of the process. The last line
of a file may be torn, and readers skip it.
"""

import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engines.storage import open_file

GAMES: Final = ".jsonl"
MATCHES: Final = ".match"
GAME_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}")
MAX_OPEN_FILES: Final = 256  # files at a time
TAIL_BYTES: Final = 16_384  # read at a time from the end of a record


class JournalError(ValueError):
    """A folder or a file that cannot be a journal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Limits for the records of finished games; the oldest are deleted first."""

    records: int
    bytes: int  # of all files together
    seconds: float  # since the end of the game


class Journal:
    """A folder with a file for each record, which only one process at a time may write."""

    def __init__(
        self,
        folder: Path,
        suffix: str = GAMES,
        retention: Retention | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Use `folder`, and create it if needed; without a retention, all records are kept.

        `clock` returns seconds since the epoch, as in the times of files. Raises JournalError if `folder` is not a
        folder, or OSError.
        """
        if folder.exists() and not folder.is_dir():
            raise JournalError(f"{folder} is not a folder")
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._suffix = suffix
        self._open: dict[str, int] = {}  # descriptors
        self._retention = retention
        self._clock = clock
        # The time, ID and bytes of each finished game, the oldest first.
        self._finished: deque[tuple[float, str, int]] = deque()
        self._finished_bytes = 0

    def append(self, game_id: str, lines: bytes) -> None:
        """Append whole lines to a record. Raises OSError, and then nothing is written."""
        descriptor = self._open.get(game_id)
        if descriptor is None:
            if len(self._open) >= MAX_OPEN_FILES:
                os.close(self._open.pop(next(iter(self._open))))
            descriptor = os.open(self.path(game_id), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            self._open[game_id] = descriptor
        before = os.fstat(descriptor).st_size
        try:
            while lines:
                lines = lines[os.write(descriptor, lines) :]
        except OSError:
            os.ftruncate(descriptor, before)  # lines after a torn one could not be read
            raise

    def close(self, game_id: str) -> None:
        """Close the record of a finished game, and delete the oldest records if there are too many."""
        self._close(game_id)
        with suppress(FileNotFoundError):
            self._finished.append((self._clock(), game_id, self.path(game_id).stat().st_size))
            self._finished_bytes += self._finished[-1][2]
        self._prune()

    def keep(self, game_ids: Iterable[str]) -> None:
        """Add games that finished in earlier runs to the retention, and delete the oldest if there are too many."""
        found = []
        for game_id in game_ids:
            with suppress(FileNotFoundError):
                status = self.path(game_id).stat()
                found.append((status.st_mtime, game_id, status.st_size))
        self._finished = deque(sorted([*found, *self._finished]))
        self._finished_bytes = sum(size for *_, size in self._finished)
        self._prune()

    def remove(self, game_id: str) -> None:
        """Delete a record, for instance of a game that all clients have left before its start."""
        self._close(game_id)
        self.path(game_id).unlink(missing_ok=True)

    def read(self, game_id: str) -> list[bytes] | None:
        """Return the lines of a record without their breaks, or None if there is none with this ID.

        Raises OSError if the path is not a file or cannot be read.
        """
        if not GAME_ID.fullmatch(game_id):
            return None
        try:
            with open_file(self.path(game_id)) as file:
                return whole_lines(file.read())
        except FileNotFoundError:
            return None

    def last_line(self, game_id: str) -> bytes:
        """Return the last whole line of a record without its break; only the end of the file is read."""
        with open_file(self.path(game_id)) as file:
            at = file.seek(0, os.SEEK_END)
            data = b""
            while at > 0 and data.count(b"\n") < 2:
                size = min(TAIL_BYTES, at)
                at = file.seek(at - size)
                data = file.read(size) + data
        lines = whole_lines(data)
        return lines[-1] if lines else b""

    def ids(self) -> Iterator[str]:
        """Yield the IDs of all games or matches in the folder, in alphabetical order."""
        for path in sorted(self.folder.glob(f"*{self._suffix}")):
            if GAME_ID.fullmatch(path.stem):
                yield path.stem

    def mend(self, game_id: str) -> None:
        """Remove a torn last line, so that lines can be appended."""
        path = self.path(game_id)
        with open_file(path) as file:
            data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(path, whole)

    def _close(self, game_id: str) -> None:
        descriptor = self._open.pop(game_id, None)
        if descriptor is not None:
            os.close(descriptor)

    def _prune(self) -> None:
        kept, finished = self._retention, self._finished
        while (
            kept
            and finished
            and (
                len(finished) > kept.records
                or self._finished_bytes > kept.bytes
                or finished[0][0] + kept.seconds < self._clock()
            )
        ):
            _, game_id, size = finished.popleft()
            self._finished_bytes -= size
            with suppress(OSError):
                self.path(game_id).unlink(missing_ok=True)

    def path(self, game_id: str) -> Path:
        """Return the path of a record. Raises JournalError if no game can have this ID."""
        if not GAME_ID.fullmatch(game_id):
            raise JournalError(f"no game is called {game_id[:40]!r}")
        return self.folder / f"{game_id}{self._suffix}"


def whole_lines(data: bytes) -> list[bytes]:
    """Return the lines of a file without their breaks and without a torn last line."""
    return data.split(b"\n")[:-1]
