"""Control of runs from the page: they are started, paused, resumed, forked and deleted, and wait in a queue.

A run takes all idle processors, so one run evolves at a time. A new run is created at once, without a generation, and
put into the queue; so is a fork, and a paused run that is resumed. The first run of the queue evolves in a process of
its own (engines/evolution/supervisor.py). It leaves the queue when it is paused or its process ends by itself, and the
next one starts. The queue is a file in the folder of the runs, replaced atomically, so it survives any end of the
server: the next server resumes the first run, which goes on as if nothing had happened.

A client pauses a run; there is no other way to stop one, because every paused run can be resumed to the same
generations. A run that is deleted while it evolves is paused first. A run that has reached the end that its
configuration sets is finished.

Only clients that may direct the server may do any of this.
"""

import asyncio
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, TypeVar

import msgspec
from aiohttp import web

from engines.config import RUN_FILE
from engines.evolution.run_watcher import RunStatus, RunWatcher
from engines.evolution.supervisor import Supervisor, Supervisors
from engines.names import near
from engines.storage import InUseError, hold, read_text, write_atomically
from protocols.web.responses import ADDRESS, Routes, error, json_response

QUEUE_FILE: Final = "queue.json"  # in the folder of the runs
MAX_QUEUED: Final = 100  # runs in the queue
MAX_RUNS: Final = 100  # a configuration has fewer runs than this that were started here
ADVANCE_SECONDS: Final = 0.5  # between two looks at the queue
MOST_HOURS: Final = 10_000.0
NOT_FOUND: Final = "there is no such run, or no individual with this number in it; see /api/runs"
log = logging.getLogger(__name__)

Settings = Annotated[dict[str, Annotated[str, msgspec.Meta(max_length=200)]], msgspec.Meta(max_length=20)]
Seed = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]{0,20}$")
]  # a text: it may be above the integers of JavaScript
Hours = Annotated[float, msgspec.Meta(gt=0, le=MOST_HOURS)]
Body = TypeVar("Body")
Outcome = TypeVar("Outcome")


class NewRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to start a run."""

    config: str  # GAME/NAME
    settings: Settings = {}  # other values of keys
    seed: Seed = ""  # "" for one at random
    hours: Hours | None = None  # after which the run is paused; None: the default


class ForkOfRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to start a run that repeats another one up to a generation."""

    generation: Annotated[int, msgspec.Meta(ge=0)]
    settings: Settings = {}
    seed: Seed = ""
    hours: Hours | None = None


class Queued(msgspec.Struct, frozen=True):
    """A run in the queue."""

    folder: str  # relative to that of the runs
    hours: Hours  # after which the run is paused


class Queue(msgspec.Struct, frozen=True):
    """The content of QUEUE_FILE."""

    runs: list[Queued]


class MainKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key of a configuration that can be changed on the page."""

    name: str
    value: str  # in this configuration
    may_be: str  # the values that are allowed, in words
    note: str  # what the key means


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration from which a run can be started."""

    config: str  # GAME/NAME
    game: str
    name: str
    about: str  # a sentence
    shows_soon: bool  # whether its runs show something within minutes
    keys: Sequence[MainKey]


class ForkForm(msgspec.Struct, frozen=True, kw_only=True):
    """The generations from which a run can be forked, and the keys that a fork can change."""

    last: int
    recorded: Sequence[int]  # of an excerpt, which has some generations only; else empty: all up to the last
    keys: Sequence[MainKey]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarter:
    """The clients that may start runs, and the functions that create them; all but `is_allowed` block."""

    is_allowed: Callable[[str], bool]  # whether a client of this address may start runs
    home: Path  # the folder of new runs, which the watcher watches
    hours: float  # after which a run is paused, unless the client names another time
    configurations: Callable[[], Sequence[Configuration]]
    create: Callable[[Path, NewRun], None]  # creates a run; raises ValueError, OSError or sqlite3.Error
    fork_form: Callable[[Path], ForkForm]
    fork: Callable[
        [Path, Path, ForkOfRun], None
    ]  # creates a fork of a run in another folder; raises the same
    # Returns the command that resumes the run of a folder, for some hours. Raises ValueError if it holds no run.
    command: Callable[[Path, float], Sequence[str]]


