"""Events of the bus as JSON, one object a line: the same for the log, the WebSocket and MQTT."""

from typing import Final

from msgspec import Struct

from engines.events import BroadcastLine, Event
from protocols.jsonl.codec import ENCODER, join_objects

VERSION: Final = 1  # of this form; fields and types may be added to it


class _Head(Struct, kw_only=True, omit_defaults=True):
    seq: int
    topic: str
    type: str
    is_state: bool = False


def encoded(event: Event) -> bytes:
    """{"v":1,"seq":..,"topic":..,"type":..} and the fields of its news; no break at its end.

    The public line of a game or a match stands in the field `line`, an object as it was sent.
    """
    head = _Head(seq=event.seq, topic=event.topic, type=event.news.type, is_state=event.is_state)
    news = event.news
    body = b'{"line":%b}' % news.line if isinstance(news, BroadcastLine) else ENCODER.encode(news)
    return join_objects(b'{"v":%d}' % VERSION, ENCODER.encode(head), body)
