"""A connection without a socket: a hall of its own, to which messages go as lines, and from which lines come."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import msgspec

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import connect
from protocols.jsonl.requests.dispatch import receive

Message = dict[str, Any]


class Refused(ValueError):
    """The hall says no; its words are for people."""


class Connection:
    """One client of a hall that nobody else drives."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._line = connect(hall, monotonic(), is_trusted=True, is_silent=True)

    def say(self, **message: Any) -> list[Message]:
        """Everything that is said until the hall waits for us again. Refused if the first of it is an error."""
        receive(self._hall, self._line, msgspec.json.encode(message), monotonic())
        while self._hall.errands:
            errand = self._hall.errands.pop(0)
            errand.done(errand.function(errand.task), monotonic())  # here: nobody else waits
        heard = self.hear()
        if heard and heard[0]["type"] == "error":
            path = (heard[0].get("data") or {}).get("path", "").removeprefix("$.")
            raise Refused(f"{path}: {heard[0]['message']}" if path else heard[0]["message"])
        return heard

    def hear(self) -> list[Message]:
        """What has been said since; there is something where several clients share a hall."""
        return [msgspec.json.decode(line) for line in self._line.take().splitlines()]

    def record(self, game_id: str) -> Iterator[str]:
        """The lines of a game that is over."""
        offset = 0
        while True:
            (page,) = self.say(type="record", game_id=game_id, offset=offset)
            for line in page["lines"]:
                yield msgspec.json.encode(line).decode()
            offset += len(page["lines"])
            if offset >= page["total"]:
                return
