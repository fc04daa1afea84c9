"""What has happened at a table: numbered events, as many as are kept, each as the lines that tell it."""

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from protocols.jsonl.adapter import Event
from protocols.jsonl.codec import ENCODER
from protocols.jsonl.messages import GameEvent


class Happened(Struct, frozen=True, kw_only=True, gc=False):
    """One event with its number."""

    seq: int
    owner: int | None
    happening: Event
    public: bytes  # the line that all get
    private: bytes  # the line that its owner gets, the same if there is nothing to hide

    def event(self, *, is_private: bool) -> GameEvent:
        """As its owner or as everybody else sees it."""
        return (is_private and self.happening.private) or self.happening.public


class History:
    """The last events of a game."""

    def __init__(self, game_id: str, kept: int) -> None:
        self.seq = 0  # of the last event
        self._head = b'{"type":"event","game_id":%b,"seq":' % ENCODER.encode(game_id)
        self._events: deque[Happened] = deque(maxlen=kept)

    def add(self, happening: Event) -> Happened:
        self.seq += 1
        public = self._line(happening.public)
        private = self._line(happening.private) if happening.private else public
        happened = Happened(
            seq=self.seq, owner=happening.private_to, happening=happening, public=public, private=private
        )
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

    def _line(self, event: GameEvent) -> bytes:
        return b"%b%d,%b\n" % (self._head, self.seq, ENCODER.encode(event)[1:])


def with_sentence(line: bytes, sentence: str) -> bytes:
    """An event's line with words for people at its end."""
    return b'%b,"say":%b}\n' % (line[:-2], ENCODER.encode(sentence))
