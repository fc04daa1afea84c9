"""Watching the stores of runs, which any process may write, and publishing new generations on the bus.

A store is read if its files have changed, through a separate connection that cannot write, in a thread. A run that is
damaged, moved or removed meanwhile gets a status that says so, and does not affect other runs.
"""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from engines.config import RUN_FILE
from engines.events import Bus, Generation
from engines.evolution.run_history import GameStatistics
from engines.evolution.run_store import RunStore, StoredGeneration
from engines.storage import Stamp, database_stamp, is_held

POLL_SECONDS: Final = 1.0
MAX_RUNS: Final = 300
MAX_FOLDERS: Final = 3000  # that are searched for runs
DEEPEST: Final = 4  # levels of folders below the given one
MAX_PUBLISHED_GENERATIONS: Final = 20  # generations of a run that are published at a time
UNSAFE: Final = re.compile(r"[^\w.+-]+")

CurvesOf = Callable[[str], GameStatistics | None]  # of a game; None if the game is unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatus:
    """A run as it was when it was last read."""

    name: str
    folder: Path
    game: str = ""
    generation: int = -1  # -1: none yet
    hash: str = ""
    seconds: float = 0.0  # of all generations
    changed: float = 0.0  # seconds since 1970
    is_live: bool = False  # a process is writing it
    is_finished: bool = False  # it has reached the end that its configuration sets
    error: str = ""  # the reason if it cannot be read
    measures: Mapping[str, float] = field(default_factory=dict)


class RunWatcher:
    """A watcher of all runs below some folders."""

    def __init__(self, bus: Bus, folders: Sequence[Path], curves_of: CurvesOf) -> None:
        self.runs: Mapping[str, RunStatus] = {}  # by name
        self._bus = bus
        self._folders = folders
        self._curves_of = curves_of
        self._tails: dict[str, _RunTail] = {}

    async def follow(self) -> None:
        """Look at the runs again and again, without end, for at most a tenth of the time."""
        while True:
            began = time.monotonic()
            await self.scan()
            await asyncio.sleep(max(POLL_SECONDS, 9 * (time.monotonic() - began)))

    async def scan(self) -> None:
        """Look at all runs once, and publish new generations."""
        await asyncio.to_thread(self._find)
        for name in self.runs.keys() - self._tails.keys():
            self._bus.clear(topic_of(name))
        for tail in self._tails.values():
            for news in await asyncio.to_thread(tail.read, self._curves_of):
                self._bus.publish(topic_of(news.run), news, is_state=True)
        self.runs = {name: tail.status for name, tail in self._tails.items()}

    def _find(self) -> None:
        known = {(tail.status.name, tail.status.folder): tail for tail in self._tails.values()}
        self._tails = {
            name: known.get((name, folder)) or _RunTail(name, folder)
            for name, folder in found_runs(self._folders).items()
        }


def topic_of(run: str, kind: str = "generation") -> str:
    return f"run/{run}/{kind}"


def found_runs(folders: Sequence[Path]) -> dict[str, Path]:
    """Return the folders that hold a run, under different names.

    The folders themselves and those below them are searched, to a depth of DEEPEST.
    """
    found: dict[str, Path] = {}
    for top in folders:
        for folder in _folders_with_runs(top):
            parts = folder.relative_to(top).parts or (top.resolve().name,)
            plain = UNSAFE.sub("_", ".".join(parts))[:100].strip(".") or "run"
            names = (plain, *(f"{plain}-{number}" for number in range(2, MAX_RUNS)))
            if folder not in found.values() and len(found) < MAX_RUNS:
                found[next(name for name in names if name not in found)] = folder
    return found


def _folders_with_runs(top: Path) -> Iterator[Path]:
    """Yield the folders with a run, breadth first; folders that cannot be read are skipped."""
    level, looked = [top], 0
    for _ in range(DEEPEST + 1):
        below: list[Path] = []
        for folder in level:
            looked += 1
            if looked > MAX_FOLDERS:
                return
            try:
                if (folder / RUN_FILE).is_file():
                    yield folder
                else:
                    entries = sorted(folder.iterdir())
                    below += [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]
            except OSError:
                continue
        level = below


class _RunTail:
    """A run, and the position up to which it has been read."""

    def __init__(self, name: str, folder: Path) -> None:
        self.status = RunStatus(name=name, folder=folder)
        self._stamp: Stamp = ()

    def read(self, curves_of: CurvesOf) -> list[Generation]:
        """Return the generations since the last call, at most MAX_PUBLISHED_GENERATIONS; the first call returns the newest only.

        The call blocks.
        """
        self.status = replace(self.status, is_live=is_held(self.status.folder))
        try:
            stamp = database_stamp(self.status.folder / RUN_FILE)
        except OSError as error:
            self.status = replace(self.status, error=f"it cannot be found: {error.strerror}")
            return []
        if stamp == self._stamp:
            return []
        self._stamp = stamp
        try:
            with RunStore.open(self.status.folder) as store:
                return self._new_generations(store, curves_of)
        except Exception as error:  # another version of the program may have written anything
            self.status = replace(self.status, error=str(error))
            return []

    def _new_generations(self, store: RunStore, curves_of: CurvesOf) -> list[Generation]:
        is_new = not self.status.game or not _is_same_run(store, self.status)
        most = 1 if is_new else MAX_PUBLISHED_GENERATIONS
        after = store.count("generation") - 1 - most
        past = list(store.generations(after if is_new else max(after, self.status.generation)))[-most:]
        curves = curves_of(store.game)
        news = [self._generation_message(store.game, each, curves) for each in past]
        changed = max(mtime for _, _, mtime in self._stamp) / 1e9
        self.status = replace(
            self.status,
            game=store.game,
            seconds=store.seconds,
            changed=changed,
            is_finished=store.is_finished,
            error="",
        )
        if news:
            last = news[-1]
            self.status = replace(
                self.status, generation=last.generation, hash=last.hash, measures=last.measures
            )
        elif is_new:
            self.status = replace(self.status, generation=-1, hash="", measures={})
        return news

    def _generation_message(
        self, game: str, past: StoredGeneration, curves: GameStatistics | None
    ) -> Generation:
        return Generation(
            run=self.status.name,
            game=game,
            generation=past.number,
            hash=past.hash,
            seconds=past.seconds,
            measures=curves.measures(past.statistics) if curves else {},
        )


def _is_same_run(store: RunStore, status: RunStatus) -> bool:
    """Return whether the store holds the run that was read before, and not another run that has replaced it."""
    return status.generation < 0 or any(
        past.hash == status.hash
        for past in store.generations(after=status.generation - 1)
        if past.number == status.generation
    )
