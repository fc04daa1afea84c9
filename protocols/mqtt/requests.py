"""Requests through the broker outside a conversation: a warrior for a hill, a move of an engine, missed events.

Each request gets one answer, with the correlation data of the request. A request to a hill or an engine that arrives
again with the same data is not done again: the broker may deliver a request twice, and a client without an answer may
repeat one.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import aclosing
from time import monotonic
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from core.chess.notation import START, position_from_fen
from core.chess.position import Position
from engines.engine import Engine, EngineError, Info, Limit
from engines.events import Bus, is_under, topic_level
from protocols.event_log import VERSION, encode_event
from protocols.hill.submission import Heading, SubmissionError
from protocols.jsonl.codec import ENCODER, error_of
from protocols.jsonl.messages import Count, Refusal, missing
from protocols.limits import TokenBucket
from protocols.mqtt.topics import (
    MAX_PAYLOAD_BYTES,
    EngineRequest,
    HillRequest,
    HistoryRequest,
    Publication,
    Request,
)
from protocols.server import CHESS, Server

LOG: Final = logging.getLogger(__name__)
MAX_REMEMBERED: Final = 1000  # answers
MAX_RUNNING_REQUESTS: Final = 16
MAX_PER_SECOND: Final = 20  # of one client
ENGINES: Final = 2  # that think at a time

MAX_MOVES: Final = 1024
SECONDS: Final = 1.0  # of a search without bounds in its request
MAX_SECONDS: Final = 10.0

MAX_EVENTS: Final = 500  # of one answer
ROOM_BYTES: Final = MAX_PAYLOAD_BYTES - 256  # for the events of one answer
HISTORY: Final = b'{"v":%d,"type":"history","seq":%d,"next":%d,"is_more":%b,"events":[%b]}'

Purpose = HillRequest | EngineRequest | HistoryRequest
Query = TypeVar("Query")


class RequestHandler:
    """The handler of requests to one server. It publishes the answers with `put`."""

    def __init__(
        self,
        server: Server,
        bus: Bus,
        put: Callable[[Publication], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._server = server
        self._bus = bus
        self._put = put
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._engines = asyncio.Semaphore(ENGINES)
        self._answers: OrderedDict[tuple[Purpose, bytes], bytes] = OrderedDict()  # empty: not known yet
        self._rates: dict[str, TokenBucket] = {}  # by client

    def receive(self, purpose: Purpose, request: Request) -> None:
        """Answer a request, at once or in its own task. A repeated request gets the answer that is remembered."""
        known = self._answers.get((purpose, request.correlation)) if request.correlation else None
        if known is not None:
            if known:
                self._send(request, known)
            return
        try:
            self._admit(purpose.client)
            if isinstance(purpose, HistoryRequest):
                self._send(request, missed_events(self._bus, request.payload))
                return
            if len(self._tasks) >= MAX_RUNNING_REQUESTS:
                raise Refusal("busy", "the server has too many requests; try again later")
        except Refusal as refusal:
            self._send(request, _encoded(refusal))
            return
        if request.correlation:
            self._remember(purpose, request.correlation, b"")
        task = asyncio.create_task(self._answer(purpose, request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Cancel the requests that are being handled."""
        for task in self._tasks:
            task.cancel()

    # -- Helpers ------------------------------------------------------------------------------------

    def _admit(self, client: str) -> None:
        """Count a request. Raises Refusal if the client has sent too many."""
        now = self._clock()
        if client not in self._rates:
            self._rates = {
                name: rate for name, rate in self._rates.items() if rate.delay(now) or not rate.is_full
            }
            self._rates[client] = TokenBucket(MAX_PER_SECOND, MAX_PER_SECOND, now)
        rate = self._rates[client]
        if rate.delay(now):
            self._server.incidents.add("messages", f"mqtt client {client}")
            raise Refusal(
                "rate_limited",
                f"the limit of requests a second ({MAX_PER_SECOND}) is exceeded",
                data={"retry_ms": 1000},
            )
        rate.take()

    async def _answer(self, purpose: HillRequest | EngineRequest, request: Request) -> None:
        try:
            match purpose:
                case HillRequest():
                    answer = await self._report(purpose, request.payload)
                case EngineRequest():
                    answer = await self._move(purpose, request.payload)
        except Refusal as refusal:
            answer = _encoded(refusal)
        except Exception as error:  # the client waits for an answer, whatever the fault
            LOG.error("%s over MQTT: %r", type(purpose).__name__, error)
            answer = _encoded(Refusal("internal", "internal server error; the server's log has the reason"))
        if request.correlation:
            self._remember(purpose, request.correlation, answer)
        self._send(request, answer)

    def _remember(self, purpose: Purpose, correlation: bytes, answer: bytes) -> None:
        self._answers[purpose, correlation] = answer
        if len(self._answers) > MAX_REMEMBERED:
            self._answers.popitem(last=False)

    def _send(self, request: Request, answer: bytes) -> None:
        self._put(Publication(topic=request.response, payload=answer, correlation=request.correlation))

    async def _report(self, purpose: HillRequest, payload: bytes) -> bytes:
        if self._server.hills is None:
            raise missing("invalid_params", "hill called", purpose.hill)
        text = payload.decode("iso-8859-1")
        try:
            tag = Heading.read(text).tag
        except SubmissionError:
            tag = purpose.hill  # the answer says what is wrong
        if topic_level(tag) != purpose.hill:
            raise Refusal("invalid_params", f"the submission is not for the hill {purpose.hill[:40]!r}")
        report = await self._server.hills.answer(text, f"mqtt client {purpose.client}")
        return report.encode("iso-8859-1", "replace").rstrip(b"\n")

    async def _move(self, purpose: EngineRequest, payload: bytes) -> bytes:
        if purpose.engine != CHESS:
            raise missing("no_such_agent", "engine called", purpose.engine, known=[CHESS])
        position, limit = _parse_question(payload)
        try:
            async with self._engines, self._server.engine() as engine:
                return await _best_move(engine, position, limit)
        except EngineError as error:
            raise Refusal("busy", f"no engine can be started: {error}") from None


