"""The command `galapagos sweep`: runs a configuration with several seeds and with one or more keys varied.

It takes many runs to find out which setting is better; a single run says little, and the best of many runs even less.
An interrupted command continues with the first run that is not finished.
"""

import shlex
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Final

from engines.config import RUN_FILE
from tools import evolve
from tools.cli import CommandError, positive_int
from tools.evolve_views import Goal
from tools.games import GAMES
from tools.new_run import with_settings
from tools.plot.canvas import FORMATS
from tools.series import PlannedRun

CONFIG: Final = "config.txt"

Setting = tuple[str, str]  # key and value


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Example, which repeats the experiments of Evolving Board Evaluation Functions and draws their figures: "
        "galapagos sweep acquire thesis-place --vary evolve=place,buy,pair --runs 10 --out DIR"
    )
    add = parser.add_argument
    add("game", metavar="GAME", help=f"the game whose players evolve: {', '.join(GAMES)}")
    add(
        "config",
        metavar="CONFIG",
        help="a configuration: its name in `galapagos configs`, or a file",
    )
    add("--out", type=Path, required=True, metavar="DIR", help="the folder for the runs and their study")
    add(
        "--vary",
        type=_varied,
        action="append",
        default=[],
        metavar="KEY=V,V...",
        help="a key of the configuration, and the values to try; repeat the option for all combinations of several keys",
    )
    add(
        "--runs",
        type=positive_int,
        default=5,
        metavar="N",
        help="the number of runs of each setting, with the seeds 1 to N (default: 5)",
    )
    add(
        "--generations",
        type=positive_int,
        metavar="N",
        help="the generations of each run (default: the configuration's)",
    )
    add(
        "--workers",
        type=positive_int,
        metavar="N",
        help="the number of worker processes (default: one per core)",
    )
    add(
        "--games",
        type=positive_int,
        metavar="N",
        help="the games of each comparison in the study (default: 1000)",
    )
    add(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help=f"the file format of the study's figures ({FORMATS[0]})",
    )


def run(args: Namespace) -> int:
    """Validate all configurations, run all evolutions, and compare them if the game has a study."""
    try:
        evolution = evolve.find_evolution(args.game)
        base = evolve.read_config(args.config, evolution)
        cells = [Cell(base=base, settings=settings) for settings in product(*args.vary)]
        for cell in cells:
            try:
                evolution.seed_in(cell.config)
            except ValueError as error:
                raise ValueError(f"{args.config}: {error}") from None
        study = _study(args.game)
        is_studied = study is not None and all(study.is_comparable(cell.config) for cell in cells)
    except (ValueError, OSError) as error:
        raise CommandError(error) from None
    folders = []
    for cell in cells:
        for seed in range(1, args.runs + 1):
            folder = args.out / cell.name / f"seed-{seed}"
            print(folder, flush=True)
            if status := _evolve(args, cell, folder, seed):
                return status
            folders.append(folder)
    if study and is_studied:
        try:
            study.compare(folders, args.out / "study", args.format, args.games, args.workers)
        except (ValueError, OSError) as error:
            raise CommandError(error) from None
    elif study:
        print(f"compare their champions:  galapagos study --champions {shlex.join(map(str, folders))}")
    return 0


def _study(game: str) -> ModuleType | None:
    """Return the module that compares runs of different configurations, or None if the game has none."""
    name = GAMES[game].study
    module = import_module(name) if name else None
    return module if hasattr(module, "compare") else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One setting of the grid."""

    base: str  # a configuration
    settings: tuple[Setting, ...]

    @property
    def name(self) -> str:
        """The name of the folder of the setting."""
        words = ("".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in f"{key}-{value}")
                 for key, value in self.settings)  # fmt: skip
        return "_".join(words) or "runs"

    @property
    def config(self) -> str:
        """The base configuration with the settings of the cell."""
        return with_settings(self.base, dict(self.settings))


def _evolve(args: Namespace, cell: Cell, folder: Path, seed: int) -> int:
    """Start or resume the run of a folder, and return its exit status."""
    config = args.out / cell.name / CONFIG
    if not (folder / RUN_FILE).exists():
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(cell.config, encoding="utf-8")
    planned = PlannedRun(folder=folder, config=config, seed=seed)
    goal, processes = Goal(generations=args.generations), evolve.Processes(workers=args.workers)
    return planned.evolve(args.game, goal=goal, processes=processes)


def _varied(text: str) -> list[Setting]:
    key, equals, values = text.partition("=")
    found = [value.strip() for value in values.split(",")]
    if not (key.strip() and equals and all(found)) or len(set(found)) < len(found):
        raise ArgumentTypeError(f"must be KEY=VALUE,VALUE... with different values, not {text[:60]!r}")
    return [(key.strip(), value) for value in found]
