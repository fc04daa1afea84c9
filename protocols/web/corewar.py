"""Fights on the page: the routes by which browsers request them.

Requests are checked here and queued within limits; protocols.web.fights does the work, in a worker process.
"""

from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

import msgspec
from aiohttp import web

from engines.corewar.challenge_queue import START_SECONDS
from engines.corewar.presets import PRESETS
from engines.worker_pool import TaskError, WorkerPool
from protocols.web.fights import FightRequest, fight_cells, list_warriors, record_fight, unknown_rules
from protocols.web.responses import ADDRESS, Routes, error, json_response

MAX_WAITING: Final = 6  # requests of all addresses
MAX_PER_ADDRESS: Final = 3  # requests of an address

Task = TypeVar("Task")


class FightsApi:
    """The routes of fights, with limits on the waiting requests of each address and of all."""

    def __init__(self, pool: WorkerPool, charge: Callable[[str, float], object] | None = None) -> None:
        """Create the API; `charge` is called with the address and the seconds of each fight."""
        self._pool = pool
        self._charge = charge
        self._waiting: Counter[str] = Counter()  # requests by address
        self._warriors: dict[str, bytes] = {}  # by rules, of which there are a dozen

    def routes(self) -> Routes:
        """Return the routes.

        They are GET /api/warriors?rules=NAME; POST /api/fights and POST /api/fights/cells?tick=N, with a
        FightRequest.
        """
        return [
            web.get("/api/warriors", self._list_warriors),
            web.post("/api/fights", self._fight),
            web.post("/api/fights/cells", self._cells),
        ]

    async def run(self, request: web.Request, work: Callable[[Task], bytes], task: Task) -> bytes:
        """Return the JSON that a worker makes of a task.

        Raises an HTTPException if too many requests wait, or if the task takes too much time or memory.
        """
        address = request[ADDRESS]
        if self._waiting[address] >= MAX_PER_ADDRESS:
            raise error(
                web.HTTPTooManyRequests, "too many of your fights are waiting; try again when one has ended"
            )
        if self._waiting.total() >= MAX_WAITING:
            raise error(web.HTTPServiceUnavailable, "too many fights are waiting; try again in a moment")
        self._waiting[address] += 1
        began = monotonic()
        try:
            result = await self._pool.do(work, task, START_SECONDS)
        except TaskError:
            raise error(web.HTTPUnprocessableEntity, "the fight takes too much time or memory") from None
        finally:
            if self._charge:
                self._charge(address, monotonic() - began)
            self._waiting[address] -= 1
            self._waiting += Counter()  # removes addresses whose count is 0
        return result

    async def _list_warriors(self, request: web.Request) -> web.Response:
        rules = request.query.get("rules", "94nop")
        if rules not in PRESETS:
            raise error(web.HTTPNotFound, unknown_rules(rules))
        if rules not in self._warriors:
            self._warriors[rules] = await self.run(request, list_warriors, rules)
        return json_response(msgspec.Raw(self._warriors[rules]))

    async def _fight(self, request: web.Request) -> web.Response:
        return json_response(msgspec.Raw(await self.run(request, record_fight, await _parse(request))))

    async def _cells(self, request: web.Request) -> web.Response:
        tick = request.query.get("tick", "")
        if not (tick.isascii() and tick.isdigit() and len(tick) < 10):
            raise error(web.HTTPBadRequest, "tick must be a number of instructions, such as ?tick=100")
        task = await _parse(request), int(tick)
        return json_response(msgspec.Raw(await self.run(request, fight_cells, task)))


async def _parse(request: web.Request) -> FightRequest:
    try:
        return msgspec.json.decode(await request.read(), type=FightRequest)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise error(web.HTTPBadRequest, f"the body is not a valid request for a fight: {problem}") from None
