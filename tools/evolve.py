"""The command `galapagos evolve`: runs an evolution with live progress until its goal, a signal or a failure ends it.

After the first signal the current generation is completed. The second signal interrupts it; the generation is then
played again when the run is resumed, to the same hash.
"""

import asyncio
import os
import shlex
import signal
import sqlite3
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from contextlib import AbstractContextManager, aclosing, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from signal import Signals
from types import MappingProxyType
from typing import Final, Literal

from rich.console import Console

from engines.catalogue import unknown
from engines.config import RUN_FILE
from engines.evolution.fork import check_repetition, compare_hash
from engines.evolution.run import Evolution, Experiment, evolve
from engines.evolution.run_history import CURVE_POINTS, RunHistory
from engines.evolution.run_store import UNUSABLE, RunStore, StoreError
from engines.evolution.state import dump_state
from engines.names import near
from engines.storage import InUseError, read_text
from engines.strength import GameReference
from engines.version import VERSION
from engines.worker_pool import Cluster, TaskError, WorkerPool, Workers
from tools.cli import FAILED, CommandError, counted, positive_int, seed_int, sentence
from tools.evolve_best import NO_CHAMPION, BestSoFar, Found
from tools.evolve_views import Goal, JsonLines, Lines, LiveView, Quiet, Tally, View
from tools.games import GAMES, statistics_of
from tools.new_run import create_run, fork_run

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
SIGNAL_SECONDS: Final = 0.5  # a signal to the process group may end the workers before it arrives here
SIGNALLED: Final = 128  # plus the signal's number: the exit status, 130 after Ctrl-C
SHORT_HASH: Final = 12  # digits of the hash in the summary, enough to compare runs
NO_SETTINGS: Final[Mapping[str, str]] = MappingProxyType({})

Output = Literal["lines", "json", "quiet", "verbose"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """The processes that play the games of a run: workers of this machine, or those of a dask scheduler."""

    workers: int | None = None  # on this machine; None: one a core, or fewer if the configuration says so
    cluster: str | None = None  # the scheduler's address

    def words(self) -> list[str]:
        """Return the equivalent options of the command line."""
        words = ["--workers", str(self.workers)] if self.workers else []
        return words + (["--cluster", self.cluster] if self.cluster else [])


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Ctrl-C stops the run after the current generation, a second Ctrl-C at once. --resume continues a run, also one "
        "that was killed. The same seed and configuration yield the same run, with the same hash (see --verbose), "
        "with any number of workers and interruptions. The exit status is 1 for a failure, 2 for wrong arguments, a wrong configuration or a folder that "
        "cannot be used, and 130 after Ctrl-C."
    )
    add = parser.add_argument
    add("game", metavar="GAME", help=f"the game whose players evolve: {', '.join(GAMES)}")
    add(
        "config",
        nargs="?",
        metavar="CONFIG",
        help="a configuration: its name in `galapagos configs`, or a file; not needed with --resume",
    )
    add(
        "--run",
        dest="folder",
        type=Path,
        required=True,
        metavar="DIR",
        help="the folder of the run; new or empty for a new run",
    )
    add("--resume", action="store_true", help="continue the run in the folder")
    add(
        "--seed",
        type=seed_int,
        metavar="N",
        help="the seed of everything random (default: the configuration's)",
    )
    add(
        "--set",
        dest="settings",
        action="append",
        type=_setting,
        default=[],
        metavar="KEY=VALUE",
        help="give a key of the configuration another value; may be repeated",
    )
    add(
        "--fork",
        metavar="RUN[@GENERATION]",
        help="repeat the run in this folder up to a generation (default: its last), then go on with another --seed, --set or both",
    )
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--workers",
        type=positive_int,
        metavar="N",
        help=f"the number of worker processes (default: one per core, here {os.cpu_count()})",
    )
    who.add_argument("--cluster", metavar="tcp://HOST:PORT", help="use the workers of this dask scheduler")
    add(
        "--generations",
        type=positive_int,
        metavar="N",
        help="stop when the run has N generations (default: the configuration's; without one the run ends with Ctrl-C)",
    )
    add("--games", type=positive_int, metavar="N", help="stop when the run has N games")
    add("--hours", type=_hours, metavar="H", help="stop after H hours")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="print a JSON line for the start, each generation, and the end"
    )
    form.add_argument("--quiet", action="store_true", help="print only the summary at the end")
    form.add_argument(
        "--verbose", action="store_true", help="print the report and the hash of every generation"
    )


def run(args: Namespace) -> int:
    output: Output = "lines"
    if args.json or args.quiet or args.verbose:
        output = "json" if args.json else "quiet" if args.quiet else "verbose"
    return start(
        args.game,
        args.folder,
        args.config,
        seed=args.seed,
        settings=dict(args.settings),
        fork=args.fork,
        resume=args.resume,
        processes=Processes(workers=args.workers, cluster=args.cluster),
        goal=Goal(
            generations=args.generations,
            games=args.games,
            seconds=None if args.hours is None else 3600 * args.hours,
        ),
        output=output,
    )


