"""The event bus: numbered events of games, matches, hills, runs and engines, for subscribers that cannot slow it.

A log, WebSockets and MQTT subscribe. A subscriber that is slow loses the oldest events, sees so by the gap in
`seq`, and may read them in history().
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar, Final, Literal

from msgspec import Struct, field

NO_LEVEL: Final = re.compile(r"[^A-Za-z0-9._-]")  # what a level of a topic must not have in it
KEPT: Final = 10_000  # events, for subscribers that have missed some
EVERYTHING: Final = ("",)  # the topics above all others
QUEUE: Final = 1_000  # events that wait for a subscriber


class BroadcastLine(Struct, frozen=True, kw_only=True, gc=False):
    """A public line of a game or a match, as it was sent to those who watch; JSON, without its break."""

    type: ClassVar = "line"
    line: bytes


class Generation(Struct, frozen=True, kw_only=True):
    """A generation of a run is on record."""

    type: ClassVar = "generation"
    run: str
    game: str
    generation: int
    hash: str
    seconds: float
    measures: Mapping[str, float]  # what its curves show


class RunProgress(Struct, frozen=True, kw_only=True):
    """A run is found or gone, can be read no more, or the process that the server keeps going begins or ends."""

    type: ClassVar = "progress"
    run: str
    status: str  # evolving; of a process that the server keeps going also waiting, finished or stopped; "": none; gone
    restarts: int = 0
    trouble: str = ""  # why it cannot be read


class Challenge(Struct, frozen=True, kw_only=True):
    """A warrior has challenged a hill."""

    type: ClassVar = "challenge"
    hill: str
    number: int  # of the hill's challenges
    warrior: str
    author: str
    place: int | None  # from 1; None: it did not get on


class Standing(Struct, frozen=True, kw_only=True):
    """A row of a hill's table."""

    place: int
    warrior: str
    author: str
    score: float
    age: int  # challenges survived


class Standings(Struct, frozen=True, kw_only=True):
    """The table of a hill."""

    type: ClassVar = "standings"
    hill: str
    challenges: int
    table: tuple[Standing, ...]


class EngineStatus(Struct, frozen=True, kw_only=True):
    """An engine begins or ceases to be there, or to think for a client."""

    type: ClassVar = "presence"
    name: str
    status: Literal["online", "playing", "offline"]
    clients: int = field(name="guests")  # for which it thinks


class Retired(Struct, frozen=True, kw_only=True):
    """The state of this topic is no longer true."""

    type: ClassVar = "retired"


Payload = BroadcastLine | Generation | RunProgress | Challenge | Standings | EngineStatus | Retired


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """`topic` is a path such as hill/94nop/standings. A state holds until its topic has another."""

    seq: int  # of all events of this process, from 1
    topic: str
    news: Payload
    is_state: bool


class Subscription:
    """One subscriber's queue. `wake` is called whenever an event waits and none did before."""

    def __init__(self, topics: tuple[str, ...], wake: Callable[[], None], most: int) -> None:
        self.missed = 0  # events, since take() was called last
        self._topics = topics
        self._wake = wake
        self._most = most
        self._queue: deque[Event] = deque()

    def wants(self, topic: str) -> bool:
        """Whether this topic, or one above it, is subscribed to."""
        return is_under(topic, self._topics)

    def offer(self, event: Event) -> None:
        if len(self._queue) == self._most:
            self._queue.popleft()
            self.missed += 1
        self._queue.append(event)
        if len(self._queue) == 1:
            self._wake()

    def pop(self) -> Event | None:
        """The oldest that waits."""
        return self._queue.popleft() if self._queue else None

    def take(self) -> list[Event]:
        """All that waits."""
        events = list(self._queue)
        self._queue.clear()
        self.missed = 0
        return events


class Bus:
    """The bus of one process, for its event loop's thread only."""

    def __init__(self, kept: int = KEPT) -> None:
        self.seq = 0
        self._history: deque[Event] = deque(maxlen=kept)
        self._states: dict[str, Event] = {}
        self._subscriptions: set[Subscription] = set()

    def publish(self, topic: str, news: Payload, *, is_state: bool = False) -> None:
        """Hand an event to all subscribers of its topic; it never waits."""
        self.seq += 1
        event = Event(seq=self.seq, topic=topic, news=news, is_state=is_state)
        self._history.append(event)
        if is_state:
            self._states[topic] = event
        for subscription in self._subscriptions:
            if subscription.wants(topic):
                subscription.offer(event)

    def clear(self, topic: str) -> None:
        """The state of this topic is no longer true; nothing happens if it has none."""
        if self._states.pop(topic, None):
            self.publish(topic, Retired())

    def subscribe(
        self, wake: Callable[[], None], topics: tuple[str, ...] = EVERYTHING, most: int = QUEUE
    ) -> Subscription:
        """Receive the events of topics and all below them, from now on."""
        subscription = Subscription(topics, wake, most)
        self._subscriptions.add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    def states(self) -> list[Event]:
        """The last event of each topic that has a state, oldest first."""
        return sorted(self._states.values(), key=lambda event: event.seq)

    def history(self, after: int) -> Iterator[Event]:
        """Events that are kept and younger than number `after`, oldest first."""
        return (event for event in self._history if event.seq > after)


def is_under(topic: str, topics: Iterable[str]) -> bool:
    """Whether a topic is one of these, or below one of them; all are below ""."""
    return any(not above or topic == above or topic.startswith(f"{above}/") for above in topics)


def topic_level(name: str) -> str:
    """A name as one level of a topic; one that has no name is "-"."""
    return NO_LEVEL.sub("_", name) or "-"
