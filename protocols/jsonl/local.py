"""A client in the same process as its server: messages go in as dictionaries, and the answers come out as such."""

from collections.abc import Iterator
from time import monotonic
from typing import Any

import msgspec

from protocols.jsonl.hall.hall import Hall
from protocols.jsonl.hall.presence import connect
from protocols.jsonl.requests.dispatch import receive

Message = dict[str, Any]


class Refused(ValueError):
    """The server's `error`: its text for people, its `data` for programs."""

    def __init__(self, error: Message) -> None:
        self.data: Message = error.get("data") or {}
        path = self.data.get("path", "").removeprefix("$.")
        super().__init__(f"{path}: {error['message']}" if path else error["message"])


class LocalClient:
    """One client of a server that nobody else drives; jobs run at once, in this process."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._line = connect(hall, monotonic(), is_trusted=True, is_silent=True)

    def say(self, **message: Any) -> list[Message]:
        """Everything that the server sends until it waits for us again. Refused if the first of it is an error."""
        receive(self._hall, self._line, msgspec.json.encode(message), monotonic())
        while self._hall.errands:
            errand = self._hall.errands.pop(0)
            errand.done(errand.function(errand.task), monotonic())
        received = self.hear()
        if received and received[0]["type"] == "error":
            raise Refused(received[0])
        return received

    def hear(self) -> list[Message]:
        """What the server has sent since; there is something where several clients share a server."""
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
