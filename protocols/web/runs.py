"""The runs on the page: their state, curves, traits, lineages and genomes.

Runs are read from their stores in threads, two at a time, and the size of each response is bounded. Clients that may
control runs are told what they can do with each (protocols/web/run_control.py).
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from aiohttp import web

from engines.config import RUN_FILE
from engines.events import Bus, RunProgress
from engines.evolution.run_history import Ancestry, GameStatistics, RunHistory, TraitCurves
from engines.evolution.run_store import RunStore, StoredIndividual, StoreError
from engines.evolution.run_watcher import CurvesOf, RunStatus, RunWatcher, topic_of
from engines.evolution.story import Story
from engines.evolution.supervisor import Supervisors
from protocols.web.fights import rules_of
from protocols.web.responses import Routes, error, json_response, number
from protocols.web.run_contest import ContestApi, Contests
from protocols.web.run_control import NOT_FOUND, RunControl
from protocols.web.run_tree import TreeApi

FOLLOW_SECONDS: Final = 1.0  # between two checks of the progress of runs
READERS: Final = 2  # stores that are read at a time
LONGEST_TEXT: Final = 200_000  # characters of a genome or a configuration, at most
ANCESTORS: Final = 80  # of a lineage, at most
BIRTHS: Final = 12  # generations of parents in a lineage, at most
log = logging.getLogger(__name__)

Outcome = TypeVar("Outcome")


class RunsApi:
    """The routes of the runs that a watcher has found; some of them have a supervisor of this server."""

    def __init__(
        self,
        watcher: RunWatcher,
        supervisors: Supervisors,
        curves_of: CurvesOf,
        control: RunControl | None = None,
        bundled: Mapping[str, RunStatus] = MappingProxyType({}),
        contests: Contests | None = None,
    ) -> None:
        """Create the API. Without a control no client may start runs; `bundled` are the bundled runs by name."""
        self._contests = contests
        self._watcher = watcher
        self._supervisors = supervisors
        self._curves_of = curves_of
        self._control = control
        self._bundled = dict(bundled)
        self._readers = asyncio.Semaphore(READERS)
        self._published: dict[str, RunProgress] = {}  # by the names of the runs

    def routes(self) -> Routes:
        return [
            web.get("/api/runs", self._list),
            web.get("/api/runs/{run}", self._show),
            web.get("/api/runs/{run}/traits", self._traits),
            web.get("/api/runs/{run}/lineage/{id}", self._lineage),
            web.get("/api/runs/{run}/individuals/{id}", self._individual),
            *TreeApi(self.find, self.read, self._statistics).routes(),
            *ContestApi(self.find, self.read, self._statistics, self._contests).routes(),
        ]

    async def follow(self, bus: Bus) -> None:
        """Publish the changes of runs that no event of a generation reports, until cancelled."""
        while True:
            self.publish_progress(bus)
            await asyncio.sleep(FOLLOW_SECONDS)

    def publish_progress(self, bus: Bus) -> None:
        """Publish the progress of each run that has changed or disappeared since the last call."""
        progress = {name: self._progress(seen) for name, seen in self._watcher.runs.items()}
        for name in self._published.keys() - progress.keys():
            bus.publish(topic_of(name, "progress"), RunProgress(run=name, status="gone"))
        for name, news in progress.items():
            if news != self._published.get(name):
                bus.publish(topic_of(name, "progress"), news)
        self._published = progress

    async def _list(self, request: web.Request) -> web.Response:
        control = self._control if self._control and self._control.is_allowed(request) else None
        own = self._watcher.runs
        shown = [*own.values(), *(seen for name, seen in self._bundled.items() if name not in own)]
        runs = [
            self._status(seen)
            | {
                "action": control.action(seen) if control else "",
                "actions": control.actions(seen) if control else [],
            }
            for seen in shown
        ]
        return json_response({
            "runs": runs,
            "queue": control.queue() if control else [],
            "configs": await control.configs() if control else [],
            "folder": str(control.home) if control else "",  # concerns nobody else
        })  # fmt: skip

    async def _show(self, request: web.Request) -> web.Response:
        run = self.find(request)

        def read(store: RunStore) -> dict[str, Any]:
            course = RunHistory(store).curves(self._statistics(store))
            champion = course.champion
            return {
                "configuration": store.config[:LONGEST_TEXT],
                "seed": str(store.seed),  # as text: it may be above the integers of JavaScript
                "hash": store.hash,
                "newest": store.newest,
                "course": course,
                "champion_born": None if champion is None else store.birth(champion).generation,
                "charts": self._statistics(store).CHARTS,
                "rules": rules_of(store.config),
                "forked_at": [each.generation for each in store.precursors],
            }

        return json_response(self._status(run) | await self.read(run, read))

    async def _traits(self, request: web.Request) -> web.Response:
        def read(store: RunStore) -> TraitCurves:
            return RunHistory(store).traits(self._statistics(store))

        return json_response(await self.read(self.find(request), read))

    async def _lineage(self, request: web.Request) -> web.Response:
        def read(store: RunStore, born: StoredIndividual) -> Ancestry:
            return RunHistory(store).ancestors(born.id, BIRTHS, ANCESTORS)

        return json_response(await self._read_individual(request, read))

    async def _individual(self, request: web.Request) -> web.Response:
        born = await self._read_individual(request, lambda store, born: born)
        return json_response({
            "id": born.id,
            "generation": born.generation,
            "origin": born.origin,
            "parents": born.parents,
            "text": born.genome[:LONGEST_TEXT],
        })  # fmt: skip

    # -- Helpers -----------------------------------------------------------------------------------

    def find(self, request: web.Request) -> RunStatus:
        """Return the run that a request names. Raises HTTPNotFound if there is no such run."""
        name = request.match_info["run"]
        run = self._watcher.runs.get(name) or self._bundled.get(name)
        if run is None:
            raise error(web.HTTPNotFound, NOT_FOUND)
        return run

    def _progress(self, seen: RunStatus) -> RunProgress:
        supervisor = self._supervisors.get(seen.folder)
        # A process that has just ended seems live until the watcher looks again, and until then its run cannot be
        # resumed. So its end is reported after that, when clients can resume the run.
        if supervisor is None or (seen.is_live and not supervisor.is_active):
            status = "evolving" if seen.is_live else ""
        else:
            status = supervisor.status
        if self._control and not seen.is_live and not self._supervisors.is_running(seen.folder):
            status = self._control.status(seen)
        restarts = supervisor.restarts if supervisor else 0
        return RunProgress(run=seen.name, status=status, restarts=restarts, trouble=seen.error)

    def _status(self, seen: RunStatus) -> dict[str, Any]:
        progress = self._progress(seen)
        supervisor = self._supervisors.get(seen.folder)
        return {
            "name": seen.name,
            "is_bundled": self._bundled.get(seen.name) is seen,
            "game": seen.game,
            "generation": seen.generation,
            "seconds": seen.seconds,
            "changed": seen.changed,
            "trouble": progress.trouble,
            "measures": seen.measures,
            "status": progress.status,
            "restarts": progress.restarts,
            "last_words": list(supervisor.last_words) if supervisor else [],
        }

    def _statistics(self, store: RunStore) -> GameStatistics:
        return self._curves_of(store.game) or NoStatistics()

    async def read(self, run: RunStatus, read: Callable[[RunStore], Outcome]) -> Outcome:
        """Read from a run's store in a thread. Raises HTTPServiceUnavailable if the store cannot be read."""

        def work() -> Outcome:
            try:
                with RunStore.open(run.folder) as store:
                    return read(store)
            except (StoreError, OSError, sqlite3.Error) as problem:
                if not (run.folder / RUN_FILE).exists():
                    raise error(web.HTTPNotFound, NOT_FOUND) from None  # it has just been deleted
                log.error("%s cannot be read: %r", run.folder, problem.__cause__ or problem)
                reason = f"the run cannot be read at present: {problem}"
                raise error(web.HTTPServiceUnavailable, reason) from None

        async with self._readers:
            return await asyncio.to_thread(work)

    async def _read_individual(
        self, request: web.Request, read: Callable[[RunStore, StoredIndividual], Outcome]
    ) -> Outcome:
        """Read about the individual that a request names. Raises HTTPNotFound if there is no such individual."""
        id = number(request.match_info["id"])

        def read_known(store: RunStore) -> Outcome:
            try:
                born = store.individual(-1 if id is None else id)
            except KeyError:
                raise error(web.HTTPNotFound, NOT_FOUND) from None
            return read(store, born)

        return await self.read(self.find(request), read_known)


class NoStatistics:
    """The statistics of an unknown game: none (engines.evolution.run_history.GameStatistics)."""

    CHARTS = ()

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        return {}

    def champion(self, record: object, state: str) -> None:
        return None

    def traits(self, text: str) -> dict[str, float]:
        return {}

    def story(self, store: RunStore) -> Story:
        return Story(beginning="")

    def portrait(self, store: RunStore) -> dict[str, Any]:
        return {}
