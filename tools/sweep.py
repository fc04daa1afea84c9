"""`galapagos sweep`: runs of a configuration, several seeds each, with one key varied or a small grid of them.

Which setting is better is a question to many runs; one run, the best of many above all, says little. The
command goes on where it was left, run by run.
"""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Final, cast

from engines.config import folded
from engines.evolution.run import Evolution
from engines.evolution.run_store import NAME
from tools import evolve, study
from tools.games import GAMES

USAGE: Final = 2
STUDIED: Final = ("acquire",)  # games of which runs of different configurations can be compared
CONFIG: Final = "config.txt"

Setting = tuple[str, str]  # key and value


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = (
        "example, the experiments of Evolving Board Evaluation Functions with their figures: "
        "galapagos sweep acquire thesis-place --vary evolve=place,buy,pair --runs 10 --out DIR"
    )
    add = parser.add_argument
    add("game", metavar="GAME", help=f"the game to evolve players of ({', '.join(GAMES)})")
    add("config", type=Path, metavar="CONFIG", help="a file, or NAME for one of the program's own")
    add("--out", type=Path, required=True, metavar="DIR", help="for the runs, and the study of them")
    add(
        "--vary",
        type=_varied,
        action="append",
        default=[],
        metavar="KEY=V,V...",
        help="a key of the configuration and its values; again for a grid",
    )
    add("--runs", type=_count, default=5, metavar="N", help="of each setting, with the seeds 1 to N (5)")
    add("--generations", type=_count, metavar="N", help="of each run (the configuration's)")
    add("--workers", type=_count, metavar="N", help="processes that play (one a core)")
    add("--games", type=_count, metavar="N", help="a comparison of the study (1000)")


def run(args: Namespace) -> int:
    """Every configuration is known to be good before the first run begins."""
    try:
        base = _text(args)
        cells = [Cell(base=base, settings=settings) for settings in product(*args.vary)]
        evolution = cast(Evolution, import_module(GAMES[args.game].evolution))
        for cell in cells:
            evolution.seed_in(cell.config)
    except (ValueError, OSError) as error:
        print(f"galapagos sweep: {error}", file=sys.stderr)
        return USAGE
    folders = []
    for cell in cells:
        for seed in range(1, args.runs + 1):
            folder = args.out / cell.name / f"seed-{seed}"
            print(folder, flush=True)
            status = _evolved(args, cell, folder, seed)
            if status:
                return status
            folders.append(str(folder))
    if args.game not in STUDIED:
        return 0
    words = ["--workers", str(args.workers)] if args.workers else []
    words += ["--games", str(args.games)] if args.games else []
    return study.run(_parsed(study.add_arguments, [*folders, "--out", str(args.out / "study"), *words]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One setting of the grid."""

    base: str  # a configuration
    settings: tuple[Setting, ...]

    @property
    def name(self) -> str:
        """Of its folder."""
        words = ("".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in f"{key}-{value}")
                 for key, value in self.settings)  # fmt: skip
        return "_".join(words) or "runs"

    @property
    def config(self) -> str:
        """The base, but for its settings."""
        keys = {folded(key) for key, _ in self.settings}
        kept = [line for line in self.base.splitlines() if folded(line.partition("=")[0]) not in keys]
        return "\n".join([*kept, *(f"{key} = {value}" for key, value in self.settings), ""])


def _evolved(args: Namespace, cell: Cell, folder: Path, seed: int) -> int:
    """Begin the run, or go on with it; its exit status."""
    words = [args.game, "--run", str(folder), "--quiet"]
    words += ["--workers", str(args.workers)] if args.workers else []
    words += ["--generations", str(args.generations)] if args.generations else []
    if (folder / NAME).exists():
        return evolve.run(_parsed(evolve.add_arguments, [*words, "--resume"]))
    config = args.out / cell.name / CONFIG
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(cell.config, encoding="utf-8")
    words.insert(1, str(config))  # beside the game: argparse takes no position back
    return evolve.run(_parsed(evolve.add_arguments, [*words, "--seed", str(seed)]))


def _parsed(add_arguments: Callable[[ArgumentParser], None], words: Sequence[str]) -> Namespace:
    parser = ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def _text(args: Namespace) -> str:
    """ValueError or OSError where there is no such configuration."""
    if args.game not in GAMES:
        raise ValueError(f"no game is called {args.game[:40]!r}; there are {', '.join(GAMES)}")
    evolution = cast(Evolution, import_module(GAMES[args.game].evolution))
    path = args.config if args.config.exists() else evolution.RUNS / f"{args.config}.txt"
    return str(path.read_text(encoding="utf-8"))


def _varied(text: str) -> list[Setting]:
    key, equals, values = text.partition("=")
    found = [value.strip() for value in values.split(",")]
    if not (key.strip() and equals and all(found)) or len(set(found)) < len(found):
        raise ArgumentTypeError(f"KEY=VALUE,VALUE... is expected, all different, not {text[:60]!r}")
    return [(key.strip(), value) for value in found]


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise ArgumentTypeError(f"a whole number above 0, not {text[:20]!r}")
    return int(text)
