"""A house is opened: its workers, its tables and hills, its ports, and the news of all of them."""

import asyncio
import gc
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext
from typing import TYPE_CHECKING, Final

from engines.corewar.challenge_queue import BoundedPool
from engines.engine_process import Workers
from engines.events import Bus
from engines.worker_pool import WorkerPool, process_pool
from protocols.event_log import EventLog
from protocols.hill.service import PRELOAD, HillService
from protocols.hill.submission import first_line
from protocols.house import House
from protocols.jsonl.limits import JsonlLimits
from protocols.limits import HourlyQuota, Limits
from protocols.server import Server
from protocols.web.app import Site
from protocols.web.corewar import PRELOAD as FILMS
from protocols.web.metrics import Metrics
from tools.games import GAMES
from tools.hill import submit_starters
from tools.jsonl import open_host
from tools.serve.home import Home
from tools.serve.rooms import open_rooms

TIDY_SECONDS: Final = 300.0
NEVER: Final = 1_000_000_000  # collections of the younger, before all are looked at by themselves

if TYPE_CHECKING:
    from protocols.mqtt.broker import Broker


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a house is to be."""

    host: str
    port: int
    page: int  # its port
    names: frozenset[str]  # by which browsers may call it
    workers: int
    limits: Limits
    bounds: JsonlLimits
    home: Home
    evolving: tuple[Path, ...]  # runs that go on as long as it is open
    token: str
    tls: SSLContext | None
    is_proxied: bool
    broker: "Broker | None"
    events: Path | None


async def serve(plan: Plan) -> None:
    """Until somebody ends the process politely. OSError if a port is taken, ValueError for what cannot be used."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    async with AsyncExitStack() as stack:
        bus = Bus()
        if plan.events:
            await stack.enter_async_context(EventLog(plan.events, bus))
        fighters = await stack.enter_async_context(process_pool(plan.workers, preload=(*PRELOAD, *FILMS)))
        house = await _open_house(plan, bus, fighters, stack)
        metrics = Metrics(house, bus)
        routes = await stack.enter_async_context(open_rooms(plan, house, bus, BoundedPool(fighters)))
        server = Server(house)
        site = Site(house, [*metrics.routes(), *routes], plan.names, is_proxied=plan.is_proxied)
        host, port = await server.start(plan.host, plan.port, plan.tls)
        async with site.listen(plan.host, plan.page, plan.tls) as (_, page):
            watching = asyncio.create_task(metrics.watch())
            tidying = asyncio.create_task(_tidy())
            for line in _announcement(plan, host, port, page):
                print(f"galapagos: {line}", flush=True)
            await stopped.wait()
            watching.cancel()
            tidying.cancel()
        await server.stop()


async def _open_house(plan: Plan, bus: Bus, fighters: WorkerPool, stack: AsyncExitStack) -> House:
    """With all who are in it; they leave when the stack is left."""
    home = plan.home
    tables = open_host(home.records, home.profiles, plan.bounds, plan.token, bus)
    engines = await stack.enter_async_context(Workers(plan.workers))
    await stack.enter_async_context(tables)
    quota = HourlyQuota(plan.limits.hill_submissions_per_hour)
    office = HillService(home.hills, BoundedPool(fighters), bus, quota) if home.hills else None
    if office:
        for store in home.new_hills:
            await submit_starters(office, store)
        await office.publish_standings()
    tables.flush()  # games of an earlier run go on
    engine = GAMES["chess"].engine
    house = House(
        lambda: engines.engine(engine), plan.limits, office, tables, bus, is_proxied=plan.is_proxied
    )
    if plan.broker:
        from protocols.mqtt.bridge import Bridge

        tables.hall.features = (*tables.hall.features, "mqtt")
        await stack.enter_async_context(Bridge(house, tables, bus, plan.broker))
    return house


async def _tidy() -> None:
    """Look for cycles of garbage among everything now and then only: with many games it takes some 0.2 s."""
    gc.collect()
    gc.freeze()  # what is there now stays
    gc.set_threshold(*gc.get_threshold()[:2], NEVER)
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        gc.collect()


def _announcement(plan: Plan, host: str, port: int, page: int) -> list[str]:
    hills = "".join(f", {first_line(store.preset.tag)}" for store in plan.home.hills)
    lines = [
        f"listening on {host}:{port} for uci, xboard, JSON lines{hills}; Ctrl-C stops",
        f"play and watch at {'https' if plan.tls else 'http'}://{host}:{page}/",
        f"try it:  nc {host} {port}  and type uci, then go movetime 1000",
    ]
    return [*lines, f"and at the broker {plan.broker}"] if plan.broker else lines
