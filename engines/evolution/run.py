"""A run: an evolution, the workers that play for it, and the store that keeps its record.

evolve() repeats one cycle. The population names the tasks of the next generation, the workers play them, and the
population takes the outcomes and advances by one step. The new generation is then recorded: it is appended to the
exports (RunExporter), and written to the store in one transaction, with the population's new state and the checkpoint
that the exports returned. The step and the recording run in one thread. Then evolve() yields a GenerationRecorded.

A run is always between two generations, in play, or being recorded. The store only ever contains the first of these.
If the process ends in play, nothing was written, and the tasks are played again. They follow from the state, and
their seeds from the run's seed and the generation's number, so their outcome is the same. If the process ends while
it records, the exports may be ahead of the store. The next evolve() cuts them back to the checkpoint in the store,
and plays the generation again. For this reason the exports are written first: in the opposite order a crash could
leave a generation in the store that the exports lack for ever. In a trial with ten `kill -9` at random moments, the
resumed run had the hash of an uninterrupted one.

Invariants:

- A generation is recorded as a whole or not at all. A GenerationRecorded is yielded only after its transaction.
- After an error in a step or in its recording, the population in memory may be ahead of the store. The generator has
  ended then, and the run must be opened again from the store.
- A cancelled evolve() waits until the recording has ended, because a connection to SQLite cannot be closed while
  another thread uses it. aclose() between two generations loses nothing.
- Outcomes come back in the order of the tasks, so a run does not depend on the number of workers.

An Experiment is what a game contributes: its population, the function that plays a task, and its exports. It is made
from the store whenever a run is started or resumed, so both take the same way. Exports that are replaced as a whole
(ChampionFile) need no checkpoint and are never cut.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypeVar

from engines.evolution.generational import Past
from engines.evolution.population import Generation, Genome, Individual, Population
from engines.evolution.run_store import RunStore, StoreError
from engines.evolution.state import dump_state
from engines.storage import write_atomically
from engines.threads import run_in_thread
from engines.worker_pool import WorkerPool

G = TypeVar("G", bound=Genome)


class RunExporter(Protocol):
    """A writer of files next to a run's store, for people and other programs. Games subclass it."""

    def truncate_to(self, checkpoint: str) -> None:
        """Cut the exports back to where append() returned this checkpoint; "" is the beginning.

        Raises ValueError if that is impossible. By default nothing is cut, because files that are replaced as a whole
        are no part of the record.
        """
        return

    def append(self, generation: Generation[Any]) -> str:
        """Write a generation and return the checkpoint after it. Raises OSError if that is impossible."""
        ...


@dataclass(frozen=True, slots=True)
class ChampionFile(RunExporter):
    """A file in the run's folder with the genome of the champion that the last examination named.

    A run with several champions has `others`: files by the keys under which an examination names these champions.
    """

    store: RunStore
    name: str
    others: Mapping[str, str] = field(default_factory=dict)

    def append(self, generation: Generation[Any]) -> str:
        if "examined" in generation.statistics:
            for key, name in {"champion": self.name, **self.others}.items():
                champion = generation.statistics["examined"][key]
                write_atomically(self.store.folder / name, self.store.individual(champion).genome)
        return ""


def individual_loader(store: RunStore, loads: Callable[[str], G]) -> Past[G]:
    """Return a function that loads an individual on record by its ID; `loads` reads its genome."""

    def past(id: int) -> Individual[G]:
        born = store.individual(id)
        return Individual(
            id=id,
            genome=loads(born.genome),
            parents=born.parents,
            generation=born.generation,
            origin=born.origin,
        )

    return past


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """The part of a run that its game contributes, created from the store whenever the run is started or resumed."""

    population: Population
    play: Callable[[Any], Any]  # returns a task's outcome: a pure function that can be pickled
    report: Callable[[Generation[Any]], str]  # for display; parts two blank lines apart
    journal: RunExporter | None = None
    preload: Sequence[str] = ()  # modules that `play` needs
    workers: int | None = None  # at most; more would be of no use, or are not wanted
    delay_seconds: float = 0.0  # before the first generation
    limit_seconds: float | None = None  # of all generations of the run together
    generations: int | None = None  # of the whole run, unless the user names another number
    is_over: Callable[[], bool] = bool  # whether it has ended by itself; bool() is False: never


class Evolution(Protocol):
    """The interface of a game's module of evolution."""

    RUNS: Path  # the folder of the configurations that come with the program, NAME.txt

    def seed_in(self, config: str) -> int:
        """Return the seed of a configuration.

        Raises ValueError, with line and key, or OSError if the configuration cannot be used.
        """
        ...

    def has_games(self, config: str) -> bool:
        """Return whether generations put games on record, so that a run can end after a number of games."""
        ...

    def open_experiment(self, store: RunStore) -> Experiment:
        """Return the experiment of a stored run, new or resumed.

        Raises ValueError or OSError if the run cannot be continued.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRecorded:
    """A generation that is on record."""

    generation: Generation[Any]
    hash: str
    seconds: float  # the time of the whole generation
    bookkeeping: float  # the part of these seconds in which no task was played


async def evolve(
    experiment: Experiment, pool: WorkerPool, store: RunStore
) -> AsyncGenerator[GenerationRecorded, None]:
    """Continue a run without end, yielding each generation once it is on record; aclose() ends the run.

    TaskError, sqlite3.Error and OSError also end the run, with the last recorded generation intact. Raises StoreError
    if the exports do not match the checkpoint in the store. If it is cancelled, it first waits for a generation that
    is being recorded.
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
