"""A connection without a socket: a hall of its own, to which messages go as lines, and from which lines come."""

from time import monotonic
from typing import Any

import msgspec

from protocols.jsonl.hall.dispatch import receive
from protocols.jsonl.hall.hall import Hall

Message = dict[str, Any]


class Refused(ValueError):
    """The hall says no; its words are for people."""


class Connection:
    """One client of a hall that has no other."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._line = hall.connect(monotonic(), is_trusted=True, is_silent=True)

    def say(self, **message: Any) -> list[Message]:
        """Everything that is said until the hall waits for us again. Refused if the first of it is an error."""
        receive(self._hall, self._line, msgspec.json.encode(message), monotonic())
        while self._hall.asks:
            ask = self._hall.asks.pop()
            self._hall.answer(ask, ask.agent.choose(ask.table.play, ask.seat), monotonic())
        heard: list[Message] = [msgspec.json.decode(line) for line in self._line.take().splitlines()]
        if heard and heard[0]["type"] == "error":
            path = (heard[0].get("data") or {}).get("path", "").removeprefix("$.")
            raise Refused(f"{path}: {heard[0]['message']}" if path else heard[0]["message"])
        return heard
