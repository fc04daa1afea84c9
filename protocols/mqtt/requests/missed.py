"""A question for events that were missed: whoever sees a gap in `seq` asks for what the bus has kept."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from engines.events import Bus, is_under
from protocols.events import VERSION, encoded
from protocols.jsonl.messages import Count, Refusal
from protocols.mqtt.outbox import MOST_BYTES

MOST_EVENTS: Final = 500  # of one answer
ROOM_BYTES: Final = MOST_BYTES - 256  # for them
FORM: Final = b'{"v":%d,"type":"history","seq":%d,"next":%d,"is_more":%b,"events":[%b]}'


class Catchup(Struct, kw_only=True, forbid_unknown_fields=True):
    """Events younger than number `after`, under these topics of the bus; all if there are none."""

    after: Count
    topics: Annotated[list[str], Meta(max_length=64)] = []

    def wants(self, topic: str) -> bool:
        return is_under(topic, self.topics or [""])


def missed_events(bus: Bus, payload: bytes) -> bytes:
    """As many as one answer holds; the next question is for those after `next`. Refusal.

    `seq` is the number of the last event that there is. An event that no payload can hold is passed over.
    """
    try:
        wanted = msgspec.json.decode(payload, type=Catchup)
    except (ValueError, RecursionError) as error:
        raise Refusal("invalid_params", str(error)[:200]) from None
    told: list[bytes] = []
    room, last = ROOM_BYTES, wanted.after
    for event in bus.history(wanted.after):
        line = encoded(event) if wanted.wants(event.topic) else b""
        if line and len(line) <= ROOM_BYTES:
            room -= len(line) + 1
            if room < 0 or len(told) == MOST_EVENTS:
                return FORM % (VERSION, bus.seq, last, b"true", b",".join(told))
            told.append(line)
        last = event.seq
    return FORM % (VERSION, bus.seq, last, b"false", b",".join(told))