def start(
    game: str,
    folder: Path,
    config: str | Path | None = None,
    *,
    seed: int | None = None,
    settings: Mapping[str, str] = NO_SETTINGS,
    fork: str | None = None,
    resume: bool = False,
    processes: Processes,
    goal: Goal,
    output: Output | View = "lines",
) -> int:
    """Run an evolution, new, forked or resumed, until its goal or a signal, and return the exit status.

    A new run needs a configuration; for a resumed run it may be given, and must be the same. `fork` names another run
    and a generation, RUN[@GENERATION]. `output` names the way in which progress is printed, or is a view of the
    caller's. Raises CommandError if the run cannot be started or fails.
    """
    try:
        evolution = find_evolution(game)
        cluster = Cluster(processes.cluster) if processes.cluster else None
        if resume:
            if settings or fork:
                raise ValueError("--resume continues a run as it is; leave out --set and --fork")
            store = _resumed(evolution, game, folder, config, seed, goal)
        elif fork:
            store = _forked(evolution, game, folder, fork, config, seed, settings)
        else:
            store = _created(evolution, game, folder, config, seed, settings, goal)
    except InUseError as error:
        raise CommandError(error, FAILED) from None
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    except sqlite3.Error as error:
        raise CommandError(f"{folder}: {error}", FAILED) from None
    with store:
        while True:
            precursor = store.precursor
            try:
                check_repetition(store)
                experiment = evolution.open_experiment(store)
                stage_goal = _stage_goal(goal, experiment, store)
            except (ValueError, OSError, *UNUSABLE) as error:
                raise CommandError(f"the run in {folder} cannot be continued: {sentence(error)}") from None
            pool = cluster or _workers(processes, experiment)
            tally = Tally(stage_goal, store.last_generation, store.count("contest"))
            statistics = statistics_of(game)
            past = RunHistory(store).generations(CURVE_POINTS)
            best = BestSoFar(statistics, partial(_state_text, experiment), past)
            view, screen = _view(output, experiment, tally, pool, best)
            begun = {"run": str(folder), "game": game, "seed": store.seed, "version": VERSION}
            here = {"generation": tally.generation, "games": tally.games, "hash": store.hash}
            is_done = tally.is_reached or experiment.is_over()
            view.begin(begun | here | {"workers": pool.workers, "resumed": resume, "done": is_done})
            with screen:
                status, reason, failure, at_once = _ended(folder, store, experiment, pool, tally, view)
            if status or failure or precursor is None or store.last_generation < precursor.generation:
                break
            resume = (
                True  # with the seed and the configuration of the fork, of which `precursor` was the past
            )
        if not failure:
            store.set_finished(is_finished=precursor is None and _is_finished(experiment, store))
        command = _resume_command(game, folder, processes)
        is_measured = statistics is not None and not at_once
        found = _measure_champion(statistics, store) if is_measured and statistics else None
        view.end(
            _last_facts(store, command, reason, failure, found),
            _last_text(store, command, folder, found, is_measured, is_verbose=output == "verbose"),
        )
        if failure:
            raise CommandError(f"{failure}; all recorded generations are intact", FAILED)
        return status


def find_evolution(game: str) -> Evolution:
    """Return the module of a game's evolution. Raises ValueError for an unknown game or one without evolution."""
    if game not in GAMES:
        raise ValueError(f"no game is called {game[:40]!r}; {near(game, GAMES)}")
    evolution = GAMES[game].evolution
    if evolution is None:
        raise ValueError(f"{game} has no evolution")
    return evolution()


def bundled_configs(evolution: Evolution) -> dict[str, Path]:
    """Return the files of the configurations that come with the program, by their names."""
    return {path.stem: path for path in sorted(evolution.RUNS.glob("*.txt"))}


def read_config(name: str | Path, evolution: Evolution) -> str:
    """Return the text of a bundled configuration or of a file; `./NAME` is always a file.

    Raises ValueError if there is neither, and OSError if the file cannot be read.
    """
    bundled = bundled_configs(evolution)
    try:
        return read_text(bundled.get(str(name), Path(name)))
    except FileNotFoundError:
        raise ValueError(unknown("configuration", str(name), bundled, "`galapagos configs`")) from None


# -- Before a run: ValueError or OSError is raised if it cannot be started --------------------------


