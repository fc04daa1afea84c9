"""The herald of a game that nobody hears of: it makes no lines, which would take longer than the game."""

from collections.abc import Sequence
from typing import Any

from protocols.jsonl.binding.binding import Happening
from protocols.jsonl.record.lines import RecordLine
from protocols.jsonl.table.herald import Herald
from protocols.jsonl.table.seeds import Seed

OVER = b"over\n"


class Silence(Herald):
    """Writes nothing down."""

    def note(self, line: RecordLine) -> None:
        return

    def prepare(self) -> None:
        return

    def begin(self) -> None:
        return

    def tell(self, happenings: Sequence[Happening]) -> None:
        return

    def end_line(self, result: Any, seed: Seed) -> bytes:
        return OVER

    def end(self, line: bytes) -> None:
        return
