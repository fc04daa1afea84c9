"""Requests through the broker that are no conversation: a warrior for a hill, a move of an engine, missed events.

Each gets one answer, with the mark of the request. A request that comes again with the same mark is not done
again: the broker may deliver one twice, and a client that has heard nothing may repeat it.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

from engines.engine import EngineError
from engines.events import Bus, topic_level
from protocols.hill.conversation import answer
from protocols.hill.submission import Submission, SubmissionError
from protocols.house import CHESS, House
from protocols.jsonl.codec import ENCODER, error_of
from protocols.jsonl.messages import Refusal, missing
from protocols.mqtt.letter import Letter
from protocols.mqtt.outbox import Publication
from protocols.mqtt.requests.missed import missed_events
from protocols.mqtt.requests.move import best_move, read
from protocols.mqtt.topics import Asked, Missed, Submitted

LOG: Final = logging.getLogger(__name__)
MOST_REMEMBERED: Final = 1000  # answers
MOST_AT_ONCE: Final = 16
MOST_A_SECOND: Final = 20  # of one client
ENGINES: Final = 2  # that think at a time

Request = Submitted | Asked | Missed


class Requests:
    """Of one house. Answers are published with `put`."""

    def __init__(
        self,
        house: House,
        bus: Bus,
        put: Callable[[Publication], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._house = house
        self._bus = bus
        self._put = put
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._engines = asyncio.Semaphore(ENGINES)
        self._answers: OrderedDict[tuple[Request, bytes], bytes] = OrderedDict()  # empty: it is being made
        self._second = 0  # of the clock, and who has asked how often in it
        self._asked: dict[str, int] = {}

    def receive(self, request: Request, letter: Letter) -> None:
        """A client asks for something."""
        known = self._answers.get((request, letter.mark)) if letter.mark else None
        if known is not None:
            if known:
                self._say(letter, known)
            return
        try:
            self._admit(request.client)
            if isinstance(request, Missed):
                self._say(letter, missed_events(self._bus, letter.payload))
                return
            if len(self._tasks) >= MOST_AT_ONCE:
                raise Refusal("busy", "too many requests; try again later")
        except Refusal as refusal:
            self._say(letter, _refused(refusal))
            return
        if letter.mark:
            self._remember(request, letter.mark, b"")
        task = asyncio.create_task(self._do(request, letter))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Answer no more."""
        for task in self._tasks:
            task.cancel()

    # -- Helpers ------------------------------------------------------------------------------------

    def _admit(self, client: str) -> None:
        """Count a request. Refusal if there are too many."""
        second = int(self._clock())
        if second != self._second:
            self._second = second
            self._asked.clear()
        self._asked[client] = self._asked.get(client, 0) + 1
        if self._asked[client] > MOST_A_SECOND:
            raise Refusal(
                "rate_limited", f"at most {MOST_A_SECOND} requests a second", data={"retry_ms": 1000}
            )

    async def _do(self, request: Submitted | Asked, letter: Letter) -> None:
        try:
            match request:
                case Submitted():
                    told = await self._submitted(request, letter.payload)
                case Asked():
                    told = await self._moved(request, letter.payload)
        except Refusal as refusal:
            told = _refused(refusal)
        except Exception as error:  # whatever it was, somebody waits for the answer
            LOG.error("%s over MQTT: %r", type(request).__name__, error)
            told = _refused(Refusal("internal", "that is our fault"))
        if letter.mark:
            self._remember(request, letter.mark, told)
        self._say(letter, told)

    def _remember(self, request: Request, mark: bytes, told: bytes) -> None:
        self._answers[request, mark] = told
        if len(self._answers) > MOST_REMEMBERED:
            self._answers.popitem(last=False)

    def _say(self, letter: Letter, told: bytes) -> None:
        self._put(Publication(topic=letter.response, payload=told, correlation=letter.mark))

    async def _submitted(self, request: Submitted, payload: bytes) -> bytes:
        if self._house.office is None:
            raise missing("invalid_params", "hill called", request.hill)
        text = payload.decode("iso-8859-1")
        try:
            tag = Submission.read(text).tag
        except SubmissionError:
            tag = request.hill  # whoever answers will say what is wrong
        if topic_level(tag) != request.hill:
            raise Refusal("invalid_params", f"this is no submission for the hill {request.hill[:40]!r}")
        wait = self._house.quota.wait
        report = await answer(self._house.office, text, lambda: wait(f"mqtt client {request.client}"))
        return report.encode("iso-8859-1", "replace").rstrip(b"\n")

    async def _moved(self, request: Asked, payload: bytes) -> bytes:
        if request.engine != CHESS:
            raise missing("no_such_agent", "engine called", request.engine)
        position, limit = read(payload)
        try:
            async with self._engines, self._house.engine() as engine:
                return await best_move(engine, position, limit)
        except EngineError as error:
            raise Refusal("busy", f"no engine to be had: {error}") from None


def _refused(refusal: Refusal) -> bytes:
    return ENCODER.encode(error_of(refusal))