class RunControl:
    """The routes by which clients control runs, and the queue."""

    def __init__(
        self,
        watcher: RunWatcher,
        supervisors: Supervisors,
        starter: RunStarter,
        bundled: Mapping[str, RunStatus] = MappingProxyType({}),
    ) -> None:
        """Create the control of the runs that a watcher finds; runs that are `bundled` can be forked."""
        self._watcher = watcher
        self._supervisors = supervisors
        self._starter = starter
        self.home = starter.home
        self._bundled = bundled
        self._queue = self._read_queue()  # the first is the one that evolves, once it has been started
        self._started: Queued | None = None
        self._hours: dict[Path, float] = {}  # that clients have named for runs
        self._creating = asyncio.Lock()  # one run is created, forked or deleted at a time

    def routes(self) -> Routes:
        return [
            web.get("/api/configurations", self._configurations),
            web.get("/api/runs/{run}/fork", self._show_fork),
            web.post("/api/runs", self._begin),
            web.post("/api/runs/{run}/stop", self._pause),
            web.post("/api/runs/{run}/resume", self._resume),
            web.post("/api/runs/{run}/first", self._move_to_front),
            web.post("/api/runs/{run}/fork", self._fork),
            web.post("/api/runs/{run}/delete", self._delete),
        ]

    async def follow(self) -> None:
        """Start the runs of the queue one after another, until cancelled."""
        while True:
            self.advance()
            await asyncio.sleep(ADVANCE_SECONDS)

    def advance(self) -> None:
        """Remove the first run from the queue if it has ended, and start the next one if no run is active."""
        if self._started and not self._supervisors.is_running(self._folder(self._started)):
            self._set_queue([each for each in self._queue if each != self._started])
            self._started = None
        if (
            self._started is None
            and self._queue
            and not any(map(self._supervisors.is_running, self._supervisors))
        ):
            self._started = self._queue[0]
            folder, hours = self._folder(self._started), self._started.hours
            self._supervisors.keep(Supervisor(folder, lambda: self._starter.command(folder, hours)))

    # -- What the list of runs says ------------------------------------------------------------------

    def is_allowed(self, request: web.Request) -> bool:
        """Return whether the client may control runs."""
        return self._starter.is_allowed(request[ADDRESS])

    async def configs(self) -> Sequence[str]:
        """Return the names of the configurations, GAME/NAME."""
        return [each.config for each in await asyncio.to_thread(self._starter.configurations)]

    def queue(self) -> list[str]:
        """Return the names of the runs that wait, in their order."""
        names = {run.folder: name for name, run in self._watcher.runs.items()}
        waiting = [self._folder(each) for each in self._queue if each != self._started]
        return [names[folder] for folder in waiting if folder in names]

    def status(self, run: RunStatus) -> str:
        """Return "queued", "finished" or "stopped" for a run of the server's own folder; "" for others."""
        if self._is_queued(run):
            return "queued"
        if run.is_finished:
            return "finished"
        return "stopped" if self._is_own(run) and not run.is_live and not run.error else ""

    def action(self, run: RunStatus) -> str:
        """Return the main action on a run: "stop", "resume" or ""."""
        if run.error:
            return ""
        if self._is_queued(run) or self._supervisors.is_running(run.folder):
            return "stop"
        return "resume" if self._may_resume(run) else ""

    def actions(self, run: RunStatus) -> list[str]:
        """Return the further actions on a run: "first", "fork" and "delete"."""
        waiting = [self._folder(each) for each in self._queue if each != self._started]
        found = ["first"] if run.folder in waiting[1:] else []
        if not run.error and run.generation >= 0:
            found.append("fork")
        return [*found, "delete"] if self._may_delete(run) else found

    # -- Requests --------------------------------------------------------------------------------------

    async def _configurations(self, request: web.Request) -> web.Response:
        starter = self._allowed(request)
        return json_response(
            {"configurations": await asyncio.to_thread(starter.configurations), "hours": starter.hours}
        )

    async def _begin(self, request: web.Request) -> web.Response:
        starter = self._allowed(request)
        wanted = await _body(request, NewRun)
        known = await self.configs()
        if wanted.config not in known:
            raise error(
                web.HTTPNotFound,
                f"no configuration is called {wanted.config[:40]!r}; {near(wanted.config, known)}",
            )
        name = wanted.config.rpartition("/")[2]
        return await self._create(name, wanted.hours, lambda folder: starter.create(folder, wanted))

    async def _show_fork(self, request: web.Request) -> web.Response:
        starter, run = self._allowed(request), self._run(request)
        return json_response(await _in_thread(lambda: starter.fork_form(run.folder)))

    async def _fork(self, request: web.Request) -> web.Response:
        starter, run = self._allowed(request), self._run(request)
        wanted = await _body(request, ForkOfRun)
        name = f"{run.name.rpartition('.')[2]}-fork"
        return await self._create(name, wanted.hours, lambda folder: starter.fork(run.folder, folder, wanted))

    async def _pause(self, request: web.Request) -> web.Response:
        self._allowed(request)
        run = self._run(request)
        if self._is_queued(run):
            self._set_queue([each for each in self._queue if self._folder(each) != run.folder])
        elif run.folder in self._supervisors:
            await self._supervisors.stop(run.folder)
        else:
            raise error(
                web.HTTPConflict, f"this server does not control the run {run.name}, so it cannot pause it"
            )
        self.advance()
        return json_response({"run": run.name})

    async def _resume(self, request: web.Request) -> web.Response:
        starter, run = self._allowed(request), self._run(request)
        if self.action(run) != "resume":
            raise error(
                web.HTTPConflict,
                "the run is running or waiting already, is finished, or is not in the server's folder",
            )
        self._put(run.folder, self._hours.get(run.folder, starter.hours))
        return json_response({"run": run.name})

    async def _move_to_front(self, request: web.Request) -> web.Response:
        self._allowed(request)
        run = self._run(request)
        moved = [each for each in self._queue if self._folder(each) == run.folder and each != self._started]
        if not moved:
            raise error(web.HTTPConflict, f"the run {run.name} does not wait in the queue")
        first = [each for each in self._queue if each == self._started]
        self._set_queue([*first, *moved, *(each for each in self._queue if each not in (*first, *moved))])
        return json_response({"run": run.name})

    async def _delete(self, request: web.Request) -> web.Response:
        self._allowed(request)
        run = self._run(request)
        if not self._may_delete(run):
            raise error(
                web.HTTPConflict,
                "only a run in the server's own folder that no other process writes can be deleted",
            )
        self._set_queue([each for each in self._queue if self._folder(each) != run.folder])
        if self._supervisors.is_running(run.folder):
            await self._supervisors.stop(run.folder)
        async with self._creating:
            await _in_thread(lambda: delete_run(self.home, run.folder))
        self._supervisors.forget(run.folder)
        self.advance()
        return json_response({"run": run.name})

    # -- Helpers ---------------------------------------------------------------------------------------

    def _allowed(self, request: web.Request) -> RunStarter:
        """Return the starter. Raises HTTPForbidden if the client may not control runs."""
        if not self.is_allowed(request):
            raise error(web.HTTPForbidden, "only a browser on the server's own machine may control runs")
        return self._starter

    def _run(self, request: web.Request) -> RunStatus:
        """Return the run that a request names. Raises HTTPNotFound if there is no such run."""
        name = request.match_info["run"]
        run = self._watcher.runs.get(name) or self._bundled.get(name)
        if run is None:
            raise error(web.HTTPNotFound, NOT_FOUND)
        return run

    async def _create(self, name: str, hours: float | None, create: Callable[[Path], None]) -> web.Response:
        """Create a run in a new folder with this name or a similar one, and put it into the queue."""
        if len(self._queue) >= MAX_QUEUED:
            raise error(web.HTTPConflict, f"{MAX_QUEUED} runs wait already; remove some from the queue first")
        async with self._creating:
            folder = _new_folder(self.home, name)
            await _in_thread(lambda: create(folder))
        self._put(folder, hours or self._starter.hours)
        return json_response({"run": folder.name})

    def _put(self, folder: Path, hours: float) -> None:
        self._hours[folder] = hours
        entry = Queued(folder=folder.relative_to(self.home).as_posix(), hours=hours)
        self._set_queue([*(each for each in self._queue if each.folder != entry.folder), entry])
        self.advance()

    def _folder(self, entry: Queued) -> Path:
        return self.home / entry.folder

    def _is_own(self, run: RunStatus) -> bool:
        return self.home in run.folder.parents or run.folder in self._supervisors

    def _is_queued(self, run: RunStatus) -> bool:
        return any(self._folder(each) == run.folder for each in self._queue if each != self._started)

    def _may_resume(self, run: RunStatus) -> bool:
        return self._is_own(run) and not run.is_live and not run.is_finished

    def _may_delete(self, run: RunStatus) -> bool:
        is_below = self.home in run.folder.parents
        return is_below and (not run.is_live or self._supervisors.is_running(run.folder))

    def _set_queue(self, queue: list[Queued]) -> None:
        if queue == self._queue:
            return
        self._queue = queue
        try:
            write_atomically(self.home / QUEUE_FILE, msgspec.json.encode(Queue(runs=queue)))
        except OSError as problem:  # the queue goes on in memory
            log.error("%s cannot be written: %s", self.home / QUEUE_FILE, problem.strerror)

    def _read_queue(self) -> list[Queued]:
        path = self.home / QUEUE_FILE
        try:
            queue = msgspec.json.decode(read_text(path), type=Queue).runs
        except FileNotFoundError:
            return []
        except (OSError, ValueError, RecursionError) as problem:
            log.warning("the queue of runs is empty: %s cannot be read (%s)", path, problem)
            return []
        return [each for each in queue[:MAX_QUEUED] if _is_below(self.home, self._folder(each))]


