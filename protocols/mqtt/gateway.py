"""The gateway: the house behind a broker. What the bus tells goes out, what clients say comes in.

MQTT is a view and a way in, never the record: nothing here waits for the broker, and nothing needs one.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final, Self

import aiomqtt
import msgspec

from engines.events import BroadcastLine, Bus, Event, Retired
from protocols.event_log import encode_event
from protocols.house import House
from protocols.jsonl.host import Host
from protocols.jsonl.requests.reception import introduction
from protocols.mqtt.broker import Broker
from protocols.mqtt.guests import Guests
from protocols.mqtt.letter import Letter
from protocols.mqtt.link import Link
from protocols.mqtt.outbox import Outbox, Publication
from protocols.mqtt.requests.requests import Requests
from protocols.mqtt.topics import Said, Topics

BYE: Final = b'{"type":"bye"}'
STATE_SECONDS: Final = (
    86_400  # after which the broker forgets how a game or a match stood, should the house die
)
OF_THE_HOUR: Final = ("game/", "match/")
OF_THE_HOUSE: Final = (*OF_THE_HOUR, "engine/")
PARTING_SECONDS: Final = 2.0  # for the last messages
NO_SESSION: Final = ("re", "session", "resume")  # of a welcome to all


class Gateway:
    """Of one house to one broker, as an async context manager. The house has tables, on the same bus."""

    def __init__(self, house: House, tables: Host, bus: Bus, broker: Broker) -> None:
        topics = Topics(broker.root)
        self._tables = tables
        self._bus = bus
        self._topics = topics
        self._subscription = bus.subscribe(self._wake)
        self.outbox = Outbox(self._wake, self._subscription, self._as_told)
        will = aiomqtt.Will(topics.server, BYE, qos=1, retain=True)
        self.link = Link(broker, self.outbox, topics.incoming, will, self._connected, self._receive)
        self._guests = Guests(tables, topics, self.outbox.put, house.limits.connections)
        self._requests = Requests(house, bus, self.outbox.put)
        self._retained: dict[str, bool] = {}  # topics that tell a state: whether it ends with the house

    async def __aenter__(self) -> Self:
        """ValueError for certificates that cannot be used; a broker that is not there is waited for."""
        await self.link.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> None:
        self._guests.stop()
        self._requests.stop()
        self._bus.unsubscribe(self._subscription)
        if self.link.is_up:
            parted = asyncio.Event()
            self._clear(topic for topic, is_ours in self._retained.items() if is_ours)
            bye = Publication(topic=self._topics.server, payload=BYE, is_retained=True, done=parted.set)
            self.outbox.put(bye)
            with suppress(TimeoutError):
                await asyncio.wait_for(parted.wait(), PARTING_SECONDS)
        await self.link.__aexit__(*failure)

    def _wake(self) -> None:
        self.link.wake()

    def _connected(self) -> None:
        """Say who we are, and how things stand: the broker may be another one, or have forgotten."""
        hall = self._tables.hall
        welcome = msgspec.to_builtins(introduction(hall, hall.limits.line_bytes, session="", resume=""))
        told = {name: value for name, value in welcome.items() if name not in NO_SESSION}
        payload = msgspec.json.encode(told)
        self.outbox.put(Publication(topic=self._topics.server, payload=payload, is_retained=True))
        states = self._bus.states()
        self._clear(self._retained.keys() - {self._topics.of_event(event.topic) for event in states})
        for event in states:
            self.outbox.put(self._as_told(event))

    def _clear(self, topics: Iterable[str]) -> None:
        """What these told is true no more."""
        for topic in topics:
            self.outbox.put(Publication(topic=topic, payload=b"", is_retained=True))

    def _as_told(self, event: Event) -> Publication:
        """A game's or a match's line as it is, other news with its head; a state that is true no more is cleared."""
        topic, news = self._topics.of_event(event.topic), event.news
        is_cleared = isinstance(news, Retired)
        if event.is_state:
            self._retained[topic] = event.topic.startswith(OF_THE_HOUSE)
        elif is_cleared:
            self._retained.pop(topic, None)
        passes = event.is_state and event.topic.startswith(OF_THE_HOUR)
        return Publication(
            topic=topic,
            payload=b""
            if is_cleared
            else news.line
            if isinstance(news, BroadcastLine)
            else encode_event(event),
            is_retained=event.is_state or is_cleared,
            seq=event.seq,
            expiry_seconds=STATE_SECONDS if passes else None,
        )

    def _receive(self, message: aiomqtt.Message) -> None:
        """What a client has sent; nothing in it makes this raise anything."""
        purpose = self._topics.purpose(str(message.topic))
        if purpose is None or message.retain:
            return
        letter = Letter.of(message, purpose.client, self._topics)
        if isinstance(purpose, Said):
            self._guests.receive(purpose.client, letter)
        else:
            self._requests.receive(purpose, letter)
