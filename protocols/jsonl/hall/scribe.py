"""The scribe: writes down what happens at the tables, and catches up when it could not for a while (a full disk)."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from protocols.jsonl.hall.alarms import Alarms
from protocols.jsonl.table.table import Table

if TYPE_CHECKING:
    from protocols.jsonl.journal import Journal

AGAIN_SECONDS: Final = 5.0


class Scribe:
    """Of one journal. Games go on while it cannot be written; a kill would then lose what is not."""

    def __init__(self, journal: "Journal", alarms: Alarms, report: Callable[[str], object]) -> None:
        self._journal = journal
        self._alarms = alarms
        self._report = report
        self._behind: set[str] = set()  # games

    def write(self, table: Table, now: float) -> None:
        """What is new at a table, and the end of its record when the game is over."""
        if table.id not in self._behind:
            self._write(table, now)

    def _write(self, table: Table, now: float) -> None:
        herald = table.herald
        try:
            if herald.written < len(herald.record):
                self._journal.append(table.id, b"".join(herald.record[herald.written :]))
                herald.written = len(herald.record)
            if table.is_over:
                self._journal.close(table.id)
                herald.forget_record()
        except OSError as error:
            if not self._behind:
                self._report(f"records cannot be written at present: {error}")
            self._behind.add(table.id)
            self._alarms.set(now + AGAIN_SECONDS, partial(self._try_again, table))

    def _try_again(self, table: Table, now: float) -> None:
        self._behind.discard(table.id)
        self._write(table, now)
