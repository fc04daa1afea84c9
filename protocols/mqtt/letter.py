"""A letter: one message of a client as the broker delivers it, and where its answer goes."""

from dataclasses import dataclass
from typing import Final, Self

import aiomqtt

from protocols.mqtt.topics import Topics

LONGEST: Final = 256  # bytes of a mark, characters of a topic: answers are kept with them
BY_SEAT: Final = ("games", "by_seat")  # a user property


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is said, and how it wants to be answered."""

    payload: bytes
    response: str  # a topic
    mark: bytes | None  # its Correlation Data, which the answer repeats
    by_seat: bool  # games are to be told under the topics of their seats

    @classmethod
    def of(cls, message: aiomqtt.Message, client: str, topics: Topics) -> Self:
        """A Response Topic that is not the client's own, or a mark that is too long, counts as none."""
        properties = message.properties
        wanted: str | None = getattr(properties, "ResponseTopic", None)
        mark: bytes | None = getattr(properties, "CorrelationData", None)
        return cls(
            payload=message.payload if isinstance(message.payload, bytes) else b"",
            response=topics.response(client, wanted if wanted and len(wanted) <= LONGEST else None),
            mark=mark if mark and len(mark) <= LONGEST else None,
            by_seat=BY_SEAT in getattr(properties, "UserProperty", ()),
        )
