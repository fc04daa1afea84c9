"""The runs of "Evolving Board Evaluation Functions": ten of Place-Tile programs, and ten of Buy-Stock programs.

Reference: section 4.1. Each run has 1,000 programs, which play ten games each in 50 generations (Table 3.1); the
twenty runs have 5.0 million games.
"""

from pathlib import Path
from typing import Final

from engines.acquire.gp_config import GpConfig
from tools.cli import CommandError
from tools.evolve import Processes, find_evolution, read_config
from tools.series import PlannedRun, evolve_series
from tools.study.acquire_runs import GAME

CONFIGS: Final = ("thesis-place", "thesis-buy")
SEEDS: Final = range(1, 11)


def evolve_thesis(out: Path, workers: int | None) -> list[Path]:
    """Evolve the runs below a folder, as far as they are not complete, and return their folders.

    Raises ValueError or OSError if the folder holds other runs, and CommandError if a run fails or a signal stops it.
    """
    runs = [
        PlannedRun(folder=out / Path(config).stem / f"seed-{seed}", config=config, seed=seed)
        for config in CONFIGS
        for seed in SEEDS
    ]
    text = read_config(CONFIGS[0], find_evolution(GAME))
    generations = GpConfig.loads(text).generations
    assert generations is not None
    if status := evolve_series(GAME, runs, generations, Processes(workers=workers)):
        raise CommandError("stopped; the same command continues with the runs that are not complete", status)
    return [run.folder for run in runs]
