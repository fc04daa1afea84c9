"""The room of the runs: which there are, how they go, what their players consist of and whom they descend from.

All of it is read from the stores in threads, two at a time, and each account is bounded.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from aiohttp import web

from engines.evolution.run_history import GameStatistics, RunHistory, TraitCurves
from engines.evolution.run_store import RunStore
from engines.evolution.run_watcher import CurvesOf, RunStatus, RunWatcher
from engines.evolution.supervisor import Supervisor
from protocols.web.answer import Routes, answer, number, refusal

READERS: Final = 2  # stores that are read at a time
LONGEST_TEXT: Final = 200_000  # characters of a genome or a configuration
ANCESTORS: Final = 80  # of a lineage, at most
BIRTHS: Final = 12  # that they go back

Account = TypeVar("Account")
Handler = Callable[[web.Request], Awaitable[web.Response]]


class RunsRoom:
    """What a watch has seen, and how the runs do that the server keeps going."""

    def __init__(
        self, watch: RunWatcher, supervisors: Mapping[Path, Supervisor], curves_of: CurvesOf
    ) -> None:
        """`supervisors` by the folders of their runs."""
        self._watch = watch
        self._supervisors = supervisors
        self._curves_of = curves_of
        self._readers = asyncio.Semaphore(READERS)

    def routes(self) -> Routes:
        return [
            web.get("/api/runs", self._list),
            web.get("/api/runs/{run}", self._safely(self._show)),
            web.get("/api/runs/{run}/traits", self._safely(self._traits)),
            web.get("/api/runs/{run}/lineage/{id}", self._safely(self._lineage)),
            web.get("/api/runs/{run}/individuals/{id}", self._safely(self._individual)),
        ]

    async def _list(self, request: web.Request) -> web.Response:
        return answer({"runs": [self._seen(seen) for seen in self._watch.runs.values()]})

    async def _show(self, request: web.Request) -> web.Response:
        seen = self._run(request)

        def read(store: RunStore, curves: GameStatistics | None) -> dict[str, Any]:
            return {
                "configuration": store.config[:LONGEST_TEXT],
                "seed": str(store.seed),  # more than JavaScript can count
                "hash": store.hash,
                "newest": store.newest,
                "course": RunHistory(store).curves(curves or NoCurves()),
            }

        return answer(self._seen(seen) | await self._read(seen, read))

    async def _traits(self, request: web.Request) -> web.Response:
        def read(store: RunStore, curves: GameStatistics | None) -> TraitCurves:
            return RunHistory(store).traits(curves or NoCurves())

        return answer(await self._read(self._run(request), read))

    async def _lineage(self, request: web.Request) -> web.Response:
        id = _id(request)
        return answer(
            await self._read(
                self._run(request), lambda store, _: RunHistory(store).ancestors(id, BIRTHS, ANCESTORS)
            )
        )

    async def _individual(self, request: web.Request) -> web.Response:
        id = _id(request)
        born = await self._read(self._run(request), lambda store, _: store.individual(id))
        return answer({
            "id": born.id,
            "generation": born.generation,
            "origin": born.origin,
            "parents": born.parents,
            "text": born.genome[:LONGEST_TEXT],
        })  # fmt: skip

    # -- Helpers -----------------------------------------------------------------------------------

    def _run(self, request: web.Request) -> RunStatus:
        """KeyError if there is no such run."""
        return self._watch.runs[request.match_info["run"]]

    def _seen(self, seen: RunStatus) -> dict[str, Any]:
        supervisor = self._supervisors.get(seen.folder)
        return {
            "name": seen.name,
            "game": seen.game,
            "generation": seen.generation,
            "seconds": seen.seconds,
            "changed": seen.changed,
            "trouble": seen.error,
            "measures": seen.measures,
            "status": supervisor.status if supervisor else "",
            "restarts": supervisor.restarts if supervisor else 0,
            "last_words": list(supervisor.last_words) if supervisor else [],
        }

    async def _read(
        self, seen: RunStatus, read: Callable[[RunStore, GameStatistics | None], Account]
    ) -> Account:
        def work() -> Account:
            with RunStore.open(seen.folder) as store:
                return read(store, self._curves_of(store.game))

        async with self._readers:
            return await asyncio.to_thread(work)

    def _safely(self, handler: Handler) -> Handler:
        async def answered(request: web.Request) -> web.Response:
            try:
                return await handler(request)
            except KeyError:
                return refusal("there is no such run, or nobody of this number in it; see /api/runs", 404)
            except (ValueError, OSError, sqlite3.Error) as error:
                return refusal(f"the run cannot be read at present: {error}", 503)

        return answered


class NoCurves:
    """Of a game that is unknown here (engines.evolution.run_history.GameStatistics)."""

    def measures(self, statistics: Mapping[str, Any]) -> dict[str, float]:
        return {}

    def champion(self, record: object, state: str) -> None:
        return None

    def traits(self, text: str) -> dict[str, float]:
        return {}


def _id(request: web.Request) -> int:
    """KeyError if it is no number."""
    id = number(request.match_info["id"])
    if id is None:
        raise KeyError(request.match_info["id"])
    return id