def _created(
    evolution: Evolution,
    game: str,
    folder: Path,
    config: str | Path | None,
    seed: int | None,
    settings: Mapping[str, str],
    goal: Goal,
) -> RunStore:
    """Create the store of a new run; the folder is not touched before the configuration has been validated."""
    if config is None:
        raise ValueError("a new run needs a configuration; --resume continues an earlier run")
    text = read_config(config, evolution)
    try:
        evolution.seed_in(text)
    except ValueError as error:
        raise ValueError(f"{config}: {error}") from None
    _check_goal(evolution, text, goal)
    return create_run(game, evolution, folder, text, seed, settings)


def _forked(
    evolution: Evolution,
    game: str,
    folder: Path,
    fork: str,
    config: str | Path | None,
    seed: int | None,
    settings: Mapping[str, str],
) -> RunStore:
    """Create the store of a fork of RUN[@GENERATION], and open it for writing."""
    if config is not None:
        raise ValueError("a fork has the configuration of its run; change it with --set KEY=VALUE")
    source, at, number = fork.rpartition("@")
    if not at or Path(fork).is_dir():
        source, number = fork, ""
    elif not (number.isascii() and number.isdigit() and len(number) < 19):
        raise ValueError(
            f"--fork must be RUN or RUN@GENERATION, with the number of a generation, not {fork[:100]!r}"
        )
    fork_run(game, evolution, Path(source), int(number) if number else None, folder, seed, settings)
    return RunStore.open(folder, writing=True)


def _resumed(
    evolution: Evolution, game: str, folder: Path, config: str | Path | None, seed: int | None, goal: Goal
) -> RunStore:
    """Open the store of a run to resume; configuration and seed, if given, must be those of the run."""
    text = None if config is None else read_config(config, evolution)
    store = RunStore.open(folder, writing=True)
    try:
        if store.champion is not None:
            raise ValueError(f"{folder} holds an excerpt of a run, which can be shown but not continued")
        if store.game != game:
            raise ValueError(f"{folder} holds a run of {store.game}, not of {game}")
        if seed not in (None, store.seed):
            raise ValueError(f"{folder} was started with seed {store.seed}; another seed needs a new run")
        if text is not None and text != store.config:
            pairs = zip_longest(text.splitlines(), store.config.splitlines())
            line = next((number for number, (new, old) in enumerate(pairs, 1) if new != old), 1)
            raise ValueError(
                f"{config} is not the configuration of the run in {folder}: line {line} differs; "
                "leave it out to continue with the configuration of the run"
            )
        _check_goal(evolution, store.config, goal)
    except ValueError:
        store.close()
        raise
    return store


def _check_goal(evolution: Evolution, config: str, goal: Goal) -> None:
    if goal.games is not None and not evolution.has_games(config):
        raise ValueError(
            "this configuration records no games, so --games cannot end it; use --generations or --hours"
        )


def _stage_goal(goal: Goal, experiment: Experiment, store: RunStore) -> Goal:
    """Return the goal of the stage of the run: the generation of a fork, or that of the command line or configuration.

    Of two limits of time the shorter one holds.
    """
    seconds = [] if goal.seconds is None else [goal.seconds]
    if experiment.limit_seconds is not None:
        seconds.append(experiment.limit_seconds - store.seconds)
    generations = goal.generations or experiment.generations
    if precursor := store.precursor:
        generations = min(precursor.generation, generations or precursor.generation)
    return Goal(generations=generations, games=goal.games, seconds=min(seconds, default=None))


def _is_finished(experiment: Experiment, store: RunStore) -> bool:
    """Return whether the run has reached the end that its configuration sets."""
    return (
        experiment.is_over()
        or (experiment.generations is not None and store.last_generation >= experiment.generations)
        or (experiment.limit_seconds is not None and store.seconds >= experiment.limit_seconds)
    )


def _workers(processes: Processes, experiment: Experiment) -> WorkerPool:
    cores = os.cpu_count() or 1
    return Workers(processes.workers or min(cores, experiment.workers or cores), experiment.preload)


def _state_text(experiment: Experiment) -> str:
    return dump_state(experiment.population.state)


def _view(
    output: Output | View, experiment: Experiment, tally: Tally, pool: WorkerPool, best: BestSoFar
) -> tuple[View, AbstractContextManager[object]]:
    """Return the view, and the context of its screen during the session."""
    if not isinstance(output, str):
        return output, nullcontext()
    if output == "json":
        return JsonLines(best), nullcontext()
    if output == "quiet":
        return Quiet(), nullcontext()
    console = Console()
    if output == "verbose" or not console.is_terminal:
        return Lines(experiment.report if output == "verbose" else None, best), nullcontext()
    live = LiveView(experiment.report, best, tally, pool, console)
    return live, live


# -- During a run ----------------------------------------------------------------------------------


