"""The rooms of the page that the command line opens: which runs, hills and events it shows, and what it keeps going."""

import asyncio
import logging
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from engines.corewar.challenge_queue import BoundedPool
from engines.events import Bus
from engines.evolution.run_history import GameStatistics
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import RunWatcher
from engines.evolution.supervisor import Supervisor
from protocols.house import House
from protocols.web.corewar import fight_routes
from protocols.web.hills import HillsApi
from protocols.web.players import genome_routes, player_routes
from protocols.web.responses import Routes
from protocols.web.runs import RunsApi
from protocols.web.websocket import EventSocket
from tools.games import GAMES, catalogues

if TYPE_CHECKING:
    from tools.serve.opening import Plan

LOW_PRIORITY: Final = ("nice", "-n", "10")  # whoever plays comes first


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--evolve",
        action="append",
        type=Path,
        default=[],
        metavar="RUN",
        help="go on with the evolution of this folder while the house is open; may be repeated",
    )


@asynccontextmanager
async def open_rooms(plan: "Plan", house: House, bus: Bus, arena: BoundedPool) -> AsyncIterator[Routes]:
    """What their pages ask for; while they are open, runs are followed and kept going. ValueError, OSError."""
    evolving = [folder.resolve() for folder in plan.evolving]
    watch = RunWatcher(bus, [*(folder.resolve() for folder in plan.home.runs), *evolving], curves_of)
    supervisors = {folder: Supervisor(folder, _command(folder)) for folder in evolving}
    feed = EventSocket(bus, house.limits)
    rooms = (
        player_routes(catalogues()),
        genome_routes(),
        fight_routes(arena),
        RunsApi(watch, supervisors, curves_of).routes(),
        HillsApi(house).routes(),
        feed.routes(),
    )
    async with _beside([watch.follow(), *(each.keep_going() for each in supervisors.values())]):
        try:
            yield [route for room in rooms for route in room]
        finally:
            feed.close()


@cache
def curves_of(game: str) -> GameStatistics | None:
    """None if nothing is known of its runs."""
    module = GAMES[game].curves if game in GAMES else ""
    return cast(GameStatistics, import_module(module)) if module else None


def _command(folder: Path) -> Sequence[str]:
    """Goes on with a run. ValueError if there is none."""
    with RunStore.open(folder) as store:
        game = store.game
    gently = LOW_PRIORITY if shutil.which(LOW_PRIORITY[0]) else ()
    return (*gently, sys.executable, "-m", "tools", "evolve", game, "--run", str(folder), "--resume")


@asynccontextmanager
async def _beside(coroutines: Sequence[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """They run until we leave. One that fails is told of, and harms nobody else."""
    tasks = [asyncio.create_task(_told(each)) for each in coroutines]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


async def _told(coroutine: Coroutine[Any, Any, None]) -> None:
    with suppress(asyncio.CancelledError):
        try:
            await coroutine
        except Exception:
            logging.getLogger(__name__).exception("a run is no longer followed")
