"""What is to be published: lines to clients, then events of the bus; each is kept until the broker has it.

It is bounded: the bus keeps the last thousand events for it, and a client that does not read is cut off. What is
lost is seen by the gap in `seq`, and can be asked for.
"""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from engines.events import Event, Subscription

MOST_BYTES: Final = 131_072  # of a payload; a broker that takes less ends the connection
MOST_BARREN: Final = 3
NO_TOPIC: Final = re.compile(r"[+#\x00]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A message to the broker, always with QoS 1."""

    topic: str
    payload: bytes
    is_retained: bool = False
    seq: int | None = None  # of the event that it tells
    correlation: bytes | None = None
    expiry_seconds: int | None = None  # after which nobody needs it
    done: Callable[[], None] = field(default=lambda: None)  # the broker has it, or will never


class Outbox:
    """Of one house; for its event loop's thread only."""

    def __init__(
        self, wake: Callable[[], None], events: Subscription, as_told: Callable[[Event], Publication | None]
    ) -> None:
        """`wake` is called when there is something. `as_told` gives the form of an event."""
        self.sent = 0  # the broker has so many
        self.refused = 0  # what no broker takes, or this one does not
        self._wake = wake
        self._events = events
        self._as_told = as_told
        self._waiting: deque[Publication] = deque()
        self._flying: dict[int, Publication] = {}
        self._tickets = count()
        self._barren = 0  # connections that were lost with something under way, and nothing had landed

    @property
    def lost(self) -> int:
        """Events for which there was no room."""
        return self._events.missed

    def put(self, publication: Publication) -> None:
        """Publish this next, after what was put before. What no broker takes is refused."""
        if len(publication.payload) > MOST_BYTES or NO_TOPIC.search(publication.topic):
            self._refuse(publication)
            return
        self._waiting.append(publication)
        self._wake()

    def take(self) -> tuple[int, Publication] | None:
        """The next one, with a ticket for landed(); None if there is none."""
        while not self._waiting and (event := self._events.pop()):
            publication = self._as_told(event)
            if publication:
                self.put(publication)
        if not self._waiting:
            return None
        ticket = next(self._tickets)
        self._flying[ticket] = self._waiting.popleft()
        return ticket, self._flying[ticket]

    def landed(self, ticket: int) -> None:
        """The broker has it."""
        self.sent += 1
        self._barren = 0
        self._flying.pop(ticket).done()

    def recover(self) -> None:
        """The connection is lost: what the broker may not have comes first again.

        If it is lost several times before anything lands, the largest is perhaps too large for this broker,
        which does not say so; it is given up.
        """
        flying = list(self._flying.values())
        self._flying.clear()
        self._barren += bool(flying)
        if self._barren == MOST_BARREN:
            self._barren = 0
            largest = max(flying, key=lambda publication: len(publication.payload))
            flying.remove(largest)
            self._refuse(largest)
        self._waiting.extendleft(reversed(flying))

    def _refuse(self, publication: Publication) -> None:
        self.refused += 1
        publication.done()
