"""The topics of a server, all below one root (galapagos/v1 unless the broker's address has another).

| topic | sender | retained | content |
|---|---|---|---|
| `server` | server | yes; will | a `welcome` without `re`, `session` and `resume`; `bye` when the server has ended |
| `claim` | servers | | the claim of a server that wants this root, or has it (protocols.mqtt.claim) |
| `c/{client}/in` | client | | its side of a conversation in JSON lines; its will is `{"type":"bye"}` |
| `c/{client}/out` | server | | the other side; answers to the client's requests, here or in a Response Topic below |
| `g/{game}/public` | server | | public lines: `start`, `event`, `end` |
| `g/{game}/state` | server | yes | the public `start` with the present state, once a second at most; last the `end` |
| `listing/{game}` | server | | the game as `list` shows it: when it is created, joined, started, ended or removed |
| `g/{game}/seat/{n}/{client}` | server | | lines of a game to a seat, if the client wants them here, not in `out` |
| `m/{match}/table` | server | yes | the last `match_event`, then `match_end` |
| `hill/{hill}/battle` | server | | a `challenge` |
| `hill/{hill}/standings` | server | yes | the table |
| `hill/{hill}/submit/{client}` | client | | a warrior's text; answered by the hill's report |
| `engine/{id}/status` | server | yes | a `presence`: whether the engine plays, and for how many clients |
| `engine/{id}/request/{client}` | client | | a position and bounds; answered by a `bestmove` |
| `run/{run}/generation` | server | | a `generation` |
| `run/{run}/progress` | server | | a `progress`: the run is found or gone, or its process starts or ends |
| `history/{client}` | client | | `{"after":N,"topics":[..]}`; answered by events that were missed |

Each topic that belongs to one client has the client's name in it: so an access list of the broker needs one pattern
for all clients, and the server knows the sender, which no message names. An answer goes only to the `out` of the
client that asked, or below that topic. Every message of the server that is an event of its bus has the user property
`seq`, the number of the event. Messages of games and matches are the lines themselves; all others are
`{"v":1,"seq":..,"topic":..,"type":..}` with the fields of their type.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Self

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

SHORT: Final = {"game": "g", "match": "m"}  # the first level of a topic on the bus, and at the broker
NO_TOPIC: Final = re.compile(r"[+#\x00]")
MAX_PAYLOAD_BYTES: Final = 131_072  # of a payload; a broker that takes less ends the connection
LONGEST: Final = 256  # bytes of correlation data, characters of a topic; both are kept with answers
BY_SEAT: Final = ("games", "by_seat")  # a user property


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLine:
    """A line of a client's conversation."""

    client: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HillRequest:
    """A warrior for a hill."""

    client: str
    hill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRequest:
    """A position for an engine."""

    client: str
    engine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRequest:
    """A query for events that were missed."""

    client: str


Purpose = ClientLine | HillRequest | EngineRequest | HistoryRequest


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a server below its root."""

    root: str

    @property
    def server(self) -> str:
        return f"{self.root}/server"

    @property
    def claim(self) -> str:
        return f"{self.root}/claim"

    @property
    def incoming(self) -> tuple[str, ...]:
        """The topics and patterns that the server subscribes to."""
        own = ("claim", "c/+/in", "hill/+/submit/+", "engine/+/request/+", "history/+")
        return tuple(f"{self.root}/{each}" for each in own)

    def line(self, client: str) -> str:
        """Return the topic to which a client sends its lines."""
        return f"{self.root}/c/{client}/in"

    def client_topic(self, client: str) -> str:
        """Return the topic of the lines and answers to a client."""
        return f"{self.root}/c/{client}/out"

    def seat(self, game_id: str, seat: int, client: str) -> str:
        """Return the topic of a game's lines to a seat, for a client that wants its lines by seat."""
        return f"{self.root}/g/{game_id}/seat/{seat}/{client}"

    def of_event(self, topic: str) -> str:
        """Return the topic at the broker for the bus's events under `topic`."""
        first, _, rest = topic.partition("/")
        return f"{self.root}/{SHORT.get(first, first)}/{rest}"

    def purpose(self, topic: str) -> Purpose | None:
        """Return the purpose of a client's message under this topic, or None if it is not a message to the server."""
        if not topic.startswith(f"{self.root}/"):
            return None
        match topic.removeprefix(f"{self.root}/").split("/"):
            case ["c", client, "in"]:
                return ClientLine(client=client)
            case ["hill", hill, "submit", client]:
                return HillRequest(client=client, hill=hill)
            case ["engine", engine, "request", client]:
                return EngineRequest(client=client, engine=engine)
            case ["history", client]:
                return HistoryRequest(client=client)
        return None

    def response(self, client: str, wanted: str | None) -> str:
        """Return the topic of an answer to a client: `wanted` if that is below the client's own `out`, else `out`."""
        own = self.client_topic(client)
        return wanted if wanted and wanted.startswith(f"{own}/") and not set("+#") & set(wanted) else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A message of a client as the broker delivers it, and where its answer goes."""

    payload: bytes
    response: str  # a topic
    correlation: bytes | None  # data that the answer repeats
    by_seat: bool  # the lines of games go to the topics of their seats

    @classmethod
    def of(cls, message: aiomqtt.Message, client: str, topics: Topics) -> Self:
        """Return the request in a message from the broker.

        A Response Topic that is not the client's own, or too long Correlation Data, counts as missing.
        """
        properties = message.properties
        wanted: str | None = getattr(properties, "ResponseTopic", None)
        correlation: bytes | None = getattr(properties, "CorrelationData", None)
        return cls(
            payload=message.payload if isinstance(message.payload, bytes) else b"",
            response=topics.response(client, wanted if wanted and len(wanted) <= LONGEST else None),
            correlation=correlation if correlation and len(correlation) <= LONGEST else None,
            by_seat=BY_SEAT in getattr(properties, "UserProperty", ()),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Publication:
    """A message to the broker, always with QoS 1."""

    topic: str
    payload: bytes
    is_retained: bool = False
    seq: int | None = None  # of the event
    correlation: bytes | None = None
    expiry_seconds: int | None = None  # after which the broker drops the message
    done: Callable[[], None] = field(default=lambda: None)  # called when the broker has it, or never will


async def publish(client: aiomqtt.Client, publication: Publication) -> None:
    """Publish a message, and wait until the broker has confirmed it. Raises MqttError if the connection is lost."""
    await client.publish(
        publication.topic,
        publication.payload,
        qos=1,
        retain=publication.is_retained,
        properties=_properties(publication),
    )


def _properties(publication: Publication) -> Properties:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    if publication.payload.startswith(b"{"):
        properties.ContentType = "application/json"
    if publication.seq is not None:
        properties.UserProperty = ("seq", str(publication.seq))
    if publication.correlation is not None:
        properties.CorrelationData = publication.correlation
    if publication.expiry_seconds is not None:
        properties.MessageExpiryInterval = publication.expiry_seconds
    return properties
