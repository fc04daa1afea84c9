"""The story of a run on the page, the figures that only its game has, and the strength of its champions over time.

A game computes all three from the run's store (engines.evolution.run_history.GameStatistics). That takes up to some
seconds, so it is done in a worker process, bounded and charged to the client as fights are. The story and the figures
are kept until the run has another generation. A measured strength is kept for as long as the server runs, because
champions of the past do not change.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
from aiohttp import web

from engines.evolution.population import derive_seed
from engines.evolution.run_history import RunHistory
from engines.evolution.run_store import RunStore
from engines.strength import MEASURING, GameReference
from protocols.web.responses import ADDRESS, Routes, error, json_response, number
from protocols.web.runs import RunsApi

MAX_KEPT: Final = 300  # answers
MAX_WAITING: Final = 30  # requests of all addresses
MAX_PER_ADDRESS: Final = 8  # requests of an address
READ_SECONDS: Final = 20.0  # of processor time, for a story or the figures
MEASURE_SECONDS: Final = 60.0  # of processor time, for the strength of a champion

ReferenceOf = Callable[
    [str], GameReference | None
]  # of a game, a function that can be pickled; None: unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTask:
    """A run to be read in a worker process; `generation` is that of the champion to be measured."""

    reference_of: ReferenceOf
    folder: Path
    generation: int = 0


class WorkQueue(Protocol):
    """A queue of work for processes, which charges its clients."""

    async def run(
        self, request: web.Request, work: Callable[[RunTask], bytes], task: RunTask, seconds: float
    ) -> bytes:
        """Return the result of a task. Raises an HTTPException if too many requests wait, or it takes too long."""
        ...


class RunStoryApi:
    """The routes of the stories, own figures and strengths of runs."""

    def __init__(self, runs: RunsApi, queue: WorkQueue, reference_of: ReferenceOf) -> None:
        """Create the API for the runs of `runs`; the work is done by `queue`."""
        self._runs = runs
        self._queue = queue
        self._reference_of = reference_of
        self._kept: dict[tuple[object, ...], bytes] = {}
        self._turn = asyncio.Semaphore(1)  # one run at a time, so that fights need not wait for long
        self._waiting: Counter[str] = Counter()  # requests by address

    def routes(self) -> Routes:
        """Return the routes.

        They are GET /api/runs/RUN/story and /portrait; GET /api/runs/RUN/strength for the champions that have been
        measured, and POST /api/runs/RUN/strength?generation=N, which measures one.
        """
        return [
            web.get("/api/runs/{run}/story", self._tell),
            web.get("/api/runs/{run}/portrait", self._draw),
            web.get("/api/runs/{run}/strength", self._list_strengths),
            web.post("/api/runs/{run}/strength", self._measure),
        ]

    async def _tell(self, request: web.Request) -> web.Response:
        return await self._answer(request, tell_story)

    async def _draw(self, request: web.Request) -> web.Response:
        return await self._answer(request, draw_portrait)

    async def _answer(self, request: web.Request, work: Callable[[RunTask], bytes]) -> web.Response:
        """Return what `work` finds in the run, from the answers that are kept if possible."""
        run = self._runs.find(request)
        key = (work, run.folder, run.hash)
        if key not in self._kept:
            task = RunTask(reference_of=self._reference_of, folder=run.folder)
            self._keep(key, await self._work(request, work, task))
        return json_response(msgspec.Raw(self._kept[key]))

    async def _list_strengths(self, request: web.Request) -> web.Response:
        run = self._runs.find(request)
        hashes = await self._runs.read(run, lambda store: {each.hash for each in store.generations()})
        known = [
            msgspec.Raw(answer)
            for (kind, folder, digest), answer in self._kept.items()
            if kind is measure_champion and folder == run.folder and digest in hashes
        ]
        return json_response({"points": known})

    async def _measure(self, request: web.Request) -> web.Response:
        run = self._runs.find(request)
        generation = number(request.query.get("generation", ""))
        if generation is None:
            raise error(web.HTTPBadRequest, "generation must be a number, such as ?generation=10")

        def digest_of(store: RunStore) -> str:
            try:
                return store.generation(generation).hash
            except (KeyError, OverflowError):
                raise error(
                    web.HTTPNotFound,
                    f"the run has no generation {generation} on record; its last one is {run.generation}",
                ) from None

        key = (measure_champion, run.folder, await self._runs.read(run, digest_of))
        if key not in self._kept:
            task = RunTask(reference_of=self._reference_of, folder=run.folder, generation=generation)
            self._keep(key, await self._work(request, measure_champion, task, MEASURE_SECONDS))
        return json_response(msgspec.Raw(self._kept[key]))

    async def _work(
        self,
        request: web.Request,
        work: Callable[[RunTask], bytes],
        task: RunTask,
        seconds: float = READ_SECONDS,
    ) -> bytes:
        """Return what a worker finds in a run. Raises an HTTPException if too many requests wait."""
        address = request[ADDRESS]
        if self._waiting[address] >= MAX_PER_ADDRESS:
            raise error(web.HTTPTooManyRequests, "too many of your requests wait; try again in a moment")
        if self._waiting.total() >= MAX_WAITING:
            raise error(web.HTTPServiceUnavailable, "too many requests wait; try again in a moment")
        self._waiting[address] += 1
        try:
            async with self._turn:
                return await self._queue.run(request, work, task, seconds)
        finally:
            self._waiting[address] -= 1
            self._waiting += Counter()  # removes addresses whose count is 0

    def _keep(self, key: tuple[object, ...], answer: bytes) -> None:
        while len(self._kept) >= MAX_KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[key] = answer


# -- Work: in a worker process; the results are JSON ------------------------------------------------


def tell_story(task: RunTask) -> bytes:
    """Return the story of a run, or null for a game without statistics."""
    return _found(task, lambda game, store: game.story(store))


def draw_portrait(task: RunTask) -> bytes:
    """Return the values for the figures that only this game has; empty if it has none."""
    return _found(task, lambda game, store: game.portrait(store))


def measure_champion(task: RunTask) -> bytes:
    """Return the strength of the champion of a generation, measured outside of the run.

    `value` is null if there was no champion yet, or if an excerpt of a run does not have it.
    """

    def measured(game: GameReference, store: RunStore) -> dict[str, Any]:
        id = RunHistory(store).champion_at(game, task.generation)
        try:
            genome = store.individual(-1 if id is None else id).genome
        except KeyError:
            return {"generation": task.generation, "individual": id, "value": None}
        strength = game.measure(store.config, genome, derive_seed(store.seed, MEASURING))
        return {
            "generation": task.generation,
            "individual": id,
            "value": strength.estimate.value,
            "low": strength.estimate.low,
            "high": strength.estimate.high,
            "is_share": strength.form.endswith("%"),
            "games": strength.games,
            "unit": strength.unit,
            "against": strength.against,
        }

    return _found(task, measured)


def _found(task: RunTask, find: Callable[[GameReference, RunStore], Any]) -> bytes:
    try:
        with RunStore.open(task.folder) as store:
            game = task.reference_of(store.game)
            return msgspec.json.encode(find(game, store) if game else None)
    except (ValueError, OSError, KeyError) as problem:
        return msgspec.json.encode({"refused": f"the run cannot be read: {problem}"})
