"""The runs on the page: their state, curves, traits, lineages and genomes; and starting, stopping and resuming runs.

Runs are read from their stores in threads, two at a time, and the size of each response is bounded. Clients on this
machine may start runs of a few configurations, stop them and resume them.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

import msgspec
from aiohttp import web

from engines.events import Bus, RunProgress
from engines.evolution.run_history import Ancestry, GameStatistics, RunHistory, TraitCurves
from engines.evolution.run_store import RunStore, StoredIndividual, StoreError
from engines.evolution.run_watcher import CurvesOf, RunStatus, RunWatcher, topic_of
from engines.evolution.supervisor import Supervisor, Supervisors
from engines.names import near
from protocols.web.fights import rules_of
from protocols.web.responses import ADDRESS, Routes, error, json_response, number

FOLLOW_SECONDS: Final = 1.0  # between two checks of the progress of runs
READERS: Final = 2  # stores that are read at a time
LONGEST_TEXT: Final = 200_000  # characters of a genome or a configuration, at most
MAX_RUNS: Final = 100  # a configuration has fewer runs than this that were started here
ANCESTORS: Final = 80  # of a lineage, at most
BIRTHS: Final = 12  # generations of parents in a lineage, at most
log = logging.getLogger(__name__)
NOT_FOUND: Final = "there is no such run, or no individual with this number in it; see /api/runs"

Outcome = TypeVar("Outcome")


class RunRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to start a run; `config` is GAME/NAME."""

    config: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarter:
    """The clients that may start runs, the configurations, and the folder of new runs."""

    is_allowed: Callable[[str], bool]  # whether a client of this address may start runs
    configs: Sequence[str]  # GAME/NAME
    home: Path  # the folder of new runs, which the watcher watches
    # Returns the command that starts a run of a configuration in a folder, or resumes the one in it if the
    # configuration is "". Raises ValueError if it cannot be.
    command: Callable[[Path, str], Sequence[str]]


class RunsApi:
    """The routes of the runs that a watcher has found; some of them have a supervisor of this server."""

    def __init__(
        self,
        watcher: RunWatcher,
        supervisors: Supervisors,
        curves_of: CurvesOf,
        starter: RunStarter | None = None,
        bundled: Mapping[str, RunStatus] = MappingProxyType({}),
    ) -> None:
        """Create the API. Without a starter no client may start runs; `bundled` are the bundled runs by name."""
        self._watcher = watcher
        self._supervisors = supervisors
        self._curves_of = curves_of
        self._starter = starter
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
            web.post("/api/runs", self._begin),
            web.post("/api/runs/{run}/stop", self._stop),
            web.post("/api/runs/{run}/resume", self._resume),
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
        starter = self._starter if self._may_begin(request) else None
        own = self._watcher.runs
        shown = [*own.values(), *(seen for name, seen in self._bundled.items() if name not in own)]
        runs = [self._status(seen) | {"action": self._action(starter, seen)} for seen in shown]
        return json_response({"runs": runs, "configs": starter.configs if starter else ()})

    async def _show(self, request: web.Request) -> web.Response:
        run = self._run(request)

        def read(store: RunStore) -> dict[str, Any]:
            return {
                "configuration": store.config[:LONGEST_TEXT],
                "seed": str(store.seed),  # as text: it may be above the integers of JavaScript
                "hash": store.hash,
                "newest": store.newest,
                "course": RunHistory(store).curves(self._statistics(store)),
                "rules": rules_of(store.config),
            }

        return json_response(self._status(run) | await self._read(run, read))

    async def _traits(self, request: web.Request) -> web.Response:
        def read(store: RunStore) -> TraitCurves:
            return RunHistory(store).traits(self._statistics(store))

        return json_response(await self._read(self._run(request), read))

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

    # -- Starting and stopping ---------------------------------------------------------------------

    async def _begin(self, request: web.Request) -> web.Response:
        starter = self._allowed_starter(request)
        try:
            wanted = msgspec.json.decode(await request.read(), type=RunRequest)
        except (msgspec.DecodeError, RecursionError) as problem:
            raise error(web.HTTPBadRequest, f"the body does not name a configuration: {problem}") from None
        if wanted.config not in starter.configs:
            advice = near(wanted.config, starter.configs)
            raise error(web.HTTPNotFound, f"no configuration is called {wanted.config[:40]!r}; {advice}")
        self._check_idle()
        name = wanted.config.rpartition("/")[2]
        names = (name, *(f"{name}-{number}" for number in range(2, MAX_RUNS)))
        folder = next((path for each in names if not (path := starter.home / each).exists()), None)
        if folder is None:
            raise error(
                web.HTTPConflict, f"{starter.home} has too many runs of this configuration; remove some"
            )
        self._keep(starter, folder, wanted.config)
        return json_response({"run": folder.name})

    async def _stop(self, request: web.Request) -> web.Response:
        self._allowed_starter(request)
        run = self._run(request)
        if run.folder not in self._supervisors:
            raise error(
                web.HTTPConflict, f"this server does not control the run {run.name}, so it cannot stop it"
            )
        await self._supervisors.stop(run.folder)
        return json_response({"run": run.name})

    async def _resume(self, request: web.Request) -> web.Response:
        starter = self._allowed_starter(request)
        run = self._run(request)
        if self._action(starter, run) != "resume":
            raise error(web.HTTPConflict, "the run is running already, or was not started by this server")
        self._check_idle()
        self._keep(starter, run.folder, "")
        return json_response({"run": run.name})

    def _may_begin(self, request: web.Request) -> bool:
        return self._starter is not None and self._starter.is_allowed(request[ADDRESS])

    def _allowed_starter(self, request: web.Request) -> RunStarter:
        """Return the starter. Raises HTTPForbidden if the client may not start runs."""
        if self._starter is None or not self._may_begin(request):
            raise error(
                web.HTTPForbidden, "only a browser on the server's own machine may start, stop or resume runs"
            )
        return self._starter

    def _check_idle(self) -> None:
        """Raise HTTPConflict while a run is active, because each takes all idle processors."""
        if active := [each.folder.name for each in self._supervisors.values() if each.is_active]:
            raise error(web.HTTPConflict, f"one run at a time; stop {active[0]} first")

    def _keep(self, starter: RunStarter, folder: Path, config: str) -> None:
        self._supervisors.keep(Supervisor(folder, lambda: starter.command(folder, config)))

    def _action(self, starter: RunStarter | None, run: RunStatus) -> str:
        """Return what the client may do with a run: "stop", "resume" or ""."""
        supervisor = self._supervisors.get(run.folder)
        if starter is None or run.error:
            return ""
        if supervisor and supervisor.is_active:
            return "stop"
        is_own = supervisor is not None or starter.home in run.folder.parents
        return "resume" if is_own and not run.is_live else ""

    # -- Helpers -----------------------------------------------------------------------------------

    def _run(self, request: web.Request) -> RunStatus:
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

    async def _read(self, run: RunStatus, read: Callable[[RunStore], Outcome]) -> Outcome:
        """Read from a run's store in a thread. Raises HTTPServiceUnavailable if the store cannot be read."""

        def work() -> Outcome:
            try:
                with RunStore.open(run.folder) as store:
                    return read(store)
            except (StoreError, OSError, sqlite3.Error) as problem:
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

        return await self._read(self._run(request), read_known)


class NoStatistics:
    """The statistics of an unknown game: none (engines.evolution.run_history.GameStatistics)."""

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        return {}

    def champion(self, record: object, state: str) -> None:
        return None

    def traits(self, text: str) -> dict[str, float]:
        return {}
