"""The event bus: numbered events of games, matches, hills, runs and engines, for subscribers that cannot delay it.

The subscribers are a log, WebSockets and MQTT. A slow subscriber loses the oldest events, detects the loss by the gap
in `seq`, and can read these events in history().
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar, Final, Literal

from msgspec import Struct, field

NO_LEVEL: Final = re.compile(r"[^A-Za-z0-9._-]")  # characters that a level of a topic must not have
KEPT: Final = 10_000  # events in the history, for subscribers that have missed some
ALL_TOPICS: Final = ("",)  # the topic above all others
QUEUE: Final = 1_000  # events that wait for a subscriber


class BroadcastLine(Struct, frozen=True, kw_only=True, gc=False):
    """A public line of a game or a match, as sent to its watchers; JSON without the line break."""

    type: ClassVar = "line"
    line: bytes


class Generation(Struct, frozen=True, kw_only=True):
    """A generation of a run has been recorded."""

    type: ClassVar = "generation"
    run: str
    game: str
    generation: int
    hash: str
    seconds: float
    measures: Mapping[str, float]  # the values of the run's curves


class RunProgress(Struct, frozen=True, kw_only=True):
    """The status of a run has changed: it was found, is gone, cannot be read, or its process has started or ended."""

    type: ClassVar = "progress"
    run: str
    status: str  # evolving, gone, "" for none; of a process of the server also waiting, finished or stopped
    restarts: int = 0
    trouble: str = ""  # the reason why the run cannot be read


class Challenge(Struct, frozen=True, kw_only=True):
    """A warrior has challenged a hill."""

    type: ClassVar = "challenge"
    hill: str
    number: int  # the number of this challenge of the hill
    warrior: str
    author: str
    place: int | None  # from 1; None: the warrior did not enter the hill


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
    """An engine has come online or gone offline, or has started or stopped to think for a client."""

    type: ClassVar = "presence"
    name: str
    status: Literal["online", "playing", "offline"]
    clients: int = field(name="guests")  # the number of clients for which it thinks


class Retired(Struct, frozen=True, kw_only=True):
    """The topic has no state any more."""

    type: ClassVar = "retired"


Payload = BroadcastLine | Generation | RunProgress | Challenge | Standings | EngineStatus | Retired


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """A published event: `topic` is a path such as hill/94nop/standings; a state holds until the next one."""

    seq: int  # the number among all events of this process, from 1
    topic: str
    news: Payload
    is_state: bool
    time: float = 0.0  # seconds of the epoch


class Subscription:
    """The queue of one subscriber; `wake` is called when an event arrives in the empty queue."""

    def __init__(self, topics: tuple[str, ...], wake: Callable[[], None], most: int) -> None:
        self.missed = 0  # number of events lost since the last take()
        self._topics = topics
        self._wake = wake
        self._max_events = most
        self._queue: deque[Event] = deque()

    def wants(self, topic: str) -> bool:
        """Return whether the topic, or a topic above it, is subscribed to."""
        return is_under(topic, self._topics)

    def offer(self, event: Event) -> None:
        if len(self._queue) == self._max_events:
            self._queue.popleft()
            self.missed += 1
        self._queue.append(event)
        if len(self._queue) == 1:
            self._wake()

    def pop(self) -> Event | None:
        """Remove and return the oldest event in the queue, or None."""
        return self._queue.popleft() if self._queue else None

    def take(self) -> list[Event]:
        """Remove and return all events in the queue, oldest first."""
        events = list(self._queue)
        self._queue.clear()
        self.missed = 0
        return events


class Bus:
    """The event bus of one process; only the thread of the event loop may use it."""

    def __init__(self, kept: int = KEPT, clock: Callable[[], float] = time.time) -> None:
        """Create a bus without subscribers; `clock` returns the seconds of the epoch."""
        self.seq = 0
        self._clock = clock
        self._history: deque[Event] = deque(maxlen=kept)
        self._states: dict[str, Event] = {}
        self._subscriptions: set[Subscription] = set()

    def publish(self, topic: str, news: Payload, *, is_state: bool = False) -> None:
        """Put an event into the queues of all subscribers to its topic, without waiting for any of them."""
        self.seq += 1
        event = Event(seq=self.seq, topic=topic, news=news, is_state=is_state, time=self._clock())
        self._history.append(event)
        if is_state:
            self._states[topic] = event
        for subscription in self._subscriptions:
            if subscription.wants(topic):
                subscription.offer(event)

    def clear(self, topic: str) -> None:
        """Remove the state of a topic and publish Retired; do nothing if the topic has no state."""
        if self._states.pop(topic, None):
            self.publish(topic, Retired())

    def subscribe(
        self, wake: Callable[[], None], topics: tuple[str, ...] = ALL_TOPICS, most: int = QUEUE
    ) -> Subscription:
        """Subscribe to all later events of some topics and of all topics below them; `most` limits the queue."""
        subscription = Subscription(topics, wake, most)
        self._subscriptions.add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    def states(self) -> list[Event]:
        """Return the last event of each topic that has a state, oldest first."""
        return sorted(self._states.values(), key=lambda event: event.seq)

    def history(self, after: int) -> Iterator[Event]:
        """Yield the kept events with numbers above `after`, oldest first."""
        return (event for event in self._history if event.seq > after)


def is_under(topic: str, topics: Iterable[str]) -> bool:
    """Return whether a topic is one of `topics` or below one of them; all topics are below ""."""
    return any(not above or topic == above or topic.startswith(f"{above}/") for above in topics)


def topic_level(name: str) -> str:
    """Return a name as one level of a topic; "-" for the empty name."""
    return NO_LEVEL.sub("_", name) or "-"
