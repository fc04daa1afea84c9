"""A series of runs, which evolve one after another; an interrupted series continues where it was stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.progress import Progress, TaskID

from engines.config import RUN_FILE
from engines.evolution.run import GenerationRecorded
from engines.evolution.run_store import RunStore
from tools import evolve
from tools.evolve_views import Facts, Goal, Quiet, Tally
from tools.progress import progress_display


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """A run of a series. `config` is the name of a configuration, or its file."""

    folder: Path
    config: str | Path
    seed: int

    def evolve(
        self, game: str, *, goal: Goal, processes: evolve.Processes, output: evolve.Output | Quiet = "quiet"
    ) -> int:
        """Start the run, or resume it if its folder holds a run, and return the exit status.

        Raises CommandError if the run cannot be started or fails.
        """
        has_begun = (self.folder / RUN_FILE).exists()
        return evolve.start(
            game,
            self.folder,
            None if has_begun else self.config,
            seed=self.seed,
            resume=has_begun,
            processes=processes,
            goal=goal,
            output=output,
        )


def evolve_series(
    game: str, runs: Sequence[PlannedRun], generations: int, processes: evolve.Processes
) -> int:
    """Evolve each run to the given generation, with the progress on standard error, and return the exit status.

    The status is 0, or that of the first run that a signal stopped. Complete runs are not opened for writing. Raises
    ValueError, before anything evolves, if a folder holds a run with another configuration or seed. Raises
    CommandError if a run fails.
    """
    recorded = [_recorded(game, run) for run in runs]
    with progress_display() as display:
        task = display.add_task("generations", total=(generations + 1) * len(runs), completed=sum(recorded))
        for number, (run, done) in enumerate(zip(runs, recorded, strict=True), 1):
            if done > generations:
                continue
            display.update(task, description=f"generations; run {number} of {len(runs)}, {run.folder}")
            status = run.evolve(
                game,
                goal=Goal(generations=generations),
                processes=processes,
                output=_SeriesView(display, task),
            )
            if status:
                return status
    return 0


class _SeriesView(Quiet):
    """A view that advances the progress of the whole series."""

    def __init__(self, display: Progress, task: TaskID) -> None:
        self._display = display
        self._task = task

    def advance(self, progress: GenerationRecorded, tally: Tally) -> None:
        self._display.advance(self._task)

    def end(self, facts: Facts, text: str) -> None:
        pass


def _recorded(game: str, run: PlannedRun) -> int:
    """Return the number of recorded generations of a run, with the founders; 0 if the run has not begun."""
    if not (run.folder / RUN_FILE).exists():
        return 0
    config = evolve.read_config(run.config, evolve.find_evolution(game))
    with RunStore.open(run.folder) as store:
        if (store.game, store.config, store.seed) != (game, config, run.seed):
            raise ValueError(
                f"{run.folder} holds another run than {run.config} with seed {run.seed}; name another folder"
            )
        return store.count("generation")
