"""The way to the fights of the page: requests are checked here, queued within bounds, and done by a worker."""

from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from aiohttp import web

from engines.corewar.challenge_queue import BoundedPool
from engines.corewar.presets import PRESETS
from engines.worker_pool import TaskError
from protocols.web.corewar.film import cells, choice, filmed
from protocols.web.corewar.order import Order
from protocols.web.guard import ADDRESS

MOST_WAITING: Final = 6  # requests
MOST_OF_ONE: Final = 3  # address
PRELOAD: Final = ("protocols.web.corewar.film",)  # what the worker processes of its arena need

Task = TypeVar("Task")


def fights(arena: BoundedPool) -> list[web.RouteDef]:
    """GET /api/warriors?rules=NAME, POST /api/fights, POST /api/fights/cells?tick=N, both with an order."""
    desk = _Desk(arena)
    return [
        web.get("/api/warriors", desk.choose),
        web.post("/api/fights", desk.fight),
        web.post("/api/fights/cells", desk.look),
    ]


class _Desk:
    def __init__(self, arena: BoundedPool) -> None:
        self._arena = arena
        self._waiting: Counter[str] = Counter()  # requests by address
        self._choices: dict[str, bytes] = {}  # by rules, of which there are a dozen

    async def choose(self, request: web.Request) -> web.Response:
        rules = request.query.get("rules", "94nop")
        if rules not in PRESETS:
            raise _told(
                web.HTTPNotFound, f"no rules are called {rules[:40]!r}; there are {', '.join(PRESETS)}"
            )
        if rules not in self._choices:
            self._choices[rules] = await self._done(request, choice, rules)
        return _response(self._choices[rules])

    async def fight(self, request: web.Request) -> web.Response:
        return _response(await self._done(request, filmed, await _order(request)))

    async def look(self, request: web.Request) -> web.Response:
        tick = request.query.get("tick", "")
        if not (tick.isascii() and tick.isdigit() and len(tick) < 10):
            raise _told(web.HTTPBadRequest, "tick is a number of instructions, such as ?tick=100")
        return _response(await self._done(request, cells, (await _order(request), int(tick))))

    async def _done(self, request: web.Request, work: Callable[[Task], bytes], task: Task) -> bytes:
        """HTTPException when there is too much to do, for us or for a worker."""
        address = request[ADDRESS]
        if self._waiting[address] >= MOST_OF_ONE:
            raise _told(web.HTTPTooManyRequests, "wait for the fights that you have asked for")
        if self._waiting.total() >= MOST_WAITING:
            raise _told(web.HTTPServiceUnavailable, "many wait for a fight; try again in a moment")
        self._waiting[address] += 1
        try:
            (answer,) = await self._arena.map(work, [task])
        except TaskError:
            raise _told(web.HTTPUnprocessableEntity, "that takes too much time or memory") from None
        finally:
            self._waiting[address] -= 1
            self._waiting += Counter()  # who waits for nothing is forgotten
        return answer


async def _order(request: web.Request) -> Order:
    try:
        return msgspec.json.decode(await request.read(), type=Order)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _told(web.HTTPBadRequest, f"that is no order for a fight: {error}") from None


def _response(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="application/json")


def _told(kind: type[web.HTTPException], reason: str) -> web.HTTPException:
    return kind(text=msgspec.json.encode({"error": reason}).decode(), content_type="application/json")