def _encoded(refusal: Refusal) -> bytes:
    return ENCODER.encode(error_of(refusal))


# -- Moves of an engine ----------------------------------------------------------------------------


class Question(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position, given by a FEN and moves, and bounds of the search; the first bound that is reached ends it."""

    fen: Annotated[str, Meta(max_length=200)] = START
    moves: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=MAX_MOVES)] = []
    movetime_ms: Annotated[int, Meta(ge=1, le=int(MAX_SECONDS * 1000))] | None = None
    depth: Annotated[int, Meta(ge=1, le=64)] | None = None
    nodes: Annotated[int, Meta(ge=1, le=2**53)] | None = None

    @property
    def limit(self) -> Limit:
        is_bound = self.depth is not None or self.nodes is not None
        seconds = MAX_SECONDS if is_bound else SECONDS
        if self.movetime_ms is not None:
            seconds = self.movetime_ms / 1000
        return Limit(seconds=seconds, depth=self.depth, nodes=self.nodes)


class Bestmove(Struct, kw_only=True, tag_field="type", tag="bestmove"):
    """The move of the engine; scores are in hundredths of a pawn, from the engine's view."""

    move: str
    line: list[str]  # the play that the engine expects, its move first
    cents: int | None
    mate: int | None
    depth: int
    nodes: int
    seconds: float
    notes: list[str] | UnsetType = UNSET  # parts of `fen` that cannot be true, and were dropped or changed


def _parse_question(payload: bytes) -> tuple[Position, Limit]:
    """Return the position and the bounds of a Question. Raises Refusal if it is invalid or the game has ended."""
    question = _decoded(payload, Question)
    try:
        position = position_from_fen(question.fen)
        for move in question.moves:
            position.make(position.parse_uci(move))
    except ValueError as error:
        raise Refusal("invalid_params", str(error)[:200]) from None
    if not position.legal_actions():
        raise Refusal("game_over", "the game has ended in this position: there is no legal move")
    return position, question.limit


async def _best_move(engine: Engine, position: Position, limit: Limit) -> bytes:
    """Return the engine's move as an encoded Bestmove. Raises EngineError if the engine fails."""
    last: Info | None = None
    async with aclosing(engine.think(position, limit)) as infos:
        async for info in infos:
            last = info
    assert last is not None, "an engine reports at least one info"
    best = Bestmove(
        move=position.action_text(last.action),
        line=[position.action_text(action) for action in last.line],
        cents=last.cents,
        mate=last.mate,
        depth=last.depth,
        nodes=last.nodes,
        seconds=round(last.seconds, 3),
        notes=position.notes or UNSET,
    )
    return ENCODER.encode(best)


# -- Missed events ---------------------------------------------------------------------------------


class HistoryQuery(Struct, kw_only=True, forbid_unknown_fields=True):
    """A query for events after number `after` under these topics of the bus; an empty list means all topics."""

    after: Count
    topics: Annotated[list[str], Meta(max_length=64)] = []


def missed_events(bus: Bus, payload: bytes) -> bytes:
    """Return an answer with as many missed events as it can hold; the next query asks for events after `next`.

    In the answer, `seq` is the number of the bus's last event. An event that is too long for any payload is left out.
    Raises Refusal if the query is invalid.
    """
    query = _decoded(payload, HistoryQuery)
    lines: list[bytes] = []
    room, last = ROOM_BYTES, query.after
    for event in bus.history(query.after):
        line = encode_event(event) if is_under(event.topic, query.topics or [""]) else b""
        if line and len(line) <= ROOM_BYTES:
            room -= len(line) + 1
            if room < 0 or len(lines) == MAX_EVENTS:
                return HISTORY % (VERSION, bus.seq, last, b"true", b",".join(lines))
            lines.append(line)
        last = event.seq
    return HISTORY % (VERSION, bus.seq, last, b"false", b",".join(lines))


def _decoded(payload: bytes, kind: type[Query]) -> Query:
    """Return the payload as an object of this kind. Raises Refusal if it is not one."""
    try:
        return msgspec.json.decode(payload, type=kind)
    except (ValueError, RecursionError) as error:
        raise Refusal("invalid_params", str(error)[:200]) from None
