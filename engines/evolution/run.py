"""A run: an evolution, the workers that play for it, and the store that keeps the record, generation after generation.

A generation is recorded whole or not at all, first in the exports, whose length is part of the record,
then in the store. Whatever ends the process, the run goes on from the last recorded generation, and
what was under way is played again to the same end.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from engines.evolution.population import Generation, Population
from engines.evolution.run_store import RunStore, StoreError
from engines.evolution.state import dump_state
from engines.storage import write_atomically
from engines.threads import run_in_thread
from engines.worker_pool import WorkerPool


class RunExporter(Protocol):
    """Writes what a run leaves beside its store, for people and other programs. Subclass it."""

    def truncate_to(self, checkpoint: str) -> None:
        """Cut back to where append() returned this checkpoint; "" is the beginning. ValueError if that cannot be.

        By default nothing is cut: files that are replaced as wholes are no part of the record.
        """
        return

    def append(self, generation: Generation[Any]) -> str:
        """Write a generation; the checkpoint after it. OSError if it cannot be written."""
        ...


@dataclass(frozen=True, slots=True)
class ChampionFile(RunExporter):
    """The genome that the last examination found best, in a file of the run's folder."""

    store: RunStore
    name: str

    def append(self, generation: Generation[Any]) -> str:
        if "examined" in generation.statistics:
            champion = generation.statistics["examined"]["champion"]
            write_atomically(self.store.folder / self.name, self.store.individual(champion).genome)
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What a game contributes to a run; made anew from the store whenever the run is begun or resumed."""

    population: Population
    play: Callable[[Any], Any]  # a task's outcome: a pure function that can be pickled
    report: Callable[[Generation[Any]], str]  # for people, after a generation; parts two blank lines apart
    journal: RunExporter | None = None
    preload: Sequence[str] = ()  # modules that `play` needs
    workers: int | None = None  # more are of no use, or not wanted
    delay_seconds: float = 0.0  # before the first generation
    limit_seconds: float | None = None  # of play, in the whole run
    generations: int | None = None  # of the whole run, unless whoever starts it wants another number
    is_over: Callable[[], bool] = bool  # whether it has come to an end of its own; bool() is False: never


class Evolution(Protocol):
    """What a game's module of evolution offers."""

    RUNS: Path  # the folder of the configurations that come with the program, NAME.txt

    def seed_in(self, config: str) -> int:
        """The seed that a configuration names. ValueError, with line and key, or OSError if it is no good."""
        ...

    def has_games(self, config: str) -> bool:
        """Whether generations have games on record, so that a run can end after a number of them."""
        ...

    def open_experiment(self, store: RunStore) -> Experiment:
        """The run of a store, begun or resumed. ValueError or OSError if it cannot be."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRecorded:
    """A generation that is on record."""

    generation: Generation[Any]
    hash: str
    seconds: float  # for all of it
    bookkeeping: float  # seconds of these in which nobody played


async def evolve(
    experiment: Experiment, pool: WorkerPool, store: RunStore
) -> AsyncGenerator[GenerationRecorded, None]:
    """Go on with a run for ever: each GenerationRecorded is on record when it comes, and aclose() ends the run.

    TaskError, sqlite3.Error and OSError end it too, with the last recorded generation intact. StoreError:
    the exports are not what the store knows of them. Who cancels it waits for a generation that is on its
    way there.
    """
    population, journal = experiment.population, experiment.journal
    if journal:
        try:
            journal.truncate_to(store.checkpoint)
        except ValueError as error:
            raise StoreError(f"{store.folder}: {error}") from error

    def record(outcomes: Sequence[Any], seconds: float) -> tuple[Generation[Any], str]:
        began = perf_counter()
        generation = population.step(outcomes)
        checkpoint = journal.append(generation) if journal else ""
        seconds += perf_counter() - began
        return generation, store.write(generation, dump_state(population.state), checkpoint, seconds)

    while True:
        started = perf_counter()
        tasks = population.tasks()
        called = perf_counter()
        outcomes = await pool.map(experiment.play, tasks)
        returned = perf_counter()
        generation, digest = await run_in_thread(partial(record, outcomes, returned - started))
        seconds = perf_counter() - started
        yield GenerationRecorded(
            generation=generation,
            hash=digest,
            seconds=seconds,
            bookkeeping=seconds - (returned - called),
        )
