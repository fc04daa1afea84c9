"""A session: a run goes on until its goal, a signal or a failure ends it, and a view shows it all.

The first signal lets the generation come to its end, the second does not: what was under way is played
again when the run is resumed.
"""

import asyncio
import os
import shlex
import signal
import sqlite3
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import AbstractContextManager, aclosing, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from signal import Signals
from typing import Final, Self, cast

from rich.console import Console

from engines.evolution.run import Evolution, Experiment, evolve
from engines.evolution.run_store import NAME, RunStore, StoreError
from engines.version import VERSION
from engines.worker_pool import TaskError, WorkerPool, dask_pool, process_pool
from tools.evolve_views import Goal, JsonLines, Lines, LiveView, Quiet, Tally, View
from tools.games import GAMES

__all__ = ["add_arguments", "run"]


SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


async def session(
    store: RunStore, experiment: Experiment, crew: WorkerPool, tally: Tally, view: View
) -> int | None:
    """Go on; the signal that ended it, None if it reached its goal. What evolve() raises passes through."""
    interrupt = _Interrupt(view)
    try:
        async with crew, interrupt, aclosing(evolve(experiment, crew, store)) as generations:
            if tally.generation < 0:
                await interrupt.within(experiment.delay_seconds)
            while not (tally.is_reached or interrupt.signal or experiment.is_over()):
                progress = await anext(generations)
                tally.add(progress)
                view.advanced(progress, tally)
    except asyncio.CancelledError:
        if not interrupt.is_final:
            raise
    return interrupt.signal