def _ended(
    folder: Path, store: RunStore, experiment: Experiment, pool: WorkerPool, tally: Tally, view: View
) -> tuple[int, str, str, bool]:
    """Run until the end; return exit status, reason, failure, and whether to leave without a measurement."""
    try:
        number, at_once = asyncio.run(_session(store, experiment, pool, tally, view))
    except BrokenPipeError:
        raise
    except (TaskError, OSError) as error:
        return FAILED, "failure", sentence(error), True
    except sqlite3.Error as error:
        return FAILED, "failure", f"{folder / RUN_FILE}: {error}", True
    except StoreError as error:
        raise CommandError(error) from None
    if number is None:
        return 0, "goal", "", False
    return SIGNALLED + number, Signals(number).name, "", at_once


async def _session(
    store: RunStore, experiment: Experiment, pool: WorkerPool, tally: Tally, view: View
) -> tuple[int | None, bool]:
    """Evolve and return the signal that ended the session, or None at the goal, and whether a second signal came.

    Exceptions of evolve() propagate.
    """
    interrupt, precursor = _Interrupt(view), store.precursor
    try:
        async with pool, interrupt, aclosing(evolve(experiment, pool, store)) as generations:
            if tally.generation < 0:
                await interrupt.wait(experiment.delay_seconds)
            try:
                while not (tally.is_reached or interrupt.signal or experiment.is_over()):
                    progress = await anext(generations)
                    tally.add(progress)
                    if precursor:
                        compare_hash(tally.generation, progress.hash, precursor.hashes)
                    view.advance(progress, tally)
            except (TaskError, OSError):
                await interrupt.wait(SIGNAL_SECONDS)
                if interrupt.signal is None:
                    raise
    except asyncio.CancelledError:
        if not interrupt.is_final:
            raise
    return interrupt.signal, interrupt.is_final


class _Interrupt:
    """The signals received so far, as a context. The second signal cancels the task that has entered the context."""

    def __init__(self, view: View) -> None:
        self.signal: int | None = None  # the first signal
        self.is_final = False
        self._view = view
        self._arrived = asyncio.Event()
        self._task: asyncio.Task[object] | None = None

    async def __aenter__(self) -> "_Interrupt":
        self._task = asyncio.current_task()
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._receive, number)
        return self

    async def __aexit__(self, *_: object) -> None:
        for number in SIGNALS:
            asyncio.get_running_loop().remove_signal_handler(number)

    async def wait(self, seconds: float) -> None:
        """Wait for the first signal, at most `seconds`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._arrived.wait(), seconds)

    def _receive(self, number: int) -> None:
        if self.signal is None:
            self.signal = number
            self._arrived.set()
            again = "; press Ctrl-C again to stop at once" if number == signal.SIGINT else ""
            self._view.notice(f"The run stops after this generation{again}.")
        elif self._task and not self.is_final:
            self.is_final = True
            self._task.cancel()


# -- After a run -----------------------------------------------------------------------------------


def _measure_champion(statistics: GameReference, store: RunStore) -> Found | None:
    """Measure the best so far; None if there is none, or if a signal ends the measurement."""
    with suppress(KeyboardInterrupt):
        return Found.of(statistics, store)
    return None


def _last_facts(
    store: RunStore, command: str, reason: str, error: str, found: Found | None
) -> dict[str, object]:
    return {
        "best": found.data() if found else None,
        "reason": reason,
        "error": error or None,
        "generation": store.count("generation") - 1,
        "games": store.count("contest"),
        "hash": store.hash,
        "resume": command,
    }


def _last_text(
    store: RunStore, command: str, folder: Path, found: Found | None, is_measured: bool, *, is_verbose: bool
) -> str:
    lines = ["no generation is recorded yet"]
    if store.newest is not None:
        generation, games = store.count("generation") - 1, store.count("contest")
        so_far = f"generation {generation:,}" + (f", {counted(games, 'game')}" if games else "")
        path = shlex.quote(str(folder))
        lines = [
            f"{so_far}, hash {store.hash if is_verbose else store.hash[:SHORT_HASH]}",
            *(found.lines() if found else [f"{NO_CHAMPION} after {so_far}"] if is_measured else []),
            f"see more:  galapagos plot {path}",
        ]
        shown = found.id if found else store.newest
        if store.birth(shown).parents:
            lines.append(f"           galapagos genome lineage {path} {shown}")
    return "\n".join([*lines, f"continue:  {command}"])


def _resume_command(game: str, folder: Path, processes: Processes) -> str:
    words = ["galapagos", "evolve", game, "--run", str(folder), "--resume"]
    return shlex.join(words + processes.words())


# -- Helpers ---------------------------------------------------------------------------------------


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key.strip() and equals and value.strip()):
        raise ArgumentTypeError(f"must be KEY=VALUE, not {text[:60]!r}")
    return key.strip(), value.strip()


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours < 1e6:
        raise ArgumentTypeError(f"hours are a number above 0, not {text[:20]!r}")
    return hours