def delete_run(home: Path, folder: Path) -> None:
    """Delete the folder of a run below `home`. Blocks.

    Raises InUseError if a process writes the run, ValueError if the folder is elsewhere, and OSError.
    """
    if not _is_below(home, folder) or not (folder / RUN_FILE).is_file():
        raise ValueError(f"{folder} is no run in the server's own folder")
    with hold(folder):
        (folder / RUN_FILE).unlink()  # it is a run no more, whatever happens next
        shutil.rmtree(folder)  # follows no links


def _new_folder(home: Path, name: str) -> Path:
    """Return the path of a new folder with this name or a similar one. Raises HTTPConflict if there are too many."""
    for each in (name, *(f"{name}-{number}" for number in range(2, MAX_RUNS))):
        if not os.path.lexists(home / each):
            return home / each
    raise error(web.HTTPConflict, f"there are too many runs called {name}; delete some")


def _is_below(home: Path, folder: Path) -> bool:
    """Return whether a folder is below another one, and no link on the way leads elsewhere."""
    return home in folder.parents and folder.resolve() == home.resolve() / folder.relative_to(home)


async def _body(request: web.Request, kind: type[Body]) -> Body:
    """Return the body of a request. Raises HTTPBadRequest with the place of the fault."""
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise error(web.HTTPBadRequest, f"the request is not valid: {problem}") from None


async def _in_thread(work: Callable[[], Outcome]) -> Outcome:
    """Do blocking work. Raises HTTPBadRequest with the reason if the request cannot be fulfilled."""
    try:
        return await asyncio.to_thread(work)
    except InUseError as problem:
        raise error(web.HTTPConflict, str(problem)) from None
    except (ValueError, OSError) as problem:
        raise error(web.HTTPBadRequest, str(problem)) from None
    except sqlite3.Error as problem:
        raise error(web.HTTPServiceUnavailable, f"the run cannot be written at present: {problem}") from None
