"""What has happened at a table: numbered events, as many as are kept, and each as its receivers see it."""

from collections import deque
from collections.abc import Callable, Iterator

from protocols.jsonl.binding.binding import Happening
from protocols.jsonl.messages.codec import event_line
from protocols.jsonl.messages.server import GameEvent


class Happened:
    """One event with its number; its lines are made once each."""

    def __init__(self, game_id: str, seq: int, happening: Happening, say: Callable[[GameEvent], str]) -> None:
        self.seq = seq
        self.owner = happening.owner
        self._game_id = game_id
        self._happening = happening
        self._say = say
        self._lines: dict[tuple[bool, bool], bytes] = {}

    def line(self, *, is_private: bool, says: bool) -> bytes:
        """As its owner or as everybody else receives it."""
        key = is_private and self.owner is not None, says
        line = self._lines.get(key)
        if line is None:
            happening = self._happening
            event = (happening.private if key[0] else None) or happening.event
            line = event_line(self._game_id, self.seq, event, self._say(event) if says else "")
            self._lines[key] = line
        return line


class History:
    """The last events of a game."""

    def __init__(self, game_id: str, kept: int) -> None:
        self.seq = 0  # of the last event
        self._game_id = game_id
        self._events: deque[Happened] = deque(maxlen=kept)

    def add(self, happening: Happening, say: Callable[[GameEvent], str]) -> Happened:
        self.seq += 1
        happened = Happened(self._game_id, self.seq, happening, say)
        self._events.append(happened)
        return happened

    def has(self, seq: int) -> bool:
        """Whether all events from `seq` on are kept."""
        return self.seq - len(self._events) < seq

    def between(self, first: int, last: int) -> Iterator[Happened]:
        """The kept events with these numbers."""
        start = len(self._events) - (self.seq - first + 1)
        for index in range(max(start, 0), len(self._events)):
            event = self._events[index]
            if event.seq > last:
                return
            yield event
