"""Fights on the page: the routes by which browsers request them.

Requests are checked here and queued within limits; protocols.web.fights does the work, in a worker process. Answers
about bundled warriors are kept: by the server, up to KEPT_BYTES, and by browsers, which ask whether theirs still hold.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable
from hashlib import sha256
from secrets import token_hex
from time import monotonic
from typing import Final, TypeVar
from weakref import WeakValueDictionary

import msgspec
from aiohttp import web

from engines.corewar.challenge_queue import START_SECONDS
from engines.corewar.presets import PRESETS
from engines.worker_pool import TaskError, WorkerPool
from protocols.web.fights import (
    Entry,
    FightRequest,
    RedcodeCheck,
    check_redcode,
    fight_cells,
    list_warriors,
    record_fight,
    unknown_rules,
)
from protocols.web.responses import ADDRESS, JSON, Routes, error, json_response

MAX_WAITING: Final = 12  # requests of all addresses
MAX_PER_ADDRESS: Final = 6  # requests of an address; a page that is opened has up to three
KEPT_BYTES: Final = 32 << 20  # of answers; a long fight has 0.9 MB

Task = TypeVar("Task")
Body = TypeVar("Body", bound=msgspec.Struct)


class AnswerCache:
    """The answers that were used last, by what determines them, up to KEPT_BYTES together."""

    def __init__(self) -> None:
        self._answers: OrderedDict[object, bytes] = OrderedDict()
        self._bytes = 0

    def get(self, key: object) -> bytes | None:
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: object, answer: bytes) -> None:
        self._bytes += len(answer) - len(self._answers.pop(key, b""))
        self._answers[key] = answer
        while self._bytes > KEPT_BYTES:
            self._bytes -= len(self._answers.popitem(last=False)[1])


class FightsApi:
    """The routes of fights, with limits on the waiting requests of each address and of all."""

    def __init__(self, pool: WorkerPool, charge: Callable[[str, float], object] | None = None) -> None:
        """Create the API; `charge` is called with the address and the seconds of each fight."""
        self._pool = pool
        self._charge = charge
        self._waiting: Counter[str] = Counter()  # requests by address
        self._kept = AnswerCache()
        self._computing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        # In ETags: another process may have other warriors, or another simulator.
        self._process = token_hex(8)

    def routes(self) -> Routes:
        """Return the routes.

        They are GET /api/warriors?rules=NAME; GET /api/fights, with the fields of a FightRequest between bundled
        warriors as its query (`warrior=NAME` for each); POST /api/fights and POST /api/fights/cells?tick=N, with a
        FightRequest; POST /api/redcode, with a RedcodeCheck.
        """
        return [
            web.get("/api/warriors", self._list_warriors),
            web.get("/api/fights", self._fight_of_bundled),
            web.post("/api/redcode", self._check),
            web.post("/api/fights", self._fight),
            web.post("/api/fights/cells", self._cells),
        ]

    async def run(
        self, request: web.Request, work: Callable[[Task], bytes], task: Task, seconds: float = START_SECONDS
    ) -> bytes:
        """Return the JSON that a worker makes of a task, in at most `seconds` of processor time.

        Raises an HTTPException if too many requests wait, or if the task takes too much time or memory.
        """
        address = request[ADDRESS]
        if self._waiting[address] >= MAX_PER_ADDRESS:
            raise error(
                web.HTTPTooManyRequests, "too many of your requests are waiting; try again when one has ended"
            )
        if self._waiting.total() >= MAX_WAITING:
            raise error(web.HTTPServiceUnavailable, "too many requests are waiting; try again in a moment")
        self._waiting[address] += 1
        began = monotonic()
        try:
            result = await self._pool.do(work, task, seconds)
        except TaskError:
            raise error(web.HTTPUnprocessableEntity, "the request takes too much time or memory") from None
        finally:
            if self._charge:
                self._charge(address, monotonic() - began)
            self._waiting[address] -= 1
            self._waiting += Counter()  # removes addresses whose count is 0
        return result

    async def answer(
        self, request: web.Request, work: Callable[[Task], bytes], task: Task, inputs: object
    ) -> web.Response:
        """Return the response of run() to a task whose result holds nothing secret, computed once.

        `inputs` are values for JSON that determine the result, together with `work`. Raises the exceptions of run().
        """
        key = sha256(work.__name__.encode() + msgspec.json.encode(inputs)).hexdigest()
        headers = {"ETag": f'"{self._process}-{key[:32]}"', "Cache-Control": "no-cache"}
        if headers["ETag"] in request.headers.get("If-None-Match", ""):
            return web.Response(status=304, headers=headers)
        lock = self._computing.setdefault(key, asyncio.Lock())
        async with lock:  # a second request for the same waits for the answer to the first
            body = self._kept.get(key)
            if body is None:
                body = await self.run(request, work, task)
                self._kept.put(key, body)
        return web.Response(body=body, content_type=JSON, headers=headers)

    async def _list_warriors(self, request: web.Request) -> web.Response:
        rules = request.query.get("rules", "94nop")
        if rules not in PRESETS:
            raise error(web.HTTPNotFound, unknown_rules(rules))
        return await self.answer(request, list_warriors, rules, rules)

    async def _fight_of_bundled(self, request: web.Request) -> web.Response:
        query = request.query
        fields: dict[str, object] = {name: query[name] for name in query if name != "warrior"}
        fields["warriors"] = [Entry(ours=name) for name in query.getall("warrior", [])]
        try:
            fight = msgspec.convert(fields, FightRequest, strict=False)
        except msgspec.ValidationError as problem:
            raise error(web.HTTPBadRequest, f"the query does not ask for a fight: {problem}") from None
        return await self.answer(request, record_fight, fight, fight)

    async def _fight(self, request: web.Request) -> web.Response:
        fight = await _parse(request, FightRequest)
        return json_response(msgspec.Raw(await self.run(request, record_fight, fight)))

    async def _check(self, request: web.Request) -> web.Response:
        check = await _parse(request, RedcodeCheck)
        return json_response(msgspec.Raw(await self.run(request, check_redcode, check)))

    async def _cells(self, request: web.Request) -> web.Response:
        tick = request.query.get("tick", "")
        if not (tick.isascii() and tick.isdigit() and len(tick) < 10):
            raise error(web.HTTPBadRequest, "tick must be a number of instructions, such as ?tick=100")
        task = await _parse(request, FightRequest), int(tick)
        return json_response(msgspec.Raw(await self.run(request, fight_cells, task)))


async def _parse(request: web.Request, kind: type[Body]) -> Body:
    what = "a fight" if kind is FightRequest else "a check of Redcode"
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise error(web.HTTPBadRequest, f"the body is not a valid request for {what}: {problem}") from None