class _Interrupt:
    """What the signals have asked for so far. The second one cancels the task that has entered it."""

    def __init__(self, view: View) -> None:
        self.signal: int | None = None  # the first
        self.is_final = False
        self._view = view
        self._came = asyncio.Event()
        self._task: asyncio.Task[object] | None = None

    async def __aenter__(self) -> "_Interrupt":
        self._task = asyncio.current_task()
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._heard, number)
        return self

    async def __aexit__(self, *_: object) -> None:
        for number in SIGNALS:
            asyncio.get_running_loop().remove_signal_handler(number)

    async def within(self, seconds: float) -> None:
        """Wait for the first signal, but not longer."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._came.wait(), seconds)

    def _heard(self, number: int) -> None:
        if self.signal is None:
            self.signal = number
            self._came.set()
            self._view.noted("The generation is played to its end; once more to leave at once.")
        elif self._task and not self.is_final:
            self.is_final = True
            self._task.cancel()


# `galapagos evolve`: evolution with live progress, which any end leaves ready to go on, bit for bit.


FAILED: Final = 1
USAGE: Final = 2
SIGNALLED: Final = 128  # plus the signal's number: 130 after Ctrl-C


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Ctrl-C ends the run after the generation, a second Ctrl-C at once. Whatever ends it, kill -9 "
        "too, --resume goes on as if nothing had been: same seed and configuration, same hash, with any "
        "number of workers. Exit codes: 0, 1 for a failure, 2 for wrong arguments, a broken configuration "
        "or a folder that cannot be used, 130 after Ctrl-C."
    )
    add = parser.add_argument
    add("game", metavar="GAME", help=f"the game to evolve players of ({', '.join(GAMES)})")
    add(
        "config",
        nargs="?",
        type=Path,
        metavar="CONFIG",
        help="a file, or NAME for one of the program's own; --resume needs none",
    )
    add(
        "--run", dest="folder", type=Path, required=True, metavar="DIR", help="the run's folder, new or empty"
    )
    add("--resume", action="store_true", help="go on with the run of the folder")
    add("--seed", type=int, metavar="N", help="of everything random (the configuration's)")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--workers", type=_count, metavar="N", help=f"processes that play (one a core: {os.cpu_count()})"
    )
    who.add_argument("--cluster", metavar="tcp://HOST:PORT", help="let the workers of a dask scheduler play")
    add(
        "--generations",
        type=_count,
        metavar="N",
        help="stop when the run has N generations (the configuration's)",
    )
    add("--games", type=_count, metavar="N", help="stop when the run has N games")
    add("--hours", type=_hours, metavar="H", help="stop after H hours from now")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON lines: begun, generation ..., ended")
    form.add_argument("--quiet", action="store_true", help="print the end only")
    form.add_argument("--verbose", action="store_true", help="print the report of every generation")


def run(args: Namespace) -> int:
    try:
        evolution = _evolution(args.game)
        cluster_crew = dask_pool(args.cluster) if args.cluster else None
        store = _resumed(args, evolution) if args.resume else _created(args, evolution)
    except (ValueError, OSError) as error:
        return _failed(_sentence(error), USAGE)
    except sqlite3.Error as error:
        return _failed(f"{args.folder}: {error}", FAILED)
    with store:
        try:
            experiment = evolution.open_experiment(store)
        except (ValueError, LookupError, OSError) as error:
            return _failed(f"{args.folder} cannot go on: {_sentence(error)}", USAGE)
        crew = cluster_crew or process_pool(_workers(args, experiment), experiment.preload)
        return _evolve(args, store, experiment, crew)


# -- Before it runs: ValueError or OSError for what cannot be run ----------------------------------


def _evolution(game: str) -> Evolution:
    if game not in GAMES:
        raise ValueError(f"no game is called {game[:40]!r}; there are {', '.join(GAMES)}")
    return cast(Evolution, import_module(GAMES[game].evolution))


def _created(args: Namespace, evolution: Evolution) -> RunStore:
    """The folder is not touched before the configuration is known to be good."""
    if args.config is None:
        raise ValueError("a new run needs a configuration; --resume goes on with one that has begun")
    config = _text(args.config, evolution)
    try:
        seed = evolution.seed_in(config)
    except ValueError as error:
        raise ValueError(f"{args.config}: {error}") from None
    return RunStore.create(
        args.folder,
        game=args.game,
        config=config,
        seed=seed if args.seed is None else args.seed,
        version=VERSION,
    )


def _resumed(args: Namespace, evolution: Evolution) -> RunStore:
    config = None if args.config is None else _text(args.config, evolution)
    store = RunStore.open(args.folder, writing=True)
    try:
        if store.game != args.game:
            raise ValueError(f"{args.folder} holds a run of {store.game}, not of {args.game}")
        if args.seed not in (None, store.seed):
            raise ValueError(f"{args.folder} was begun with seed {store.seed}; another seed is another run")
        if config is not None and config != store.config:
            pairs = zip_longest(config.splitlines(), store.config.splitlines())
            line = next((number for number, (new, old) in enumerate(pairs, 1) if new != old), 1)
            raise ValueError(
                f"{args.config} is not what {args.folder} was begun with: line {line} differs; "
                "leave it out to go on with what the run knows"
            )
    except ValueError:
        store.close()
        raise
    return store


def _workers(args: Namespace, experiment: Experiment) -> int:
    cores = os.cpu_count() or 1
    return args.workers or min(cores, experiment.workers or cores)


def _text(path: Path, evolution: Evolution) -> str:
    """What a configuration says: a file, or by its name one that comes with the program."""
    bundled = evolution.RUNS / f"{path}.txt"
    if not path.exists() and path.name == str(path) and bundled.is_file():
        path = bundled
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text file") from None


# -- While it runs ---------------------------------------------------------------------------------


def _evolve(args: Namespace, store: RunStore, experiment: Experiment, crew: WorkerPool) -> int:
    seconds = [] if args.hours is None else [3600 * args.hours]
    if experiment.limit_seconds is not None:
        seconds.append(experiment.limit_seconds - sum(past.seconds for past in store.generations()))
    goal = Goal(
        generations=args.generations or experiment.generations,
        games=args.games,
        seconds=min(seconds, default=None),
    )
    tally = Tally(goal, store.count("generation") - 1, store.count("contest"))
    view, screen = _view(args, experiment, tally, crew)
    facts = {"run": str(args.folder), "game": store.game, "seed": store.seed, "version": VERSION}
    here = {"generation": tally.generation, "games": tally.games, "hash": store.hash}
    view.begun(facts | here | {"workers": crew.workers, "resumed": args.resume})
    status, reason, failure = 0, "goal", ""
    with screen:
        try:
            ended_by = asyncio.run(session(store, experiment, crew, tally, view))
            if ended_by is not None:
                status, reason = SIGNALLED + ended_by, Signals(ended_by).name
        except BrokenPipeError:
            raise
        except (TaskError, OSError) as error:
            status, failure = FAILED, _sentence(error)
        except sqlite3.Error as error:
            status, failure = FAILED, f"{args.folder / NAME}: {error}"
        except StoreError as error:
            return _failed(str(error), USAGE)
    if failure:
        reason = "failure"
        _failed(f"{failure}; all that is on record is intact", FAILED)
    last = _Last.of(store, args)
    view.ended(last.facts(reason, failure), last.text())
    return status


@dataclass(frozen=True, slots=True, kw_only=True)
class _Last:
    """Where a run stands when a session has ended, and how to go on from there."""

    generation: int
    games: int
    newest: int | None  # ID
    hash: str
    folder: str
    resume: str  # a command

    @classmethod
    def of(cls, store: RunStore, args: Namespace) -> Self:
        words = ["galapagos", "evolve", args.game, "--run", str(args.folder), "--resume"]
        words += ["--workers", str(args.workers)] if args.workers else []
        words += ["--cluster", args.cluster] if args.cluster else []
        return cls(
            generation=store.count("generation") - 1,
            games=store.count("contest"),
            newest=store.newest,
            hash=store.hash,
            folder=shlex.quote(str(args.folder)),
            resume=shlex.join(words),
        )

    def facts(self, reason: str, error: str) -> dict[str, object]:
        return {
            "reason": reason,
            "error": error or None,
            "generation": self.generation,
            "games": self.games,
            "hash": self.hash,
            "resume": self.resume,
        }

    def text(self) -> str:
        lines = ["nothing is on record yet"]
        if self.newest is not None:
            lines = [
                f"generation {self.generation:,}, {self.games:,} games, hash {self.hash}",
                f"see more:  galapagos plot {self.folder}",
                f"           galapagos genome lineage {self.folder} {self.newest}",
            ]
        return "\n".join([*lines, f"go on:     {self.resume}"])


def _view(
    args: Namespace, experiment: Experiment, tally: Tally, crew: WorkerPool
) -> tuple[View, AbstractContextManager[object]]:
    """The view, and the screen that it holds while the session lasts."""
    if args.json:
        return JsonLines(), nullcontext()
    if args.quiet:
        return Quiet(), nullcontext()
    console = Console()
    if args.verbose or not console.is_terminal:
        return Lines(experiment.report if args.verbose else None), nullcontext()
    live = LiveView(experiment.report, tally, crew, console)
    return live, live


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _failed(sentence: str, status: int) -> int:
    print(f"galapagos evolve: {sentence}", file=sys.stderr)
    return status


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text)):
        raise ArgumentTypeError(f"a whole number above 0, not {text[:20]!r}")
    return int(text)


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours < 1e6:
        raise ArgumentTypeError(f"hours are a number above 0, not {text[:20]!r}")
    return hours
