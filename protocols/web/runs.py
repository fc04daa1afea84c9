"""The runs on the page: their state and curves, the traits of their players, ancestors and genomes; new ones.

All of it is read from the stores in threads, two at a time, and each response is bounded. Programs of this machine may
begin a run of a few configurations, stop it and go on with it.
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

FOLLOW_SECONDS: Final = 1.0  # between two looks at the progress of runs
READERS: Final = 2  # stores that are read at a time
LONGEST_TEXT: Final = 200_000  # characters of a genome or a configuration
MOST_RUNS: Final = 100  # of a configuration, that were begun here
ANCESTORS: Final = 80  # of a lineage, at most
BIRTHS: Final = 12  # that they go back
log = logging.getLogger(__name__)
NOT_FOUND: Final = "there is no such run, or nobody of this number in it; see /api/runs"

Outcome = TypeVar("Outcome")


class RunRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run to begin."""

    config: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarter:
    """Who may begin runs, of what and where."""

    is_allowed: Callable[[str], bool]  # whether a client of this address may
    configs: Sequence[str]  # GAME/NAME
    home: Path  # the folder for new ones, which the watcher watches
    # Begins a run of a configuration in a folder, or goes on with the one that is there. ValueError if it cannot be.
    command: Callable[[Path, str], Sequence[str]]


class RunsApi:
    """The runs that a watcher has found, and the supervisors of those that the server keeps going."""

    def __init__(
        self,
        watcher: RunWatcher,
        supervisors: Supervisors,
        curves_of: CurvesOf,
        starter: RunStarter | None = None,
        bundled: Mapping[str, RunStatus] = MappingProxyType({}),
    ) -> None:
        """Without a starter nobody begins runs. `bundled` are those that come with the program, by name."""
        self._watcher = watcher
        self._supervisors = supervisors
        self._curves_of = curves_of
        self._starter = starter
        self._bundled = dict(bundled)
        self._readers = asyncio.Semaphore(READERS)
        self._published: dict[str, RunProgress] = {}  # by the name of the run

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
        """Publish the progress of runs that no generation shows, for ever."""
        while True:
            self.publish_progress(bus)
            await asyncio.sleep(FOLLOW_SECONDS)

    def publish_progress(self, bus: Bus) -> None:
        """Publish what has changed since the last time."""
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
                "seed": str(store.seed),  # more than JavaScript can count
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

    # -- Beginning and ending ----------------------------------------------------------------------

    async def _begin(self, request: web.Request) -> web.Response:
        starter = self._allowed_starter(request)
        try:
            wanted = msgspec.json.decode(await request.read(), type=RunRequest)
        except (msgspec.DecodeError, RecursionError) as problem:
            raise error(web.HTTPBadRequest, f"that names no configuration: {problem}") from None
        if wanted.config not in starter.configs:
            advice = near(wanted.config, starter.configs)
            raise error(web.HTTPNotFound, f"no configuration is called {wanted.config[:40]!r}; {advice}")
        self._check_idle()
        name = wanted.config.rpartition("/")[2]
        names = (name, *(f"{name}-{number}" for number in range(2, MOST_RUNS)))
        folder = next((path for each in names if not (path := starter.home / each).exists()), None)
        if folder is None:
            raise error(web.HTTPConflict, f"there are enough runs in {starter.home}; remove some")
        self._keep(starter, folder, wanted.config)
        return json_response({"run": folder.name})

    async def _stop(self, request: web.Request) -> web.Response:
        self._allowed_starter(request)
        run = self._run(request)
        if run.folder not in self._supervisors:
            raise error(web.HTTPConflict, "another program goes on with this run")
        await self._supervisors.stop(run.folder)
        return json_response({"run": run.name})

    async def _resume(self, request: web.Request) -> web.Response:
        starter = self._allowed_starter(request)
        run = self._run(request)
        if self._action(starter, run) != "resume":
            raise error(web.HTTPConflict, "this run goes on already, or is not this server's")
        self._check_idle()
        self._keep(starter, run.folder, "")
        return json_response({"run": run.name})

    def _may_begin(self, request: web.Request) -> bool:
        return self._starter is not None and self._starter.is_allowed(request[ADDRESS])

    def _allowed_starter(self, request: web.Request) -> RunStarter:
        """HTTPForbidden for who may not begin runs."""
        if self._starter is None or not self._may_begin(request):
            raise error(web.HTTPForbidden, "only a browser on the server's own machine may do that")
        return self._starter

    def _check_idle(self) -> None:
        """HTTPConflict while a run is under way: each takes all processors that are idle."""
        if active := [each.folder.name for each in self._supervisors.values() if each.is_active]:
            raise error(web.HTTPConflict, f"one run at a time; stop {active[0]} first")

    def _keep(self, starter: RunStarter, folder: Path, config: str) -> None:
        self._supervisors.keep(Supervisor(folder, lambda: starter.command(folder, config)))

    def _action(self, starter: RunStarter | None, run: RunStatus) -> str:
        """What a client who may begin runs can do with one: stop, resume, or ""."""
        supervisor = self._supervisors.get(run.folder)
        if starter is None or run.error:
            return ""
        if supervisor and supervisor.is_active:
            return "stop"
        is_own = supervisor is not None or starter.home in run.folder.parents
        return "resume" if is_own and not run.is_live else ""

    # -- Helpers -----------------------------------------------------------------------------------

    def _run(self, request: web.Request) -> RunStatus:
        """HTTPNotFound if there is no such run."""
        name = request.match_info["run"]
        run = self._watcher.runs.get(name) or self._bundled.get(name)
        if run is None:
            raise error(web.HTTPNotFound, NOT_FOUND)
        return run

    def _progress(self, seen: RunStatus) -> RunProgress:
        supervisor = self._supervisors.get(seen.folder)
        # A process that has just ended seems live until the watcher looks again, and until then its run cannot go on:
        # its end is told after that, so that who hears of it finds a run that can.
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
        """HTTPServiceUnavailable for a store that cannot be opened, or whose content cannot be read."""

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
        """HTTPNotFound for a number that nobody has."""
        id = number(request.match_info["id"])

        def read_known(store: RunStore) -> Outcome:
            try:
                born = store.individual(-1 if id is None else id)
            except KeyError:
                raise error(web.HTTPNotFound, NOT_FOUND) from None
            return read(store, born)

        return await self._read(self._run(request), read_known)


class NoStatistics:
    """Of a game that is unknown here (engines.evolution.run_history.GameStatistics)."""

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        return {}

    def champion(self, record: object, state: str) -> None:
        return None

    def traits(self, text: str) -> dict[str, float]:
        return {}
